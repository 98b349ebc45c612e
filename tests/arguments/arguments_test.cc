// Runs the calls of the specs' tests with other arguments that are not tensors. Flags are flipped, and optional values
// are present or absent. Numbers are zero, negative, fractional and infinite; lists have other lengths; words and
// dtypes are others. Two arguments change at a time, and sizes are known or unknown. Eager PyTorch decides what is
// allowed, and gives the expected results. The outcome of each call must match the tables in expected/, both ways.
// wrong.txt and open.txt say why a result is wrong.
//
// ONNXPORT_ONE_OF: how many of them are run, chosen by a hash: every N-th. ONNXPORT_UPDATE_EXPECTED (the workspace):
// all are run, and the tables written.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/arguments/changes.h"
#include "tests/arguments/run.h"
#include "tests/arguments/sample.h"
#include "tests/arguments/table.h"
#include "tests/conformance/case.h"
#include "tests/conformance/cell.h"
#include "tests/conformance/program.h"
#include "tests/conformance/suite_name.h"
#include "tests/conformance/variation.h"
#include "tests/known_wrong/known_wrong.h"

namespace onnxport::arguments {
namespace {

using conformance::Call;
using conformance::Case;
using conformance::Cell;
using conformance::Compared;
using conformance::DType;
using conformance::Outcome;
using conformance::Sizes;

const std::string kFolder = "tests/arguments/";

std::string PathOf(const std::string& root, std::string_view family) {
  return fmt::format("{}{}expected/{}.txt", root, kFolder, family);
}

const std::map<std::string, Changes>& Expected(std::string_view family, std::string_view overload) {
  static std::map<std::string, Table, std::less<>> tables;
  const auto [found, is_new] = tables.try_emplace(std::string(family));
  if (is_new) found->second = ReadTable(PathOf("", family));
  return found->second[std::string(overload)];
}

// The reasons why a result is wrong when that argument changes: wrong.txt has the faults of other programs, open.txt
// ours.
const Reasons& KnownReasons() {
  static const Reasons reasons = [] {
    std::ifstream file(kFolder + "wrong.txt");
    ReadKnownWrong(file);  // each names its owner
    Reasons all = ReadReasons("wrong.txt");
    all.merge(ReadReasons("open.txt"));
    return all;
  }();
  return reasons;
}

// Returns whether PyTorch accepts any value for one of the arguments.
bool IsUnchecked(std::string_view overload, const Change& change, const Call& call) {
  static const Reasons unchecked = ReadReasons("unchecked.txt");
  return std::ranges::any_of(change.values, [&](const conformance::Replacement& replacement) {
    const std::string& name = call.schema->arguments[replacement.argument].name;
    return unchecked.contains(fmt::format("{} {}", overload, name));
  });
}

// How many calls of a category end how: of all tests of the process.
std::map<std::string, std::map<std::string, int>, std::less<>>& Totals() {
  static std::map<std::string, std::map<std::string, int>, std::less<>> totals;
  return totals;
}

class PrintTotals : public testing::Environment {
 public:
  void TearDown() override {
    std::map<std::string, int> all;
    for (const auto& [category, counts] : Totals()) {
      Print(category, counts);
      for (const auto& [outcome, count] : counts) all[outcome] += count;
    }
    Print("all", all);
  }

 private:
  static void Print(const std::string& category, const std::map<std::string, int>& counts) {
    fmt::print("{:16}", category);
    for (const auto& [outcome, count] : counts) fmt::print(" {:6} {}", count, outcome);
    fmt::print("\n");
  }
};

class OverloadTest : public testing::Test {
 public:
  OverloadTest(std::string_view family, std::string_view overload, std::vector<const Case*> cases)
      : family_(family), overload_(overload), cases_(std::move(cases)) {}

  void TestBody() override {
    for (const Case* test : cases_) Run(*test);
    for (const auto& [what, count] : counts_)
      RecordProperty(fmt::format("count: calls with other arguments that {}", what), count);
    if (const char* workspace = std::getenv("ONNXPORT_UPDATE_EXPECTED")) {
      const std::string path = PathOf(fmt::format("{}/", workspace), family_);
      Table table = ReadTable(path);
      table[std::string(overload_)] = seen_;
      WriteTable(table, path);
    } else if (OneOf() == 1) {
      EXPECT_EQ(seen_, Expected(family_, overload_)) << "if this is right: ./bazelw run //tests/arguments:update";
    }
    if (OneOf() != 1) return;
    for (const auto& [place, reason] : KnownReasons()) {
      if (!place.starts_with(std::string(overload_) + " ")) continue;
      EXPECT_TRUE(wrong_.contains(place)) << place << " is right: take it out (" << reason << ")";
    }
  }

 private:
  void Run(const Case& test) {
    if (test.compared == Compared::kRelations) return;  // which hold for the call as it is written
    const DType key = conformance::KeyDType(test);
    std::string text = CallText(test, {.key = key, .dtype = key});
    const std::string of_dtype = fmt::format("{} of {}", text, ir::ShortName(key));
    if (!calls_.insert(of_dtype).second) return;
    if (!calls_.insert(text).second) text = of_dtype;  // the first one's T goes without saying
    const Call call = conformance::MakeCall(test);
    std::vector<Change> changes = ChangesOf(call);
    for (Change& pair : PairsOf(call)) changes.push_back(std::move(pair));
    std::erase_if(changes, [&](const Change& change) {
      return IsUnchecked(overload_, change, call) ||
             !IsChosen(fmt::format("{} {} {}", overload_, text, ToText(change, call)));
    });
    if (changes.empty()) return;
    const int opset = OpsetOf(test);
    const Cell base(test, {}, 1);
    if (!base.exists()) return;
    // Sizes at which the test line itself disagrees belong to the tables of conformance.
    std::vector<std::pair<Sizes, std::string>> sizes;
    if (Agrees(base.At(opset))) sizes.emplace_back(Sizes::kKnown, text);
    if (Agrees(base.At(opset, Sizes::kUnknown))) sizes.emplace_back(Sizes::kUnknown, text + " of unknown sizes");
    for (const Change& change : changes) Run(test, opset, sizes, change, ToText(change, call));
  }

  void Run(const Case& test, int opset, const std::vector<std::pair<Sizes, std::string>>& all_sizes,
           const Change& change, const std::string& text) {
    Case called = test;
    const Cell cell(called, {.replaced = change.values}, 1);
    if (!cell.exists()) return Count(change.category, "PyTorch refuses");
    // Other sizes may be too few for a distribution.
    const bool is_random = called.compared == Compared::kDistribution || cell.IsRandom();
    if (is_random) called.compared = Compared::kShape;
    for (const auto& [sizes, call] : all_sizes) {
      const Outcome outcome = cell.At(opset, sizes);
      Note(test, call, change, text, outcome, opset);
    }
  }

  void Note(const Case& test, const std::string& call, const Change& change, const std::string& text,
            const Outcome& outcome, int opset) {
    const std::string name = ToText(outcome, opset);
    const bool not_run = outcome.kind == Outcome::Kind::kNotRun;
    Count(change.category, not_run ? "are not run here" : name.empty() ? "agree" : name.substr(0, name.find(':')));
    if (!name.empty()) seen_[call][text] = name;
    const bool is_wrong = outcome.kind == Outcome::Kind::kWrong || outcome.kind == Outcome::Kind::kError;
    if (is_wrong && !IsExplained(change)) {
      ADD_FAILURE() << test.spec << ": " << overload_ << " " << call << " with " << text << ", opset " << opset << "\n"
                    << outcome.text;
    }
    if (OneOf() != 1) ExpectListed(call, text, name);
  }

  void ExpectListed(const std::string& call, const std::string& text, const std::string& name) {
    const auto& calls = Expected(family_, overload_);
    const auto changes = calls.find(call);
    const bool is_listed = changes != calls.end() && changes->second.contains(text);
    EXPECT_EQ(name, is_listed ? changes->second.at(text) : "")
        << overload_ << " " << call << " with " << text << ": if this is right: ./bazelw run //tests/arguments:update "
        << "-- --gtest_filter='" << conformance::SuiteName(overload_) << ".*'";
  }

  static bool Agrees(const Outcome& outcome) {
    return outcome.kind == Outcome::Kind::kOk || outcome.kind == Outcome::Kind::kPartly;
  }

  // Returns whether wrong.txt names one of the changed arguments.
  bool IsExplained(const Change& change) {
    const auto* schema = ir::FindAtenSchema(overload_);
    bool explained = false;
    for (const conformance::Replacement& replacement : change.values) {
      const std::string place = fmt::format("{} {}", overload_, schema->arguments[replacement.argument].name);
      if (!KnownReasons().contains(place)) continue;
      wrong_.insert(place);
      explained = true;
    }
    return explained;
  }

  void Count(std::string_view category, const std::string& outcome) {
    ++counts_[outcome];
    ++Totals()[std::string(category)][outcome];
  }

  std::string_view family_;
  std::string_view overload_;
  std::vector<const Case*> cases_;
  std::set<std::string> calls_;
  std::map<std::string, Changes> seen_;
  std::set<std::string> wrong_;
  std::map<std::string, int> counts_;
};

void Register() {
  for (const conformance::Family& family : conformance::Families()) {
    std::map<std::string_view, std::vector<const Case*>> cases;
    for (const Case& test : family.cases) {
      if (test.refuses.empty() && IsOfPyTorch(test.overload)) cases[test.overload].push_back(&test);
    }
    for (const auto& [overload, tests] : cases) {
      testing::RegisterTest(conformance::SuiteName(overload).c_str(), "arguments", nullptr, nullptr, __FILE__, __LINE__,
                            [name = family.name, overload, tests]() -> testing::Test* {
                              return new OverloadTest(name, overload, tests);
                            });
    }
  }
}

}  // namespace
}  // namespace onnxport::arguments

int main(int argc, char** argv) {
  return onnxport::arguments::RunTests(argc, argv, onnxport::arguments::Register,
                                       std::make_unique<onnxport::arguments::PrintTotals>());
}
