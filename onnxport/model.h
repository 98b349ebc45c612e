// An exported model, not yet written.
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

// Called now and then with what is done ("read", "trace", "passes", "write"). Of "write", `done` and `total` are bytes;
// of the others both are 0. An exception ends the work (kCancelled).
using Progress = std::function<void(std::string_view stage, int64_t done, int64_t total)>;

// Given consecutive pieces of a model. False ends the work (kCancelled), as does an exception.
using Sink = std::function<bool(std::span<const std::byte>)>;

// ONNX models over 2 GiB keep their weights in a second file.
enum class ExternalData {
  kAuto,    // in the model up to 1.8 GB, else in a data file beside it
  kAlways,  // in a data file, those of 1 KiB and more
  kNever,   // in the model; kUsage when they do not fit
  // In a data file that is a safetensors file: parameters and buffers, and constants of 1 KiB and more.
  kSafetensors,
};

struct SaveOptions {
  ExternalData external_data = ExternalData::kAuto;  // of `Save` only: what goes into a sink is one piece
  // Whether `Save` waits until the files are on the disk, each before it gets its name. If not, it takes as long as a
  // copy in memory. The files are complete for whoever opens them, but a power cut within the next minute may lose
  // them, or leave their names with other bytes, also in place of a model that was there before.
  bool sync = true;
  Progress progress = {};
  std::stop_token stop = {};
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
};

struct SaveReport {
  int64_t model_bytes = 0;
  int64_t data_bytes = 0;
  std::string data_file = {};  // its path; empty when the weights are in the model
  // Names of data files that the model which was replaced named. They are removed, but these: another `.onnx` in the
  // folder names them, too, or cannot be read, or this model was made of them.
  std::vector<std::string> left_behind = {};
};

// Weights are not in memory: they are read from the Source while the model is written. So what is wrong with them shows
// only then (kBadInput), and every time. A Model is used by one thread at a time.
class Model {
 public:
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();

  int opset() const;
  // In the model's order, with the names that the file will have.
  const std::vector<Port>& inputs() const;
  const std::vector<Port>& outputs() const;
  // What the exported model does differently from the source program. Lines after the first one of a remark are
  // details. What became 0 of weights in fewer bits (ExportOptions::weights_as) is among them once the model has
  // been written, as weights are read only then. They name options as `name` does; by default as C++.
  std::vector<std::string> remarks(OptionName name = nullptr) const;
  // For which inputs the model may be wrong, as the program was made for others: sizes for which torch.export took a
  // branch.
  std::vector<Warning> warnings(OptionName name = nullptr) const;

  int64_t nodes() const;  // that run: those of functions for each call
  int64_t weights() const;
  // What the operators of the program became.
  struct Operator {
    std::string name;  // "aten::add.Tensor"
    int64_t calls = 0;
    std::string spec = {};                 // the entry that says how: "spec/aten/arithmetic.yaml:31"; may be empty
    std::map<std::string, int64_t> nodes;  // how many of each kind; empty: all of it was simplified away
  };
  std::vector<Operator> operators() const;  // by name
  // The functions of the model (ExportOptions::functions), each behind those that it calls.
  struct Function {
    std::string name;   // of the nodes that call it, with its domain: "torch.nn.modules.linear.Linear"
    int64_t calls = 0;  // modules that it stands for, each as often as it is called
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
  // What the program keeps from call to call (ExportOptions::state_as_io).
  struct State {
    std::string input;   // the name of its input
    std::string output;  // and of its new value
    std::string weight;  // whose value in the program is the first one; empty: an input of the program
  };
  const std::vector<State>& state() const;
  // How long each stage took.
  struct Stage {
    std::string name;
    std::chrono::duration<double, std::milli> time;
  };
  const std::vector<Stage>& stages() const;

  // Writes the ONNX file, and perhaps its data file beside it, `<stem>.<hash of its bytes>.data` or `.safetensors`.
  // Each appears complete or not at all, the data first; a file of that name is replaced. Fails with kCannotWrite (no
  // room, no permission, no regular file), kUsage (`path` is the Source itself; the weights do not fit), kBadInput,
  // kDeadline or kCancelled.
  Result<SaveReport> Save(const std::string& path, const SaveOptions& options = {}) const;

  // The same bytes in pieces, weights within; how many there were. kUsage above 2 GiB, which is all that one ONNX
  // message can hold; else as Save.
  Result<int64_t> Serialize(const Sink& sink, const SaveOptions& options = {}) const;
  // kCannotWrite when the stream fails.
  Result<int64_t> Serialize(std::ostream& stream, const SaveOptions& options = {}) const;
  // All of it in memory.
  Result<std::vector<std::byte>> Bytes(const SaveOptions& options = {}) const;

  struct Data;  // internal
  explicit Model(std::unique_ptr<Data> data);

 private:
  std::unique_ptr<Data> data_;
};

}  // namespace onnxport

#endif  // ONNXPORT_MODEL_H_
