#include "runtime/sources/torchscript/interpret/operators/overloads.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "runtime/sources/torchscript/interpret/operators/argument_matcher.h"

namespace onnxport::torchscript {
namespace {

using ir::AtenArgument;
using ir::AtenSchema;

// Returns the value of each argument in the call; null: its default. Returns nothing if the call does not fit the
// schema.
std::optional<std::vector<const Value*>> Bind(const AtenSchema& schema, const ValueList& positional,
                                              const Keywords& keywords) {
  std::vector<const Value*> bound(schema.arguments.size(), nullptr);
  if (positional.size() > bound.size()) return std::nullopt;
  for (size_t i = 0; i < positional.size(); ++i) {
    // A positional argument cannot follow the `*` of a schema.
    if (schema.arguments[i].keyword_only) return std::nullopt;
    bound[i] = &positional[i];
  }
  for (const auto& [name, value] : keywords) {
    const int index = schema.FindArgument(name);
    if (index < 0 || bound[index] != nullptr) return std::nullopt;
    bound[index] = &value;
  }
  for (size_t i = 0; i < bound.size(); ++i) {
    if (bound[i] == nullptr && !schema.arguments[i].default_value) return std::nullopt;
  }
  return bound;
}

bool Fits(const ArgumentMatcher& matcher, const AtenSchema& schema, const std::vector<const Value*>& bound) {
  for (size_t i = 0; i < bound.size(); ++i) {
    const bool is_last = i + 1 == bound.size() || schema.arguments[i + 1].keyword_only;
    if (bound[i] != nullptr && !matcher.Takes(schema.arguments[i].type, *bound[i], is_last)) return false;
  }
  return true;
}

}  // namespace

const Overloads::Candidates& Overloads::CandidatesOf(const std::string& name) {
  const auto [entry, is_new] = candidates_.try_emplace(name);
  if (!is_new) return entry->second;
  for (const std::string_view overload : ir::OverloadsInOrder(name)) {
    if (const AtenSchema* schema = ir::FindAtenSchema(overload)) entry->second.push_back(schema);
  }
  return entry->second;
}

std::variant<ResolvedCall, Reason> Overloads::Resolve(const std::string& name, const ValueList& positional,
                                                      const Keywords& keywords) {
  const Candidates& candidates = CandidatesOf(name);
  // Try all overloads unchanged before any with a conversion: `add(x, y)` must not become `add.Scalar` because a tensor
  // of one element can be converted to a number.
  for (const Pass pass : {Pass::kAsIs, Pass::kConverting, Pass::kIntAsFloat}) {
    const ArgumentMatcher matcher(tracer_, pass);
    for (const AtenSchema* schema : candidates) {
      const auto bound = Bind(*schema, positional, keywords);
      if (!bound || !Fits(matcher, *schema, *bound)) continue;
      ResolvedCall resolved{schema, {}};
      resolved.args.reserve(bound->size());
      for (size_t i = 0; i < bound->size(); ++i) {
        const AtenArgument& argument = schema->arguments[i];
        const Value* value = (*bound)[i];
        // Only for the chosen overload, because a conversion may be a call of the tracer, which leaves a node.
        resolved.args.push_back(value == nullptr ? *argument.default_value : matcher.Convert(argument.type, *value));
      }
      return resolved;
    }
  }
  return Describe(name, positional, keywords, candidates);
}

Reason Overloads::Describe(const std::string& name, const ValueList& positional, const Keywords& keywords,
                           const Candidates& candidates) const {
  // There is no schema at all, which is another mistake than wrong arguments.
  if (candidates.empty()) return {onnxport::Code::kUnsupportedOperator, "no spec says how to export it"};
  std::string text = "no overload takes (";
  for (size_t i = 0; i < positional.size(); ++i) {
    text += (i == 0 ? "" : ", ") + KindName(positional[i], *tracer_);
  }
  for (const auto& [keyword, value] : keywords) {
    text += (text.ends_with('(') ? "" : ", ") + keyword + "=" + KindName(value, *tracer_);
  }
  text += ')';
  constexpr size_t kShown = 6;
  for (size_t i = 0; i < std::min(candidates.size(), kShown); ++i)
    text += (i == 0 ? "; there is " : ", ") + candidates[i]->text;
  if (candidates.size() > kShown) text += " and " + std::to_string(candidates.size() - kShown) + " more of " + name;
  return text;
}

}  // namespace onnxport::torchscript
