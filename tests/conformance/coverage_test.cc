// Lowers every `tests:` line at every opset it runs at, without running the result, and checks that each case of each
// entry was taken by some test. The specs' functions are compiled with ONNXPORT_COVERAGE for this
// (runtime/lowering/cover.h).
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "runtime/ir/error.h"
#include "runtime/lowering/cover.h"
#include "runtime/lowering/lower.h"
#include "tests/conformance/case.h"
#include "tests/conformance/cell.h"
#include "tests/conformance/program.h"

namespace onnxport::lowering {

std::set<std::string, std::less<>>& ReachedCases() {
  static std::set<std::string, std::less<>> reached;
  return reached;
}

void Reached(std::string_view case_id) { ReachedCases().emplace(case_id); }

}  // namespace onnxport::lowering

namespace onnxport::conformance {
namespace {

void LowerAll(const Family& family) {
  for (const Case& test : family.cases) {
    const Call call = MakeCall(test);
    for (int opset : OpsetsOf(test)) {
      for (Sizes sizes : {Sizes::kKnown, Sizes::kUnknown, Sizes::kSequences}) {
        try {
          lowering::Lower(MakeGraph(call, {}, sizes), {.opset = opset});
        } catch (const Error&) {
          // conformance_test reports failures; here only the way taken counts
        }
      }
    }
  }
}

TEST(SpecCases, EachIsReachedByATest) {
  for (const Family& family : Families()) {
    LowerAll(family);
    for (const CaseId& id : family.case_ids) {
      EXPECT_TRUE(lowering::ReachedCases().contains(id.id))
          << id.id << " (" << id.name << ", when: " << id.when << ", opset " << id.since << " to " << id.until
          << "): no test of the entry reaches it; add one to its `tests:`";
    }
  }
}

}  // namespace
}  // namespace onnxport::conformance
