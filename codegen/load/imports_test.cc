#include "codegen/load/imports.h"

#include <string>
#include <vector>

#include "codegen/load/load.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::imports_test {
namespace {

using testing::HasSubstr;

struct Text {
  std::string name;  // of the library
  std::string text;  // what follows on `family`
};

Libraries LibrariesOf(const std::vector<Text>& texts, Diagnostics* diagnostics) {
  std::vector<SpecFile> files;
  for (const Text& text : texts) {
    auto file = LoadSpecFile("spec/lib/" + text.name + ".yaml", "spec: 1\nfamily: " + text.name + "\n" + text.text,
                             diagnostics);
    if (file) files.push_back(std::move(*file));
  }
  return Libraries(std::move(files), diagnostics);
}

// `sums` calls `signs`, which stands behind it.
const std::vector<Text> kLibraries = {
    {"sums",
     "import: [signs]\nops:\n- {def: total(x), emit: whole(x)}\n- {def: whole(x), emit: minus(x)}\n"
     "- {def: unused(x), emit: x}\n- {def: 'each(x, f(a))', emit: f(x)}\n"},
    {"signs", "ops:\n- {def: minus(x), emit: -x}\n- {def: plus(x), emit: x}\n"},
    {"others", "ops:\n- {def: other(x), emit: x}\n"},
};

std::optional<SpecFile> Load(const std::string& text, Diagnostics* diagnostics) {
  const Libraries libraries = LibrariesOf(kLibraries, diagnostics);
  EXPECT_EQ(diagnostics->ToText(), "");
  return LoadSpecFile("x.yaml", "spec: 1\nfamily: x\n" + text, diagnostics, &libraries);
}

std::string MistakesIn(const std::string& text) {
  Diagnostics diagnostics;
  const auto spec = Load(text, &diagnostics);
  if (spec && spec->complete) CheckImportsUsed(spec->imports, &diagnostics);
  return diagnostics.ToText();
}

std::string MistakesInLibraries(const std::vector<Text>& texts) {
  Diagnostics diagnostics;
  LibrariesOf(texts, &diagnostics);
  return diagnostics.ToText();
}

TEST(Imports, GiveWhatIsCalledAndWhatThatCalls) {
  Diagnostics diagnostics;
  const auto spec =
      Load("import: [sums]\nops:\n- {def: own(x), emit: x}\n- {op: aten::x, emit: total(own(x))}\n", &diagnostics);
  ASSERT_TRUE(spec) << diagnostics.ToText();
  std::string names;
  for (const Def& def : spec->defs) names += def.name + " ";
  EXPECT_EQ(names, "minus total whole own ");  // `signs` before `sums`, which imports it
  EXPECT_TRUE(spec->complete);
}

TEST(Imports, GiveWhatIsGivenToADefinition) {
  Diagnostics diagnostics;
  const auto spec = Load("import: [signs, sums]\nops:\n- {op: aten::x, emit: 'each(self, plus)'}\n", &diagnostics);
  ASSERT_TRUE(spec) << diagnostics.ToText();
  ASSERT_EQ(spec->defs.size(), 2u);
  EXPECT_EQ(MistakesIn("import: [signs, sums]\nops:\n- {op: aten::x, emit: 'each(self, plus)'}\n"), "");
}

TEST(Imports, AreNeededForEachLibraryThatIsCalled) {
  EXPECT_THAT(MistakesIn("ops:\n- {op: aten::x, emit: 'Abs(total(self))'}\n"),
              HasSubstr("x.yaml:4:28: error: `total` is defined in spec/lib/sums.yaml: add `import: [sums]`\n"));
  EXPECT_THAT(MistakesIn("import: [sums]\nops:\n- {op: aten::x, emit: total(minus(self))}\n"),
              HasSubstr("x.yaml:5:29: error: `minus` is defined in spec/lib/signs.yaml: add `signs` to `import`\n"));
  EXPECT_THAT(MistakesIn("import: [sums]\nops:\n- {op: aten::x, emit: 'each(self, plus)'}\n"),
              HasSubstr("x.yaml:5:35: error: `plus` is defined in spec/lib/signs.yaml"));
}

TEST(Imports, OfNoLibraryAreReported) {
  EXPECT_THAT(MistakesIn("import: [sum]\nops:\n- {op: aten::x, emit: self}\n"),
              HasSubstr("x.yaml:3:10: error: there is no library `sum`; did you mean `sums`? (libraries: others, "
                        "signs, sums)\n"));
  EXPECT_THAT(MistakesIn("import: [sums, sums]\nops:\n- {op: aten::x, emit: total(self)}\n"),
              HasSubstr("x.yaml:3:16: error: `sums` is imported twice\n"));
}

TEST(Imports, ThatNothingUsesAreReported) {
  EXPECT_THAT(MistakesIn("import: [others, sums]\nops:\n- {op: aten::x, emit: total(self)}\n"),
              HasSubstr("x.yaml:3:10: error: `others` is imported, and nothing of it is called\n"));
  // The entry that calls it may be the one with a mistake.
  EXPECT_EQ(MistakesIn("import: [sums]\nops:\n- {op: aten::x, emit: 'total('}\n").find("imported"), std::string::npos);
}

TEST(Imports, HideNoNameAndAreNotHidden) {
  const std::string text = "`minus` is a definition of spec/lib/signs.yaml: call that one, or take another name\n";
  // `signs` is imported by `sums`.
  EXPECT_THAT(MistakesIn("import: [sums]\nops:\n- {def: minus(x), emit: x}\n- {op: aten::x, emit: total(minus(x))}\n"),
              HasSubstr("x.yaml:5:3: error: " + text));
  EXPECT_THAT(MistakesIn("import: [sums]\nops:\n- {op: aten::x, def: {minus(x): x}, emit: total(minus(self))}\n"),
              HasSubstr("error: " + text));
  // A library that the file does not import reserves no names.
  EXPECT_EQ(MistakesIn("import: [sums]\nops:\n- {def: other(x), emit: x}\n- {op: aten::x, emit: total(other(x))}\n"),
            "");
  // A parameter that stands for a definition is none.
  EXPECT_EQ(MistakesIn("ops:\n- {def: 'g(x, total(a))', emit: total(x)}\n- {def: h(x), emit: x}\n"
                       "- {op: aten::x, emit: 'g(self, h)'}\n"),
            "");
}

TEST(Libraries, HaveDefinitionsOnly) {
  EXPECT_THAT(MistakesInLibraries({{"a", "ops:\n- {op: aten::x, emit: self}\n"}}),
              HasSubstr("spec/lib/a.yaml:4:3: error: a library has definitions only\n"));
}

TEST(Libraries, DefineANameOnce) {
  EXPECT_THAT(MistakesInLibraries({{"a", "ops:\n- {def: f(x), emit: x}\n"}, {"b", "ops:\n- {def: f(x), emit: x}\n"}}),
              HasSubstr("spec/lib/b.yaml:4:3: error: `f` is a definition of spec/lib/a.yaml already\n"));
}

TEST(Libraries, DoNotImportEachOther) {
  EXPECT_THAT(MistakesInLibraries({{"a", "import: [b]\nops:\n- {def: f(x), emit: g(x)}\n- {def: h(x), emit: x}\n"},
                                   {"b", "import: [a]\nops:\n- {def: g(x), emit: h(x)}\n"}}),
              HasSubstr("spec/lib/b.yaml:3:10: error: libraries import each other: a -> b -> a\n"));
  EXPECT_THAT(MistakesInLibraries({{"a", "import: [a]\nops:\n- {def: f(x), emit: x}\n"}}),
              HasSubstr("error: libraries import each other: a -> a\n"));
}

TEST(Libraries, SayWhatTheyImport) {
  EXPECT_THAT(
      MistakesInLibraries({{"a", "ops:\n- {def: f(x), emit: g(x)}\n"}, {"b", "ops:\n- {def: g(x), emit: x}\n"}}),
      HasSubstr("spec/lib/a.yaml:4:21: error: `g` is defined in spec/lib/b.yaml: add `import: [b]`\n"));
  EXPECT_THAT(MistakesInLibraries(
                  {{"a", "import: [b]\nops:\n- {def: f(x), emit: x}\n"}, {"b", "ops:\n- {def: g(x), emit: x}\n"}}),
              HasSubstr("spec/lib/a.yaml:3:10: error: `b` is imported, and nothing of it is called\n"));
}

}  // namespace
}  // namespace onnxport::codegen::imports_test
