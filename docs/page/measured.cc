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

// Returns, for the calls "A; B", whether they have sizes or numbers known only at run time.
std::set<bool> ByARun(std::string calls) {
  std::set<bool> by_a_run;
  while (!calls.empty()) {
    const std::string call = calls.substr(0, calls.find("; "));
    by_a_run.insert(call.starts_with("a run's ") || call.find(" of unknown ") != std::string::npos);
    calls.erase(0, call.size() + 2);
  }
  return by_a_run;
}

}  // namespace

std::map<std::string, Measured> ReadMeasured(std::istream& table) {
  static const std::regex head("(\\S+): (\\d+) of (\\d+) agree(?:, [0-9a-f]{8}:((?: \\w+@[0-9,]+)+))?");
  // Behind the reason a hash of graphs, of what is wrong.
  static const std::regex outcome(
      "  (lacks|refused|no kernel|not run here|wrong|error)((?: \\w+@[0-9,]+)+)(?:: (.*?))?(?: [0-9a-f]{8})?(?: \\| "
      "(.*))?");
  std::map<std::string, Measured> operators;
  Measured* current = nullptr;
  std::smatch match;
  for (std::string line; std::getline(table, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (std::regex_match(line, match, head)) {
      current = &operators[match[1]];
      current->agree = std::stoi(match[2]);
      current->cells = std::stoi(match[3]);
      if (match[4].matched) AddCells(match[4], &current->outcomes[{.kind = "agrees", .reason = ""}]);
    } else if (current != nullptr && std::regex_match(line, match, outcome)) {
      if (match[1] == "not run here") continue;  // of which nothing is known
      for (const bool by_a_run : ByARun(match[4])) {
        AddCells(match[2], &current->outcomes[{.kind = match[1], .reason = match[3], .by_a_run = by_a_run}]);
      }
    } else {
      throw std::runtime_error("not a line of a conformance table: " + line);
    }
  }
  return operators;
}

}  // namespace onnxport::page
