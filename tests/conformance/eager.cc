#include "tests/conformance/eager.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <dlfcn.h>
#include <setjmp.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>

#include "runtime/aten/aten_schema.h"
#include "tests/conformance/eager_quantized.h"

namespace onnxport::conformance {
namespace {

using c10::IValue;
using ir::DType;

const std::map<DType, at::ScalarType>& ScalarTypes() {
  static const std::map<DType, at::ScalarType> types = {
      {DType::kFloat32, at::kFloat},
      {DType::kFloat64, at::kDouble},
      {DType::kFloat16, at::kHalf},
      {DType::kBFloat16, at::kBFloat16},
      {DType::kUInt8, at::kByte},
      {DType::kInt8, at::kChar},
      {DType::kInt16, at::kShort},
      {DType::kInt32, at::kInt},
      {DType::kInt64, at::kLong},
      {DType::kBool, at::kBool},
      {DType::kComplex64, at::kComplexFloat},
      {DType::kComplex128, at::kComplexDouble},
      {DType::kUInt16, at::kUInt16},
      {DType::kUInt32, at::kUInt32},
      {DType::kUInt64, at::kUInt64},
  };
  return types;
}

DType FromScalarType(at::ScalarType type) {
  for (const auto& [dtype, scalar_type] : ScalarTypes()) {
    if (scalar_type == type) return dtype;
  }
  throw std::runtime_error(std::string("no ONNX dtype for ") + c10::toString(type));
}

at::Tensor ToTorch(const ort::Tensor& t) {
  auto* data = const_cast<char*>(t.bytes.data());  // from_blob does not write; the clone owns its memory
  return at::from_blob(data, t.shape, at::TensorOptions().dtype(ScalarTypes().at(t.dtype))).clone();
}

// A quantized tensor is its dequantized value.
ort::Tensor FromTorch(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.is_quantized() ? at::dequantize(tensor) : tensor;
  const at::Tensor dense = plain.detach().resolve_conj().contiguous();
  return {.name = {},
          .dtype = FromScalarType(dense.scalar_type()),
          .shape = dense.sizes().vec(),
          .bytes = std::string(static_cast<const char*>(dense.const_data_ptr()), dense.nbytes())};
}

class Arguments {
 public:
  explicit Arguments(const std::vector<ort::Tensor>& tensors) : tensors_(tensors) {}

  IValue Make(const ir::Arg& arg, const c10::TypePtr& type) const {
    if (arg.is_none()) return IValue();
    if (const auto* optional = type->castRaw<c10::OptionalType>()) return Make(arg, optional->getElementType());
    if (const auto* list = type->castRaw<c10::ListType>()) return MakeList(arg, *list);
    return MakeOne(arg, type->kind());
  }

 private:
  IValue MakeOne(const ir::Arg& arg, c10::TypeKind kind) const {
    if (const auto* id = arg.value()) return ToTorch(tensors_.at(static_cast<size_t>(*id)));
    if (const auto* dtype = std::get_if<DType>(&arg.v)) return ScalarTypes().at(*dtype);
    if (const auto* text = std::get_if<std::string>(&arg.v)) return *text;
    if (const auto* word = std::get_if<ir::Word>(&arg.v)) return FromWord(word->text);
    if (const auto* b = std::get_if<bool>(&arg.v)) return *b;
    if (const auto* d = std::get_if<double>(&arg.v)) return *d;
    const int64_t i = std::get<int64_t>(arg.v);
    return kind == c10::TypeKind::FloatType ? IValue(static_cast<double>(i)) : IValue(i);
  }

  static IValue FromWord(const std::string& word) {
    if (word == "cpu") return at::Device(at::kCPU);
    if (word == "strided") return static_cast<int64_t>(at::kStrided);
    if (word == "contiguous_format") return static_cast<int64_t>(at::MemoryFormat::Contiguous);
    if (word == "preserve_format") return static_cast<int64_t>(at::MemoryFormat::Preserve);
    throw std::runtime_error("no value for the word " + word);
  }

  IValue MakeList(const ir::Arg& arg, const c10::ListType& type) const {
    if (type.getElementType()->kind() == c10::TypeKind::SymIntType) return MakeSizes(arg);
    c10::impl::GenericList list(type.getElementType());
    if (const auto* items = arg.list()) {
      for (const ir::Arg& item : *items) list.push_back(Make(item, type.getElementType()));
    } else {  // `int[2] stride=1` takes one int
      list.push_back(Make(arg, type.getElementType()));
    }
    return list;
  }

  // Kernels take sizes as plain integers.
  static IValue MakeSizes(const ir::Arg& arg) {
    c10::List<int64_t> list;
    if (const auto* items = arg.list()) {
      for (const ir::Arg& item : *items) list.push_back(std::get<int64_t>(item.v));
    } else {
      list.push_back(std::get<int64_t>(arg.v));
    }
    return list;
  }

  const std::vector<ort::Tensor>& tensors_;
};

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
  result->tensors.push_back(FromTorch(tensor));
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

// Some overloads are known to TorchScript only (aten::split with sizes, index.Tensor_hacked_twin).
struct Operator {
  const c10::FunctionSchema* schema;
  std::function<void(c10::Stack&)> run;
};

Operator FindOperator(const std::string& overload) {
  const size_t dot = overload.find('.');
  const std::string name = overload.substr(0, dot);
  const std::string variant = dot == std::string::npos ? "" : overload.substr(dot + 1);
  if (const auto handle = c10::Dispatcher::singleton().findSchema({name, variant}))
    return {&handle->schema(), [handle](c10::Stack& stack) { handle->callBoxed(&stack); }};
  for (const auto& op : torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString(name))) {
    if (op->schema().overload_name() == variant)
      return {&op->schema(), [op](c10::Stack& stack) { op->getOperation()(stack); }};
  }
  throw std::runtime_error("PyTorch has no operator " + overload);
}

sigjmp_buf before_kernel;

// Some kernels divide integers by a size that is 0 or the smallest one by -1, or read where an empty tensor has
// nothing, which ends a process.
void RunGuarded(const Operator& op, c10::Stack* stack) {
  static constexpr std::array kSignals = {SIGFPE, SIGSEGV};
  if (sigsetjmp(before_kernel, 1) != 0) throw std::runtime_error("PyTorch's kernel ends the process");
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
                                    const std::vector<ort::Tensor>& tensors) {
  at::InferenceMode guard;
  at::manual_seed(0);
  const Arguments arguments(tensors);
  if (overload.starts_with("qdq::")) {
    const auto find = [&](const std::string& name, const c10::TypePtr& type) -> std::optional<IValue> {
      const int position = ir::FindAtenSchema(overload)->FindArgument(name);
      if (position < 0) return std::nullopt;
      return arguments.Make(args.at(static_cast<size_t>(position)), type);
    };
    return ToResults(RunQuantized(overload.substr(5), find));
  }
  if (overload.starts_with("torchvision::")) LoadTorchvision();
  const Operator op = FindOperator(overload);
  std::vector<IValue> stack;
  for (size_t i = 0; i < op.schema->arguments().size(); ++i) {
    const c10::Argument& argument = op.schema->arguments()[i];
    stack.push_back(arguments.Make(args.at(i), argument.real_type()));
    if (argument.name() == "dtype" && overload.starts_with("aten::quantize_per_"))
      stack.back() = QuantizedType(static_cast<at::ScalarType>(stack.back().toInt()));
  }
  const bool reads = op.schema->returns().front().real_type()->kind() == c10::TypeKind::NumberType;
  const at::Tensor read = reads ? stack.front().toTensor() : at::Tensor();
  const std::vector<IValue> given = stack;  // so that their memory is not used again
  RunGuarded(op, &stack);
  // A Scalar has no dtype: the model gives that of the tensor it is read from.
  if (reads) stack.front() = at::scalar_tensor(stack.front().toScalar(), read.scalar_type());
  return ToResults(stack, StoragesOf(given));
}

}  // namespace onnxport::conformance
