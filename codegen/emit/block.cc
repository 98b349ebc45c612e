#include "codegen/emit/block.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codegen/emit/wrap.h"

namespace onnxport::codegen {

void Block::Statement(const std::string& text) { text_ += WrapStatement(text, indent_); }

void Block::Open(const std::string& text) {
  Statement(text);
  indent_ += 2;
}

void Block::Close() {
  indent_ -= 2;
  Statement("}");
}

void Block::AddLet(const PlannedLet& planned, const std::set<std::string>& used) {
  const Let& let = *planned.let;
  const bool several = let.names.size() > 1;
  const std::string local = several ? fmt::format("{}", fmt::join(let.names, "_")) : Local(let.names[0]);
  const std::string value = Value(*let.value);
  if (planned.lazy)
    Statement(fmt::format("Lazy {}([&] {{ return {}; }});", local, value));
  else
    Statement(fmt::format("const Val {} = {};", local, value));
  if (!several) return Bind(let.names[0], {planned.lazy ? local + "()" : local});
  for (size_t i = 0; i < let.names.size(); ++i) {
    const std::string& name = let.names[i];
    if (!used.contains(name)) continue;
    if (planned.lazy) {
      Bind(name, {fmt::format("{}()[{}]", local, i)});
    } else {
      Statement(fmt::format("const Val {} = {}[{}];", Local(name), local, i));
      Bind(name, {Local(name)});
    }
  }
}

void Block::AddVariable(const std::string& name, const Expr& value) {
  Statement(fmt::format("Val {} = {};", Local(name), Value(value)));
  Bind(name, {Local(name)});
}

void AddDefBody(const Def& def, std::span<const Def> defs, Block* block) {
  std::vector<Site> sites = {{UsesOf(*def.value, defs)}};
  const auto plan = PlanBlock(def.lets, kWholeFunction, defs, &sites);
  std::set<std::string> used;
  for (const Site& site : sites)
    for (const auto& [name, sure] : site.uses) used.insert(name);
  for (const PlannedLet& planned : plan) block->AddLet(planned, used);
  block->Statement(fmt::format("return {};", block->Value(*def.value)));
}

namespace {

void AddBuiltins(const Expr& expr, std::set<std::string>* called) {
  if (expr.kind == ExprKind::kBuiltin) called->emplace(InfoOf(expr.builtin).cpp);
  for (const ExprPtr& operand : expr.operands) AddBuiltins(*operand, called);
  for (const auto& [name, value] : expr.named) AddBuiltins(*value, called);
}

}  // namespace

std::set<std::string> CalledNames(const std::vector<ExprPtr>& expressions) {
  std::set<std::string> called;
  for (const ExprPtr& expr : expressions) {
    AddCalls(*expr, &called);
    AddBuiltins(*expr, &called);
  }
  return called;
}

}  // namespace onnxport::codegen
