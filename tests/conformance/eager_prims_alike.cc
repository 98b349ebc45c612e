// The operators of PyTorch's reference implementations that do what one of ATen does, which is called with the same
// arguments and the defaults of those that it has besides.
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <torch/library.h>

#include <array>
#include <map>
#include <string>

namespace onnxport::conformance {
namespace {

constexpr char kUnary[] = "(Tensor self) -> Tensor";
constexpr char kBinary[] = "(Tensor self, Tensor other) -> Tensor";
constexpr char kTensor[] = "Tensor";
constexpr char kOnly[] = "";

struct Alike {
  const char* prim;
  const char* arguments;
  const char* aten;  // the same name where there is none
  const char* overload = kOnly;
};

constexpr auto kAlike = std::to_array<Alike>({
    {"abs", kUnary, "abs"},
    {"acos", kUnary, "acos"},
    {"acosh", kUnary, "acosh"},
    {"add", kBinary, "add", kTensor},
    {"as_strided_scatter", "(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt storage_offset) -> Tensor",
     "as_strided_scatter"},
    {"asin", kUnary, "asin"},
    {"asinh", kUnary, "asinh"},
    {"atan", kUnary, "atan"},
    {"atan2", kBinary, "atan2"},
    {"atanh", kUnary, "atanh"},
    {"bessel_i0", kUnary, "i0"},
    {"bessel_i0e", kUnary, "special_i0e"},
    {"bessel_i1", kUnary, "special_i1"},
    {"bessel_i1e", kUnary, "special_i1e"},
    {"bessel_j0", kUnary, "special_bessel_j0"},
    {"bessel_j1", kUnary, "special_bessel_j1"},
    {"bitwise_and", kBinary, "bitwise_and", kTensor},
    {"bitwise_not", kUnary, "bitwise_not"},
    {"bitwise_or", kBinary, "bitwise_or", kTensor},
    {"bitwise_xor", kBinary, "bitwise_xor", kTensor},
    {"ceil", kUnary, "ceil"},
    {"clone", "(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", "clone"},
    {"conj", "(Tensor(a) a) -> Tensor(a)", "conj"},
    {"conj_physical", kUnary, "conj_physical"},
    {"cos", kUnary, "cos"},
    {"cosh", kUnary, "cosh"},
    {"digamma", kUnary, "digamma"},
    {"eq", kBinary, "eq", kTensor},
    {"erf", kUnary, "erf"},
    {"erf_inv", kUnary, "erfinv"},
    {"erfc", kUnary, "erfc"},
    {"erfcx", kUnary, "special_erfcx"},
    {"exp", kUnary, "exp"},
    {"exp2", kUnary, "exp2"},
    {"expm1", kUnary, "expm1"},
    {"fill", "(Tensor self, Scalar value) -> Tensor", "fill", "Scalar"},
    {"floor", kUnary, "floor"},
    {"fmax", kBinary, "fmax"},
    {"fmin", kBinary, "fmin"},
    {"fmod", kBinary, "fmod", kTensor},
    {"frexp", "(Tensor self) -> (Tensor mantissa, Tensor exponent)", "frexp", kTensor},
    {"gcd", kBinary, "gcd"},
    {"ge", kBinary, "ge", kTensor},
    {"gt", kBinary, "gt", kTensor},
    {"hypot", kBinary, "hypot"},
    {"igamma", kBinary, "igamma"},
    {"igammac", kBinary, "igammac"},
    {"imag", "(Tensor(a) self) -> Tensor(a)", "imag"},
    {"isfinite", kUnary, "isfinite"},
    {"le", kBinary, "le", kTensor},
    {"lgamma", kUnary, "lgamma"},
    {"log", kUnary, "log"},
    {"log10", kUnary, "log10"},
    {"log1p", kUnary, "log1p"},
    {"log2", kUnary, "log2"},
    {"lt", kBinary, "lt", kTensor},
    {"maximum", kBinary, "maximum"},
    {"minimum", kBinary, "minimum"},
    {"mul", kBinary, "mul", kTensor},
    {"ndtri", kUnary, "special_ndtri"},
    {"ne", kBinary, "ne", kTensor},
    {"neg", kUnary, "neg"},
    {"nextafter", kBinary, "nextafter"},
    {"pow", kBinary, "pow", "Tensor_Tensor"},
    {"real", "(Tensor(a) self) -> Tensor(a)", "real"},
    {"reciprocal", kUnary, "reciprocal"},
    {"remainder", kBinary, "remainder", kTensor},
    {"round", kUnary, "round"},
    {"rsqrt", kUnary, "rsqrt"},
    {"shift_left", kBinary, "bitwise_left_shift", kTensor},
    {"shift_right_arithmetic", kBinary, "bitwise_right_shift", kTensor},
    {"sign", kUnary, "sign"},
    {"signbit", kUnary, "signbit"},
    {"sin", kUnary, "sin"},
    {"sinh", kUnary, "sinh"},
    {"sqrt", kUnary, "sqrt"},
    {"sub", kBinary, "sub", kTensor},
    {"svd", "(Tensor A, *, bool full_matrices) -> (Tensor U, Tensor S, Tensor Vh)", "linalg_svd"},
    {"tan", kUnary, "tan"},
    {"tanh", kUnary, "tanh"},
    {"trunc", kUnary, "trunc"},
    {"zeta", kBinary, "special_zeta"},
});

std::map<std::string, const Alike*> ByName() {
  std::map<std::string, const Alike*> found;
  for (const Alike& alike : kAlike) found.emplace(std::string("prims::") + alike.prim, &alike);
  return found;
}

c10::OperatorHandle Counterpart(const std::string& name) {
  static const std::map<std::string, const Alike*> known = ByName();
  const Alike& alike = *known.at(name);
  return c10::Dispatcher::singleton().findSchemaOrThrow((std::string("aten::") + alike.aten).c_str(), alike.overload);
}

void CallCounterpart(const c10::OperatorHandle& prim, torch::jit::Stack* stack) {
  const c10::OperatorHandle aten = Counterpart(prim.schema().name());
  const auto& arguments = aten.schema().arguments();
  for (size_t i = prim.schema().arguments().size(); i < arguments.size(); ++i) {
    stack->push_back(arguments[i].default_value().value());
  }
  aten.callBoxed(stack);
}

}  // namespace
}  // namespace onnxport::conformance

TORCH_LIBRARY_FRAGMENT(prims, m) {
  namespace eager = onnxport::conformance;
  for (const eager::Alike& alike : eager::kAlike) {
    const std::string schema = std::string(alike.prim) + alike.arguments;
    m.def(schema.c_str(), torch::CppFunction::makeFromBoxedFunction<&eager::CallCounterpart>());
  }
}
