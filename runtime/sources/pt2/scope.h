// The names of one graph of the file, and their IR values.
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
  // For a graph that is read inline: it has its own names.
  static Scope Inside(const Scope& outer) { return Scope(outer.graph_, outer.devices_); }

  ir::Graph& graph() { return *graph_; }

  // Defines a new value under a name. Throws Error (kBadInput, at `where`) if the name is taken.
  ir::ValueId Define(std::string_view name, ir::ValueKind kind, const Json& where);
  // Makes the name stand for `arg`: operands and results of graphs that are read inline.
  void Bind(std::string_view name, ir::Arg arg, const Json& where);
  // Returns the value of the name. Throws Error (kBadInput, at `where`) if there is none.
  const ir::Arg& Find(std::string_view name, const Json& where) const;
  // Defines the value of a graph's input or output, or of an output of a node, and returns it: {"as_tensor": {"name":
  // ..}}, {"as_sym_int": {"as_name": ..}}. Returns kNone for {"as_none": true}.
  ir::ValueId DefineArgument(const Json& argument);

  // Set the type of a value from the members of "tensor_values", "sym_int_values", "sym_float_values" and
  // "sym_bool_values". Names that no node made are skipped.
  void SetTensor(std::string_view name, const Json& meta, MetaReader* metas);
  void SetSymInt(std::string_view name, const Json& value, MetaReader* metas);
  // Sets all types, for a graph that was read as one piece.
  void SetTypes(const Json& graph, MetaReader* metas);

  // Returns true if both devices are known and differ.
  bool OnDifferentDevices(ir::ValueId a, ir::ValueId b) const;

 private:
  struct Devices {
    TextMap<uint32_t> numbers;        // of their names, from 1
    std::vector<uint32_t> of_values;  // by ValueId; 0 or past the end: unknown
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
