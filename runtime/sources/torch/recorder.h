// Records the calls of one run of an eager program as a graph of ATen calls, with the types in the run.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCH_RECORDER_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCH_RECORDER_H_

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "onnxport/diagnostic.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torch/custom_node.h"
#include "runtime/sources/torch/memory.h"
#include "runtime/sources/torch/other_threads.h"
#include "runtime/sources/torch/state_keeper.h"

namespace onnxport::torch_export {

using NamedTensors = std::vector<std::pair<std::string, at::Tensor>>;

// The result of a run.
struct Recording {
  ir::Graph graph;  // inputs, weights and calls; sizes are those of the run
  std::vector<Diagnostic> failures;
  bool values_decide_sizes = false;      // some call gave a tensor whose size depends on the values of the inputs
  bool needed_values = false;            // a call of a run without memory failed, even if the program caught the error
  std::vector<std::string> unused = {};  // inputs whose values no output depends on
};

// The places in the program of calls, by the calls' names ("roll_2"), see place.h.
using PlacesOfCalls = std::map<std::string, std::string>;

class RunRecorder {
 public:
  // The program's tensors have these names. If a tensor has several, the first one stays. `weights_vary`: the model may
  // have other values in their place. `seen`: the graph of a run with values, for a run without memory. `asked`: the
  // calls whose places are wanted. `seen` and `asked` outlive the recorder, or are null.
  RunRecorder(const NamedTensors& parameters, const NamedTensors& buffers, bool weights_vary, const ir::Graph* seen,
              PlacesOfCalls* asked);

  // Call AddInput before the calls, and the other one after them.
  void AddInput(const std::string& name, const at::Tensor& tensor);
  void AddOutput(const std::string& name, const c10::IValue& value);
  // Makes the call and records it.
  void Call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, std::vector<c10::IValue>* stack);
  // Calls `run` without recording its calls, and adds one node.
  std::vector<at::Tensor> Custom(const CustomNode& custom, const std::vector<at::Tensor>& inputs, const CustomRun& run);
  // Throws Error when another thread called operators with tensors of the run.
  void CheckThreads() const;
  // Restores the program's state and returns the recording. Call it last.
  Recording Finish();

 private:
  using Stack = std::vector<c10::IValue>;
  // A tensor in the state in which it was last seen.
  struct Bound {
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;  // keeps the address from being reused
    ir::ValueId id = ir::ValueId::kNone;
    at::ScalarType dtype = at::kFloat;
    std::vector<int64_t> sizes;
    std::vector<int64_t> strides;
    int64_t offset = 0;
    const c10::StorageImpl* storage = nullptr;

    bool IsStill(const at::Tensor& now) const;
  };
  static constexpr size_t kLeastForgotten = 1000;
  // Storage, offset, dtype, sizes, strides.
  using Place =
      std::tuple<const c10::StorageImpl*, int64_t, at::ScalarType, std::vector<int64_t>, std::vector<int64_t>>;

  static Place PlaceOf(const at::Tensor& tensor);
  void Bind(const at::Tensor& tensor, ir::ValueId id);
  // Forgets tensors that the program does not have any more. Otherwise the tables, and the memory of dead tensors,
  // would grow with each call.
  void ForgetDead();
  ir::ValueId AddValue(ir::Value type, std::string_view name);
  ir::ValueId AddWeight(const at::Tensor& tensor);
  // Memory that code other than operators wrote becomes a constant, unless it may differ in another run.
  ir::ValueId AddWritten(const at::Tensor& tensor);
  // `views`: the call reads no element, so elements of a large tensor need not be compared.
  ir::Arg ArgOf(const at::Tensor& tensor, bool views = false);
  // Copies tensors that the call may write to.
  void KeepState(const c10::FunctionSchema& schema, const ir::Node& call, std::span<const c10::IValue> values);
  DependsOn VaryAny(std::span<const c10::IValue> values) const;
  void NoteWrites(const c10::FunctionSchema& schema, const ir::Node& call, std::span<const c10::IValue> values,
                  DependsOn on);
  void BindResults(const c10::FunctionSchema& schema, std::span<const c10::IValue> results, DependsOn on,
                   ir::Node* node);
  void BindResult(const at::Tensor& tensor, DependsOn on, const std::string& name, ir::Node* node);
  // A call that makes copies reads elements after all, so they are checked.
  void CheckCopied(std::span<const c10::IValue> results);
  // Checks that constants have not changed since they were recorded.
  void CheckConstants();
  void NoteUnknown(const c10::FunctionSchema& schema, ir::Node* node);
  void AddNode(ir::Node node, const std::string& name);
  // Makes the call.
  void Make(const c10::OperatorHandle& op, std::span<const c10::IValue> values, Stack* stack);
  // Returns the types in the run with values, for the results of the same call.
  std::vector<const ir::Value*> SeenAt(const std::string& name) const;
  // Makes a call that returns no tensor and writes to none. Its result becomes a fixed number.
  void Ask(const c10::OperatorHandle& op, const std::string& name, std::span<const c10::IValue> values, Stack* stack);
  std::string ModuleOf(const ir::Node& call) const;
  void Fail(Code code, const std::string& op, const std::string& reason);

  const ir::Graph* seen_;
  PlacesOfCalls* asked_;
  ir::Graph graph_;
  std::unordered_map<const c10::TensorImpl*, Bound> bound_;
  std::map<Place, std::string> registered_;
  std::map<Place, ir::ValueId> weights_;
  std::map<Place, ir::ValueId> places_;  // of tensors that the run made
  size_t forget_at_ = kLeastForgotten;   // the number of tensors and places at which dead ones are forgotten
  std::unordered_map<const c10::StorageImpl*, std::string> buffers_;
  std::unordered_map<int32_t, std::string> weight_names_;
  int constants_ = 0;
  std::vector<at::Tensor> held_;       // tensors with borrowed memory, kept alive so that their addresses stay valid
  std::vector<at::Tensor> unchecked_;  // arguments of the current call
  struct Constant {
    at::Tensor tensor;
    std::string name;
    uint64_t hash;
  };
  std::vector<Constant> taken_;  // constants from outside the program, in memory that LibTorch owns
  DependsOn outputs_ = kNothing;
  Memory memory_;
  OtherThreads threads_;  // declared after the memory, whose notes hold storages
  StateKeeper state_;
  Recording recording_;
};

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_RECORDER_H_
