// embed_targets OUT.cc PROFILE.yaml...: the profiles as tables of runtime/model/target/target.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "codegen/source/diagnostics.h"
#include "codegen/source/files.h"
#include "codegen/targets/profile.h"

namespace onnxport::codegen {
namespace {

std::string SetText(const DTypes& dtypes) {
  std::string text;
  for (const ir::DType dtype : dtypes)
    text += fmt::format("{}DType({})", text.empty() ? "" : ", ", int{uint8_t(dtype)});
  return "{" + text + "}";
}

// Each list of dtypes is an array of its own, as spans have to point to something.
std::string FormsText(const Profile& profile, size_t number) {
  std::string arrays;
  std::string rows;
  int count = 0;
  for (const ProfileForm& form : profile.forms) {
    std::string kinds;
    for (const auto& [variable, dtypes] : form.kinds) kinds += fmt::format("{{{:?}, {}}}, ", variable, SetText(dtypes));
    std::string array = "{}";
    if (!kinds.empty()) {
      array = fmt::format("kKinds{}_{}", number, count++);
      arrays += fmt::format("constexpr VariableDTypes {}[] = {{{}}};\n", array, kinds);
    }
    std::string names;
    for (const auto* inputs : {&form.zeros, &form.known, &form.sized}) {
      if (inputs->empty()) {
        names += "{}, ";
        continue;
      }
      const std::string name = fmt::format("kInputs{}_{}", number, count++);
      arrays += fmt::format("constexpr std::string_view {}[] = {{{:?}}};\n", name, fmt::join(*inputs, ", "));
      names += name + ", ";
    }
    rows += fmt::format("    {{{:?}, {}, {}, {}, {}{}, {}, {}}},\n", form.op, form.since, form.present, array, names,
                        SetText(form.saturating), form.own_windows, form.whole_blocks);
  }
  return fmt::format("{}constexpr Form kForms{}[] = {{\n{}}};\n", arrays, number, rows);
}

std::string TargetText(const Profile& profile, size_t number) {
  return fmt::format("    {{{:?}, {:?}, {:?}, {:?}, {}, {}, {}, {}, {}, {}, kForms{}}},\n", profile.name, profile.title,
                     profile.source, profile.date, profile.first_opset, profile.last_opset, profile.static_axes,
                     profile.narrow_int64, profile.no_functions, SetText(profile.dtypes), number);
}

std::string Text(const std::vector<Profile>& profiles) {
  std::string text =
      "#include \"runtime/model/target/target.h\"\n\nnamespace onnxport::target {\nnamespace {\n\nusing ir::DType;\n\n";
  for (size_t i = 0; i < profiles.size(); ++i) text += FormsText(profiles[i], i);
  text += "\nconstexpr Target kTargets[] = {\n";
  for (size_t i = 0; i < profiles.size(); ++i) text += TargetText(profiles[i], i);
  return text +
         "};\n\n}  // namespace\n\nstd::span<const Target> Targets() { return kTargets; }\n\n"
         "}  // namespace onnxport::target\n";
}

int Main(const std::filesystem::path& out, std::vector<std::string> paths) {
  std::ranges::sort(paths);
  Diagnostics diagnostics;
  std::vector<Profile> profiles;
  for (const std::string& path : paths) {
    const auto file = std::make_shared<SourceFile>(SourceFile{path, ReadFile(path)});
    profiles.push_back(LoadProfile(file, &diagnostics));
  }
  for (Profile& profile : profiles) {
    if (profile.like.empty()) continue;
    const auto like = std::ranges::find(profiles, profile.like, &Profile::name);
    if (like == profiles.end() || !like->like.empty()) {
      diagnostics.Error({}, profile.name + ": `like` names no profile that has operators of its own");
    } else {
      TakeOver(*like, &profile);
    }
  }
  if (diagnostics.has_errors()) {
    fmt::print(stderr, "{}", diagnostics.ToText());
    return 1;
  }
  WriteFiles(out.parent_path(), {{out.filename(), Text(profiles)}});
  return 0;
}

}  // namespace
}  // namespace onnxport::codegen

int main(int argc, char** argv) {
  if (argc < 3) {
    fmt::print(stderr, "usage: embed_targets OUT.cc PROFILE.yaml...\n");
    return 2;
  }
  try {
    return onnxport::codegen::Main(argv[1], {argv + 2, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "embed_targets: {}\n", error.what());
    return 1;
  }
}
