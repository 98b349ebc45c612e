#include "tests/conformance/eager.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/enum_tag.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/scalar_tensor.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Logging.h>
#include <dlfcn.h>
#include <setjmp.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string_view>

#include "runtime/aten/aten_schema.h"
#include "runtime/verify/program/torch_call.h"
#include "runtime/verify/program/torch_values.h"
#include "tests/conformance/eager_quantized.h"

namespace onnxport::conformance {
namespace {

using c10::IValue;

constexpr std::string_view kFunctional = "functional::";

// A model gives a number as a 0-d tensor.
at::Tensor NumberAsTensor(const IValue& number) {
  if (number.isBool()) return at::scalar_tensor(number.toBool(), at::kBool);
  if (number.isInt()) return at::scalar_tensor(number.toInt(), at::kLong);
  return at::scalar_tensor(number.toDouble(), at::kDouble);
}

using Storages = std::set<const c10::StorageImpl*>;

Storages StoragesOf(const std::vector<IValue>& arguments) {
  Storages storages;
  const auto add = [&](const at::Tensor& tensor) {
    if (tensor.defined() && tensor.has_storage()) storages.insert(tensor.storage().unsafeGetStorageImpl());
  };
  for (const IValue& value : arguments) {
    if (value.isTensor()) add(value.toTensor());
    if (value.isTensorList()) std::ranges::for_each(value.toTensorVector(), add);
  }
  return storages;
}

void AddTensor(const at::Tensor& tensor, const Storages& of_arguments, EagerResult* result) {
  result->tensors.push_back(verify::FromTorch(tensor));
  const bool shared = tensor.has_storage() && of_arguments.contains(tensor.storage().unsafeGetStorageImpl());
  result->memory.push_back({.shared = shared, .row_major = tensor.is_contiguous()});
}

EagerResult ToResult(const IValue& value, const Storages& of_arguments) {
  using Kind = EagerResult::Kind;
  EagerResult result;
  if (value.isNone() || (value.isTensor() && !value.toTensor().defined())) return result;
  result.kind = value.isTensorList() ? Kind::kTensorList : Kind::kTensor;
  if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) AddTensor(tensor, of_arguments, &result);
  } else {
    AddTensor(value.isTensor() ? value.toTensor() : NumberAsTensor(value), of_arguments, &result);
  }
  return result;
}

// Specs name the dtype of the integers.
at::ScalarType QuantizedType(at::ScalarType integers) {
  return integers == at::kByte ? at::kQUInt8 : integers == at::kChar ? at::kQInt8 : at::kQInt32;
}

// Debian's python3-torchvision: the library of its operators needs no Python.
void LoadTorchvision() {
  static const bool loaded = [] {
    for (const auto& file : std::filesystem::directory_iterator("/usr/lib/python3/dist-packages/torchvision")) {
      const std::string name = file.path().filename().string();
      if (name.starts_with("_C.") && name.ends_with(".so")) return dlopen(file.path().c_str(), RTLD_NOW) != nullptr;
    }
    return false;
  }();
  if (!loaded) throw std::runtime_error("cannot load the operators of torchvision");
}

// A refusal would carry the stack of C++ that it was thrown in, with names: most of the time of a refused call.
void LeaveOutStacks() {
  [[maybe_unused]] static const bool done = [] {
    c10::SetStackTraceFetcher([] { return std::string(); });
    return true;
  }();
}

sigjmp_buf before_kernel;

// Not every kernel refuses what it cannot compute.
void RunGuarded(const verify::Operator& op, torch::jit::Stack* stack) {
  static constexpr std::array kSignals = {SIGFPE, SIGSEGV};
  if (sigsetjmp(before_kernel, 1) != 0) throw std::runtime_error("PyTorch's kernel gives no result");
  for (const int signal : kSignals) std::signal(signal, [](int) { siglongjmp(before_kernel, 1); });
  op.run(*stack);
  for (const int signal : kSignals) std::signal(signal, SIG_DFL);
}

std::vector<EagerResult> ToResults(const std::vector<IValue>& values, const Storages& of_arguments = {}) {
  std::vector<EagerResult> results;
  for (const IValue& value : values) results.push_back(ToResult(value, of_arguments));
  return results;
}

}  // namespace

std::vector<EagerResult> RunEagerly(const std::string& overload, const std::vector<ir::Arg>& args,
                                    const std::vector<ort::Tensor>& tensors, uint64_t seed) {
  LeaveOutStacks();
  at::InferenceMode guard;
  at::manual_seed(seed);
  const verify::ValueOf value_of = [&](ir::ValueId id) {
    return IValue(verify::ToTorch(tensors.at(static_cast<size_t>(id))));
  };
  if (overload.starts_with("qdq::")) {
    const auto find = [&](const std::string& name, const c10::TypePtr& type) -> std::optional<IValue> {
      const int position = ir::FindAtenSchema(overload)->FindArgument(name);
      if (position < 0) return std::nullopt;
      return verify::MakeArgument(args.at(static_cast<size_t>(position)), type, value_of);
    };
    return ToResults(RunQuantized(overload.substr(5), find));
  }
  if (overload.starts_with("torchvision::")) LoadTorchvision();
  // For a functional form, the operator that writes runs on a copy.
  const bool is_written = overload.starts_with(kFunctional);
  const verify::Operator op = verify::FindOperator(
      is_written ? "aten::" + overload.substr(std::string_view(kFunctional).size()) + "_" : overload);
  std::vector<IValue> stack;
  for (size_t i = 0; i < op.schema->arguments().size(); ++i) {
    const c10::Argument& argument = op.schema->arguments()[i];
    stack.push_back(verify::MakeArgument(args.at(i), argument.real_type(), value_of));
    if (argument.name() == "dtype" && overload.starts_with("aten::quantize_per_"))
      stack.back() = QuantizedType(static_cast<at::ScalarType>(stack.back().toInt()));
  }
  if (is_written) stack.front() = stack.front().toTensor().clone();
  const bool reads = op.schema->returns().front().real_type()->kind() == c10::TypeKind::NumberType;
  const at::Tensor read = reads ? stack.front().toTensor() : at::Tensor();
  const std::vector<IValue> given = stack;  // so that their memory is not used again
  RunGuarded(op, &stack);
  // A Scalar has no dtype: the model gives that of the tensor it is read from.
  if (reads) stack.front() = at::scalar_tensor(stack.front().toScalar(), read.scalar_type());
  return ToResults(stack, StoragesOf(given));
}

bool MayDraw(const std::string& overload) {
  const size_t dot = overload.find('.');
  const std::string variant = dot == std::string::npos ? "" : overload.substr(dot + 1);
  const auto handle = c10::Dispatcher::singleton().findSchema({overload.substr(0, dot), variant});
  return handle && handle->hasTag(at::Tag::nondeterministic_seeded);
}

}  // namespace onnxport::conformance
