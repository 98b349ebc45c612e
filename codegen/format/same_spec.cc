#include "codegen/format/same_spec.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <type_traits>

#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

// What each struct says, all but where it stands. A structured binding names every member: one that is added and
// forgotten here does not compile.
auto Said(const Expr& x) {
  const auto& [kind, place, text, truth, whole, number, dtype, builtin, op, operands, named, names] = x;
  return std::tie(kind, text, truth, whole, number, dtype, builtin, op, operands, named, names);
}

auto Said(const Let& x) {
  const auto& [names, value, place] = x;
  return std::tie(names, value);
}

auto Said(const Import& x) {
  const auto& [name, place, used] = x;
  return std::tie(name);
}

auto Said(const Refine& x) {
  const auto& [kind, tensor, value, table, place] = x;
  return std::tie(kind, tensor, value, table);
}

auto Said(const PromoteRule& x) {
  const auto& [of, kind, place] = x;
  return std::tie(of, kind);
}

auto Said(const ComputeIn& x) {
  const auto& [to, lossy, place] = x;
  return std::tie(to, lossy);
}

auto Said(const NamedResult& x) {
  const auto& [name, place] = x;
  return std::tie(name);
}

auto Said(const Body& x) {
  const auto& [kind, emit, names, text, place] = x;
  return std::tie(kind, emit, names, text);
}

auto Said(const Case& x) {
  const auto& [when, since, until, lets, body, compute_in, place] = x;
  return std::tie(when, since, until, lets, body, compute_in);
}

auto Said(const Repetition& x) {
  const auto& [kind, each, in, go_on, init, lets, next, collect, place] = x;
  return std::tie(kind, each, in, go_on, init, lets, next, collect);
}

auto Said(const Signature& x) {
  const auto& [name, params, given, results, since, what, place] = x;
  return std::tie(name, params, given, results, since, what);
}

auto Said(const Block& x) {
  const auto& [lets, repetition, cases] = x;
  return std::tie(lets, repetition, cases);
}

auto Said(const Def& x) { return std::tie(static_cast<const Signature&>(x), static_cast<const Block&>(x)); }

auto Said(const TestValue& x) {
  const auto& [kind, constant, dtype, shape, in, evenly, contents, items, place] = x;
  return std::tie(kind, constant, dtype, shape, in, evenly, contents, items);
}

auto Said(const TestCase& x) {
  const auto& [operators, args, opsets, tolerance, refuses, special, compared, holds, domain, training, why, place] = x;
  return std::tie(operators, args, opsets, tolerance, refuses, special, compared, holds, domain, training, why);
}

auto Said(const TraitTerm& x) {
  const auto& [kind, text, whole, number, operands, named, place] = x;
  return std::tie(kind, text, whole, number, operands, named);
}

auto Said(const NamedTerm& x) {
  const auto& [name, value] = x;
  return std::tie(name, value);
}

auto Said(const Trait& x) {
  const auto& [key, value] = x;
  return std::tie(key, value);
}

auto Said(const TraitEntry& x) {
  const auto& [names, places, traits] = x;
  return std::tie(names, traits);
}

// Of structs what they say, of pointers and containers what is in them; NaN is NaN.
template <typename T>
// NaN must equal NaN, or `of [nan]` in a test would make every file with it "changed".
bool Same(const T& a, const T& b) {
  if constexpr (requires { Said(a); })
    return std::apply(
        [&](const auto&... x) { return std::apply([&](const auto&... y) { return (Same(x, y) && ...); }, Said(b)); },
        Said(a));
  else if constexpr (std::is_same_v<T, double>)
    return a == b || (std::isnan(a) && std::isnan(b));
  else if constexpr (requires { *a; })
    return a && b ? Same(*a, *b) : !a && !b;
  else if constexpr (requires { a.first; })
    return Same(a.first, b.first) && Same(a.second, b.second);
  else if constexpr (std::ranges::range<T>)
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return Same(x, y); });
  else
    return a == b;
}

// The part that differs, or null.
const char* DifferentPart(const Premises& a, const Premises& b) {
  const auto& [args, promote, require, require_text, defs, place] = a;
  if (!Same(args, b.args)) return "args";
  if (!Same(promote, b.promote)) return "promote";
  if (!Same(require, b.require)) return "require";
  return Same(defs, b.defs) ? nullptr : "def";
}

const char* DifferentPart(const Block& a, const Block& b) {
  const auto& [lets, repetition, cases] = a;
  if (!Same(lets, b.lets)) return "let";
  if (!Same(repetition, b.repetition)) return "fold or loop";
  return Same(cases, b.cases) ? nullptr : "what it emits";
}

const char* DifferentPart(const Claim& a, const Claim& b) {
  const auto& [names, places, overrides, constants, since, until, tests, traits] = a;
  if (!Same(names, b.names) || overrides != b.overrides || !Same(constants, b.constants)) return "op";
  if (!Same(since, b.since) || !Same(until, b.until)) return "since and until";
  if (!Same(traits, b.traits)) return "traits";
  return Same(tests, b.tests) ? nullptr : "tests";
}

std::string DifferentPart(const OpEntry& a, const OpEntry& b) {
  const char* part = DifferentPart(static_cast<const Claim&>(a), static_cast<const Claim&>(b));
  if (!part) part = DifferentPart(static_cast<const Premises&>(a), static_cast<const Premises&>(b));
  if (!part) part = DifferentPart(static_cast<const Block&>(a), static_cast<const Block&>(b));
  return part ? fmt::format("{}: {}", a.names.empty() ? "an entry" : a.names[0], part) : "";
}

}  // namespace

std::string Difference(const SpecFile& a, const SpecFile& b) {
  const auto& [path, family, imports, complete, ops, defs, traits, schemas] = a;
  if (family != b.family) return "the family";
  if (!Same(imports, b.imports)) return "the imports";
  if (ops.size() != b.ops.size() || defs.size() != b.defs.size()) return "the number of entries";
  const auto same_schema = [](const NodeDeclaration& x, const NodeDeclaration& y) {
    return lowering::SameNode(x.schema, y.schema);
  };
  if (!std::ranges::equal(schemas, b.schemas, same_schema)) return "the schemas of nodes";
  if (!Same(traits, b.traits)) return "the entries with traits only";
  for (size_t i = 0; i < ops.size(); ++i)
    if (std::string part = DifferentPart(ops[i], b.ops[i]); !part.empty()) return part;
  for (size_t i = 0; i < defs.size(); ++i)
    if (!Same(defs[i], b.defs[i])) return fmt::format("the definition {}", defs[i].name);
  return "";
}

}  // namespace onnxport::codegen
