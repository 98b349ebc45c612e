// Damages real spec text at random, with a fixed seed. The loader must never crash or hang. Each refusal must have a
// place, and an accepted text must hold only names, numbers and plain texts.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "codegen/load/expression.h"
#include "codegen/load/lexer.h"
#include "codegen/load/load.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::mutation_test {
namespace {

constexpr int kMutants = 20'000;

// The entries of all spec files, each a text of its own.
std::vector<std::string> RealEntries() {
  std::vector<std::string> paths, entries;
  for (const auto& file : std::filesystem::recursive_directory_iterator("spec/aten"))
    if (file.is_regular_file()) paths.push_back(file.path());
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    std::ifstream in(path);
    std::string line;
    bool in_entry = false;
    while (std::getline(in, line)) {
      if (line.starts_with("- ")) {
        entries.emplace_back();
        in_entry = true;
      }
      if (in_entry) entries.back() += line + "\n";
    }
  }
  return entries;
}

// Pieces that mean something to YAML, to the expression language or to C++.
const std::string kPieces[] = {"&a ",
                               "*a",
                               "!!str ",
                               "<<: ",
                               "? ",
                               "[",
                               "]",
                               "{",
                               "}",
                               "\"",
                               "'",
                               "- ",
                               ": ",
                               "\n",
                               "\n  ",
                               "%",
                               "|\n",
                               ">\n",
                               "#",
                               "---\n",
                               "...\n",
                               std::string("\0", 1),
                               "\xFF",
                               "\xE2\x80\xAE",
                               "\t",
                               "\r",
                               "off: ",
                               "null",
                               "~",
                               "(",
                               ")",
                               "**",
                               "*",
                               "//",
                               "==",
                               "..",
                               "1e999",
                               "9223372036854775808",
                               "; system(\"x\");",
                               "*/",
                               "R\"(",
                               "#include <x>",
                               "\\",
                               "\\x00",
                               "\\u0000",
                               "not ",
                               "in ",
                               " if ",
                               " else ",
                               " for x in ",
                               std::string(300, '['),
                               std::string(300, '('),
                               std::string(2000, '-'),
                               std::string(3000, 'a'),
                               "emit: x",
                               "op: aten::f",
                               "when: ",
                               "f32[2",
                               "f32[99999999999]",
                               "cases:",
                               "let: {",
                               "\xC3\xA9"};

std::string Mutate(std::string text, std::mt19937* random) {
  const auto pick = [&](size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(*random); };
  for (size_t n = 1 + pick(3); n > 0 && !text.empty(); --n) {
    const size_t at = pick(text.size());
    const size_t length = std::min(1 + pick(1 + pick(60)), text.size() - at);
    switch (pick(6)) {
      case 0:
        text[at] = static_cast<char>(pick(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(pick(text.size()), text.substr(at, length));
        break;
      case 3:
        text.resize(at);
        break;
      default:
        text.insert(at, kPieces[pick(std::size(kPieces))]);
        break;
    }
  }
  return text;
}

// Every error names a line and a column of the file, or the file as a whole.
void CheckPlaces(const std::string& text, const std::string& shown) {
  const int lines = static_cast<int>(std::count(text.begin(), text.end(), '\n')) + 1;
  std::istringstream stream(shown);
  std::string line;
  bool seen = false;
  while (std::getline(stream, line)) {
    if (line.starts_with(" | ")) continue;
    int row = 0, column = 0;
    char rest[8] = {};
    const bool whole_file = line.starts_with("x.yaml: error: ");
    const bool placed = std::sscanf(line.c_str(), "x.yaml:%d:%d: error%1[:]", &row, &column, rest) == 3;
    ASSERT_TRUE(whole_file || (placed && row >= 1 && row <= lines && column >= 1)) << line << "\nin\n" << text;
    seen = true;
  }
  ASSERT_TRUE(seen) << text;
}

bool IsPlain(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= 0x20 && c != 0x7F && c != '\\'; });
}

bool IsDotted(const std::string& name) {
  std::istringstream stream(name);
  std::string part;
  while (std::getline(stream, part, '.')) {
    if (!IsIdentifier(part)) return false;
  }
  return !name.empty();
}

void CheckExpr(const Expr& expr) {
  if (expr.kind == ExprKind::kName) {
    EXPECT_TRUE(IsIdentifier(expr.text)) << expr.text;
  } else if (expr.kind == ExprKind::kNode) {
    EXPECT_TRUE(IsDotted(expr.text)) << expr.text;
  } else if (expr.kind == ExprKind::kCall) {
    EXPECT_TRUE(IsIdentifier(expr.text)) << expr.text;
  } else if (expr.kind == ExprKind::kString) {
    EXPECT_TRUE(IsPlain(expr.text) && expr.text.find('"') == std::string::npos) << expr.text;
  }
  for (const std::string& name : expr.names) EXPECT_TRUE(IsIdentifier(name)) << name;
  for (const ExprPtr& operand : expr.operands) CheckExpr(*operand);
  for (const auto& [name, value] : expr.named) {
    EXPECT_TRUE(IsIdentifier(name)) << name;
    CheckExpr(*value);
  }
}

void CheckLets(const std::vector<Let>& lets) {
  for (const Let& let : lets) {
    for (const std::string& name : let.names) EXPECT_TRUE(IsIdentifier(name)) << name;
    CheckExpr(*let.value);
  }
}

void CheckValue(const TestValue& value) {
  if (value.constant) CheckExpr(*value.constant);
  for (const TestValue& item : value.items) CheckValue(item);
}

void CheckCase(const Case& c) {
  if (c.when) CheckExpr(*c.when);
  CheckLets(c.lets);
  for (const ExprPtr& emit : c.body.emit) CheckExpr(*emit);
  EXPECT_TRUE(IsPlain(c.body.text)) << c.body.text;
  for (const auto& [from, to] : c.compute_in.to) EXPECT_TRUE(IsIdentifier(to)) << to;
}

void CheckBlock(const Block& block) {
  CheckLets(block.lets);
  for (const Case& c : block.cases) CheckCase(c);
  EXPECT_FALSE(block.cases.empty());
  if (!block.repetition) return;
  if (block.repetition->in) CheckExpr(*block.repetition->in);  // a loop may have only `while`
  for (const auto* lets :
       {&block.repetition->init, &block.repetition->lets, &block.repetition->next, &block.repetition->collect})
    CheckLets(*lets);
}

void CheckEntry(const OpEntry& entry) {
  EXPECT_FALSE(entry.names.empty());
  for (const std::string& name : entry.names)
    EXPECT_TRUE(std::regex_match(name, std::regex("\\w+::\\w+(\\.\\w+)?"))) << name;
  for (const auto& [name, refine] : entry.args) {
    EXPECT_TRUE(IsIdentifier(name));
    if (refine.value) CheckExpr(*refine.value);
  }
  EXPECT_TRUE(IsPlain(entry.require_text)) << entry.require_text;
  for (const Def& def : entry.defs) CheckBlock(def);
  CheckBlock(entry);
  for (const TestCase& test : entry.tests) {
    EXPECT_TRUE(IsPlain(test.refuses) && IsPlain(test.special) && IsPlain(test.why));
    for (const auto& [name, value] : test.args) CheckValue(value);
  }
}

TEST(Mutation, DamagedSpecs) {
  const std::vector<std::string> entries = RealEntries();
  ASSERT_GT(entries.size(), 20u);
  std::mt19937 random(20240229);
  int refused = 0, entries_accepted = 0;
  for (int i = 0; i < kMutants && !testing::Test::HasFailure(); ++i) {
    std::string text = "spec: 1\nfamily: x\nops:\n";
    for (int n = 0; n < 2; ++n) text += entries[random() % entries.size()];
    text = Mutate(std::move(text), &random);
    Diagnostics diagnostics;
    const auto spec = LoadSpecFile("x.yaml", text, &diagnostics);
    if (diagnostics.has_errors()) {
      ++refused;
      CheckPlaces(text, diagnostics.ToText());
    }
    EXPECT_TRUE(spec || diagnostics.has_errors()) << text;
    if (!spec) continue;
    for (const OpEntry& entry : spec->ops) CheckEntry(entry);
    entries_accepted += static_cast<int>(spec->ops.size());
  }
  EXPECT_GT(refused, kMutants / 2);
  EXPECT_GT(entries_accepted, kMutants / 10);  // the damage leaves something to accept
}

}  // namespace
}  // namespace onnxport::codegen::mutation_test
