#include "tests/conformance/difference.h"

#include <algorithm>

#include "tests/support/hash.h"

namespace onnxport::conformance {
namespace {

// The word after `before`; empty without it.
std::string_view WordAfter(std::string_view text, std::string_view before) {
  const size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + before.size());
  return text.substr(0, std::min(text.find_first_of(" ,\n"), text.size()));
}

}  // namespace

std::string KindOfDifference(std::string_view text) {
  if (text.find(" elements of ") == std::string_view::npos) return "type";
  const std::string_view got = WordAfter(text, ": got ");
  const std::string_view expected = WordAfter(text, "PyTorch gives ");
  const auto either = [&](std::string_view word) { return got.ends_with(word) || expected.ends_with(word); };
  if (either("nan")) return "NaN";
  if (either("inf")) return "infinity";
  const auto is_zero = [](std::string_view word) { return word == "0" || word == "-0"; };
  return is_zero(got) && is_zero(expected) ? "zero" : "values";
}

std::string KindOfError(std::string_view text) {
  if (text.starts_with("internal error")) return "internal error";
  const std::string_view node = WordAfter(text, "while running ");
  return node.empty() ? "does not load" : "fails in " + std::string(node);
}

bool IsNoAnswer(std::string_view error) {
  return error.find("process ended") != std::string_view::npos ||
         error.find("does not come to an end") != std::string_view::npos;
}

uint32_t HashOf(const ir::Graph& graph) { return tests::HashOf(ir::ToText(graph)); }

}  // namespace onnxport::conformance
