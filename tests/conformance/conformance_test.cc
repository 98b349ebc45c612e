// Every `tests:` line of the specs, at each epoch of its operator: PyTorch runs the call eagerly, the exporter lowers
// it, ONNX Runtime runs the result, and value, dtype and shape must agree. With other dtypes, values and sizes:
// cells_test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "runtime/sources/pt2/replay/replay.h"
#include "tests/conformance/case.h"
#include "tests/conformance/cell.h"
#include "tests/conformance/program.h"
#include "tests/conformance/suite_name.h"
#include "tests/ort/client.h"

namespace onnxport::conformance {
namespace {

class OperatorTest : public testing::Test {
 public:
  OperatorTest(const Case* test, int opset) : test_(*test), opset_(opset) {}

  void TestBody() override {
    SCOPED_TRACE(std::string(test_.spec));
    if (!test_.refuses.empty()) {
      for (const Sizes sizes : {Sizes::kKnown, Sizes::kUnknown}) ExpectRefusal(sizes);
      RecordProperty("count: test lines at an opset that declare a refusal", 1);
      return;
    }
    const Cell cell(test_, {}, 1);
    ASSERT_TRUE(cell.exists()) << "PyTorch does not take the call";
    const Outcome outcome = Run(cell);
    if (opset_ > ort::kNewestOpset && outcome.kind == Outcome::Kind::kNoKernel) GTEST_SKIP() << outcome.text;
    RecordProperty("count: test lines at an opset against eager PyTorch", 1);
    // What an export lacks is for the tables of cells_test.
    EXPECT_TRUE(outcome.kind == Outcome::Kind::kOk || outcome.kind == Outcome::Kind::kPartly) << outcome.text;
  }

 private:
  // ONNX Runtime has no kernel yet for some operators of the newest opsets that it runs: ONNX's reference evaluator
  // has.
  Outcome Run(const Cell& cell) const {
    Outcome outcome = cell.At(opset_);
    if (outcome.kind != Outcome::Kind::kNoKernel || opset_ > ort::kNewestOpset) return outcome;
    return cell.RunInReference(cell.Export(opset_));
  }

  void ExpectRefusal(Sizes sizes) {
    const auto tracer = pt2::Replay(MakeGraph(MakeCall(test_), {}, sizes), opset_, OptionsOf(test_));
    std::vector<std::string> reasons;
    for (const record::Failure& failure : tracer->failures()) reasons.push_back(failure.reason);
    EXPECT_THAT(reasons, testing::Contains(testing::HasSubstr(std::string(test_.refuses)))) << "must be refused";
  }

  const Case& test_;
  int opset_;
};

void Register() {
  std::map<std::string_view, int> counts;
  for (const Family& family : Families()) {
    for (const Case& test : family.cases) {
      const std::string base = "case" + std::to_string(++counts[test.overload]);
      for (int opset : OpsetsOf(test)) {
        testing::RegisterTest(SuiteName(test.overload).c_str(), (base + "/opset" + std::to_string(opset)).c_str(),
                              nullptr, nullptr, __FILE__, __LINE__,
                              [=, &test]() -> testing::Test* { return new OperatorTest(&test, opset); });
      }
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
