// Every diagnostic of the loader and of the checks is shown by a golden: each text that codegen/{load,check}/*.cc give to
// Error, Note, Issue ... occurs in a NAME.expected.txt.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <string_view>
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
    {"nested deeper than {} levels; name parts of it in `let`", "the same, in hostile_test.cc"},
    {"nested deeper than {} levels", "the same"},
    {"more than {} names", "the same"},
    {"more than {} terms; name parts of it in `let`", "the same"},
    {"more than {} values in one file", "the same"},
    {"{} bytes; a spec file has at most {}", "the same"},
    {"{} operators in one entry; at most {}", "the same"},
    {"{} has at most {} bytes", "the same"},
    {"a name of {} characters; at most {}", "the same"},
    {"a carriage return; end lines with a line feed alone", "no editor leaves it in a golden; in hostile_test.cc"},
    {"byte 0x{:02X} is not UTF-8", "the same"},
    {"control character U+{:04X}", "the same"},
    {"invisible character U+{:04X}", "the same"},
    {"aliases (`*name`) are not allowed", "there are none without anchors, which are refused first"},
    {"a library has definitions only", "goldens import the libraries that there are; in imports_test.cc"},
    {"libraries import each other: {} -> {}", "the same"},
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

// From an opening bracket, round or curly, to the one that closes it.
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
      depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
      if (depth == 0) return source.substr(begin, i - begin);
    }
  }
  return "";
}

// The texts in calls of Error, Note, Issue and the like; pieces that a line break parts are one.
std::set<std::string> Diagnostics(const std::string& source) {
  static const std::regex kCall("\\b((Error|Note|Issue|Add|Fail)\\(|(SyntaxError|BadCharacter)\\{)");
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

// The format as a regular expression: `{}` and `{:02X}` are holes, `{{` is a brace.
std::string Pattern(const std::string& format) {
  static constexpr std::string_view kSpecial = ".^$|()[]*+?\\{}";
  std::string pattern;
  for (size_t i = 0; i < format.size(); ++i) {
    const std::string_view rest = std::string_view(format).substr(i);
    if (rest.starts_with("{}") || rest.starts_with("{:")) {
      pattern += "[^\n]*";
      i += rest.find('}');
      continue;
    }
    if (rest.starts_with("{{") || rest.starts_with("}}")) ++i;
    if (kSpecial.find(rest[0]) != std::string_view::npos) pattern += '\\';
    pattern += rest[0];
  }
  return pattern;
}

bool IsShown(const std::string& format, const std::string& goldens) {
  return std::regex_search(goldens, std::regex(Pattern(format)));
}

struct Source {
  const char* folder;
  size_t least;  // so many diagnostics there are
};

class Sources : public testing::TestWithParam<Source> {};

TEST_P(Sources, EachDiagnosticIsShownByAGolden) {
  const std::string goldens = FilesIn("tests/golden/codegen", ".expected.txt");
  const std::set<std::string> texts = Diagnostics(FilesIn(GetParam().folder, ".cc"));
  EXPECT_GT(texts.size(), GetParam().least) << "the sources are not read as they are written";
  for (const std::string& text : texts) {
    const bool untested = std::ranges::find(kUntested, text, &Untested::text) != std::end(kUntested);
    EXPECT_NE(IsShown(text, goldens), untested) << text << (untested ? "\n  is shown: take it out of kUntested" : "");
  }
}

INSTANTIATE_TEST_SUITE_P(All, Sources, testing::Values(Source{"codegen/check", 60}, Source{"codegen/load", 100}));

}  // namespace
}  // namespace onnxport::codegen
