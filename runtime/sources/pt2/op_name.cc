#include "runtime/sources/pt2/op_name.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "runtime/aten/aten_schema.h"

namespace onnxport::pt2 {
namespace {

// torch/_export/serde/serialize.py, _SYM_OPS of this and of earlier releases, without the underscore of "_operator".
// The list is closed, because the runtime has instructions that files must not use.
using I = ir::Instruction;
constexpr Function kFunctions[] = {
    {"builtins.abs", Function::Kind::kInstruction, I::kAbs},
    {"builtins.max", Function::Kind::kInstruction, I::kMax},
    {"builtins.min", Function::Kind::kInstruction, I::kMin},
    {"builtins.round", Function::Kind::kInstruction, I::kRound},
    {"math.ceil", Function::Kind::kInstruction, I::kCeil},
    {"math.floor", Function::Kind::kInstruction, I::kFloor},
    {"math.sqrt", Function::Kind::kInstruction, I::kSqrt},
    {"math.trunc", Function::Kind::kInstruction, I::kTrunc},
    {"operator.abs", Function::Kind::kInstruction, I::kAbs},
    {"operator.add", Function::Kind::kInstruction, I::kAdd},
    {"operator.and_", Function::Kind::kInstruction, I::kAnd},
    {"operator.eq", Function::Kind::kInstruction, I::kEq},
    {"operator.floordiv", Function::Kind::kInstruction, I::kFloorDiv},
    {"operator.ge", Function::Kind::kInstruction, I::kGe},
    {"operator.gt", Function::Kind::kInstruction, I::kGt},
    {"operator.le", Function::Kind::kInstruction, I::kLe},
    {"operator.lt", Function::Kind::kInstruction, I::kLt},
    {"operator.mod", Function::Kind::kInstruction, I::kMod},
    {"operator.mul", Function::Kind::kInstruction, I::kMul},
    {"operator.ne", Function::Kind::kInstruction, I::kNe},
    {"operator.neg", Function::Kind::kInstruction, I::kNeg},
    {"operator.or_", Function::Kind::kInstruction, I::kOr},
    {"operator.pos", Function::Kind::kItself},
    {"operator.pow", Function::Kind::kInstruction, I::kPow},
    {"operator.sub", Function::Kind::kInstruction, I::kSub},
    {"operator.truediv", Function::Kind::kInstruction, I::kTrueDiv},
    {"torch._sym_sqrt", Function::Kind::kInstruction, I::kSqrt},
    {"torch.sym_float", Function::Kind::kInstruction, I::kFloat},
    {"torch.sym_int", Function::Kind::kInstruction, I::kInt},
    {"torch.sym_ite", Function::Kind::kInstruction, I::kIte},
    {"torch.sym_max", Function::Kind::kInstruction, I::kMax},
    {"torch.sym_min", Function::Kind::kInstruction, I::kMin},
    {"torch.sym_not", Function::Kind::kInstruction, I::kNot},
    {"torch.sym_sqrt", Function::Kind::kInstruction, I::kSqrt},
    {"torch.sym_sum", Function::Kind::kSum},
};

}  // namespace

const Function* FindFunction(std::string_view target) {
  if (target.starts_with("_operator.")) target.remove_prefix(1);
  const auto* found = std::ranges::find(kFunctions, target, &Function::target);
  return found == std::end(kFunctions) ? nullptr : found;
}

ir::Operator OperatorOf(std::string_view target) {
  const Function* function = FindFunction(target);
  if (function != nullptr && function->kind == Function::Kind::kInstruction) return function->instruction;
  // torch.ops.aten.add.Tensor is aten::add.Tensor, torch.ops.aten.relu.default is aten::relu, and
  // torch.ops.higher_order.cond is higher_order::cond. Any other target keeps its text. No table has it, so it is
  // refused by that name.
  if (!target.starts_with("torch.ops.")) return target;
  const std::string_view path = target.substr(10);
  const size_t dot = path.find('.');
  if (dot == std::string::npos) return "torch::" + std::string(path);
  std::string name = std::string(path.substr(0, dot)) + "::" + std::string(path.substr(dot + 1));
  if (name.ends_with(".default")) name.resize(name.size() - 8);
  return name;
}

// `aten::_assert_scalar(...) -> ()`: an operator without results and writes can only fail.
bool IsAssertion(const ir::Operator& op) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(op);
  return schema != nullptr && schema->results.empty() && !schema->mutates() && schema->text.ends_with(" -> ()");
}

}  // namespace onnxport::pt2
