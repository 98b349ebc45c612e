#include "tests/arguments/sample.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <stdexcept>

#include "tests/conformance/cell.h"
#include "tests/known_wrong/known_wrong.h"
#include "tests/support/hash.h"

namespace onnxport::arguments {

int OneOf() {
  const char* text = std::getenv("ONNXPORT_ONE_OF");
  return text == nullptr ? 1 : std::atoi(text);
}

bool IsChosen(const std::string& text) {
  static const auto one_of = static_cast<uint32_t>(OneOf());
  return tests::HashOf(text) % one_of == 0;
}

int OpsetOf(const conformance::Case& test) {
  constexpr int kOpset = 20;
  const std::set<int> opsets = conformance::OpsetsOf(test);
  const auto above = opsets.upper_bound(kOpset);
  if (test.until >= kOpset && above != opsets.begin()) return kOpset;
  return above == opsets.begin() ? *above : *std::prev(above);
}

bool IsOfPyTorch(std::string_view overload) {
  return overload.starts_with("aten::") || overload.starts_with("torchvision::");
}

Reasons ReadReasons(const std::string& name) {
  Reasons reasons;
  std::ifstream file("tests/arguments/" + name);
  if (!file) throw std::runtime_error("cannot read " + name);
  for (const Excused& excused : ReadExcused(file)) {
    std::istringstream words(excused.line);
    std::string overload;
    words >> overload;
    for (std::string argument; words >> argument;) reasons[overload + " " + argument] = excused.reason;
  }
  return reasons;
}

}  // namespace onnxport::arguments
