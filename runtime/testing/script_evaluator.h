// Runs statements of TorchScript on host values, to test the operators. It knows no control flow and no functions.
#ifndef ONNXPORT_RUNTIME_TESTING_SCRIPT_EVALUATOR_H_
#define ONNXPORT_RUNTIME_TESTING_SCRIPT_EVALUATOR_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "runtime/sources/torchscript/interpret/operators/operators.h"
#include "runtime/sources/torchscript/interpret/values/grids.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/interpret/values/values.h"
#include "runtime/sources/torchscript/syntax/parser.h"

namespace onnxport::torchscript {

class ScriptEvaluator {
 public:
  explicit ScriptEvaluator(trace::Tracer* tracer) : operators(nullptr, tracer, &heap, &grids) {}

  Heap heap;
  Grids grids;
  Operators operators;
  std::map<std::string, Value> variables;

  static std::string Operator(const Expr& callee) {
    const std::string path = Path(callee);
    if (path.starts_with("torch.")) return "aten::" + path.substr(6);
    if (path.starts_with("ops.")) {
      const size_t dot = path.find('.', 4);
      return path.substr(4, dot - 4) + "::" + path.substr(dot + 1);
    }
    if (path == "int" || path == "float" || path == "bool") {
      return std::string("aten::") + static_cast<char>(path[0] - 'a' + 'A') + path.substr(1);
    }
    return "aten::" + path;
  }

  // Evaluates the positional and named arguments of a call.
  std::pair<ValueList, Keywords> Arguments(const Expr& call) {
    Keywords keywords;
    for (const auto& [name, value] : call.keywords) keywords.emplace_back(name, Evaluate(value));
    return {EvaluateAll(call.operands, 1), std::move(keywords)};
  }

  // Runs `a = torch.add(1, 2); torch.mul(a, 3)`. Returns the value of the last expression.
  Value Run(std::string code) {
    std::string text = "def f():\n  ";
    for (size_t at; (at = code.find("; ")) != std::string::npos; code.erase(0, at + 2))
      text += code.substr(0, at) + "\n  ";
    const Definitions definitions = Parse(text + code + "\n", "test", nullptr);
    Value last;
    for (const Stmt& stmt : definitions.functions.at(0).body) {
      last = Evaluate(stmt.value);
      if (stmt.kind == StmtKind::kAssign) variables[stmt.targets.at(0).text] = last;
    }
    return last;
  }

 private:
  ValueList EvaluateAll(const ExprList& exprs, size_t first, size_t step = 1) {
    ValueList values;
    for (size_t i = first; i < exprs.size(); i += step) values.push_back(Evaluate(exprs[i]));
    return values;
  }

  static std::string Path(const Expr& expr) {
    return expr.kind == ExprKind::kAttribute ? Path(expr.operands[0]) + "." + expr.text : expr.text;
  }

  Value Call(const Expr& expr) {
    const std::string op = Operator(expr.operands[0]);
    if (op == "aten::annotate") {
      const Value value = Evaluate(expr.operands[2]);
      const Type type = ToType(expr.operands[1]);
      if (const CellPtr* list = AsList(value)) heap.Edit(*list).element = type.args.at(0);
      return value;
    }
    auto [positional, named] = Arguments(expr);
    return operators.Call(op, std::move(positional), std::move(named));
  }

  Value Evaluate(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kBool:
        return {expr.boolean};
      case ExprKind::kInt:
        return {expr.integer};
      case ExprKind::kFloat:
        return {expr.number};
      case ExprKind::kString:
        return {expr.text};
      case ExprKind::kName:
        return variables.at(expr.text);
      case ExprKind::kCall:
        return Call(expr);
      case ExprKind::kSubscript:
        return operators.Call("aten::__getitem__", EvaluateAll(expr.operands, 0));
      case ExprKind::kTuple:
        return {std::make_shared<const TupleValue>(TupleValue{EvaluateAll(expr.operands, 0), nullptr})};
      case ExprKind::kList:
        return {heap.NewList(EvaluateAll(expr.operands, 0))};
      case ExprKind::kDict:
        return {heap.NewDict(EvaluateAll(expr.operands, 0, 2), EvaluateAll(expr.operands, 1, 2))};
      default:
        return {None{}};
    }
  }
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_TESTING_SCRIPT_EVALUATOR_H_
