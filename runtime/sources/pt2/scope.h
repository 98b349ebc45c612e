// Names of one graph of the file, and the IR values behind them.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_SCOPE_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_SCOPE_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/text_map.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/json.h"
#include "runtime/sources/pt2/tensor_meta.h"

namespace onnxport::pt2 {

class Scope {
 public:
  explicit Scope(ir::Graph* graph) : graph_(graph), devices_(std::make_shared<Devices>()) {}
  // For a graph that is read in line: names of its own.
  static Scope Inside(const Scope& outer) { return Scope(outer.graph_, outer.devices_); }

  ir::Graph& graph() { return *graph_; }

  // A new value under a name; Error (kBadInput, at `where`) for a name that is taken.
  ir::ValueId Define(std::string_view name, ir::ValueKind kind, const Json& where);
  // The name stands for what `arg` is: operands and results of graphs that are read in line.
  void Bind(std::string_view name, ir::Arg arg, const Json& where);
  // The value of the name; Error (kBadInput, at `where`) when there is none.
  const ir::Arg& Find(std::string_view name, const Json& where) const;
  // A graph's input or output, or an output of a node: {"as_tensor": {"name": ..}}, {"as_sym_int": {"as_name": ..}}.
  // Defines the value and returns it; kNone for {"as_none": true}.
  ir::ValueId DefineArgument(const Json& argument);

  // The members of "tensor_values", "sym_int_values", "sym_float_values" and "sym_bool_values": the type of a value.
  // Names that no node made are passed over.
  void SetTensor(std::string_view name, const Json& meta, MetaReader* metas);
  void SetSymInt(std::string_view name, const Json& value, MetaReader* metas);
  // All of them for a graph that is at hand as one piece.
  void SetTypes(const Json& graph, MetaReader* metas);

  // Both known, and not the same.
  bool OnDifferentDevices(ir::ValueId a, ir::ValueId b) const;

 private:
  struct Devices {
    TextMap<uint32_t> numbers;        // of their names, from 1
    std::vector<uint32_t> of_values;  // by ValueId; 0 and those past the end: not known
  };
  Scope(ir::Graph* graph, std::shared_ptr<Devices> devices) : graph_(graph), devices_(std::move(devices)) {}

  const ir::ValueId* Made(std::string_view name) const;
  void SetDevice(ir::ValueId value, std::string_view name);
  uint32_t DeviceOf(ir::ValueId value) const;

  ir::Graph* graph_;
  std::shared_ptr<Devices> devices_;
  TextMap<ir::Arg> names_;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_SCOPE_H_
