#include "codegen/format/same_spec.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

// Declared first: AllSame looks them up where it is defined.
bool Same(const Expr& a, const Expr& b);
bool Same(const std::pair<std::string, ExprPtr>& a, const std::pair<std::string, ExprPtr>& b);
bool Same(const std::pair<ExprPtr, ExprPtr>& a, const std::pair<ExprPtr, ExprPtr>& b);
bool Same(const std::pair<std::string, Refine>& a, const std::pair<std::string, Refine>& b);
bool Same(const std::pair<std::string, TestValue>& a, const std::pair<std::string, TestValue>& b);
bool Same(const Let& a, const Let& b);
bool Same(const Def& a, const Def& b);
bool Same(const Case& a, const Case& b);
bool Same(const TestValue& a, const TestValue& b);
bool Same(const TestCase& a, const TestCase& b);

bool Same(const ExprPtr& a, const ExprPtr& b) { return a && b ? Same(*a, *b) : !a && !b; }

bool Same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

template <typename T>
bool AllSame(const std::vector<T>& a, const std::vector<T>& b) {
  return std::ranges::equal(a, b, [](const T& x, const T& y) { return Same(x, y); });
}

bool Same(const std::pair<std::string, ExprPtr>& a, const std::pair<std::string, ExprPtr>& b) {
  return a.first == b.first && Same(a.second, b.second);
}

bool Same(const Expr& a, const Expr& b) {
  return a.kind == b.kind && a.text == b.text && a.bool_value == b.bool_value && a.int_value == b.int_value &&
         Same(a.float_value, b.float_value) && a.dtype == b.dtype && a.builtin == b.builtin && a.op == b.op &&
         a.names == b.names && AllSame(a.operands, b.operands) && AllSame(a.named, b.named);
}

bool Same(const Let& a, const Let& b) { return a.names == b.names && Same(a.value, b.value); }

bool Same(const Def& a, const Def& b) {
  return a.name == b.name && a.params == b.params && AllSame(a.lets, b.lets) && Same(a.value, b.value);
}

bool Same(const std::pair<ExprPtr, ExprPtr>& a, const std::pair<ExprPtr, ExprPtr>& b) {
  return Same(a.first, b.first) && Same(a.second, b.second);
}

bool Same(const std::pair<std::string, Refine>& a, const std::pair<std::string, Refine>& b) {
  return a.first == b.first && a.second.kind == b.second.kind && a.second.tensor == b.second.tensor &&
         Same(a.second.value, b.second.value) && AllSame(a.second.table, b.second.table);
}

bool Same(const Case& a, const Case& b) {
  return Same(a.when, b.when) && a.since == b.since && a.until == b.until && AllSame(a.lets, b.lets) &&
         a.body.kind == b.body.kind && a.body.text == b.body.text && AllSame(a.body.emit, b.body.emit) &&
         a.compute_in.to == b.compute_in.to && a.compute_in.lossy == b.compute_in.lossy;
}

bool Same(const Repetition& a, const Repetition& b) {
  return a.kind == b.kind && a.each == b.each && Same(a.in, b.in) && Same(a.go_on, b.go_on) &&
         AllSame(a.init, b.init) && AllSame(a.lets, b.lets) && AllSame(a.next, b.next) && AllSame(a.collect, b.collect);
}

bool Same(const TestValue& a, const TestValue& b) {
  return a.kind == b.kind && Same(a.constant, b.constant) && a.dtype == b.dtype && a.shape == b.shape && a.in == b.in &&
         AllSame(a.contents, b.contents) && AllSame(a.items, b.items);
}

bool Same(const std::pair<std::string, TestValue>& a, const std::pair<std::string, TestValue>& b) {
  return a.first == b.first && Same(a.second, b.second);
}

bool Same(const TestCase& a, const TestCase& b) {
  return a.operators == b.operators && AllSame(a.args, b.args) && a.opsets == b.opsets && a.tolerance == b.tolerance &&
         a.refuses == b.refuses && a.special == b.special && a.compared == b.compared && a.why == b.why;
}

bool SameTerm(const TraitTerm& a, const TraitTerm& b) {
  const auto same_named = [](const auto& x, const auto& y) { return x.name == y.name && SameTerm(x.value, y.value); };
  return a.kind == b.kind && a.text == b.text && a.int_value == b.int_value && a.float_value == b.float_value &&
         std::ranges::equal(a.operands, b.operands, SameTerm) && std::ranges::equal(a.named, b.named, same_named);
}

bool SameTraits(const std::vector<Trait>& a, const std::vector<Trait>& b) {
  return std::ranges::equal(
      a, b, [](const Trait& x, const Trait& y) { return x.key == y.key && SameTerm(x.value, y.value); });
}

// The part that differs, or null.
const char* DifferentPart(const OpEntry& a, const OpEntry& b) {
  const bool same_promote = a.promote && b.promote
                                ? a.promote->of == b.promote->of && a.promote->kind == b.promote->kind
                                : !a.promote && !b.promote;
  const bool same_fold =
      a.repetition && b.repetition ? Same(*a.repetition, *b.repetition) : !a.repetition && !b.repetition;
  const auto same_constants = [](const auto& x, const auto& y) {
    return std::ranges::equal(
        x, y, [](const auto& p, const auto& q) { return p.first == q.first && Same(p.second, q.second); });
  };
  if (a.names != b.names || a.overrides != b.overrides || !std::ranges::equal(a.constants, b.constants, same_constants))
    return "op";
  if (!AllSame(a.args, b.args)) return "args";
  if (!same_promote) return "promote";
  if (!Same(a.require, b.require)) return "require";
  if (a.since != b.since || a.until != b.until) return "since and until";
  if (!AllSame(a.lets, b.lets)) return "let";
  if (!AllSame(a.defs, b.defs)) return "def";
  if (!same_fold) return "fold or loop";
  if (!AllSame(a.cases, b.cases)) return "what it emits";
  if (!SameTraits(a.traits, b.traits)) return "traits";
  return AllSame(a.tests, b.tests) ? nullptr : "tests";
}

}  // namespace

std::string Difference(const SpecFile& a, const SpecFile& b) {
  if (a.ops.size() != b.ops.size() || a.defs.size() != b.defs.size()) return "the number of entries";
  const auto same_schema = [](const NodeDeclaration& x, const NodeDeclaration& y) {
    return lowering::SameNode(x.schema, y.schema);
  };
  if (!std::ranges::equal(a.schemas, b.schemas, same_schema)) return "the schemas of nodes";
  for (size_t i = 0; i < a.ops.size(); ++i)
    if (const char* part = DifferentPart(a.ops[i], b.ops[i])) return fmt::format("{}: {}", a.ops[i].names[0], part);
  for (size_t i = 0; i < a.defs.size(); ++i)
    if (!Same(a.defs[i], b.defs[i])) return fmt::format("the definition {}", a.defs[i].name);
  return "";
}

}  // namespace onnxport::codegen
