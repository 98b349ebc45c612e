#include "tests/conformance/difference.h"

#include <gtest/gtest.h>

namespace onnxport::conformance {
namespace {

TEST(Difference, HasAKind) {
  const struct {
    const char* text;
    const char* kind;
  } kCases[] = {
      {"2 outputs, PyTorch gives 1", "type"},
      {"result 0: got float32[2], PyTorch gives float32[3]", "type"},
      {"result 0: 1 of 6 elements of float32[2,3] differ; worst at 4: got nan, PyTorch gives 1", "NaN"},
      {"result 0: 1 of 6 elements of float32[2,3] differ; worst at 4: got 3, PyTorch gives -inf", "infinity"},
      {"result 0: 1 of 6 elements of float32[2,3] differ; worst at 4: got 0, PyTorch gives -0", "zero"},
      {"result 0: 1 of 6 elements of float32[2,3] differ; worst at 4: got 0, PyTorch gives 1\nround 2", "values"},
  };
  for (const auto& c : kCases) EXPECT_EQ(KindOfDifference(c.text), c.kind) << c.text;
}

TEST(Error, HasAKind) {
  const struct {
    const char* text;
    const char* kind;
  } kCases[] = {
      {"Non-zero status code returned while running TopK node. Name:''", "fails in TopK"},
      {"internal error: result 0 is float32", "internal error"},
      {"Node (n) Op (Relu) [ShapeInferenceError] ...", "does not load"},
  };
  for (const auto& c : kCases) EXPECT_EQ(KindOfError(c.text), c.kind) << c.text;
}

TEST(Error, MayBeNoAnswer) {
  EXPECT_TRUE(IsNoAnswer("the ONNX Runtime process ended: killed by signal 8"));
  EXPECT_TRUE(IsNoAnswer("ONNX Runtime does not come to an end"));
  EXPECT_FALSE(IsNoAnswer("Non-zero status code returned while running TopK node. Name:''"));
}

TEST(Graph, HasAHashOfWhatItDoes) {
  ir::Graph graph;
  const uint32_t empty = HashOf(graph);
  graph.body.nodes.push_back({.op = "Relu",
                              .inputs = {},
                              .attributes = {},
                              .outputs = {},
                              .blocks = {},
                              .location = ir::LocationId::kNone,
                              .name = {}});
  EXPECT_NE(HashOf(graph), empty);
}

}  // namespace
}  // namespace onnxport::conformance
