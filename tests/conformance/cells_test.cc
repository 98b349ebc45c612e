// Runs every `tests:` line of the specs:
//
// - with every dtype that PyTorch's kernel takes, with special values among the ordinary ones
// - with empty axes, of ordinary values; ONNX's reference evaluator is the judge
// - as it stands, but with less that is known before the model runs
//
// The first two run at the oldest and the newest opset at which the line runs, or at all with ONNXPORT_ALL_OPSETS. In
// the third, every dimension but those of size 1 is a symbol, or the ints of each argument are inputs of the model, at
// all opsets. Another variant makes every second dimension a symbol. A call that needs to know these is refused then.
//
// The outcome of each cell must be that of the tables in expected/, and every entry there must be a cell's outcome.
// With ONNXPORT_UPDATE_EXPECTED (the workspace) in the environment the tables are written instead. With
// ONNXPORT_LIST_AGREEING the cells that agree are printed.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/conformance/case.h"
#include "tests/conformance/cell.h"
#include "tests/conformance/expectations.h"
#include "tests/conformance/program.h"
#include "tests/conformance/suite_name.h"
#include "tests/conformance/tensors.h"
#include "tests/ort/client.h"

namespace onnxport::conformance {
namespace {

using Kind = Outcome::Kind;

const std::string kFolder = "tests/conformance/expected/";

bool AtAllOpsets() {
  static const bool all = std::getenv("ONNXPORT_ALL_OPSETS") != nullptr;
  return all;
}

const std::map<std::string, std::string>& WrongCells() {
  static const auto cells = [] {
    auto wrong = ReadWrongCells(kFolder + "wrong.txt");
    if (AtAllOpsets()) wrong.merge(ReadWrongCells(kFolder + "wrong_between.txt"));
    return wrong;
  }();
  return cells;
}

const std::string& Expected(std::string_view family, std::string_view overload) {
  static std::map<std::string, Table, std::less<>> tables;
  const auto [found, is_new] = tables.try_emplace(std::string(family));
  if (is_new) found->second = ReadTable(fmt::format("{}{}.txt", kFolder, family));
  return found->second[std::string(overload)];
}

void Update(const std::string& workspace, std::string_view family, std::string_view overload, std::string section) {
  const std::string path = fmt::format("{}/{}{}.txt", workspace, kFolder, family);
  Table table = ReadTable(path);
  table[std::string(overload)] = std::move(section);
  WriteTable(table, path);
}

std::set<int> EndsOf(const Case& test) {
  std::set<int> opsets = OpsetsOf(test);
  // ONNX's reference evaluator takes too long for all of it.
  while (opsets.size() > 1 && *opsets.rbegin() > ort::kNewestOpset) opsets.erase(std::prev(opsets.end()));
  if (AtAllOpsets() || opsets.empty()) return opsets;
  return {*opsets.begin(), *opsets.rbegin()};
}

// Returns whether a tensor has a size above 1 among its even (0) or odd (1) axes.
bool HasSizes(const Case& test, size_t parity) {
  return std::ranges::any_of(PlansOf(test, {}), [&](const TensorPlan& plan) {
    for (size_t i = parity; i < plan.shape.size(); i += 2) {
      if (plan.shape[i] != 1) return true;
    }
    return false;
  });
}

class OverloadTest : public testing::Test {
 public:
  OverloadTest(std::string_view family, std::string_view overload, std::vector<const Case*> cases)
      : family_(family), overload_(overload), cases_(std::move(cases)), section_(overload) {}

  void TestBody() override {
    for (const Case* test : cases_) {
      for (const Variation& variation : VariationsOf(*test)) Run(*test, variation);
      RunWithUnknownSizes(*test);
      RunWithSizesKnownInPart(*test);
      RunWithIntsOfTheRun(*test);
    }
    RecordCounts();
    if (const char* workspace = std::getenv("ONNXPORT_UPDATE_EXPECTED")) {
      Update(workspace, family_, overload_, section_.ToText());
    } else if (std::getenv("ONNXPORT_LIST_AGREEING") != nullptr) {
      for (const std::string& cell : section_.agreeing()) fmt::print("{} {} agrees\n", overload_, cell);
    } else if (!AtAllOpsets()) {
      ExpectListed();
    }
    for (const auto& [cell, reason] : WrongCells()) {
      const bool may_agree = VariesByProcessor(reason) || NaNVariesByProcessor(reason) || IsOpenWhenEmpty(reason);
      if (!cell.starts_with(std::string(overload_) + " ") || may_agree) continue;
      EXPECT_TRUE(wrong_.contains(cell)) << cell
                                         << " is right: take it out of expected/wrong.txt, or wrong_between.txt ("
                                         << reason << ")";
    }
  }

 private:
  void ExpectListed() const {
    const std::vector<std::string> differences = Differences(Expected(family_, overload_), section_.ToText());
    if (differences.empty()) return;
    ADD_FAILURE()
        << overload_ << ":\n"
        << fmt::format("{}", fmt::join(differences, "\n"))
        << "\nsee tests/conformance/expectations.h; if this is right: ./bazelw run //tests/conformance:update "
        << "-- --gtest_filter='" << SuiteName(overload_) << ".*'";
  }

  void Run(const Case& test, const Variation& variation) {
    const std::string text = CallText(test, variation);
    // Tests that differ in nothing but the dtype make the same cells.
    if (!seen_.insert(fmt::format("{} {}", text, ir::Name(variation.dtype))).second) return;
    const bool emptied = variation.emptied >= 0;
    const Cell cell(test, variation, emptied ? 1 : RoundsOf(test, variation.dtype));
    if (!cell.exists()) return;
    const bool is_open = emptied && IsOpenWhenEmpty(ReasonsOf(variation.dtype));
    for (const int opset : EndsOf(test)) {
      Note(test, text, variation.dtype, opset, is_open ? Outcome{.kind = Kind::kNotRun} : cell.At(opset));
    }
  }

  int RoundsOf(const Case& test, DType dtype) const {
    const std::string& reasons = ReasonsOf(dtype);
    const bool special = test.special.empty() && test.compared == Compared::kValues && !VariesByProcessor(reasons);
    if (!special) return 1;
    return NaNVariesByProcessor(reasons) ? kRoundOfBounded : kRounds;
  }

  // At every opset, since what an opset takes only as an attribute cannot come from a size known at run time; at the
  // newest with special values, too.
  void RunWithUnknownSizes(const Case& test) {
    const DType key = KeyDType(test);
    const std::string text = CallText(test, {.key = key, .dtype = key}) + " of unknown sizes";
    if (key == DType::kUndefined || !seen_.insert(fmt::format("{} {}", text, ir::Name(key))).second) return;
    const Cell cell(test, {}, 1);
    if (!cell.exists()) return;
    const int newest = *EndsOf(test).rbegin();
    for (const int opset : OpsetsOf(test)) {
      if (opset != newest) Note(test, text, key, opset, cell.At(opset, Sizes::kUnknown));
    }
    const Cell special(test, {}, RoundsOf(test, key));
    Note(test, text, key, newest, special.At(newest, Sizes::kUnknown));
  }

  void RunWithSizesKnownInPart(const Case& test) {
    if (!HasSizes(test, 0) || !HasSizes(test, 1)) return;
    const DType key = KeyDType(test);
    const std::string text = CallText(test, {.key = key, .dtype = key});
    if (!seen_.insert(fmt::format("{} in part {}", text, ir::Name(key))).second) return;
    const Cell cell(test, {}, 1);
    if (!cell.exists()) return;
    const int opset = *EndsOf(test).rbegin();
    Note(test, text + " of unknown even sizes", key, opset, cell.At(opset, Sizes::kEvenUnknown));
    Note(test, text + " of unknown odd sizes", key, opset, cell.At(opset, Sizes::kOddUnknown));
  }

  // One argument after another, as far as they are taken. The tables tell by the argument what is refused.
  void RunWithIntsOfTheRun(const Case& test) {
    const DType key = KeyDType(test) == DType::kUndefined ? DType::kInt64 : KeyDType(test);
    if (!seen_.insert(fmt::format("{} ints {}", CallText(test, {}), ir::Name(key))).second) return;
    const Cell cell(test, {}, 1);
    if (!cell.exists()) return;
    for (const int opset : OpsetsOf(test)) {
      std::vector<size_t> run_ints;
      for (const size_t argument : IntArguments(cell.call())) {
        run_ints.push_back(argument);
        const Outcome outcome = cell.At(opset, Sizes::kKnown, run_ints);
        const std::string& name = cell.call().schema->arguments[argument].name;
        Note(test, fmt::format("a run's `{}`", name), key, opset, outcome);
        if (outcome.kind != Kind::kOk && outcome.kind != Kind::kPartly) run_ints.pop_back();
      }
    }
  }

  const std::string& ReasonsOf(DType dtype) const {
    static const std::string none;
    const auto known = WrongCells().find(fmt::format("{} {}", overload_, ir::ShortName(dtype)));
    return known == WrongCells().end() ? none : known->second;
  }

  // For the summary of all tests (tools/count_tests.awk).
  void RecordCounts() {
    static constexpr std::pair<Kind, const char*> kNames[] = {
        {Kind::kOk, "agree"},
        {Kind::kPartly, "agree, but the export lacks a result"},
        {Kind::kRefused, "are refused"},
        {Kind::kNoKernel, "have no kernel in ONNX Runtime"},
        {Kind::kNotRun, "are not run here"},
        {Kind::kWrong, "are wrong for a known reason"},
        {Kind::kError, "fail in ONNX Runtime for a known reason"},
    };
    for (const auto& [kind, name] : kNames) {
      if (counts_.contains(kind)) RecordProperty(fmt::format("count: dtype cells that {}", name), counts_[kind]);
    }
  }

  void Note(const Case& test, const std::string& text, DType dtype, int opset, const Outcome& outcome) {
    section_.Add(text, dtype, opset, outcome);
    ++counts_[outcome.kind];
    if (outcome.kind != Kind::kWrong && outcome.kind != Kind::kError) return;
    const std::string name = fmt::format("{} {}", overload_, ir::ShortName(dtype));
    wrong_.insert(name);
    if (WrongCells().contains(name)) return;
    ADD_FAILURE() << test.spec << ": " << overload_ << " " << text << ", T = " << ir::Name(dtype) << ", opset " << opset
                  << "\n"
                  << outcome.text << "\nThe operator alone: ./bazelw test //tests/conformance:cells_test --test_filter="
                  << SuiteName(overload_) << ".cells";
  }

  std::string_view family_;
  std::string_view overload_;
  std::vector<const Case*> cases_;
  Section section_;
  std::map<Kind, int> counts_;
  std::set<std::string> seen_;
  std::set<std::string> wrong_;
};

void Register() {
  for (const Family& family : Families()) {
    std::map<std::string_view, std::vector<const Case*>> cases;
    for (const Case& test : family.cases) {
      if (test.refuses.empty()) cases[test.overload].push_back(&test);
    }
    for (const auto& [overload, tests] : cases) {
      testing::RegisterTest(SuiteName(overload).c_str(), "cells", nullptr, nullptr, __FILE__, __LINE__,
                            [name = family.name, overload, tests]() -> testing::Test* {
                              return new OverloadTest(name, overload, tests);
                            });
    }
  }
}

}  // namespace
}  // namespace onnxport::conformance

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  onnxport::conformance::Register();
  return RUN_ALL_TESTS();
}
