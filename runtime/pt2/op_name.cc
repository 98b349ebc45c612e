#include "runtime/pt2/op_name.h"

#include <algorithm>
#include <iterator>

#include "runtime/aten/aten_schema.h"

namespace onnxport::pt2 {
namespace {

// What a file may name of Python's functions on numbers: torch/_export/serde/serialize.py, _SYM_OPS of this and of
// earlier releases. A closed list, as the runtime has instructions of its own with other operands.
struct Function {
  std::string_view target;  // without the underscore of "_operator"
  std::string_view op;
  Operands operands;
};
constexpr Function kFunctions[] = {
    {"builtins.abs", "abs", {1, 1}},
    {"builtins.max", "max", {2, 2}},
    {"builtins.min", "min", {2, 2}},
    {"builtins.round", "round", {1, 2}},
    {"math.ceil", "ceil", {1, 1}},
    {"math.floor", "floor", {1, 1}},
    {"math.sqrt", "sqrt", {1, 1}},
    {"math.trunc", "trunc", {1, 1}},
    {"operator.abs", "abs", {1, 1}},
    {"operator.add", "add", {2, 2}},
    {"operator.and_", "and", {2, 2}},
    {"operator.eq", "eq", {2, 2}},
    {"operator.floordiv", "floordiv", {2, 2}},
    {"operator.ge", "ge", {2, 2}},
    {"operator.gt", "gt", {2, 2}},
    {"operator.le", "le", {2, 2}},
    {"operator.lt", "lt", {2, 2}},
    {"operator.mod", "mod", {2, 2}},
    {"operator.mul", "mul", {2, 2}},
    {"operator.ne", "ne", {2, 2}},
    {"operator.neg", "neg", {1, 1}},
    {"operator.or_", "or", {2, 2}},
    {"operator.pos", "pos", {1, 1}},
    {"operator.pow", "pow", {2, 2}},
    {"operator.sub", "sub", {2, 2}},
    {"operator.truediv", "truediv", {2, 2}},
    {"torch._sym_sqrt", "sqrt", {1, 1}},
    {"torch.sym_float", "float", {1, 1}},
    {"torch.sym_int", "int", {1, 1}},
    {"torch.sym_ite", "ite", {3, 3}},
    {"torch.sym_max", "max", {2, 2}},
    {"torch.sym_min", "min", {2, 2}},
    {"torch.sym_not", "not", {1, 1}},
    {"torch.sym_sqrt", "sqrt", {1, 1}},
    {"torch.sym_sum", "sym_sum", {1, 1}},
};

const Function* FindFunction(std::string_view target) {
  if (target.starts_with("_operator.")) target.remove_prefix(1);
  const auto found = std::ranges::find(kFunctions, target, &Function::target);
  return found == std::end(kFunctions) ? nullptr : found;
}

// Of a user's library of that name, whose operators would be taken for the runtime's own.
bool IsReserved(std::string_view space) { return space == "host"; }

}  // namespace

std::string OpName(std::string_view target) {
  if (const Function* function = FindFunction(target)) return "host::" + std::string(function->op);
  if (!target.starts_with("torch.ops.")) return std::string(target);
  const std::string_view path = target.substr(10);
  const size_t dot = path.find('.');
  if (dot == std::string::npos) return "torch::" + std::string(path);
  if (IsReserved(path.substr(0, dot))) return std::string(target);
  std::string name = std::string(path.substr(0, dot)) + "::" + std::string(path.substr(dot + 1));
  if (name.ends_with(".default")) name.resize(name.size() - 8);
  return name;
}

std::optional<Operands> OperandsOf(std::string_view target) {
  const Function* function = FindFunction(target);
  return function == nullptr ? std::nullopt : std::optional(function->operands);
}

bool IsAssertion(std::string_view op) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(op);
  return schema != nullptr && schema->results.empty() && !schema->mutates() && schema->text.ends_with(" -> ()");
}

}  // namespace onnxport::pt2
