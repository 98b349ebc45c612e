// An exported model that is not yet written.
#ifndef ONNXPORT_MODEL_H_
#define ONNXPORT_MODEL_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "onnxport/diagnostic.h"
#include "onnxport/dim.h"
#include "onnxport/dtype.h"
#include "onnxport/expected.h"

namespace onnxport {

// An input or output.
struct Port {
  std::string name;
  DType dtype = kUndefined;
  bool sequence = false;                 // an ONNX sequence of tensors: dtype and dims are an element's
  std::optional<std::vector<Dim>> dims;  // nothing: even the rank is unknown
};

// Called now and then with the stage: "read", "trace", "passes" or "write". `done` and `total` are bytes for "write",
// and 0 for the others. An exception ends the work (kCancelled).
using Progress = std::function<void(std::string_view stage, int64_t done, int64_t total)>;

// Receives consecutive pieces of a model. It ends the work (kCancelled) by returning false or throwing an exception.
using Sink = std::function<bool(std::span<const std::byte>)>;

// Where weights are stored. ONNX models over 2 GiB keep them in a second file.
enum class ExternalData {
  kAuto,    // in the model up to 1.8 GB, else in a data file beside it
  kAlways,  // weights of 1 KiB and more in a data file
  kNever,   // in the model; kUsage when they do not fit
  // In a data file that is a safetensors file: parameters and buffers, and constants of 1 KiB and more.
  kSafetensors,
};

struct SaveOptions {
  ExternalData external_data = ExternalData::kAuto;  // `Save` only: a sink gets the model in one piece
  // `Save` waits until the files are on the disk, each before it gets its name. If false, it takes as long as a copy in
  // memory. The files are then complete for whoever opens them. But a power cut within the next minute may lose them,
  // or leave other bytes under their names, even if the model replaced an older file.
  bool sync = true;
  Progress progress = {};
  std::stop_token stop = {};
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

struct SaveReport {
  int64_t model_bytes = 0;
  int64_t data_bytes = 0;
  std::string data_file = {};  // its path; empty when the weights are in the model
  // Data files that the replaced model named are removed. These names are left: the model was made from the file,
  // another `.onnx` in the folder names it, too, or such an `.onnx` cannot be read.
  std::vector<std::string> left_behind = {};
};

// Weights are not in memory: they are read from the Source while the model is written. Damaged weights are found only
// then (kBadInput), at each write. One thread at a time may use a Model.
class Model {
 public:
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  int opset() const;
  // In the model's order, with the names that the file will have.
  const std::vector<Port>& inputs() const;
  const std::vector<Port>& outputs() const;
  // Differences between the exported model and the source program. Lines after the first one of a remark are details.
  // Weights in fewer bits (ExportOptions::weights_as) are read only while the model is written, so the remark on those
  // that became 0 is there only after that. Remarks name options as `name` does; by default as C++.
  std::vector<std::string> remarks(OptionName name = nullptr) const;
  // Inputs for which the model may be wrong. For example, torch.export followed the branch for the size of its example,
  // and other sizes would take the other branch.
  std::vector<Warning> warnings(OptionName name = nullptr) const;

  int64_t nodes() const;    // nodes that run: a function's nodes count at each call
  int64_t weights() const;  // the number of them
  // An operator of the program, and its nodes in the model.
  struct Operator {
    std::string name;  // "aten::add.Tensor"
    int64_t calls = 0;
    std::string spec = {};                 // the entry that says how: "spec/aten/arithmetic.yaml:31"; may be empty
    std::map<std::string, int64_t> nodes;  // how many of each kind; empty: passes removed all of them
  };
  std::vector<Operator> operators() const;  // by name
  // The functions of the model (ExportOptions::functions). Each comes after those that it calls.
  struct Function {
    std::string name;   // of the nodes that call it, with its domain: "torch.nn.modules.linear.Linear"
    int64_t calls = 0;  // its calls: one for each call of a module that it stands for
    int64_t nodes = 0;  // of its own
  };
  std::vector<Function> functions() const;
  // The named free axes of the inputs.
  struct FreeAxis {
    std::string name;
    std::string input;
    size_t axis = 0;
    std::optional<int64_t> min;
    std::optional<int64_t> max;
  };
  std::vector<FreeAxis> axes() const;
  // A value that the program keeps from call to call (ExportOptions::state_as_io).
  struct State {
    std::string input;   // the name of its input
    std::string output;  // the name of the output with its new value
    std::string weight;  // the weight with the value for the first run; empty: it is an input of the program
  };
  const std::vector<State>& state() const;
  // How long each stage took.
  struct Stage {
    std::string name;
    std::chrono::duration<double, std::milli> time;
  };
  const std::vector<Stage>& stages() const;

  // Writes the ONNX file, and perhaps its data file beside it, `<stem>.<hash of its bytes>.data` or `.safetensors`.
  // Each appears complete or not at all, the data first. A file of that name is replaced. Fails with
  //
  //   kCannotWrite  no room, no permission, or `path` is no regular file
  //   kUsage        `path` is the Source itself, or the weights do not fit
  //   kBadInput     the Source is damaged or has changed
  //   kDeadline, kCancelled
  Result<SaveReport> Save(const std::string& path, const SaveOptions& options = {}) const;

  // Gives the sink the same bytes in pieces, with the weights in the model. Returns the number of bytes. Fails
  // with kUsage above 2 GiB, the most that one ONNX message can hold; else as Save.
  Result<int64_t> Serialize(const Sink& sink, const SaveOptions& options = {}) const;
  // Writes to a stream. kCannotWrite when it fails.
  Result<int64_t> Serialize(std::ostream& stream, const SaveOptions& options = {}) const;
  // Returns all of it in memory.
  Result<std::vector<std::byte>> Bytes(const SaveOptions& options = {}) const;

  struct Data;  // internal
  explicit Model(std::unique_ptr<Data> data);

 private:
  std::unique_ptr<Data> data_;
};

}  // namespace onnxport

#endif  // ONNXPORT_MODEL_H_
