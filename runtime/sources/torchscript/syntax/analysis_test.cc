#include "runtime/sources/torchscript/syntax/analysis.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "runtime/sources/torchscript/syntax/parser.h"

namespace onnxport::torchscript {
namespace {

// Of a function of these lines.
class Code {
 public:
  explicit Code(const std::string& lines) : definitions_(Parse("def f(a, b, c):\n" + lines, "test", nullptr)) {}
  const StmtList& body() const { return definitions_.functions.at(0).body; }

 private:
  Definitions definitions_;
};

TEST(Analysis, WhatIsRead) {
  struct Row {
    std::string lines;
    bool reads_b;
  };
  const Row rows[] = {
      {"  x = torch.add(a, b)\n", true},
      {"  x = torch.tensor(a, dtype=b)\n", true},
      {"  x = torch.tensor(a, dtype=torch.neg(b))\n", true},
      {"  if a:\n    x = b\n  else:\n    pass\n", true},
      {"  b = a\n", false},
      {"  x = torch.b(a, b=a)\n", false},
  };
  for (const Row& row : rows) EXPECT_EQ(Reads(Code(row.lines).body(), "b"), row.reads_b) << row.lines;
}

TEST(Analysis, WhatIsAssigned) {
  const Code code("  x = a\n  y, z, = b\n  self.w = c\n  if a:\n    u = a\n  else:\n    while b:\n      v = b\n");
  EXPECT_EQ(AssignedNames(code.body()), (std::set<std::string>{"u", "v", "x", "y", "z"}));
}

TEST(Analysis, WhatAlwaysRaises) {
  const std::string raise = "ops.prim.RaiseException(\"no\")\n";
  EXPECT_TRUE(AlwaysRaises(Code("  x = a\n  " + raise).body()));
  EXPECT_TRUE(AlwaysRaises(Code("  if a:\n    " + raise + "  else:\n    " + raise).body()));
  EXPECT_FALSE(AlwaysRaises(Code("  if a:\n    " + raise + "  else:\n    pass\n").body()));
  EXPECT_FALSE(AlwaysRaises(Code("  while a:\n    " + raise).body()));
  EXPECT_FALSE(AlwaysRaises(Code("  x = torch.RaiseException(a)\n").body()));
}

}  // namespace
}  // namespace onnxport::torchscript
