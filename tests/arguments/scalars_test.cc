// Calls of the specs' tests with 0-d tensors: all tensors of a call, and each of them alone. Eager PyTorch says what is
// allowed, what the ranks of the results are, and what they hold; the exporter has the same, or refuses the call.
// scalars.txt says what is wrong, and whose fault that is.
//
// ONNXPORT_ONE_OF: of how many operators one is tried.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/conformance/case.h"
#include "tests/conformance/cell.h"
#include "tests/conformance/suite_name.h"
#include "tests/conformance/variation.h"
#include "tests/known_wrong/known_wrong.h"

namespace onnxport::arguments {
namespace {

using conformance::Case;
using conformance::Cell;
using conformance::Compared;
using conformance::Outcome;

using Positions = std::vector<size_t>;

std::set<std::string> ReadKnown() {
  std::set<std::string> known;
  std::ifstream file("tests/arguments/scalars.txt");
  for (const KnownWrong& entry : ReadKnownWrong(file)) known.insert(entry.words.begin(), entry.words.end());
  return known;
}

const std::set<std::string>& Known() {
  static const std::set<std::string> known = ReadKnown();
  return known;
}

// All tensors, and each alone; none where all of them are 0-d already.
std::vector<Positions> ScalarsOf(const Case& test) {
  const auto plans = conformance::PlansOf(test, {});
  std::vector<Positions> all(1);
  for (size_t i = 0; i < plans.size(); ++i) {
    if (plans[i].shape.empty()) continue;
    all[0].push_back(i);
    if (plans.size() > 1) all.push_back({i});
  }
  return all[0].empty() ? std::vector<Positions>() : all;
}

class OverloadTest : public testing::Test {
 public:
  OverloadTest(std::string_view overload, std::vector<const Case*> cases)
      : overload_(overload), cases_(std::move(cases)) {}

  void TestBody() override {
    for (const Case* test : cases_) {
      for (const Positions& scalars : ScalarsOf(*test)) Run(*test, scalars);
    }
    for (const auto& [what, count] : counts_)
      RecordProperty(fmt::format("count: calls with 0-d tensors that {}", what), count);
    EXPECT_TRUE(is_wrong_ || !Known().contains(std::string(overload_))) << overload_ << " is right: take it out";
  }

 private:
  void Run(Case test, const Positions& scalars) {
    const std::string text = fmt::format("{} with {}", conformance::CallText(test, {}), fmt::join(scalars, ","));
    if (!seen_.insert(text).second) return;
    const Cell cell(test, {.scalars = scalars}, 1);
    if (!cell.exists()) {
      ++counts_["PyTorch refuses"];
      return;
    }
    if (test.compared == Compared::kDistribution || cell.IsRandom()) test.compared = Compared::kShape;
    const Cell judged(test, {.scalars = scalars}, 1);
    const std::set<int> opsets = conformance::OpsetsOf(test);
    for (const int opset : {*opsets.begin(), *opsets.rbegin()}) Note(test, text, opset, judged.At(opset));
  }

  void Note(const Case& test, const std::string& text, int opset, const Outcome& outcome) {
    const bool wrong = outcome.kind == Outcome::Kind::kWrong || outcome.kind == Outcome::Kind::kError;
    const bool refused = outcome.kind == Outcome::Kind::kRefused;
    ++counts_[wrong ? "are wrong" : refused ? "are refused" : "agree"];
    if (!wrong) return;
    is_wrong_ = true;
    if (Known().contains(std::string(overload_))) return;
    ADD_FAILURE() << test.spec << ": " << overload_ << " " << text << " 0-d, opset " << opset << "\n" << outcome.text;
  }

  std::string_view overload_;
  std::vector<const Case*> cases_;
  std::set<std::string> seen_;
  std::map<std::string, int> counts_;
  bool is_wrong_ = false;
};

// For other operators the judge would be our own code (tests/conformance/eager_*.cc), which checks no argument.
bool IsOfPyTorch(std::string_view overload) {
  return overload.starts_with("aten::") || overload.starts_with("torchvision::");
}

int OneOf() {
  const char* text = std::getenv("ONNXPORT_ONE_OF");
  return text == nullptr ? 1 : std::atoi(text);
}

void Register() {
  int number = 0;
  for (const conformance::Family& family : conformance::Families()) {
    std::map<std::string_view, std::vector<const Case*>> cases;
    for (const Case& test : family.cases) {
      const bool judged = test.refuses.empty() && test.compared != Compared::kRelations;
      if (judged && IsOfPyTorch(test.overload)) cases[test.overload].push_back(&test);
    }
    for (const auto& [overload, tests] : cases) {
      if (number++ % OneOf() != 0) continue;
      testing::RegisterTest(conformance::SuiteName(overload).c_str(), "scalars", nullptr, nullptr, __FILE__, __LINE__,
                            [overload, tests]() -> testing::Test* { return new OverloadTest(overload, tests); });
    }
  }
}

}  // namespace
}  // namespace onnxport::arguments

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  onnxport::arguments::Register();
  return RUN_ALL_TESTS();
}
