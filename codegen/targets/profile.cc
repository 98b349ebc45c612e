#include "codegen/targets/profile.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "codegen/load/yaml.h"
#include "runtime/ir/dtype.h"
#include "runtime/ir/packed_dtype.h"

namespace onnxport::codegen {
namespace {

// Also those that weights have, and no program.
std::optional<ir::DType> DTypeOf(std::string_view name) {
  for (const ir::PackedDType& packed : ir::kPackedDTypes) {
    if (ir::Name(packed.dtype) == name) return packed.dtype;
  }
  return ir::ParseDType(name);
}

class Loader {
 public:
  Loader(Profile* profile, Diagnostics* diagnostics) : profile_(*profile), diagnostics_(*diagnostics) {}

  void Load(const YamlNode& root) {
    if (root.kind != YamlKind::kMap) return Wrong(root, "a profile is a map");
    for (size_t i = 0; i < root.keys.size(); ++i) Head(root.keys[i], root.items[i]);
    for (const auto& [key, text] : {std::pair("title", &profile_.title), std::pair("source", &profile_.source),
                                    std::pair("date", &profile_.date)}) {
      if (text->empty()) Wrong(root, std::string("`") + key + "` is missing");
    }
    if (profile_.like.empty() && (profile_.last_opset == 0 || profile_.forms.empty())) {
      Wrong(root, "`opsets` and `operators` are needed, or `like`");
    }
  }

 private:
  void Wrong(const YamlNode& node, std::string message) { diagnostics_.Error(node.place, std::move(message)); }

  void Head(const YamlNode& key, const YamlNode& value) {
    const std::string& name = key.text.text();
    if (name == "title") return Text(value, &profile_.title);
    if (name == "source") return Text(value, &profile_.source);
    if (name == "date") return Text(value, &profile_.date);
    if (name == "like") return Text(value, &profile_.like);
    if (name == "opsets") return Opsets(value);
    if (name == "static_axes") return Word(value, "true", &profile_.static_axes);
    if (name == "int64") return Word(value, "32 bits", &profile_.narrow_int64);
    if (name == "functions") return Word(value, "none", &profile_.no_functions);
    if (name == "dtypes") return ListOfDTypes(value, &profile_.dtypes);
    if (name == "operators") return Operators(value);
    Wrong(key, "no key of a profile");
  }

  void Text(const YamlNode& value, std::string* out) {
    if (value.kind != YamlKind::kText) return Wrong(value, "a text is wanted");
    *out = value.text.text();
  }

  // The only value that the key may have; without the key it is false.
  void Word(const YamlNode& value, std::string_view word, bool* out) {
    if (value.kind != YamlKind::kText || value.text.text() != word) {
      return Wrong(value, "`" + std::string(word) + "` is wanted, or no such key");
    }
    *out = true;
  }

  std::optional<int> Number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number > 0 ? std::optional(number)
                                                                                  : std::nullopt;
  }

  void Opsets(const YamlNode& value) {
    const std::string& text = value.text.text();
    const size_t dots = text.find("..");
    const auto first = Number(std::string_view(text).substr(0, dots));
    const auto last = dots == std::string::npos ? std::nullopt : Number(std::string_view(text).substr(dots + 2));
    if (!first || !last || *first > *last) return Wrong(value, "FIRST..LAST is wanted");
    profile_.first_opset = *first;
    profile_.last_opset = *last;
  }

  void ListOfDTypes(const YamlNode& value, DTypes* out) {
    if (value.kind != YamlKind::kList) return Wrong(value, "a list of dtypes is wanted");
    for (const YamlNode& item : value.items) {
      const auto dtype = DTypeOf(item.text.text());
      if (!dtype) return Wrong(item, "no dtype");
      out->push_back(*dtype);
    }
  }

  void ListOfInputs(const YamlNode& value, std::vector<std::string>* out) {
    if (value.kind != YamlKind::kList) return Wrong(value, "a list of inputs is wanted");
    for (const YamlNode& item : value.items) out->push_back(item.text.text());
  }

  void Operators(const YamlNode& value) {
    if (value.kind != YamlKind::kMap) return Wrong(value, "a map of operators is wanted");
    for (size_t i = 0; i < value.keys.size(); ++i) {
      const YamlNode& forms = value.items[i];
      if (forms.kind != YamlKind::kMap) Wrong(forms, "OPSET: {VARIABLE: [DTYPE, ...]} is wanted");
      for (size_t form = 0; form < forms.keys.size(); ++form) {
        Form(value.keys[i].text.text(), forms.keys[form], forms.items[form]);
      }
    }
  }

  void Form(const std::string& op, const YamlNode& since, const YamlNode& kinds) {
    const auto opset = Number(since.text.text());
    if (!opset) return Wrong(since, "an opset is wanted");
    ProfileForm form = {.op = op, .since = *opset, .present = true, .kinds = {}};
    // Lookups search by halving.
    if (!profile_.forms.empty()) {
      const ProfileForm& last = profile_.forms.back();
      if (std::tie(last.op, last.since) >= std::tie(form.op, form.since)) Wrong(since, "not sorted");
    }
    if (kinds.kind == YamlKind::kText && kinds.text.text() == "none") {
      form.present = false;
    } else if (kinds.kind != YamlKind::kMap) {
      return Wrong(kinds, "{VARIABLE: [DTYPE, ...]} or `none` is wanted");
    }
    for (size_t i = 0; i < kinds.keys.size(); ++i) Condition(kinds.keys[i].text.text(), kinds.items[i], &form);
    profile_.forms.push_back(std::move(form));
  }

  void Condition(const std::string& key, const YamlNode& value, ProfileForm* form) {
    if (key == "zero") return ListOfInputs(value, &form->zeros);
    if (key == "known") return ListOfInputs(value, &form->known);
    if (key == "sized") return ListOfInputs(value, &form->sized);
    if (key == "saturates") return ListOfDTypes(value, &form->saturating);
    if (key == "ceil_mode") return Word(value, "own windows", &form->own_windows);
    if (key == "blocks") return Word(value, "whole", &form->whole_blocks);
    ListOfDTypes(value, &form->kinds.emplace_back(key, DTypes()).second);
  }

  Profile& profile_;
  Diagnostics& diagnostics_;
};

}  // namespace

Profile LoadProfile(const std::shared_ptr<const SourceFile>& file, Diagnostics* diagnostics) {
  Profile profile;
  profile.name = std::filesystem::path(file->path).stem().string();
  if (const auto root = ReadYaml(file, diagnostics)) Loader(&profile, diagnostics).Load(*root);
  return profile;
}

void TakeOver(const Profile& other, Profile* profile) {
  if (profile->last_opset == 0) {
    profile->first_opset = other.first_opset;
    profile->last_opset = other.last_opset;
  }
  profile->static_axes |= other.static_axes;
  profile->narrow_int64 |= other.narrow_int64;
  profile->no_functions |= other.no_functions;
  if (profile->dtypes.empty()) profile->dtypes = other.dtypes;
  std::set<std::string> own;
  for (const ProfileForm& form : profile->forms) own.insert(form.op);
  for (const ProfileForm& form : other.forms) {
    if (!own.contains(form.op)) profile->forms.push_back(form);
  }
  std::ranges::sort(profile->forms, {}, [](const ProfileForm& form) { return std::tie(form.op, form.since); });
}

}  // namespace onnxport::codegen
