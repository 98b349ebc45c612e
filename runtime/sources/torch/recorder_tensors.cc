// The tensors of a call in the graph: values, weights and constants.
#include <ATen/core/Tensor.h>
#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/error.h"
#include "runtime/ir/complex_number.h"
#include "runtime/sources/torch/arguments.h"
#include "runtime/sources/torch/compare_runs.h"
#include "runtime/sources/torch/recorder.h"
#include "runtime/sources/torch/tensor_memory.h"

namespace onnxport::torch_export {

using ir::Arg;
using ir::ValueId;

namespace {

// Tensors above this are not compared for a view of them.
constexpr size_t kLarge = size_t{1} << 20;

}  // namespace

bool RunRecorder::Bound::IsStill(const at::Tensor& now) const {
  return now.scalar_type() == dtype && now.sizes() == at::IntArrayRef(sizes) &&
         now.strides() == at::IntArrayRef(strides) && now.storage_offset() == offset &&
         now.storage().unsafeGetStorageImpl() == storage;
}

RunRecorder::Place RunRecorder::PlaceOf(const at::Tensor& tensor) {
  return {tensor.storage().unsafeGetStorageImpl(), tensor.storage_offset(), tensor.scalar_type(), tensor.sizes().vec(),
          tensor.strides().vec()};
}

void RunRecorder::Bind(const at::Tensor& tensor, ValueId id) {
  c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  const auto strong = c10::intrusive_ptr<c10::TensorImpl>::reclaim_copy(impl);
  bound_.insert_or_assign(impl, Bound{.tensor = c10::weak_intrusive_ptr<c10::TensorImpl>(strong),
                                      .id = id,
                                      .dtype = tensor.scalar_type(),
                                      .sizes = tensor.sizes().vec(),
                                      .strides = tensor.strides().vec(),
                                      .offset = tensor.storage_offset(),
                                      .storage = tensor.storage().unsafeGetStorageImpl()});
  places_.insert_or_assign(PlaceOf(tensor), id);
}

void RunRecorder::ForgetDead() {
  if (bound_.size() + places_.size() < forget_at_) return;
  std::erase_if(bound_, [](const auto& entry) { return entry.second.tensor.expired(); });
  auto dead = memory_.Dead();
  // Keeps the memory of a tensor that was given other memory since: that is an error only where it is used.
  for (const auto& [tensor, bound] : bound_) dead.erase(bound.storage);
  // The memory comes last: until then no other storage gets the address of one that these tables name.
  std::erase_if(places_, [&](const auto& entry) { return dead.contains(std::get<0>(entry.first)); });
  threads_.Forget(dead);
  memory_.Forget(dead);
  forget_at_ = std::max(kLeastForgotten, 2 * (bound_.size() + places_.size()));
}

ValueId RunRecorder::AddWeight(const at::Tensor& tensor) {
  const Place place = PlaceOf(tensor);
  if (const auto found = weights_.find(place); found != weights_.end()) return found->second;
  const auto registered = registered_.find(place);
  const std::string name =
      registered != registered_.end() ? registered->second : fmt::format("{}{}", kConstantPrefix, constants_++);
  const bool is_constant = registered == registered_.end();
  const ValueId id = AddValue(TypeOf(tensor), name);
  // Who knows how long the memory lives, and what it holds later?
  const bool copied = is_constant ? Memory::IsBorrowed(tensor) : Memory::IsLoose(tensor);
  if (copied && memory_.LiesInWhatVaries(tensor)) {
    throw Error(Code::kOutsideOperators,
                "an argument shares memory with a traced tensor in a way that no operator made (from_blob); use views");
  }
  graph_.weights.push_back({id, name, DataOf(copied ? tensor.detach().clone() : tensor), is_constant});
  if (copied) held_.push_back(tensor);
  if (is_constant && !copied) taken_.push_back({tensor, name, Memory::HashOf(tensor)});
  if (!is_constant) weight_names_.emplace(static_cast<int32_t>(id), name);
  weights_.emplace(place, id);
  memory_.NoteOld(tensor, kNothing);
  return id;
}

// A buffer of the program that it filled by pointer, `float* p = mask.data_ptr<float>()`: a constant, if nothing in it
// came from the inputs.
ValueId RunRecorder::AddWritten(const at::Tensor& tensor) {
  if (memory_.Varies(tensor) != kNothing) {
    throw Error(Code::kOutsideOperators,
                "the memory of an argument was written to by something else than an operator, after an operator had "
                "made it of the inputs; use operators, or onnxport::Custom");
  }
  if (tensor.nbytes() != tensor.storage().nbytes()) {
    throw Error(
        Code::kOutsideOperators,
        "the memory of an argument, which is a part of another tensor, was written to by something else than an "
        "operator; write to the whole tensor, or use operators");
  }
  // Other entries for that memory are stale.
  const c10::StorageImpl* storage = tensor.storage().unsafeGetStorageImpl();
  std::erase_if(bound_, [&](const auto& entry) { return entry.second.storage == storage; });
  std::erase_if(places_, [&](const auto& entry) { return std::get<0>(entry.first) == storage; });
  const ValueId id = AddWeight(tensor.detach().clone());
  memory_.NoteMade(tensor, kNothing);
  return id;
}

Arg RunRecorder::ArgOf(const at::Tensor& tensor, bool views) {
  // In this order: a number that LibTorch wrapped; a tensor that is bound, if its memory is as it was; one that lies
  // where a known one does; a weight. A tensor that shares memory with a traced one in any other way is refused, as
  // nothing says how it was computed.
  const auto found = bound_.find(tensor.unsafeGetTensorImpl());
  if (found == bound_.end() && tensor.unsafeGetTensorImpl()->is_wrapped_number()) {
    const at::Scalar number = tensor.item();
    if (number.isBoolean()) return {number.toBool()};
    if (number.isComplex()) return ir::ComplexNumber(number.toComplexDouble().real(), number.toComplexDouble().imag());
    return number.isIntegral(false) ? Arg{number.toLong()} : Arg{number.toDouble()};
  }
  if (found != bound_.end() && !found->second.IsStill(tensor)) {
    throw Error(Code::kOutsideOperators,
                "an argument was given another size, dtype or memory by something else than an operator (set_data, "
                "resize_, swap)");
  }
  ValueId id = ValueId::kNone;
  const bool unchecked = views && tensor.has_storage() && tensor.storage().nbytes() > kLarge;
  if (unchecked) unchecked_.push_back(tensor);
  if (!unchecked && !memory_.IsAsMade(tensor)) {
    id = AddWritten(tensor);
  } else if (found != bound_.end()) {
    return {found->second.id};
  } else if (const auto place = places_.find(PlaceOf(tensor)); place != places_.end()) {
    id = place->second;  // the same elements as another tensor: x.data(), x.variable_data()
  } else if (!registered_.contains(PlaceOf(tensor)) && (memory_.IsMade(tensor) || memory_.Varies(tensor) != kNothing)) {
    throw Error(Code::kOutsideOperators,
                "an argument shares memory with a traced tensor in a way that no operator made (from_blob, "
                "unsafeGetTensorImpl); use views");
  } else {
    id = AddWeight(tensor);
  }
  Bind(tensor, id);
  return {id};
}

void RunRecorder::CheckCopied(std::span<const c10::IValue> results) {
  if (unchecked_.empty()) return;
  for (const c10::IValue& result : results) {
    VisitTensors(result, [&](const at::Tensor& tensor) {
      // By the storage: Tensor::is_alias_of looks at pointers, which memory of the meta device has not.
      const auto shares = [&](const at::Tensor& argument) {
        return argument.storage().unsafeGetStorageImpl() == tensor.storage().unsafeGetStorageImpl();
      };
      if (std::ranges::any_of(unchecked_, shares)) return;
      if (!std::ranges::all_of(unchecked_, [&](const at::Tensor& argument) { return memory_.IsAsMade(argument); })) {
        throw Error(Code::kOutsideOperators,
                    "the memory of a large tensor was written to by something else than an operator before it was "
                    "copied; use operators");
      }
    });
  }
}

void RunRecorder::CheckConstants() {
  for (const Constant& constant : taken_) {
    if (Memory::HashOf(constant.tensor) == constant.hash) continue;
    throw Error(Code::kOutsideOperators,
                fmt::format("the memory of '{}', which the program takes from outside, was written to by something "
                            "else than an operator after an operator had taken it; use operators, or copies of it",
                            constant.name));
  }
}

void RunRecorder::CheckThreads() const {
  const std::string op = threads_.First();
  if (op.empty()) return;
  throw Error(Code::kOtherThread,
              fmt::format("{} is called by another thread than the one that runs the program, with a tensor of this "
                          "run: a model has what the program's own thread calls. Call it there (without std::thread, "
                          "std::async and at::parallel_for where onnxport::IsExporting())",
                          op));
}

}  // namespace onnxport::torch_export
