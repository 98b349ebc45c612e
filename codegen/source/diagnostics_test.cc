#include "codegen/source/diagnostics.h"

#include "gtest/gtest.h"

namespace onnxport::codegen {
namespace {

std::shared_ptr<const SourceFile> File(std::string path, std::string text) {
  return std::make_shared<SourceFile>(SourceFile{std::move(path), std::move(text)});
}

TEST(Diagnostics, SortsAndDropsRepeats) {
  auto a = File("a.yaml", "one\ntwo\n");
  auto b = File("b.yaml", "three\n");
  Diagnostics diagnostics;
  diagnostics.Error({b, 1, 2}, "last");
  diagnostics.Error({a, 2, 1}, "second");
  diagnostics.Error({a, 2, 1}, "second");
  diagnostics.Note({a, 1, 3}, "first");
  diagnostics.Error({a, 0, 0}, "the file");
  EXPECT_EQ(diagnostics.ToText(),
            "a.yaml: error: the file\n"
            "a.yaml:1:3: note: first\n | one\n |   ^\n"
            "a.yaml:2:1: error: second\n | two\n | ^\n"
            "b.yaml:1:2: error: last\n | three\n |  ^\n");
  EXPECT_EQ(diagnostics.error_count(), 4);
}

TEST(Diagnostics, NoteDoesNotFail) {
  Diagnostics diagnostics;
  diagnostics.Note({File("a.yaml", ""), 1, 1}, "unclaimed");
  EXPECT_FALSE(diagnostics.has_errors());
}

TEST(Diagnostics, CaretCountsCharactersNotBytes) {
  Diagnostics diagnostics;
  diagnostics.Error({File("a.yaml", "\xC3\xA9\xC3\xA9x"), 1, 5}, "here");
  EXPECT_EQ(diagnostics.ToText(), "a.yaml:1:5: error: here\n | \xC3\xA9\xC3\xA9x\n |   ^\n");
}

TEST(Diagnostics, LongLineIsCutAroundTheCaret) {
  Diagnostics diagnostics;
  diagnostics.Error({File("a.yaml", std::string(500, '.') + "!" + std::string(500, '.')), 1, 501}, "here");
  const std::string text = diagnostics.ToText();
  EXPECT_LT(text.size(), 350u);
  const size_t line = text.find(" | ...");
  const size_t next = text.find(" | ", line + 3);
  EXPECT_EQ(text.find('!') - line, text.find('^') - next);
}

TEST(DidYouMean, NamesTheNearestOrNothing) {
  const std::string_view names[] = {"axes", "keepdims"};
  EXPECT_EQ(DidYouMean("axis", names), "; did you mean `axes`?");
  EXPECT_EQ(DidYouMean("zzzzzz", names), "");
}

}  // namespace
}  // namespace onnxport::codegen
