#include "codegen/check/expression_names.h"

#include <fmt/format.h>

#include <vector>

#include "codegen/model/onnx_ops.h"
#include "codegen/model/spec_text.h"
#include "runtime/ir/ir_version.h"

namespace onnxport::codegen {
namespace {

std::string Near(const std::string& word, const Names& names) {
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return DidYouMean(word, candidates);
}

// Literals count, too: `none` is an unknown name where None is meant.
std::string NearValue(const std::string& word, Names names) {
  names.insert({"None", "True", "False"});
  return Near(word, names);
}

}  // namespace

void ExpressionNames::Define(const std::string& name, const Place& place, Names* visible) {
  // `TopK(x, k, outputs=2)` says how many results are wanted, whatever the schema has.
  if (name == "outputs")
    diagnostics_->Error(place, fmt::format("`{}` has a meaning of its own and cannot be a name", name));
  else if (!visible->insert(name).second)
    diagnostics_->Error(place, fmt::format("`{}` is the name of something else already", name));
}

void ExpressionNames::DefineDict(const std::string& name, const Expr& dict) {
  Names& keys = dicts_[name];
  for (const auto& [key, value] : dict.named) keys.insert(key);
}

void ExpressionNames::Visit(const Expr& expr, const Names& visible, bool whole_let) {
  switch (expr.kind) {
    case ExprKind::kName:
      if (given_ && given_->contains(expr.text))
        diagnostics_->Error(expr.place,
                            fmt::format("`{}` stands for a definition: call it, or give it to another one", expr.text));
      else if (!visible.contains(expr.text))
        diagnostics_->Error(expr.place, fmt::format("unknown name `{}`{}", expr.text, NearValue(expr.text, visible)));
      else if (dicts_.contains(expr.text))
        diagnostics_->Error(expr.place,
                            fmt::format("`{}` is a dict: write `**{}` among a node's arguments", expr.text, expr.text));
      return;
    case ExprKind::kNode:
      return Node(expr, visible);
    case ExprKind::kBuiltin:
      return CallBuiltin(expr, visible);
    case ExprKind::kCall:
      return CallDef(expr, visible);
    case ExprKind::kComprehension:
      return Comprehension(expr, visible);
    case ExprKind::kList:
      return List(expr, visible);
    case ExprKind::kDict:
      if (!whole_let) diagnostics_->Error(expr.place, "a dict can only be the value of a let");
      break;
    case ExprKind::kStar:
      diagnostics_->Error(expr.place, "`*` is for lists and the arguments of a node");
      break;
    case ExprKind::kDoubleStar:
      diagnostics_->Error(expr.place, "`**` is for the arguments of a node");
      break;
    default:
      break;
  }
  Operands(expr, visible);
}

void ExpressionNames::Operands(const Expr& expr, const Names& visible) {
  for (const ExprPtr& operand : expr.operands) Visit(*operand, visible);
  for (const auto& [name, value] : expr.named) Visit(*value, visible);
}

void ExpressionNames::Star(const Expr& operand, const Names& visible) {
  operand.kind == ExprKind::kStar ? Visit(*operand.operands[0], visible) : Visit(operand, visible);
}

void ExpressionNames::List(const Expr& expr, const Names& visible) {
  for (const ExprPtr& operand : expr.operands) Star(*operand, visible);
}

void ExpressionNames::Comprehension(const Expr& expr, const Names& visible) {
  Visit(*expr.operands[1], visible);
  Names inner = visible;
  for (const std::string& name : expr.names) Define(name, expr.place, &inner);
  Visit(*expr.operands[0], inner);
  if (expr.operands.size() > 2) Visit(*expr.operands[2], inner);
}

void ExpressionNames::CallBuiltin(const Expr& expr, const Names& visible) {
  const lowering::BuiltinInfo& builtin = InfoOf(expr.builtin);
  Positional(expr, builtin.name, visible);
  Arity(expr, builtin.name, builtin.min_args(), builtin.max_args());
  if (expr.builtin == Builtin::kDomain && !expr.operands.empty() && expr.operands[0]->kind != ExprKind::kString)
    diagnostics_->Error(expr.place, "`domain` takes a text: domain(\"com.microsoft\")");
  if (expr.builtin == Builtin::kKeeps && !expr.operands.empty()) KeptOperator(*expr.operands[0]);
}

// With a mistake in the name the arm would never be taken, and nothing would say so.
void ExpressionNames::KeptOperator(const Expr& name) {
  if (name.kind != ExprKind::kString)
    return diagnostics_->Error(name.place, "`keeps` takes a text: keeps(\"Attention\")");
  const Names known(OpNames().begin(), OpNames().end());
  if (!known.contains(name.text))
    diagnostics_->Error(name.place, fmt::format("ONNX has no operator `{}`{}", name.text, Near(name.text, known)));
}

void ExpressionNames::CallDef(const Expr& expr, const Names& visible) {
  const Def* def = defs_.Find(expr.text);
  if (def && !def->given.empty()) return CallWithGiven(*def, expr, visible);
  Positional(expr, expr.text, visible);
  if (def) return Arity(expr, expr.text, def->params.size(), def->params.size());
  if (given_ && given_->contains(expr.text))
    return Arity(expr, expr.text, given_->at(expr.text), given_->at(expr.text));
  Names known;
  if (given_)
    for (const auto& [name, count] : *given_) known.insert(name);
  for (const lowering::BuiltinInfo& builtin : lowering::kBuiltins) known.emplace(builtin.name);
  defs_.AddNames(&known);
  diagnostics_->Error(expr.place, fmt::format("unknown function `{}`{}", expr.text, Near(expr.text, known)));
}

void ExpressionNames::CallWithGiven(const Def& def, const Expr& expr, const Names& visible) {
  for (size_t i = 0; i < expr.operands.size(); ++i) {
    const auto given = i < def.params.size() ? def.given.find(def.params[i]) : def.given.end();
    if (given == def.given.end())
      Visit(*expr.operands[i], visible);
    else
      GivenDef(def, given->first, given->second, *expr.operands[i]);
  }
  Arity(expr, expr.text, def.params.size(), def.params.size());
}

// Checks the operand for `param`, which stands for a definition of `count` arguments.
void ExpressionNames::GivenDef(const Def& def, const std::string& param, size_t count, const Expr& operand) {
  const bool named = operand.kind == ExprKind::kName;
  const Def* given = named ? defs_.Find(operand.text) : nullptr;
  const bool handed_on = named && given_ && given_->contains(operand.text);
  if (!given && !handed_on) {
    Names known;
    defs_.AddNames(&known);
    const std::string text = SpecText(operand);
    diagnostics_->Error(operand.place, fmt::format("`{}` of `{}` is the name of a definition, here is `{}`{}", param,
                                                   def.name, text, Near(text, known)));
    return;
  }
  if (given && !given->given.empty()) {
    diagnostics_->Error(operand.place,
                        fmt::format("`{}` is given definitions itself, so it can't be given", given->name));
    return;
  }
  const size_t takes = given ? given->params.size() : given_->at(operand.text);
  if (takes != count)
    diagnostics_->Error(operand.place, fmt::format("`{}` takes {} arguments, `{}` of `{}` has {}", operand.text, takes,
                                                   param, def.name, count));
}

void ExpressionNames::Positional(const Expr& expr, std::string_view function, const Names& visible) {
  Operands(expr, visible);
  if (!expr.named.empty())
    diagnostics_->Error(expr.named[0].second->place, fmt::format("arguments of `{}` have no names", function));
}

void ExpressionNames::Arity(const Expr& expr, std::string_view function, size_t least, size_t most) {
  const size_t count = expr.operands.size();
  if (count >= least && count <= most) return;
  const std::string takes = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  diagnostics_->Error(expr.place, fmt::format("`{}` takes {} arguments, here are {}", function, takes, count));
}

void ExpressionNames::Node(const Expr& expr, const Names& visible) {
  Names given;
  const auto give = [&](const std::string& name, const Place& place) {
    if (!given.insert(name).second) diagnostics_->Error(place, fmt::format("`{}` is given twice", name));
  };
  for (const ExprPtr& operand : expr.operands) {
    if (operand->kind != ExprKind::kDoubleStar) {
      Star(*operand, visible);
    } else if (const auto dict = dicts_.find(operand->operands[0]->text); dict != dicts_.end()) {
      for (const std::string& name : dict->second) give(name, operand->place);
    } else {
      diagnostics_->Error(operand->place, fmt::format("`{}` is no dict", operand->operands[0]->text));
    }
  }
  for (const auto& [name, value] : expr.named) {
    Visit(*value, visible);
    give(name, value->place);
  }
  const bool foreign = expr.text.find('.') != expr.text.npos;  // its schema is asked for where it can be reached
  // With an ONNX that lacks the newest opsets it may be one of theirs: it must not be reached at any other then.
  const bool all_known = LastOpset() >= ir::NewestReleasedOpset();
  if (!foreign && all_known && FormsOf(expr.text).empty()) {
    const std::vector<std::string_view> known(OpNames().begin(), OpNames().end());
    diagnostics_->Error(expr.place,
                        fmt::format("ONNX has no operator `{}`{}", expr.text, DidYouMean(expr.text, known)));
  }
}

}  // namespace onnxport::codegen
