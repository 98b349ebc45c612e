// The definitions of the real specs: each is called, each name means one thing, and nothing is defined twice.
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "codegen/load/imports.h"
#include "codegen/load/load.h"
#include "codegen/model/spec_text.h"
#include "codegen/model/walk.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::definitions_test {
namespace {

std::vector<SpecFile> Families() {
  Diagnostics diagnostics;
  std::vector<SpecFile> families;
  for (const std::string& path : SpecPaths("."))
    if (auto spec = LoadSpecFile(path, ReadFile(path), &diagnostics)) families.push_back(std::move(*spec));
  EXPECT_EQ(diagnostics.ToText(), "");
  return families;
}

Libraries RealLibraries() {
  Diagnostics diagnostics;
  Libraries libraries = ReadLibraries(LibraryFiles("."), &diagnostics);
  EXPECT_EQ(diagnostics.ToText(), "");
  return libraries;
}

std::vector<Def> AllDefinitions() {
  const Libraries libraries = RealLibraries();
  std::vector<Def> all(libraries.defs().begin(), libraries.defs().end());
  for (const SpecFile& family : Families()) all.insert(all.end(), family.defs.begin(), family.defs.end());
  return all;
}

bool IsOfName(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The body of a definition, with numbers for its own names: `x + y` and `a + b` are "$0 + $1". The names of a node's
// arguments (`axis=axis`) stay.
std::string BodyOf(const Def& def) {
  std::map<std::string, std::string> numbers;
  const auto number = [&](const std::string& name) { numbers.emplace(name, "$" + std::to_string(numbers.size())); };
  for (const std::string& param : def.params) number(param);
  for (const Let& let : def.lets)
    for (const std::string& name : let.names) number(name);
  std::string text;
  ForEachWhole(def, [&](const ExprPtr& expr) { text += (expr ? SpecText(*expr) : "") + "\n"; });
  std::string body;
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && IsOfName(text[end])) ++end;
    const std::string word = text.substr(i, end - i);
    const bool names_argument = end + 1 < text.size() && text[end] == '=' && text[end + 1] != '=';
    const auto known = numbers.find(word);
    body += known == numbers.end() || names_argument ? word : known->second;
    if (end == i) body += text[end++];
    i = end;
  }
  return body;
}

TEST(Definitions, OfLibrariesAreCalled) {
  const Libraries libraries = RealLibraries();
  std::set<std::string> called;
  Diagnostics diagnostics;
  for (SpecFile& family : Families()) {
    FollowImports(libraries, &family, &diagnostics);
    for (const Def& def : family.defs) called.insert(def.name);
  }
  EXPECT_EQ(diagnostics.ToText(), "");
  EXPECT_GT(libraries.defs().size(), 100U);
  for (const Def& def : libraries.defs()) EXPECT_TRUE(called.contains(def.name)) << LineText(def.place) << def.name;
}

TEST(Definitions, HaveNamesThatMeanOneThing) {
  std::map<std::string, Place> first;
  for (const Def& def : AllDefinitions()) {
    const auto [known, is_new] = first.emplace(def.name, def.place);
    EXPECT_TRUE(is_new) << LineText(def.place) << ": " << def.name << " is also defined at " << LineText(known->second);
  }
  // A definition of an entry has its meaning there only; it must not be that of another one elsewhere.
  for (const SpecFile& family : Families())
    for (const OpEntry& entry : family.ops)
      for (const Def& def : entry.defs)
        EXPECT_FALSE(first.contains(def.name))
            << LineText(def.place) << ": " << def.name << " is also defined at " << LineText(first[def.name]);
}

TEST(Definitions, StandInOnePlace) {
  std::map<std::string, const Def*> first;
  const std::vector<Def> all = AllDefinitions();
  for (const Def& def : all) {
    const auto [known, is_new] = first.emplace(BodyOf(def), &def);
    EXPECT_TRUE(is_new) << LineText(def.place) << ": " << def.name << " is " << known->second->name << " of "
                        << LineText(known->second->place);
  }
}

}  // namespace
}  // namespace onnxport::codegen::definitions_test
