#include "runtime/cli/verify_options.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace onnxport::cli {
namespace {

std::string OneLine(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += word + " ";
  return line;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The help and the page for Python show the numbers of tolerances.txt.
TEST(VerifyOptions, TheTolerancesAreThoseOfTheTable) {
  VerifyArguments arguments;
  CLI::App app;
  AddVerifyOptions(&app, &arguments);
  const std::string help = OneLine(app.help());
  const std::string page = OneLine(ReadFile("docs/python.md"));
  std::ifstream table("runtime/verify/report/tolerances.txt");
  int rows = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::string row = OneLine(line);
    row.pop_back();
    EXPECT_NE(help.find(row), std::string::npos) << row;
    EXPECT_NE(page.find(row), std::string::npos) << row;
    ++rows;
  }
  EXPECT_GE(rows, 4);
}

}  // namespace
}  // namespace onnxport::cli
