// The text forms of what weights are stored as and what a model computes in.
#include "onnxport/numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/api/border/border.h"
#include "runtime/base/error.h"
#include "runtime/model/passes/quantize/weight_types.h"

namespace onnxport {
namespace {

constexpr std::string_view kAsymmetric = ",asymmetric";
constexpr std::string_view kIo = ",io";

// Removes that end from the text. Returns whether the text had it.
bool TakeEnd(std::string_view* text, std::string_view end) {
  if (!text->ends_with(end)) return false;
  text->remove_suffix(end.size());
  return true;
}

std::string_view NameOf(HalfType type) { return type == HalfType::kFloat16 ? "float16" : "bfloat16"; }

WeightsAs ReadWeightsAs(std::string_view text) {
  std::vector<std::string_view> names;
  for (const passes::WeightTypeFacts& facts : passes::WeightTypes()) names.push_back(facts.name);
  const auto fail = [&](const std::string& why) -> Error {
    return {ErrorKind::kUsage,
            fmt::format("<<weights_as: {}>>: {}; write one of {}; int4 and int2 also take the elements of a group and "
                        "zero points: int4:64,asymmetric",
                        text, why, fmt::join(names, ", "))};
  };
  WeightsAs wanted;
  std::string_view rest = text;
  wanted.asymmetric = TakeEnd(&rest, kAsymmetric);
  if (const size_t colon = rest.find(':'); colon != std::string_view::npos) {
    const std::string_view digits = rest.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), wanted.group.emplace());
    if (error != std::errc() || end != digits.data() + digits.size())
      throw fail(fmt::format("'{}' is no number", digits));
    rest = rest.substr(0, colon);
  }
  for (const passes::WeightTypeFacts& facts : passes::WeightTypes()) {
    if (facts.name != rest) continue;
    wanted.type = facts.type;
    return wanted;
  }
  throw fail(fmt::format("'{}' is no type of weights", rest));
}

ComputeAs ReadComputeAs(std::string_view text) {
  ComputeAs wanted;
  std::string_view rest = text;
  wanted.io = TakeEnd(&rest, kIo);
  for (const HalfType type : {HalfType::kFloat16, HalfType::kBFloat16}) {
    if (NameOf(type) != rest) continue;
    wanted.type = type;
    return wanted;
  }
  throw Error(ErrorKind::kUsage,
              fmt::format("<<compute_as: {}>>: '{}' is neither float16 nor bfloat16; with {} behind it inputs and "
                          "outputs have that dtype, too",
                          text, rest, kIo));
}

}  // namespace

Result<WeightsAs> ParseWeightsAs(std::string_view text) {
  return AtBorder([&] { return ReadWeightsAs(text); });
}

std::string Text(const WeightsAs& wanted) {
  std::string text(passes::FactsOf(wanted.type).name);
  if (wanted.group) text += fmt::format(":{}", *wanted.group);
  if (wanted.asymmetric) text += kAsymmetric;
  return text;
}

Result<ComputeAs> ParseComputeAs(std::string_view text) {
  return AtBorder([&] { return ReadComputeAs(text); });
}

std::string Text(const ComputeAs& wanted) {
  std::string text(NameOf(wanted.type));
  if (wanted.io) text += kIo;
  return text;
}

}  // namespace onnxport
