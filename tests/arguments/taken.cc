#include "tests/arguments/taken.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "tests/known_wrong/known_wrong.h"

namespace onnxport::arguments {
namespace {

constexpr std::string_view kRefusal = "  ";
constexpr std::string_view kReason = "    ";

std::vector<TakenReason> ReadTakenReasons(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<TakenReason> reasons;
  for (Excused& excused : ReadExcused(file)) reasons.push_back({std::move(excused.line), std::move(excused.reason)});
  return reasons;
}

}  // namespace

TakenTable ReadTaken(const std::string& path) {
  TakenTable table;
  std::ifstream file(path);
  Taken* taken = nullptr;
  std::string* reason = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t end = line.find(": ");
    if (line.starts_with(kReason) && reason != nullptr) {
      *std::exchange(reason, nullptr) = line.substr(kReason.size());
    } else if (line.starts_with(kRefusal) && !line.starts_with(kReason) && taken != nullptr) {
      reason = &taken->refusals[line.substr(kRefusal.size())];
    } else if (line[0] != ' ' && end != std::string::npos) {
      taken = &table[line.substr(0, end)];
      taken->counts = line.substr(end + 2);
      reason = nullptr;
    } else {
      throw std::runtime_error(path + ": a line that is of no operator: " + line);
    }
  }
  return table;
}

void WriteTaken(const TakenTable& table, const std::string& path) {
  std::ofstream file(path);
  file
      << "# Written by `./bazelw run //tests/arguments:update_taken`: of every 50th of the calls that are wrong on "
         "purpose\n"
         "# (mistakes.h), operators with calls that give a value here: what became of all its calls, what PyTorch says "
         "of\n"
         "# those, and below it our reason (taken_reasons.txt). Calls of other operators are refused or raise, as "
         "PyTorch does.\n";
  for (const auto& [overload, taken] : table) {
    if (taken.refusals.empty()) continue;
    file << overload << ": " << taken.counts << "\n";
    for (const auto& [refusal, reason] : taken.refusals) {
      file << kRefusal << refusal << "\n";
      if (!reason.empty()) file << kReason << reason << "\n";
    }
  }
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

const std::vector<TakenReason>& TakenReasons() {
  static const std::vector<TakenReason> reasons = ReadTakenReasons("tests/arguments/taken_reasons.txt");
  return reasons;
}

const TakenReason* ReasonOf(std::string_view overload, std::string_view refusal) {
  const std::string text = std::string(overload) + ": " + std::string(refusal);
  const auto fits = [&](const TakenReason& reason) { return text.find(reason.pattern) != std::string::npos; };
  const auto found = std::ranges::find_if(TakenReasons(), fits);
  return found == TakenReasons().end() ? nullptr : &*found;
}

}  // namespace onnxport::arguments
