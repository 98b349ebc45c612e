// Checks that some `tests:` line with PyTorch's result takes each arm of each conditional, each case and each
// definition of the specs. The line may take it at any opset, with sizes known or not, with lists as sequences, with
// ints known only at run time, or with another dtype. An arm that refuses the call is taken by a line that it refuses.
// expected/not_covered.txt lists the arms that nothing can take, with reasons; the test also fails when something takes
// one of these. A call is run only when it takes an arm that none before it took, because the other tests check whether
// the others agree.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "runtime/sources/pt2/replay/replay.h"
#include "tests/conformance/arms.h"
#include "tests/conformance/case.h"
#include "tests/conformance/cell.h"
#include "tests/conformance/program.h"
#include "tests/conformance/tensors.h"
#include "tests/conformance/variation.h"
#include "tests/known_wrong/known_wrong.h"

namespace onnxport::conformance {
namespace {

class Coverage {
 public:
  void Run() {
    for (const Family& family : Families()) {
      for (const Case& test : family.cases) {
        if (test.refuses.empty())
          Run(test, {}, {Sizes::kKnown, Sizes::kUnknown, Sizes::kSequences});
        else
          RunRefused(test);
      }
    }
    const std::set<std::string> lacking = LackingFiles();
    for (const Family& family : Families()) {
      if (lacking.contains(fmt::format("spec/aten/{}.yaml", family.name))) RunVariations(family);
    }
  }

  bool Has(const std::string& place) const { return reached_.contains(place); }

 private:
  // A call takes a few arms of the thousands: std::ranges::includes would walk through all of them.
  bool HasAll(const Places& places) const {
    return std::ranges::all_of(places, [this](const std::string& place) { return Has(place); });
  }

  // The spec files that have an arm which is not reached yet.
  std::set<std::string> LackingFiles() const {
    std::set<std::string> files;
    for (const auto& [place, text] : ListedArms()) {
      if (!Has(place)) files.insert(place.substr(0, place.find(':')));
    }
    return files;
  }

  void RunVariations(const Family& family) {
    for (const Case& test : family.cases) {
      if (!test.refuses.empty()) continue;
      for (const Variation& variation : VariationsOf(test)) Run(test, variation, {Sizes::kKnown});
    }
  }

  void Run(const Case& test, const Variation& variation, std::initializer_list<Sizes> all_sizes) {
    const Cell cell(test, variation, 1);
    if (!cell.exists()) return;
    for (const int opset : OpsetsOf(test)) {
      for (const Sizes sizes : all_sizes) Run(cell, opset, sizes, {});
      for (const size_t argument : IntArguments(cell.call())) Run(cell, opset, Sizes::kKnown, {argument});
    }
  }

  void Run(const Cell& cell, int opset, Sizes sizes, const std::vector<size_t>& run_ints) {
    TakeReached();
    const Exported lowered = cell.Lower(opset, sizes, run_ints);
    Taken taken = TakeReached();
    reached_.merge(taken.refusing);
    if (!lowered.refused.empty() || HasAll(taken.arms)) return;
    const Outcome::Kind kind = cell.At(opset, sizes, run_ints).kind;
    if (kind == Outcome::Kind::kOk || kind == Outcome::Kind::kPartly) reached_.merge(taken.arms);
  }

  void RunRefused(const Case& test) {
    for (const int opset : OpsetsOf(test)) {
      TakeReached();
      pt2::Replay(MakeGraph(MakeCall(test), {}, Sizes::kKnown), opset, OptionsOf(test));
      reached_.merge(TakeReached().refusing);
    }
  }

  Places reached_;
};

// "spec/aten/norm.yaml: aten::norm: `dim < 0` is true": without lines, which change.
std::string NameOf(const std::string& place, const std::string& text) {
  return fmt::format("{}: {}", place.substr(0, place.find(':')), text);
}

TEST(Specs, EachArmIsTakenByATestThatAgrees) {
  Coverage coverage;
  coverage.Run();
  std::ifstream file("tests/conformance/expected/not_covered.txt");
  std::set<std::string> excused;
  for (const Excused& arm : ReadExcused(file)) excused.insert(arm.line);
  ASSERT_FALSE(excused.empty());
  std::set<std::string> used;
  for (const auto& [place, text] : ListedArms()) {
    if (coverage.Has(place)) continue;
    const std::string name = NameOf(place, text);
    if (excused.contains(name))
      used.insert(name);
    else
      ADD_FAILURE() << place << ": " << text << ": no test takes this and gives PyTorch's result";
  }
  for (const std::string& name : excused)
    EXPECT_TRUE(used.contains(name)) << name << ": a test takes it: take it out of expected/not_covered.txt";
}

}  // namespace
}  // namespace onnxport::conformance
