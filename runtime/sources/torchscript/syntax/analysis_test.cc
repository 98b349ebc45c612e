#include "runtime/sources/torchscript/syntax/analysis.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "runtime/sources/torchscript/syntax/parser.h"

namespace onnxport::torchscript {
namespace {

// A function of these lines.
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

TEST(Analysis, WhatIsReadBeforeItIsSet) {
  struct Row {
    std::string lines;
    bool reads_b;
  };
  const Row rows[] = {
      {"  x = b\n  b = a\n", true},
      {"  b = a\n  x = b\n", false},
      {"  b = torch.add(b, a)\n", true},
      {"  b.w = a\n", true},
      {"  x, b = a\n  x = b\n", false},
      {"  if a:\n    b = a\n  else:\n    pass\n  x = b\n", true},
      {"  if a:\n    b = a\n  else:\n    b = c\n  x = b\n", false},
      {"  for i in range(a):\n    b = a\n  x = b\n", true},
      {"  for i in range(a):\n    b = a\n    x = b\n", false},
      {"  for b in range(a):\n    x = b\n", false},
      {"  while b:\n    b = a\n", true},
      {"  while a:\n    b = a\n    x = b\n", false},
      {"  return a\n", false},
  };
  for (const Row& row : rows) EXPECT_EQ(ReadsFirst(Code(row.lines).body(), "b"), row.reads_b) << row.lines;
}

TEST(Analysis, WhatIsReadAfterAStatement) {
  struct Row {
    std::string lines;  // `x = torch.here(a)` marks the place
    bool reads_b;
  };
  const Row rows[] = {
      {"  y = b\n  x = torch.here(a)\n", false},
      {"  x = torch.here(a)\n  y = b\n", true},
      {"  x = torch.here(a)\n  b = a\n  y = b\n", false},
      {"  if a:\n    x = torch.here(a)\n  else:\n    y = b\n", false},
      {"  if a:\n    y = b\n  else:\n    x = torch.here(a)\n", false},
      {"  if torch.here(a):\n    pass\n  else:\n    y = b\n", true},
      {"  if a:\n    x = torch.here(a)\n    b = a\n  else:\n    pass\n  y = b\n", false},
      {"  if a:\n    x = torch.here(a)\n  else:\n    b = a\n  y = b\n", true},
      {"  for i in range(a):\n    y = b\n    x = torch.here(a)\n", true},
      {"  for i in range(a):\n    x = torch.here(a)\n    b = a\n    y = b\n", false},
      {"  for i in range(a):\n    b = a\n    x = torch.here(a)\n  y = b\n", true},
      {"  for i in range(a):\n    b = a\n    x = torch.here(a)\n", false},
      {"  while b:\n    x = torch.here(a)\n", true},
  };
  for (const Row& row : rows) {
    const Offset at = static_cast<Offset>(("def f(a, b, c):\n" + row.lines).find("torch.here"));
    EXPECT_EQ(ReadsAfter(Code(row.lines).body(), at, "b"), row.reads_b) << row.lines;
  }
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
