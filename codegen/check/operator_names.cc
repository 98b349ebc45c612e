// Checks that operators exist, and suggests the one that was meant.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "codegen/check/entry_check.h"
#include "runtime/aten/aten_schema.h"
#include "runtime/aten/aten_schema_table.h"

namespace onnxport::codegen {
namespace {

// Base names one edit away, as the registry is asked by name. There are some 3000 names, which nobody lists; a word of
// ten letters has about 800 edits, and each costs one look-up.
std::vector<std::string> Edits(const std::string& word) {
  static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  std::vector<std::string> edits;
  for (size_t i = 0; i <= word.size(); ++i) {
    const std::string before = word.substr(0, i);
    const std::string after = word.substr(i);
    if (!after.empty()) edits.push_back(before + after.substr(1));
    if (after.size() > 1) edits.push_back(before + after[1] + after[0] + after.substr(2));
    for (char letter : kLetters) {
      edits.push_back(before + letter + after);
      if (!after.empty()) edits.push_back(before + letter + after.substr(1));
    }
  }
  return edits;
}

// Operators that a user's library registers.
std::vector<std::string_view> UsersOperators() {
  std::vector<std::string_view> names;
  for (const ir::AtenSchemaTable& table : ir::AtenSchemaTables::All()) {
    if (table.owner == kBuiltIn) continue;
    for (std::string_view text = table.text; !text.empty(); text.remove_prefix(text.find('\n') + 1))
      names.push_back(text.substr(0, text.find('(')));
  }
  return names;
}

// "; did you mean `aten::relu`?", or the overloads there are.
std::string NearOperator(const std::string& name) {
  // A user's own first: they are few, and his entry is most likely about one of them.
  if (const std::string near = DidYouMean(name, UsersOperators()); !near.empty()) return near;
  const std::string base = name.substr(0, name.find('.'));
  std::vector<std::string_view> known = ir::OverloadsOf(base);
  // Forms that write have no entry, so they are not proposed.
  std::erase_if(known, [](std::string_view overload) { return ir::FindAtenSchema(overload)->mutates(); });
  if (known.empty() && base.size() <= 64 && base.starts_with("aten::"))
    for (const std::string& edit : Edits(base.substr(6)))
      if (!ir::OverloadsOf("aten::" + edit).empty()) return fmt::format("; did you mean `aten::{}`?", edit);
  if (const std::string near = DidYouMean(name, known); !near.empty()) return near;
  std::string text;
  for (size_t i = 0; i < known.size() && i < 8; ++i)
    text += fmt::format("{}`{}`", i == 0 ? "; there are " : ", ", known[i]);
  return text;
}

}  // namespace

void CheckNames(const OpEntry& entry, Diagnostics* diagnostics) {
  for (size_t i = 0; i < entry.names.size(); ++i) {
    const std::string& name = entry.names[i];
    const Place& place = entry.name_places[i];
    const ir::AtenSchema* schema = ir::FindAtenSchema(name);
    if (!schema)
      diagnostics->Error(place, fmt::format("PyTorch has no operator `{}`{}", name, NearOperator(name)));
    else if (schema->mutates())
      diagnostics->Error(
          place, fmt::format("`{}` writes an argument: in-place and out forms are rewritten before they are lowered, "
                             "only the functional form is listed",
                             name));
  }
}

}  // namespace onnxport::codegen
