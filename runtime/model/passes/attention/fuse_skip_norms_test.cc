#include "runtime/model/passes/attention/fuse_skip_norms.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "runtime/testing/graph_builder.h"

namespace onnxport::passes::fuse_skip_norms_test {
namespace {

using ir::Dims;
using ir::DType;
using ir::ValueId;

struct NormCase {
  const char* what;
  bool fused;
  Dims dims = {1, Sym("n"), 8};
  Dims other = {1, Sym("n"), 8};
  int64_t axis = -1;
  bool used_before = false;
  DType dtype = DType::kFloat32;
  const char* norm = "RMSNormalization";
};

TEST(FuseSkipNormsTest, Norms) {
  const NormCase cases[] = {
      {.what = "of three axes", .fused = true},
      {.what = "of two", .fused = true, .dims = {Sym("n"), 8}, .other = {Sym("n"), 8}},
      {.what = "the axis by its number", .fused = true, .axis = 2},
      {.what = "of four axes", .fused = false, .dims = {1, 2, 3, 8}, .other = {1, 2, 3, 8}},
      {.what = "over another axis", .fused = false, .axis = 1},
      {.what = "of what is broadcast", .fused = false, .other = {8}},
      {.what = "the sum is used in front of the norm", .fused = false, .used_before = true},
      {.what = "of float64", .fused = false, .dtype = DType::kFloat64},
      {.what = "another norm, which the runtime sees", .fused = false, .norm = "LayerNormalization"},
  };
  for (const NormCase& test : cases) {
    GraphBuilder b(23);
    const ValueId x = b.Input("x", test.dims, test.dtype);
    const ValueId y = b.Input("y", test.other, test.dtype);
    const ValueId scale = b.Input("scale", {8}, test.dtype);
    const ValueId sum = b.Node("Add", {x, y}, "sum", test.dims, test.dtype);
    if (test.used_before) b.Output(b.Node("Relu", {sum}, "before", test.dims, test.dtype));
    const ValueId n =
        b.Node(test.norm, {sum, scale}, "n", test.dims, test.dtype, {{"axis", {test.axis}}, {"epsilon", {0.5}}});
    b.Output(b.Node("Add", {sum, n}, "z", test.dims, test.dtype));
    EXPECT_EQ(FuseSkipNorms(&b.graph), test.fused) << test.what;
    const std::string body = Body(b.graph);
    EXPECT_EQ(body.find("SkipSimplifiedLayerNormalization(%x, %y, %scale, epsilon=0.5)") != std::string::npos,
              test.fused)
        << test.what << "\n"
        << body;
    EXPECT_EQ(body.find("= Add(%x, %y)") == std::string::npos, test.fused) << body;
    EXPECT_NE(body.find("= Add(%sum, %n)"), std::string::npos) << body;
  }
}

}  // namespace
}  // namespace onnxport::passes::fuse_skip_norms_test
