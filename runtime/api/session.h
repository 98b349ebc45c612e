// Every entry of the library begins with these: the limits that the caller gives, and the model, opened and read.
#ifndef ONNXPORT_RUNTIME_API_SESSION_H_
#define ONNXPORT_RUNTIME_API_SESSION_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "onnxport/export.h"
#include "runtime/archive/archive.h"
#include "runtime/archive/byte_source.h"
#include "runtime/base/interruption.h"
#include "runtime/base/memory_budget.h"
#include "runtime/inputs/inputs.h"
#include "runtime/ir/graph.h"
#include "runtime/lowering/options.h"
#include "runtime/sources/pt2/guards.h"
#include "runtime/sources/pt2/program.h"
#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/interpret/traced_numbers.h"
#include "runtime/trace/walk.h"

namespace onnxport {

// The limits of `options` hold for this thread while it lives.
class Session {
 public:
  // Opens the source. Throws Error.
  Session(const Source& source, const ExportOptions& options);
  const std::shared_ptr<const archive::ByteSource>& bytes() const { return bytes_; }

 private:
  // In this order: opening may read a stream to its end, which the deadline has to stop, and the budget follows from
  // the size of what was opened.
  Interruption interruption_;
  std::shared_ptr<const archive::ByteSource> bytes_;
  MemoryBudget budget_;
};

// A model that was read, to be traced as often as wanted. `options` must outlive it.
class LoadedModel {
 public:
  // Reads the archive, with the weights that the options say. Throws Error.
  LoadedModel(const std::shared_ptr<const archive::Archive>& archive, const ExportOptions& options);

  // It is one of the two; null for the other.
  const ir::Graph* pt2() const { return std::get_if<ir::Graph>(&program_); }
  const torchscript::Program* torchscript() const { return std::get_if<torchscript::Program>(&program_); }
  // The names of the program's parameters, then of its buffers, in its order.
  std::vector<std::string> StateNames() const;
  // Remarks on parts of the file that reading left out.
  const std::vector<std::string>& remarks() const { return remarks_; }
  // For which inputs the model may be wrong.
  const std::vector<Warning>& warnings() const { return warnings_; }

  // Applies the caller's descriptions of inputs. A .pt2 is changed by it, so this is called once. Throws Error, also
  // where an axis that a .pt2 fixed cannot be free.
  void Describe(std::vector<Input> inputs);
  // The same, and reads the other traces of the options. Throws Error.
  void DescribeWithTraces(std::vector<Input> inputs);
  // Throws the errors of `Describe`, and of `Trace` without a survey of opsets, for these inputs.
  void Try(const std::vector<Input>& inputs) const;
  // Traces at the opset of the options. Throws Error.
  trace::Traced Trace(trace::Survey survey = trace::Survey::kLaterOpsets) const&;
  // The same, and frees the program while it is traced. So the program is not in memory beside the two graphs that are
  // made of it.
  trace::Traced Trace() &&;

 private:
  struct Described {
    std::vector<inputs::FreedAxis> freed;
    std::vector<pt2::NarrowedAxis> narrowed;  // that nobody asked for
  };
  Described DescribePt2(const std::vector<Input>& inputs, ir::Graph* graph) const;
  trace::Traced Interpret(const std::vector<Input>& inputs, trace::Survey survey) const;
  // Traces a .pt2. `program` returns it, each time anew.
  trace::Traced TracePt2(const std::function<ir::Graph()>& program, trace::Survey survey) const;

  std::shared_ptr<const archive::Archive> archive_;
  const ExportOptions& options_;
  int opset_;
  lowering::Options lowering_;
  std::variant<ir::Graph, torchscript::Program> program_;
  std::vector<Input> inputs_;  // as described
  std::optional<torchscript::TracedNumbers> traced_;
  std::vector<std::string> remarks_;
  std::vector<Warning> warnings_;
  std::vector<pt2::Write> writes_;   // of a .pt2, where state is kept
  std::vector<std::string> guards_;  // of a .pt2, until its inputs are described
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_API_SESSION_H_
