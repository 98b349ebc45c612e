#include <map>
#include <type_traits>

#include "onnxport/options.h"

namespace onnxport {
namespace {

template <typename T>
struct Inside {
  using Type = T;
};
template <typename T>
struct Inside<std::optional<T>> {
  using Type = T;
};

template <typename T, typename... Others>
constexpr bool kIsOneOf = (std::is_same_v<T, Others> || ...);

template <typename T>
std::string FormOf() {
  if constexpr (std::is_same_v<T, bool>) {
    return "flag";
  } else if constexpr (kIsOneOf<T, int, uint64_t, std::chrono::steady_clock::time_point>) {
    return "number";
  } else if constexpr (std::is_same_v<T, Source>) {
    return "path";
  } else if constexpr (kIsOneOf<T, ComplexTensors, ExternalData>) {
    return "word";
  } else if constexpr (kIsOneOf<T, std::map<std::string, int>, AxisSizes>) {
    return "numbers";
  } else if constexpr (std::is_same_v<T, std::vector<OtherTrace>>) {
    return "objects";
  } else if constexpr (kIsOneOf<T, std::string, WeightsAs, ComputeAs>) {
    return "text";
  } else {
    static_assert(
        kIsOneOf<T, std::vector<std::string>, std::vector<Input>, std::vector<Output>, std::vector<OperatorMapping>>);
    return "texts";
  }
}

template <typename Words>
std::vector<std::string_view> FirstOf(const Words& words) {
  std::vector<std::string_view> names;
  for (const auto& [word, value] : words) names.push_back(word);
  return names;
}

// The member's type, of a pointer to it.
template <typename T, typename Struct>
T TypeOf(T Struct::*);

template <auto kMember>
OptionInfo InfoOf(const Option<kMember>& option, const std::string& before) {
  using T = typename Inside<decltype(TypeOf(kMember))>::Type;
  OptionInfo info{.name = before + std::string(option.name),
                  .form = FormOf<T>(),
                  .words = {},
                  .flag = std::string(option.flag),
                  .takes = std::string(option.takes),
                  .help = std::string(option.help),
                  .since = std::string(option.since)};
  if constexpr (std::is_same_v<T, ComplexTensors>) info.words = FirstOf(kComplexTensorsWords);
  if constexpr (std::is_same_v<T, ExternalData>) info.words = FirstOf(kExternalDataWords);
  if constexpr (std::is_same_v<decltype(kMember), bool ExportOptions::*>) info.on = ExportOptions().*kMember;
  if constexpr (std::is_same_v<decltype(kMember), bool SaveOptions::*>) info.on = SaveOptions().*kMember;
  return info;
}

}  // namespace

std::vector<OptionInfo> ListOptions() {
  std::vector<OptionInfo> options;
  ForEachOption(kExportOptions, [&](const auto& option) {
    options.push_back(InfoOf(option, ""));
    if (options.back().form != "objects") return;
    const std::string before = options.back().name + ".";
    ForEachOption(kOtherTraceOptions, [&](const auto& inner) { options.push_back(InfoOf(inner, before)); });
  });
  ForEachOption(kSaveOptions, [&](const auto& option) { options.push_back(InfoOf(option, "")); });
  return options;
}

}  // namespace onnxport
