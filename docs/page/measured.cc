#include "docs/page/measured.h"

#include <regex>
#include <sstream>
#include <stdexcept>

namespace onnxport::page {
namespace {

// " bf16@8 f32@8,11"
void AddCells(const std::string& text, Cells* cells) {
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const size_t at = word.find('@');
    std::istringstream opsets(word.substr(at + 1));
    for (std::string opset; std::getline(opsets, opset, ',');) (*cells)[word.substr(0, at)].insert(std::stoi(opset));
  }
}

bool ByARun(const std::string& call) {
  return call.starts_with("a run's ") || call.find(" of unknown ") != std::string::npos;
}

}  // namespace

std::map<std::string, Measured> ReadMeasured(std::istream& table) {
  static const std::regex head("(\\S+): (\\d+) of (\\d+) agree");
  // At the end a hash of graphs, of what is wrong.
  static const std::regex outcome(
      "  (.* )?(agrees|lacks|refused|no kernel|not run here|wrong|error)((?: \\w+@[0-9,]+)+)(?:: (.*?))?(?: "
      "[0-9a-f]{8})?");
  std::map<std::string, Measured> operators;
  Measured* current = nullptr;
  std::smatch match;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (std::regex_match(line, match, head)) {
      current = &operators[match[1]];
      current->agree = std::stoi(match[2]);
      current->cells = std::stoi(match[3]);
    } else if (current != nullptr && std::regex_match(line, match, outcome)) {
      if (match[2] == "not run here") continue;  // of which nothing is known
      AddCells(match[3], &current->outcomes[{.kind = match[2], .reason = match[4], .by_a_run = ByARun(match[1])}]);
    } else {
      throw std::runtime_error("not a line of a conformance table: " + line);
    }
  }
  return operators;
}

}  // namespace onnxport::page
