// Writes a lowered graph as an ONNX file.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_SERIALIZER_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_SERIALIZER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/functions/function.h"
#include "runtime/model/serializer/file_ops.h"
#include "runtime/model/serializer/structure.h"

namespace onnxport::serializer {

// One protobuf message must stay under 2 GiB; above this many bytes `kAuto` moves the weights out.
inline constexpr int64_t kInlineLimit = 1'800'000'000;

enum class ExternalData {
  kAuto,         // in the model up to kInlineLimit, else in a data file
  kAlways,       // weights of 1 KiB and more in a data file
  kNever,        // in the model; throws Error (kUsage) if they do not fit
  kSafetensors,  // in a data file that is a safetensors file: parameters and buffers, and constants of 1 KiB and more
};

struct WriteOptions {
  ExternalData external_data = ExternalData::kAuto;
  int64_t inline_limit = kInlineLimit;  // bytes
  // Returns true for a source file of the model: such a file is never written to or removed.
  std::function<bool(const std::string& path)> is_input = {};
  // Called now and then with the bytes written so far and the total.
  std::function<void(int64_t done, int64_t total)> progress = {};
  // If true, files are on the disk before they have their names, and the names before `Write` returns.
  bool sync = true;
  bool any_thread = true;  // another thread may read weights
  FileOps* ops = &SystemFileOps();
  Metadata metadata = {};
  bool state_as_inputs = false;                         // parameters and buffers are inputs with defaults
  std::span<const functions::Function> functions = {};  // functions that nodes of the graph call
};

struct WriteReport {
  int64_t model_bytes = 0;
  int64_t data_bytes = 0;
  std::string data_file;  // path; empty when the weights are in the model
  // Data files of the replaced model are removed. These are left: another model in the folder names them, or may name
  // them, or they are inputs.
  std::vector<std::string> left_behind = {};
};

// Writes `graph` (lowered to graph.opset and named) to `path`, with exactly the opset and IR version of graph.opset.
// Weights are streamed, so memory does not grow with them. Files appear complete or not at all, the data file first.
// Its name is `<stem>.<hash of its bytes>.data`, or `.safetensors`, so that a model never gets the data of another
// export. Throws Error: kCannotWrite (full disk, no permission, not a regular file), kBadInput (a damaged weight),
// kUsage.
WriteReport Write(const ir::Graph& graph, const std::string& path, const WriteOptions& options = {});

// The same for a model whose structure exists. `weights` has only weights and their names.
WriteReport Write(Structure structure, const ir::Graph& weights, const std::string& path,
                  const WriteOptions& options = {});

// Passes the bytes that `Write` would write with the weights inside the file to `sink`, in consecutive pieces of any
// size. Returns the number of bytes. Throws Error: kUsage if one message cannot hold them, kBadInput, and exceptions of
// `sink`.
int64_t Stream(const ir::Graph& graph, const ir::ByteSink& sink, const WriteOptions& options = {});

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_SERIALIZER_H_
