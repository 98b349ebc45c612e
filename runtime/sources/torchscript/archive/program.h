// A TorchScript archive, read without LibTorch: its code and data are parsed, and nothing is run.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PROGRAM_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PROGRAM_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/base/memory_budget.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/location.h"
#include "runtime/sources/torchscript/archive/line_index.h"
#include "runtime/sources/torchscript/archive/pickle.h"
#include "runtime/sources/torchscript/syntax/ast.h"

namespace onnxport::torchscript {

// One `code/*.py` with its debug information.
struct SourceFile {
  std::string name;  // record: "code/__torch__.py"
  std::string text;

  enum class Maker : uint8_t { kUnknown, kTrace, kCompiler };
  struct Origin {
    Offset begin;                              // begin of the range in `text`
    Maker maker;                               // a trace has recorded it, or it was compiled from a text
    std::shared_ptr<const ir::SourceLine> at;  // file, line, code of the user's Python; null: not known
  };
  std::vector<Origin, BudgetAllocator<Origin>> origins;  // sorted; empty without debug information
  Charge held;                                           // for the texts in here

  // The user's source line if the archive has it, else the line of this file.
  ir::Location Locate(Offset offset) const;
  // Returns false if all that is known of the function's code was compiled from a text.
  bool MayBeRecorded(const Function& function) const;

 private:
  mutable LineIndex lines_;  // of `text`, filled on first use
};

struct Program {
  std::shared_ptr<const archive::Archive> archive;
  int version = 0;  // the version of the operator set for which the code was written
  std::deque<SourceFile> files;
  std::map<std::string, Class> classes;              // by qualified name
  std::map<std::string, Function> functions;         // free functions, by qualified name
  PickledList constants;                             // CONSTANTS.c0 ...
  PickledPtr module;                                 // an Object
  std::map<std::string, PickledList> traced_inputs;  // method -> example inputs, when a trace stored them
};

// The class of the archive's module; null if it has no code.
const Class* ModuleClass(const Program& program);

// Replaces the parameters and buffers of the archive's module and its submodules. `replace` gets their names in a
// state_dict. Quantized ones stay.
using ReplaceTensor = std::function<std::shared_ptr<const ir::TensorData>(
    const std::string& name, const std::shared_ptr<const ir::TensorData>& data)>;
void ReplaceState(Program* program, const ReplaceTensor& replace);

// The names of the parameters, then of the buffers, as ReplaceState passes them. A tensor that is in several places has
// several names.
std::vector<std::string> StateNames(const Program& program);

// Throws Error (kNoProgram): the file is one of torch.save, or of torch::save in C++, which has classes without
// methods.
[[noreturn]] void FailNoProgram(const archive::Archive& archive);

struct ReadOptions {
  bool trust_source = false;  // accept `__setstate__` that does more than move data and pack quantized weights
};

// Checks the whole archive first: the ZIP directory, unique names, sizes, CRC32 of every record, depth and size of
// pickles. Throws onnxport::Error:
// - kBadInput for a damaged or hostile file, and for an unknown version;
// - kBadInput without `trust_source` for code that would run at load: `__setstate__` beyond moving data,
//   `aten::from_file`, `aten::save`;
// - kCannotExport for a file that is not TorchScript (a `state_dict`, a pickled nn.Module): the text says how to save
//   one.
Program ReadProgram(std::shared_ptr<const archive::Archive> archive, const ReadOptions& options = {});

// Reads the tensors of a file, by their names in its dictionaries and objects. They are streamed on request. The file
// is one of `torch.save(model.state_dict(), path)`, or of `torch::save(module, path)` in C++ (`fc.weight`). Everything
// else in it is left out, also quantized tensors. Throws Error (kBadInput) for any other file, and for a damaged one.
std::map<std::string, std::shared_ptr<const ir::TensorData>> ReadTensors(
    std::shared_ptr<const archive::Archive> archive);

// Decides by the records of an archive: true for the files of torch.jit.save and torch.save, false for a `.pt2`.
bool IsTorchScript(const archive::Archive& archive);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_ARCHIVE_PROGRAM_H_
