// Every diagnostic of the checks is shown by a golden: each text that codegen/check/*.cc gives to Error, Note or Issue
// occurs in a NAME.expected.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace onnxport::codegen {
namespace {

struct Untested {
  const char* text;
  const char* reason;
};
constexpr Untested kUntested[] = {
    {"too much to check: defs that call defs over and over", "a limit against texts made to exhaust the generator"},
    {"nested too deep, lets and defs followed", "the same"},
    {"`{}` calls defs more than {} deep", "the same"},
    {"more than {} names in one `let`", "the same"},
    {"{} does not take {} at {}; such calls are refused", "a note, shown with --notes only"},
    {"since {} is after until {}", "the loader refuses it first"},
    {"`{}` is no class of dtypes: int, half, bool, double", "the same"},
    {"`{}` is no dtype", "the same"},
};

std::string ReadAll(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string FilesIn(const char* folder, const std::string& ending) {
  std::string text;
  for (const auto& item : std::filesystem::directory_iterator(folder)) {
    const std::string name = item.path().filename().string();
    if (name.ends_with(ending) && !name.ends_with("_test.cc")) text += ReadAll(item.path());
  }
  return text;
}

// From an opening bracket to the one that closes it.
std::string Bracketed(const std::string& source, size_t begin) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = begin; i < source.size(); ++i) {
    const char c = source[i];
    if (quoted && c == '\\') {
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth == 0) return source.substr(begin, i - begin);
    }
  }
  return "";
}

// The texts in calls of Error, Note and Issue; pieces that a line break parts are one.
std::set<std::string> Diagnostics(const std::string& source) {
  static const std::regex kCall("\\b(Error|Note|Issue|Add)\\(");
  static const std::regex kBreak("\"\\s*\n\\s*\"");
  static const std::regex kText("\"((?:[^\"\\\\]|\\\\.)*)\"");
  std::set<std::string> texts;
  for (std::sregex_iterator call(source.begin(), source.end(), kCall), end; call != end; ++call) {
    const std::string arguments =
        std::regex_replace(Bracketed(source, call->position() + call->length() - 1), kBreak, "");
    for (std::sregex_iterator text(arguments.begin(), arguments.end(), kText); text != end; ++text)
      texts.insert(std::regex_replace((*text)[1].str(), std::regex("\\\\(.)"), "$1"));
  }
  std::erase_if(texts, [](const std::string& text) { return std::ranges::count(text, ' ') < 2; });  // words in it
  return texts;
}

// Whether the pieces between the holes of `format` follow each other in a line.
bool IsShown(const std::string& format, const std::string& goldens) {
  static const std::regex kSpecial(R"([.^$|()\[\]*+?\\])");
  std::string pattern = std::regex_replace(format, kSpecial, "\\$&");
  pattern = std::regex_replace(pattern, std::regex(R"(\{\})"), "[^\n]*");
  return std::regex_search(goldens, std::regex(pattern));
}

TEST(Diagnostics, EachIsShownByAGolden) {
  const std::string goldens = FilesIn("tests/golden/codegen", ".expected.txt");
  const std::set<std::string> texts = Diagnostics(FilesIn("codegen/check", ".cc"));
  EXPECT_GT(texts.size(), 60u) << "the sources are not read as they are written";
  for (const std::string& text : texts) {
    const bool untested = std::ranges::find(kUntested, text, &Untested::text) != std::end(kUntested);
    EXPECT_NE(IsShown(text, goldens), untested) << text << (untested ? "\n  is shown: take it out of kUntested" : "");
  }
}

}  // namespace
}  // namespace onnxport::codegen
