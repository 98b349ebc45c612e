// The calls of one run of an eager program, as a graph of ATen calls with the types that the run had.
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
  bool needed_values = false;            // some call of a run without memory failed, whatever the program made of that
  std::vector<std::string> unused = {};  // inputs whose values no output depends on
};

// By the names of calls ("roll_2"): where in the program they are made, see place.h.
using PlacesOfCalls = std::map<std::string, std::string>;

class RunRecorder {
 public:
  // The program's tensors have these names; the first name of a tensor stays. `weights_vary`: the model may have other
  // values in their place. `seen`: the graph of a run with values, for a run without memory. `asked`: the calls whose
  // places are found. Both outlive the recorder, or are null.
  RunRecorder(const NamedTensors& parameters, const NamedTensors& buffers, bool weights_vary, const ir::Graph* seen,
              PlacesOfCalls* asked);

  // Before and after the calls.
  void AddInput(const std::string& name, const at::Tensor& tensor);
  void AddOutput(const std::string& name, const c10::IValue& value);
  // Makes the call and takes it down.
  void Call(const c10::OperatorHandle& op, c10::DispatchKeySet keys, std::vector<c10::IValue>* stack);
  // Runs `run` unseen, as one node.
  std::vector<at::Tensor> Custom(const CustomNode& custom, const std::vector<at::Tensor>& inputs, const CustomRun& run);
  // Throws Error when another thread called operators with tensors of the run.
  void CheckThreads() const;
  // Puts the program's state back; the end.
  Recording Finish();

 private:
  using Stack = std::vector<c10::IValue>;
  // A tensor as it was when it was last seen.
  struct Bound {
    c10::weak_intrusive_ptr<c10::TensorImpl> tensor;  // so that its address is not used again
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
  // The program cannot ask for what it has no tensor of any more. If it stayed, tables and the memory of dead tensors
  // would grow with each call.
  void ForgetDead();
  ir::ValueId AddValue(ir::Value type, std::string_view name);
  ir::ValueId AddWeight(const at::Tensor& tensor);
  // Memory that something else than operators wrote is a constant, if it does not vary.
  ir::ValueId AddWritten(const at::Tensor& tensor);
  // `views`: the call looks at no element, so that those of a large tensor need not be compared.
  ir::Arg ArgOf(const at::Tensor& tensor, bool views = false);
  // Copies what the call may write to.
  void KeepState(const c10::FunctionSchema& schema, const ir::Node& call, std::span<const c10::IValue> values);
  DependsOn VaryAny(std::span<const c10::IValue> values) const;
  void NoteWrites(const c10::FunctionSchema& schema, const ir::Node& call, std::span<const c10::IValue> values,
                  DependsOn on);
  void BindResults(const c10::FunctionSchema& schema, std::span<const c10::IValue> results, DependsOn on,
                   ir::Node* node);
  void BindResult(const at::Tensor& tensor, DependsOn on, const std::string& name, ir::Node* node);
  // A call that copies looked at elements after all.
  void CheckCopied(std::span<const c10::IValue> results);
  // Constants are what they were when they were taken.
  void CheckConstants();
  void NoteUnknown(const c10::FunctionSchema& schema, ir::Node* node);
  void AddNode(ir::Node node, const std::string& name);
  // Makes the call.
  void Make(const c10::OperatorHandle& op, std::span<const c10::IValue> values, Stack* stack);
  // The types that the run with values gave at this place.
  std::vector<const ir::Value*> SeenAt(const std::string& name) const;
  // Makes a call that gives no tensor and writes to none: what it says is fixed.
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
  size_t forget_at_ = kLeastForgotten;   // when that many tensors and places are known
  std::unordered_map<const c10::StorageImpl*, std::string> buffers_;
  std::unordered_map<int32_t, std::string> weight_names_;
  int constants_ = 0;
  std::vector<at::Tensor> held_;       // those of borrowed memory, whose places stay theirs
  std::vector<at::Tensor> unchecked_;  // arguments of the call that is made
  struct Constant {
    at::Tensor tensor;
    std::string name;
    uint64_t hash;
  };
  std::vector<Constant> taken_;  // from outside of the program, whose memory LibTorch owns
  DependsOn outputs_ = kNothing;
  Memory memory_;
  OtherThreads threads_;  // after the memory, whose notes hold storages
  StateKeeper state_;
  Recording recording_;
};

}  // namespace onnxport::torch_export

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCH_RECORDER_H_
