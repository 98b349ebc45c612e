#include "runtime/trace/functionalize/twins.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

#include "runtime/aten/op_traits.h"

namespace onnxport::functionalize {
namespace {

using ir::AtenArgument;
using ir::AtenSchema;
using ir::AtenType;

// "aten::relu_" -> "aten::relu", "aten::__iand__" -> "aten::__and__"; empty for another name.
std::string PlainName(std::string_view base_name) {
  const size_t colons = base_name.find("::");
  const std::string_view name = colons == std::string_view::npos ? base_name : base_name.substr(colons + 2);
  const std::string space(base_name.substr(0, base_name.size() - name.size()));
  if (name.starts_with("__i") && name.ends_with("__")) return space + "__" + std::string(name.substr(3));
  if (name.ends_with('_') && !name.ends_with("__")) return space + std::string(name.substr(0, name.size() - 1));
  return "";
}

// Compares types without alias marks.
bool SameType(const AtenType& a, const AtenType& b) {
  return a.kind == b.kind && a.list == b.list && a.optional == b.optional &&
         a.optional_elements == b.optional_elements && a.list_size == b.list_size;
}

// `arange` has keyword arguments with defaults for facts that `arange.out` takes from a tensor.
bool IsOptionOfMaker(const AtenArgument& argument) { return argument.keyword_only && argument.default_value; }

bool Takes(const AtenSchema& plain, const AtenSchema& writing, const std::vector<size_t>& passed, bool out) {
  if (plain.mutates() || plain.arguments.size() < passed.size()) return false;
  for (size_t i = 0; i < passed.size(); ++i) {
    if (!SameType(plain.arguments[i].type, writing.arguments[passed[i]].type)) return false;
  }
  const auto rest = std::ranges::subrange(plain.arguments.begin() + static_cast<std::ptrdiff_t>(passed.size()),
                                          plain.arguments.end());
  return rest.empty() || (out && std::ranges::all_of(rest, IsOptionOfMaker));
}

// Names decide between overloads that take the same types. An overload without further arguments comes first.
int EqualNames(const AtenSchema& plain, const AtenSchema& writing, const std::vector<size_t>& passed) {
  int equal = plain.overload() == writing.overload() ? 1 : 0;
  for (size_t i = 0; i < passed.size(); ++i)
    equal += plain.arguments[i].name == writing.arguments[passed[i]].name ? 2 : 0;
  const size_t most = 2 * passed.size() + 2;
  return equal + (plain.arguments.size() == passed.size() ? static_cast<int>(most) : 0);
}

const AtenSchema* BestOverload(const std::string& name, const AtenSchema& writing, const Twin& twin) {
  const std::vector<size_t>& passed = twin.passed;
  const AtenSchema* best = nullptr;
  for (const std::string_view overload : ir::OverloadsOf(name)) {
    const AtenSchema* plain = ir::FindAtenSchema(overload);
    if (plain == nullptr || plain->results.size() != twin.written.size() || !Takes(*plain, writing, passed, twin.out))
      continue;
    if (best == nullptr || EqualNames(*plain, writing, passed) > EqualNames(*best, writing, passed)) best = plain;
  }
  return best;
}

// Returns true for `running_mean` if there is a result `running_mean_out`.
bool IsMadeAnew(const AtenArgument& argument, const AtenSchema& twin) {
  return std::ranges::find(twin.results, argument.name + "_out", &AtenArgument::name) != twin.results.end();
}

// Returns the twin that the spec states.
Twin StatedTwin(const AtenSchema& schema, const op_traits::Call& call) {
  Twin twin;
  twin.schema = ir::FindAtenSchema(call.op);
  for (const AtenArgument& result : schema.results) twin.results += result.type.alias.empty() ? 1 : 0;
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    if (schema.mutates() ? schema.arguments[i].type.written : IsMadeAnew(schema.arguments[i], *twin.schema))
      twin.written.push_back(i);
  }
  for (const op_traits::Operand& operand : call.operands) twin.passed.push_back(static_cast<size_t>(operand.a));
  return twin;
}

}  // namespace

Twin FindTwin(const AtenSchema& schema) {
  if (const auto* stated = op_traits::TraitsOf(schema.name).functional) return StatedTwin(schema, *stated);
  Twin twin;
  bool out = true;  // every written argument is keyword-only
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    const AtenArgument& argument = schema.arguments[i];
    if (!argument.type.written) continue;
    if (argument.type.list) return {};
    twin.written.push_back(i);
    out = out && argument.keyword_only;
  }
  if (twin.written.empty()) return {};
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    if (!out || !schema.arguments[i].type.written) twin.passed.push_back(i);
  }
  const std::string name = out ? schema.base_name() : PlainName(schema.base_name());
  // In place means that exactly the first argument is written.
  if (name.empty() || (!out && (twin.written.size() != 1 || twin.written[0] != 0))) return {};
  twin.out = out;
  twin.schema = BestOverload(name, schema, twin);
  return twin;
}

std::vector<size_t> UnmarkedWrites(const AtenSchema& schema, const std::vector<ir::Arg>& inputs) {
  const int when = op_traits::TraitsOf(schema.name).writes_when;
  if (when < 0 || static_cast<size_t>(when) >= inputs.size()) return {};
  const auto* now = std::get_if<bool>(&inputs[static_cast<size_t>(when)].v);
  if (now != nullptr && !*now) return {};
  std::vector<size_t> written = FindTwin(schema).written;
  const bool given =
      std::ranges::all_of(written, [&](size_t i) { return i < inputs.size() && inputs[i].value() != nullptr; });
  return given ? written : std::vector<size_t>();
}

bool Writes(const AtenSchema& schema, const std::vector<ir::Arg>& inputs) {
  return schema.mutates() || !UnmarkedWrites(schema, inputs).empty();
}

bool HasInPlaceForm(const AtenSchema& schema) {
  const std::string name = schema.base_name();
  if (!ir::OverloadsOf(name + "_").empty()) return true;
  const size_t begin = name.find("::") + 2;
  const bool dunder = name.compare(begin, 2, "__") == 0 && name.ends_with("__");
  return dunder && !ir::OverloadsOf(name.substr(0, begin) + "__i" + name.substr(begin + 2)).empty();
}

}  // namespace onnxport::functionalize
