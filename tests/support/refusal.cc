#include "tests/support/refusal.h"

#include <algorithm>
#include <regex>
#include <sstream>

namespace onnxport::tests {

int PromisedOpset(const std::string& report) {
  static const std::regex complaint(R"(  \S.*)");
  static const std::regex promise(R"( {6}opset (\d+) can express it)");
  int complaints = 0;
  int promises = 0;
  int opset = 0;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, complaint)) ++complaints;
    if (!std::regex_match(line, match, promise)) continue;
    ++promises;
    opset = std::max(opset, std::stoi(match[1]));
  }
  return promises == complaints ? opset : 0;
}

}  // namespace onnxport::tests
