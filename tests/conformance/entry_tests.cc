// Runs the `tests:` lines of entries, at each epoch of their operators. PyTorch runs the call eagerly, the exporter
// lowers it and ONNX Runtime runs the result. Value, dtype and shape must agree. The linked entries decide whose tests
// run: ours in conformance_test, a user's in the test of an `onnx_exporter`. (Ours run with other dtypes, values and
// sizes as well: cells_test.)
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

#include "runtime/sources/pt2/replay/replay.h"
#include "tests/conformance/case.h"
#include "tests/conformance/cell.h"
#include "tests/conformance/program.h"
#include "tests/conformance/suite_name.h"
#include "tests/conformance/variation.h"
#include "tests/ort/client.h"
#include "tests/ort/missing_kernel.h"

namespace onnxport::conformance {
namespace {

using Kind = Outcome::Kind;

// "spec/aten/norm.yaml:31" in its parts: failures are at the line of the spec, not of this file.
struct SpecLine {
  explicit SpecLine(std::string_view place)
      : file(place.substr(0, place.rfind(':'))), line(std::atoi(place.substr(place.rfind(':') + 1).data())) {}
  std::string file;
  int line;
};

class EntryTest : public testing::Test {
 public:
  EntryTest(const Case* test, int opset) : test_(*test), opset_(opset) {}

  void TestBody() override {
    if (!test_.refuses.empty()) {
      for (const Sizes sizes : {Sizes::kKnown, Sizes::kUnknown}) ExpectRefusal(sizes);
      RecordProperty("count: test lines at an opset that declare a refusal", 1);
      return;
    }
    const Cell cell(test_, {}, 1);
    if (!cell.exists()) return Fail("PyTorch does not take the call: " + cell.refusal());
    const Outcome outcome = Run(cell);
    if (opset_ > ort::kNewestOpset && outcome.kind == Kind::kNoKernel) GTEST_SKIP() << outcome.text;
    RecordProperty("count: test lines at an opset against eager PyTorch", 1);
    if (const std::string problem = ProblemOf(outcome); !problem.empty()) Fail(problem);
  }

 private:
  void Fail(const std::string& problem) const {
    const SpecLine spec(test_.spec);
    ADD_FAILURE_AT(spec.file.c_str(), spec.line)
        << test_.overload << CallText(test_, {}) << " at opset " << opset_ << "\n"
        << problem;
  }

  // Empty: the call agrees. The tables of cells_test record any other results that an export lacks.
  std::string ProblemOf(const Outcome& outcome) const {
    switch (outcome.kind) {
      case Kind::kOk:
      case Kind::kPartly:
        return "";
      case Kind::kRefused:
        return "the exporter refuses the call: " + outcome.text;
      case Kind::kNoKernel:
        // The exporter has held dtype and shape against what PyTorch gave, and no more was asked for.
        if (test_.compared == Compared::kShape) return "";
        return fmt::format("ONNX Runtime has no kernel for {}, so nothing can be compared but dtype and shape: {}",
                           outcome.text, "with compare=\"shape\", why=\"...\"");
      case Kind::kNotRun:
        return "the model gave no answer: " + outcome.text;
      case Kind::kWrong:
        return "PyTorch and ONNX Runtime differ: " + outcome.text;
      case Kind::kError:
        return "the exported call fails: " + outcome.text;
    }
    return "";
  }

  // ONNX Runtime has no kernel yet for some operators of the newest opsets that it runs: ONNX's reference evaluator
  // has.
  Outcome Run(const Cell& cell) const {
    Outcome outcome = cell.At(opset_);
    if (outcome.kind != Kind::kNoKernel || opset_ > ort::kNewestOpset) return outcome;
    if (ort::IsOfUnknownDomain(outcome.text)) return outcome;  // it knows no more domains
    return cell.RunInReference(cell.Export(opset_));
  }

  void ExpectRefusal(Sizes sizes) const {
    const auto tracer = pt2::Replay(MakeGraph(MakeCall(test_), {}, sizes), opset_, OptionsOf(test_));
    std::string reasons;
    for (const record::Failure& failure : tracer->findings().failures()) {
      if (failure.reason.text.find(test_.refuses) != std::string::npos) return;
      reasons += "\n  " + failure.reason.text;
    }
    Fail(fmt::format("must be refused, with this text: {}\n{}", test_.refuses,
                     reasons.empty() ? "it is exported" : "it is refused with:" + reasons));
  }

  const Case& test_;
  int opset_;
};

// Debian's ONNX Runtime says of each of ONNX's schemas that it comes twice: 600 lines above the first failure. Mistakes
// in a model are returned as errors, so this starts with nowhere to print to.
class QuietRuntime : public testing::Environment {
  void SetUp() override {
    const int shown = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDERR_FILENO);
    ort::ClientFor(1).Run({}, /*seconds=*/60);  // of no model: it answers that there is none
    dup2(shown, STDERR_FILENO);
    close(nowhere);
    close(shown);
  }
};

// How many there are.
int Register() {
  int registered = 0;
  std::map<std::string_view, int> counts;
  for (const Family& family : Families()) {
    for (const Case& test : family.cases) {
      const std::string base = fmt::format("case{}", ++counts[test.overload]);
      const SpecLine spec(test.spec);
      for (const int opset : OpsetsOf(test)) {
        ++registered;
        testing::RegisterTest(SuiteName(test.overload).c_str(), fmt::format("{}/opset{}", base, opset).c_str(), nullptr,
                              nullptr, spec.file.c_str(), spec.line,
                              [=, &test]() -> testing::Test* { return new EntryTest(&test, opset); });
      }
    }
  }
  return registered;
}

}  // namespace
}  // namespace onnxport::conformance

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (onnxport::conformance::Register() == 0) {
    std::cerr << "no entry of the specs has `tests:`, so there is nothing that could fail\n";
    return 1;
  }
  testing::AddGlobalTestEnvironment(new onnxport::conformance::QuietRuntime);
  return RUN_ALL_TESTS();
}
