// Indexing: what is emitted and of what type. Values are compared with PyTorch's by the conformance tests.
#include "runtime/lowering/dsl/hooks.h"

#include <gtest/gtest.h>

#include <functional>

#include "runtime/testing/emitted_graph.h"

namespace onnxport::lowering::hooks_test {
namespace {

using enum DType;

// x: float32[s, 4, 5, 6]; i: int64[3], j: int64[2, 1], k: int32[3]; m1: bool[4], m2: bool[4, 5]; z: int64[]
struct Inputs {
  explicit Inputs(TestGraph* test)
      : x(test->Input("x", kFloat32, {"s", "4", "5", "6"})),
        i(test->Input("i", kInt64, {"3"})),
        j(test->Input("j", kInt64, {"2", "1"})),
        k(test->Input("k", kInt32, {"3"})),
        m1(test->Input("m1", kBool, {"4"})),
        m2(test->Input("m2", kBool, {"4", "5"})),
        z(test->Input("z", kInt64, {})),
        v(test->Input("v", kFloat32, {})),
        w(test->Input("w", kFloat32, {"6"})) {}
  Val x, i, j, k, m1, m2, z, v, w;
};

struct Case {
  const char* name;
  int opset;
  std::function<Vals(const Inputs&)> indices;
  const char* type;
  const char* ops;  // "" : not looked at
};

const Case kIndexCases[] = {
    {"one index", 17, [](const Inputs& n) { return Vals{n.i}; }, "float32[3, 4, 5, 6]", "Gather"},
    {"after slices", 17, [](const Inputs& n) { return Vals{Val(), Val(), n.j}; }, "float32[s, 4, 2, 1, 6]", "Gather"},
    {"0-d", 17, [](const Inputs& n) { return Vals{Val(), n.z}; }, "float32[s, 5, 6]", "Gather"},
    {"int32", 17, [](const Inputs& n) { return Vals{n.k}; }, "float32[3, 4, 5, 6]", "Cast Gather"},
    {"may be negative, old", 10, [](const Inputs& n) { return Vals{Val(), n.i}; }, "float32[s, 3, 5, 6]",
     "Cast Less Cast Mul Add Gather"},
    {"no index", 17, [](const Inputs&) { return Vals{Val(), Val()}; }, "float32[s, 4, 5, 6]", ""},
    {"two, broadcast, adjacent, first", 17, [](const Inputs& n) { return Vals{n.i, n.j}; }, "float32[2, 3, 5, 6]", ""},
    {"two, adjacent, in the middle", 17, [](const Inputs& n) { return Vals{Val(), n.i, n.j}; }, "float32[s, 2, 3, 6]",
     ""},
    {"two, apart", 17, [](const Inputs& n) { return Vals{n.i, Val(), n.j}; }, "float32[2, 3, 4, 6]", ""},
    {"apart, after a slice", 17, [](const Inputs& n) { return Vals{Val(), n.i, Val(), n.j}; }, "float32[2, 3, s, 5]",
     ""},
    {"equal shapes need no Expand", 17, [](const Inputs& n) { return Vals{n.i, n.i}; }, "float32[3, 5, 6]",
     "Unsqueeze Unsqueeze Concat GatherND"},
    {"two, apart, old", 10, [](const Inputs& n) { return Vals{n.i, Val(), n.j}; }, "float32[2, 3, 4, 6]", ""},
    {"adjacent, old", 9, [](const Inputs& n) { return Vals{Val(), n.i, n.j}; }, "float32[s, 2, 3, 6]", ""},
    {"0-d and 0-d", 17, [](const Inputs& n) { return Vals{n.z, n.z}; }, "float32[5, 6]", ""},
    {"mask", 17, [](const Inputs& n) { return Vals{Val(), n.m1}; }, "float32[s, ?, 5, 6]", "NonZero Reshape Gather"},
    {"mask of two", 17, [](const Inputs& n) { return Vals{Val(), n.m2}; }, "float32[s, ?, 6]", ""},
    {"mask of two, old", 9, [](const Inputs& n) { return Vals{Val(), n.m2}; }, "float32[s, ?, 6]", ""},
    {"mask and index", 17, [](const Inputs& n) { return Vals{n.z, n.m1}; }, "float32[?, 5, 6]", ""},
};

TEST(Hooks, Index) {
  for (const Case& c : kIndexCases) {
    SCOPED_TRACE(c.name);
    TestGraph test(c.opset);
    const Inputs inputs(&test);
    Context call(&test.emitter, {inputs.x, c.indices(inputs)});
    Vals results;
    EXPECT_EQ(RefusalOf([&] { results = hooks::index(call); }), "");
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].ToString(), c.type);
    if (*c.ops) {
      EXPECT_EQ(test.Ops(), c.ops);
    }
  }
}

const Case kPutCases[] = {
    {"one index", 17, [](const Inputs& n) { return Vals{n.i}; }, "", ""},
    {"in the middle", 11, [](const Inputs& n) { return Vals{Val(), n.i, n.j}; }, "", ""},
    {"apart", 17, [](const Inputs& n) { return Vals{n.i, Val(), n.j}; }, "", ""},
    {"apart, old", 9, [](const Inputs& n) { return Vals{n.i, Val(), n.j}; }, "", ""},
    {"in the middle, old", 10, [](const Inputs& n) { return Vals{Val(), n.i, n.j}; }, "", ""},
    {"none", 17, [](const Inputs&) { return Vals{Val()}; }, "", "Shape Expand"},
    {"mask", 9, [](const Inputs& n) { return Vals{Val(), n.m2}; }, "", "Reshape Reshape Where"},
};

TEST(Hooks, IndexPut) {
  for (const Case& c : kPutCases) {
    SCOPED_TRACE(c.name);
    TestGraph test(c.opset);
    const Inputs inputs(&test);
    Context call(&test.emitter, {inputs.x, c.indices(inputs), inputs.v, false});
    Vals results;
    EXPECT_EQ(RefusalOf([&] { results = hooks::index_put(call); }), "");
    ASSERT_EQ(results.size(), 1u);
    EXPECT_EQ(results[0].ToString(), "float32[s, 4, 5, 6]");
    if (*c.ops) {
      EXPECT_EQ(test.Ops(), c.ops);
    }
  }
}

TEST(Hooks, IndexPutSumsHalvesInFloat32) {
  TestGraph test(18);
  const Inputs n(&test);
  Context add(&test.emitter, {cast(n.x, DType::kFloat16), Vals{n.i}, cast(n.w, DType::kFloat16), true});
  EXPECT_EQ(hooks::index_put(add)[0].ToString(), "float16[s, 4, 5, 6]");
  EXPECT_TRUE(test.Ops().ends_with("Cast Cast ScatterND Cast")) << test.Ops();
}

TEST(Hooks, IndexPutSumsInALoopBeforeScatterNDDoes) {
  TestGraph test(15);
  const Inputs n(&test);
  const Val nine = test.Input("nine", kInt64, {"9"});
  Context add(&test.emitter, {n.x, Vals{nine}, n.w, true});
  EXPECT_EQ(hooks::index_put(add)[0].ToString(), "float32[s, 4, 5, 6]");
  EXPECT_TRUE(test.Ops().find("Loop") != std::string::npos) << test.Ops();
}

TEST(Hooks, RefusesWhatTheOpsetLacks) {
  TestGraph test(15);
  const Inputs n(&test);
  Context many(&test.emitter, {n.i, Vals{n.i, n.i}});
  EXPECT_NE(RefusalOf(Code::kIndexIsOutside, [&] { hooks::index(many); }).find("more indices than the 1 dimensions"),
            std::string::npos);
  Context floats(&test.emitter, {n.x, Vals{n.w}});
  EXPECT_NE(RefusalOf([&] { hooks::index(floats); }).find("is no index"), std::string::npos);
  TestGraph old(8);
  const Inputs o(&old);
  Context put(&old.emitter, {o.x, Vals{o.i}, o.w, false});
  EXPECT_NE(RefusalOf([&] { hooks::index_put(put); }).find("opset 8 has no operator Scatter"), std::string::npos);
}

Val AddWeight(TestGraph* test, const char* name, DType dtype, std::vector<int64_t> shape, std::string bytes) {
  ir::Value type{.name = {}, .kind = ir::ValueKind::kTensor, .dtype = dtype, .dims = {}, .contents = {}, .strides = {}};
  type.dims = ir::Dims(shape.begin(), shape.end());
  const ir::ValueId id = test->graph.AddValue(std::move(type));
  auto data = ir::MakeTensor(dtype, std::move(shape), std::move(bytes));
  test->graph.weights.push_back({.value = id, .name = name, .data = data});
  test->emitter.facts().SetData(id, data);
  return Tensor{&test->emitter, id};
}

Val ViewOf(TestGraph* test, const Val& self, DType to) {
  Context context(&test->emitter, {self, to});
  return hooks::view_weight(context)[0];
}

TEST(ViewWeight, HasTheSameBytes) {
  TestGraph test(18);
  const Val words = AddWeight(&test, "words", kInt32, {2, 3}, std::string(24, 'x'));
  const Val bytes = ViewOf(&test, words, kUInt8);
  EXPECT_EQ(test.Type(bytes), "uint8[2, 12]");
  EXPECT_EQ(test.Type(ViewOf(&test, bytes, kInt16)), "int16[2, 6]");
  EXPECT_EQ(test.Type(ViewOf(&test, bytes, kFloat8E8M0)), "float8e8m0[2, 12]");
  ASSERT_EQ(test.graph.weights.size(), 4u);
  EXPECT_EQ(test.graph.weights[1].name, "words.uint8");
  EXPECT_EQ(test.graph.weights[1].data->bytes, test.graph.weights[0].data->bytes);
  // Once more it is the same weight.
  EXPECT_EQ(ViewOf(&test, words, kUInt8).AsTensor().id, bytes.AsTensor().id);
  EXPECT_EQ(test.graph.weights.size(), 4u);
  EXPECT_EQ(test.Ops(), "");
  // A Constant gives another Constant.
  const Val constant = Tensor{&test.emitter, test.emitter.Constant(kInt16, {2}, std::string("\1\2\3\4", 4))};
  const Val halves = ViewOf(&test, constant, kUInt8);
  EXPECT_EQ(test.Type(halves), "uint8[4]");
  EXPECT_EQ(BytesOf(*test.emitter.facts().DataOf(halves.AsTensor().id)->bytes), std::string("\1\2\3\4", 4));
}

TEST(ViewWeight, Refuses) {
  TestGraph test(18);
  const auto refusal = [&](const Val& self, DType to) { return RefusalOf([&] { ViewOf(&test, self, to); }); };
  const Val bytes = AddWeight(&test, "bytes", kUInt8, {2, 3}, "abcdef");
  EXPECT_EQ(refusal(bytes, kInt32), "3 elements of uint8 are no whole number of int32");
  EXPECT_EQ(refusal(bytes, kString), "a dtype whose elements have no bytes of their own");
  EXPECT_EQ(refusal(AddWeight(&test, "one", kUInt8, {}, "a"), kInt16),
            "a tensor without axes has no view of a dtype of another size");
  EXPECT_EQ(refusal(test.Input("x", kUInt8, {"4"}), kInt8),
            "a tensor that is no weight has views of dtypes of the same size only, from opset 26 on");
}

}  // namespace
}  // namespace onnxport::lowering::hooks_test
