#include "codegen/check/builtins.h"

#include <algorithm>
#include <array>

namespace onnxport::codegen {
namespace {

constexpr std::array kBuiltins = std::to_array<Builtin>({
    {"abs", "abs", 1, 1},
    {"all", "all", 1, 1, true},
    {"any", "any", 1, 1, true},
    {"as_complex", "as_complex", 1, 1},
    {"as_real", "as_real", 1, 1},
    {"axis", "normal_axis", 2, 2},
    {"cast", "cast", 2, 2},
    {"ceil", "ceil", 1, 1},
    {"const", "constant", 2, 2},
    {"decided", "decided", 1, 1, true},
    {"dim", "dim", 2, 2},
    {"dims", "dims", 1, 1},
    {"dtype", "dtype", 1, 1},
    {"enumerate", "enumerate", 1, 1},
    {"exp", "exp", 1, 1},
    {"finfo_max", "finfo_max", 1, 1},
    {"finfo_min", "finfo_min", 1, 1},
    {"float", "to_float", 1, 1},
    {"floor", "floor", 1, 1},
    {"iinfo_max", "iinfo_max", 1, 1},
    {"iinfo_min", "iinfo_min", 1, 1},
    {"int", "to_int", 1, 1},
    {"ints", "ints", 1, 1},
    {"inverse_perm", "inverse_perm", 1, 1},
    {"is_bool", "is_bool", 1, 1, true},
    {"is_complex", "is_complex", 1, 1, true},
    {"is_float", "is_float", 1, 1, true},
    {"is_int", "is_int", 1, 1, true},
    {"is_sequence", "is_sequence", 1, 1, true},
    {"known", "known", 1, 1, true},
    {"len", "len", 1, 1},
    {"log", "log", 1, 1},
    {"max", "max", 1, 2},
    {"min", "min", 1, 2},
    {"move_last", "move_last", 2, 2},
    {"numel", "numel", 1, 1},
    {"present", "present", 1, 1, true},
    {"product", "product", 1, 1},
    {"range", "range", 1, 3},
    {"rank", "rank", 1, 1},
    {"refuse", "refuse", 1, 1},
    {"reversed", "reversed", 1, 1},
    {"sorted", "sorted", 1, 1},
    {"spread", "spread", 2, 2},
    {"sqrt", "sqrt", 1, 1},
    {"static_dims", "static_dims", 1, 1},
    {"sum", "sum", 1, 1},
    {"swap", "swap", 3, 3},
    {"without", "without", 2, 2},
    {"zip", "zip", 2, 2},
});
static_assert(std::ranges::is_sorted(kBuiltins, {}, &Builtin::name));

}  // namespace

const Builtin* FindBuiltin(std::string_view name) {
  const auto found = std::ranges::lower_bound(kBuiltins, name, {}, &Builtin::name);
  return found != kBuiltins.end() && found->name == name ? &*found : nullptr;
}

std::span<const Builtin> Builtins() { return kBuiltins; }

bool IsOnnxCall(const Expr& expr) {
  if (expr.kind != ExprKind::kCall || expr.text.empty()) return false;
  return (expr.text[0] >= 'A' && expr.text[0] <= 'Z') || expr.text.find('.') != std::string::npos;
}

}  // namespace onnxport::codegen
