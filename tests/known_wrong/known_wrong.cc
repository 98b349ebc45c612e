#include "tests/known_wrong/known_wrong.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace onnxport {
namespace {

constexpr std::array<std::string_view, 3> kOwners = {"ONNX Runtime: ", "ONNX: ", "PyTorch: "};

bool HasOwner(const std::string& reason) {
  return std::ranges::any_of(kOwners, [&](std::string_view owner) { return reason.starts_with(owner); });
}

}  // namespace

std::vector<Excused> ReadExcused(std::istream& in) {
  std::vector<Excused> excused;
  std::string reason;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t begin = line.find_first_not_of(' ');
    if (begin == 0) {
      reason = line;
      continue;
    }
    if (reason.empty()) throw std::runtime_error("a line without a reason: " + line);
    if (begin != std::string::npos) excused.push_back({reason, line.substr(begin)});
  }
  return excused;
}

std::vector<KnownWrong> ReadKnownWrong(std::istream& in) {
  std::vector<KnownWrong> known;
  for (const auto& [reason, line] : ReadExcused(in)) {
    if (!HasOwner(reason)) throw std::runtime_error("a reason that does not say who is at fault: " + reason);
    std::istringstream text(line);
    KnownWrong& entry = known.emplace_back(KnownWrong{reason, {}});
    for (std::string word; text >> word;) entry.words.push_back(word);
  }
  return known;
}

}  // namespace onnxport
