#include "codegen/emit/block.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codegen/model/uses.h"

namespace onnxport::codegen {
namespace {

cpp::Statement LazyValue(const std::string& local, cpp::Expr value) {
  return cpp::Variable("Lazy", local, ContextMethod("lazy", {cpp::Thunk(std::move(value))}));
}

}  // namespace

std::string BlockWriter::Declare(const std::string& name) {
  const std::string& local = writer_->names().OfSpec(name);
  Bind(name, {cpp::Name(local)});
  return local;
}

void BlockWriter::AddLet(const PlannedLet& planned, const std::set<std::string>& used) {
  const Let& let = *planned.let;
  if (let.names.size() > 1) return AddLets(planned, used);
  const cpp::Expr value = Value(*let.value);
  const std::string local = Declare(let.names[0]);
  if (!planned.lazy) return Add(cpp::Variable("const Val", local, value));
  // From here on the name is written as a call, `x()`: the first one computes it.
  Add(LazyValue(local, value));
  Bind(let.names[0], {cpp::Call(local, {})});
}

// `a, b: ...`
void BlockWriter::AddLets(const PlannedLet& planned, const std::set<std::string>& used) {
  const Let& let = *planned.let;
  const cpp::Expr value = Value(*let.value);
  if (planned.lazy) {
    const std::string all = Own(fmt::format("{}", fmt::join(let.names, "_")));
    Add(LazyValue(all, value));
    for (size_t i = 0; i < let.names.size(); ++i)
      Bind(let.names[i], {cpp::Index(cpp::Call(all, {}), cpp::Int(static_cast<int64_t>(i)))});
    return;
  }
  AddUnpacked(let.names, used, value);
}

void BlockWriter::AddUnpacked(const std::vector<std::string>& names, const std::set<std::string>& used,
                              cpp::Expr list) {
  std::vector<std::string> locals;
  bool needed = false;
  for (const std::string& name : names) {
    needed = needed || used.contains(name);
    // A structured binding must name every element; what nobody asks for is called `unused`, `unused_2` ...
    locals.push_back(used.contains(name) ? Declare(name) : Own("unused"));
  }
  if (!needed) return;
  if (locals.size() == 1) return Add(cpp::Variable("const Val", locals[0], cpp::Index(std::move(list), cpp::Int(0))));
  const std::string unpack = fmt::format("Unpack<{}>", locals.size());
  Add(cpp::Unpack("const auto", std::move(locals), cpp::Call(unpack, {std::move(list)})));
}

cpp::Expr BlockWriter::Values(const std::vector<Let>& lets) const {
  cpp::Exprs items;
  for (const Let& let : lets)
    items.push_back(lets.size() == 1 ? writer_->ListSafe(*let.value, scope_) : Value(*let.value));
  return cpp::Braces(std::move(items));
}

void AddTargets(const std::vector<ExprPtr>& expressions, std::set<std::string>* names) {
  for (const ExprPtr& whole : expressions)
    ForEach(*whole, [&](const Expr& expr) { names->insert(expr.names.begin(), expr.names.end()); });
}

void AddBuiltins(const std::vector<ExprPtr>& expressions, std::set<std::string>* called) {
  for (const ExprPtr& whole : expressions)
    ForEach(*whole, [&](const Expr& expr) {
      if (expr.kind == ExprKind::kBuiltin) called->emplace(InfoOf(expr.builtin).cpp);
    });
}

}  // namespace onnxport::codegen
