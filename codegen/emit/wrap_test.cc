#include "codegen/emit/wrap.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace onnxport::codegen {
namespace {

TEST(WrapStatement, ShortLinesStay) { EXPECT_EQ(WrapStatement("return {x};", 2), "  return {x};\n"); }

TEST(WrapStatement, BreaksWhereTheFewestBracketsAreOpen) {
  const std::string a(50, 'a');
  const std::string b(50, 'b');
  EXPECT_EQ(WrapStatement("return f(" + a + ", g(" + b + ", cccccccccc), d);", 2),
            "  return f(" + a + ",\n           g(" + b + ", cccccccccc), d);\n");
}

TEST(WrapStatement, PrefersCommasToOperators) {
  const std::string a(55, 'a');
  const std::string b(55, 'b');
  EXPECT_EQ(WrapStatement("f(" + a + ", " + b + " + c * d);", 0), "f(" + a + ",\n  " + b + " + c * d);\n");
}

TEST(WrapStatement, NeverBreaksInAString) {
  const std::string text(140, ',');
  EXPECT_EQ(WrapStatement("f(\"" + text + " \\\", \", x);", 0), "f(\"" + text + " \\\", \", x);\n");
}

TEST(WrapStatement, EveryLineFits) {
  std::string statement = "const Val x = f(";
  for (int i = 0; i < 60; ++i) statement += "argument" + std::to_string(i) + ", ";
  std::istringstream lines(WrapStatement(statement + "{}, \"text\") + 1;", 4));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
}

TEST(WrapStatement, ALambdaAtTheEndIsOpened) {
  const std::string a(60, 'a');
  const std::string b(60, 'b');
  EXPECT_EQ(WrapStatement("Lazy x([&] { return f(" + a + ", " + b + "); });", 2),
            "  Lazy x([&] {\n    return f(" + a + ",\n             " + b + ");\n  });\n");
}

TEST(WrapComment, BreaksAtSpaces) {
  const std::string word(80, 'w');
  EXPECT_EQ(WrapComment(word + " " + word), "// " + word + "\n//     " + word + "\n");
}

}  // namespace
}  // namespace onnxport::codegen
