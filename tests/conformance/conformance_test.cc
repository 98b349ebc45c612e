// Every `tests:` line of the specs, at each epoch of its operator: PyTorch runs the call eagerly, the exporter lowers
// it, ONNX Runtime runs the result, and value, dtype and shape must agree. Each twice: with the inputs' sizes known,
// and with every dimension a symbol. A call that needs a size may refuse it when unknown; that shows as a skipped test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "runtime/ir/error.h"
#include "runtime/lowering/lower.h"
#include "runtime/passes/passes.h"
#include "runtime/serializer/serializer.h"
#include "tests/conformance/case.h"
#include "tests/conformance/eager.h"
#include "tests/conformance/program.h"
#include "tests/ort/client.h"
#include "tests/ort/compare.h"

namespace onnxport::conformance {
namespace {

std::vector<StatedResult> Eager(const Call& call) {
  std::vector<StatedResult> results;
  for (const EagerResult& result : RunEagerly(call.schema->name, call.args, call.tensors)) {
    results.push_back({.is_list = result.kind == EagerResult::Kind::kTensorList,
                       .is_none = result.kind == EagerResult::Kind::kNone,
                       .tensors = result.tensors});
  }
  return results;
}

ort::Tolerance ToleranceOf(const Case& test, ir::DType dtype) {
  if (test.tolerance >= 0) return {test.tolerance, test.tolerance};
  if (dtype == ir::DType::kFloat16 || dtype == ir::DType::kBFloat16) return {2e-2, 2e-2};
  if (dtype == ir::DType::kFloat64) return {1e-7, 1e-8};
  return {1e-4, 1e-5};
}

struct Point {
  const Case* test;
  int opset;
  Sizes sizes;
};

class OperatorTest : public testing::Test {
 public:
  explicit OperatorTest(Point point) : test_(*point.test), opset_(point.opset), sizes_(point.sizes) {}

  void TestBody() override {
    SCOPED_TRACE(std::string(test_.spec));
    const Call call = MakeCall(test_);
    if (!test_.refuses.empty()) return ExpectRefusal(call);
    auto results = Eager(call);
    ir::Graph lowered;
    try {
      lowered = LowerWithoutMissing(call, &results);
    } catch (const Error& e) {
      if (sizes_ == Sizes::kUnknown) GTEST_SKIP() << e.what();
      FAIL() << e.what();
    }
    passes::Run(&lowered);
    Compare(call, results, lowered);
  }

 private:
  // A result that a spec gives as `none` is refused when it is used; models use the first one, so leave such results
  // out.
  ir::Graph LowerWithoutMissing(const Call& call, std::vector<StatedResult>* results) {
    while (true) {
      try {
        return lowering::Lower(MakeGraph(call, *results, sizes_), {.opset = opset_});
      } catch (const Error& e) {
        if (!LeaveOutMissing(e.what(), results)) throw;
      }
    }
  }

  // False when `message` names no result but the first as missing.
  static bool LeaveOutMissing(const std::string& message, std::vector<StatedResult>* results) {
    for (size_t i = 1; i < results->size(); ++i) {
      const bool named = message.find("result `out" + std::to_string(i) + "` of ") != std::string::npos;
      if (!named || (*results)[i].is_none) continue;
      (*results)[i] = {.is_list = false, .is_none = true, .tensors = {}};
      return true;
    }
    return false;
  }

  void ExpectRefusal(const Call& call) {
    try {
      lowering::Lower(MakeGraph(call, {}, sizes_), {.opset = opset_});
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::kCannotExport);
      EXPECT_THAT(e.what(), testing::HasSubstr(std::string(test_.refuses)));
      return;
    }
    FAIL() << "must be refused";
  }

  void Compare(const Call& call, const std::vector<StatedResult>& results, const ir::Graph& lowered) {
    const std::string path = testing::TempDir() + "/conformance." + std::to_string(getpid()) + ".onnx";
    serializer::Write(lowered, path);
    std::vector<ort::Tensor> inputs;
    for (const ort::Tensor& tensor : call.tensors) inputs.push_back(PartsOf(tensor));
    const auto response = ort::ClientFor(opset_).Run({.model_path = path, .model_bytes = {}, .inputs = inputs});
    ASSERT_EQ(response.error, "") << ir::ToText(lowered);
    std::filesystem::remove(path);
    std::vector<ort::Tensor> expected;
    for (const StatedResult& result : results) {
      for (const ort::Tensor& tensor : result.tensors) expected.push_back(PartsOf(tensor));
    }
    ASSERT_EQ(response.outputs.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(ort::Difference(response.outputs[i], expected[i], ToleranceOf(test_, expected[i].dtype), test_.compare),
                "")
          << "result " << i << " of\n"
          << ir::ToText(lowered);
    }
  }

  const Case& test_;
  int opset_;
  Sizes sizes_;
};

// "aten::add.Tensor" -> "aten_add_Tensor"
std::string SuiteName(std::string_view overload) {
  std::string name(overload);
  for (char& c : name) {
    if (c == ':' || c == '.') c = '_';
  }
  if (const size_t at = name.find("__"); at != std::string::npos) name.erase(at, 1);
  return name;
}

void Register() {
  std::map<std::string_view, int> counts;
  for (const Family& family : Families()) {
    for (const Case& test : family.cases) {
      const std::string base = "case" + std::to_string(++counts[test.overload]);
      for (int opset : test.opsets) {
        for (Sizes sizes : {Sizes::kKnown, Sizes::kUnknown}) {
          const std::string name =
              base + "/opset" + std::to_string(opset) + (sizes == Sizes::kKnown ? "/known" : "/unknown");
          testing::RegisterTest(SuiteName(test.overload).c_str(), name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                                [=, &test]() -> testing::Test* { return new OperatorTest({&test, opset, sizes}); });
        }
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
