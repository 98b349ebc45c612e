#include "runtime/sources/torch/place.h"

#include <c10/util/Type.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace onnxport::torch_export {
namespace {

constexpr int kMostFrames = 128;
constexpr size_t kMostNames = 3;

// "mine::Net::forward" for "mine::Net::forward(at::Tensor const&) const". Returns nothing for other names, such as
// those of templates that deduce their result: "decltype (...) call<...>(...)".
std::string PlainFunction(const std::string& demangled) {
  const std::string_view all = demangled;
  if (all.starts_with("decltype")) return "";
  const std::string_view name = all.substr(0, all.find('('));
  return name.find_first_of(" <{") == std::string_view::npos ? std::string(name) : "";
}

// Frames between the program and its operators.
bool IsPlumbing(std::string_view name) {
  constexpr std::string_view kParts[] = {
      "at::", "c10::", "std::", "torch::autograd::", "torch::jit::", "torch::impl::", "__", "_start", "onnxport::"};
  return std::ranges::any_of(kParts, [&](std::string_view part) { return name.starts_with(part); });
}

// `name` runs the program; its callers do not belong to the program.
bool IsEntry(std::string_view name) { return name.find("torch_export::Record(") != std::string_view::npos; }

}  // namespace

std::string PlaceInProgram() {
  void* frames[kMostFrames];
  const int count = ::backtrace(frames, kMostFrames);
  std::vector<std::string> names;
  for (int i = 0; i < count && names.size() < kMostNames; ++i) {
    Dl_info symbol{};
    if (::dladdr(frames[i], &symbol) == 0 || symbol.dli_sname == nullptr) continue;
    const std::string demangled = c10::demangle(symbol.dli_sname);
    // Frames go from the innermost outwards.
    if (IsEntry(demangled)) break;
    std::string name = PlainFunction(demangled);
    if (name.empty() || name == "main" || IsPlumbing(name)) continue;
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return fmt::format("{}", fmt::join(names, ", called by "));
}

}  // namespace onnxport::torch_export
