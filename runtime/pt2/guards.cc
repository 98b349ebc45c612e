#include "runtime/pt2/guards.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace onnxport::pt2 {
namespace {

// "(L['x'].size()[1] / 2) == 1000.0" as "(x.size()[1] / 2) == 1000.0". Empty for what every free size fulfills.
std::string PlainGuard(std::string guard) {
  for (const std::string_view usual : {" >= 0", " >= 1", " >= 2", " > 0", " > 1", " != 0", " != 1"}) {
    const bool bound = guard.ends_with(usual) && guard.find_first_of("*/%+(", guard.find(".size()") + 7) == guard.npos;
    if (bound && guard.starts_with("L[")) return {};
  }
  // Sizes that are equal have one symbol.
  if (const size_t equal = guard.find(" == "); equal != guard.npos) {
    const std::string right = guard.substr(equal + 4);
    if (guard.find(' ') == equal && right.starts_with("L[") && right.find(' ') == right.npos) return {};
  }
  for (const std::string_view mark : {"L['", "']"}) {
    for (size_t at = guard.find(mark); at != guard.npos; at = guard.find(mark, at)) guard.erase(at, mark.size());
  }
  return guard;
}

// The text with `L['x'].size()[1]` as the dimension that it is. Nothing for what no input has.
std::optional<std::string> InSymbols(std::string_view text, const ir::Graph& graph) {
  constexpr std::string_view kName = "L['";
  constexpr std::string_view kSize = "'].size()[";
  std::string out;
  for (size_t at = text.find(kName); at != text.npos; at = text.find(kName)) {
    out += text.substr(0, at);
    const size_t size = text.find(kSize, at);
    if (size == text.npos) return std::nullopt;
    const std::string_view name = text.substr(at + kName.size(), size - at - kName.size());
    text.remove_prefix(size + kSize.size());
    size_t axis = 0;
    const char* const after = std::from_chars(text.data(), text.data() + text.size(), axis).ptr;
    text.remove_prefix(static_cast<size_t>(after - text.data()));
    if (!text.starts_with(']')) return std::nullopt;
    text.remove_prefix(1);
    const auto input = std::ranges::find(graph.inputs, name, &ir::Port::name);
    if (input == graph.inputs.end()) return std::nullopt;
    const auto& dims = graph.value(*input->value.value()).dims;
    if (!dims || axis >= dims->size() || (*dims)[axis].is_unknown()) return std::nullopt;
    out += "(" + (*dims)[axis].ToString() + ")";
  }
  return out += text;
}

// Of "A == 4" where A is no single size: an input whose free size is a number has that number already.
std::optional<std::pair<ir::Dim, int64_t>> KnownSize(std::string_view guard, const ir::Graph& graph) {
  constexpr std::string_view kEqual = " == ";
  const size_t equal = guard.rfind(kEqual);
  if (equal == guard.npos) return std::nullopt;
  const auto left = InSymbols(guard.substr(0, equal), graph);
  std::string ignored;
  const auto size = left ? ir::Dim::Parse(*left, &ignored) : std::nullopt;
  const auto number = ir::Dim::Parse(guard.substr(equal + kEqual.size()), &ignored);
  if (!size || !number || !size->is_symbolic() || size->symbol() || !number->is_number()) return std::nullopt;
  return std::pair(*size, number->number());
}

}  // namespace

std::string GuardRemark(const std::vector<std::string>& guards) {
  constexpr size_t kMost = 8;
  std::string text;
  size_t count = 0;
  for (const std::string& guard : guards) {
    const std::string condition = PlainGuard(guard);
    if (condition.empty()) continue;
    if (count++ < kMost) text += (text.empty() ? "`" : ", `") + condition + "`";
  }
  if (count == 0) return {};
  if (count > kMost) text += " and " + std::to_string(count - kMost) + " more";
  return "the file was exported for sizes with " + text + "; for others the model may be wrong";
}

void UseGuards(const std::vector<std::string>& guards, ir::Graph* graph) {
  std::vector<std::pair<ir::Dim, int64_t>> known;
  for (const std::string& guard : guards) {
    if (const auto size = KnownSize(guard, *graph)) known.push_back(*size);
  }
  if (known.empty()) return;
  const auto use = [&](std::optional<ir::Dims>* dims) {
    if (!*dims) return;
    for (ir::Dim& dim : **dims) {
      const auto found = std::ranges::find_if(known, [&](const auto& size) { return size.first == dim; });
      if (found != known.end()) dim = ir::Dim(found->second);
    }
  };
  for (ir::Value& value : graph->values) {
    use(&value.dims);
    use(&value.contents);
  }
}

}  // namespace onnxport::pt2
