#include "runtime/inputs/inputs.h"

#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/testing/error_of.h"

namespace onnxport::inputs {
namespace {

using ir::Dim;
using ir::DType;
using testing::AllOf;
using testing::HasSubstr;
using testing::VariantWith;

TEST(Inputs, Parses) {
  const Input image = ParseInput("x=f32[batch,3,224, 224]");
  EXPECT_EQ(image.name, "x");
  EXPECT_EQ(image.dtype, kFloat32);
  ASSERT_TRUE(image.dims.has_value());
  EXPECT_EQ(*image.dims, (std::vector<onnxport::Dim>{Sym("batch"), 3, 224, 224}));
  EXPECT_EQ(ParseInput("past.0.key=f16[]").name, "past.0.key");
  EXPECT_TRUE(ParseInput("past.0.key=f16[]").dims->empty());
  EXPECT_FALSE(ParseInput("n=int64").dims.has_value());
  EXPECT_EQ(ParseInput(" a=b = i64 [ 2 ] ").name, "a=b");
}

// Keys of dicts may contain any character.
TEST(Inputs, ParsesNamesOfAnyCharacters) {
  for (const char* name : {"d.a.x", "d.a b", "d.0", "d.", "d.a=b", "d.a[0]", "d.a[n=2]", "d.a]"}) {
    for (const char* type : {"f32", "f32[n,4]", "f32[n=1..4]", "list[f32[n=1..4]]", "3", "'text'", "\"t=[\""}) {
      EXPECT_EQ(ParseInput(std::string(name) + "=" + type).name, name) << type;
    }
  }
}

TEST(Inputs, ParsesFreeAxes) {
  const auto dim = [](const char* text) { return ParseDims(text).at(0); };
  EXPECT_EQ(dim("?"), onnxport::Dim());
  EXPECT_EQ(dim("batch=1..64"), Sym("batch").Between(1, 64));
  EXPECT_EQ(dim(" n = 8.. "), Sym("n").Between(8, std::nullopt));
  EXPECT_EQ(dim("n=..8"), Sym("n").Between(std::nullopt, 8));
  EXPECT_EQ(AxisName("past.0", 2), "past_0_axis2");
}

TEST(Inputs, RangesOfAxes) {
  const auto ranges = [](const std::vector<const char*>& texts) {
    std::vector<Input> inputs;
    for (const char* text : texts) inputs.push_back(ParseInput(text));
    return RangesOf(inputs);
  };
  const ir::Ranges found = ranges({"x=f32[batch=..8,seq=4..,n]", "y=f32[batch]", "z=f32[batch=1..8]", "m=3"});
  EXPECT_EQ(found.size(), 2u);
  EXPECT_EQ(found.at("batch").min, 1);
  EXPECT_EQ(found.at("batch").max, 8);
  EXPECT_EQ(found.at("seq").min, 4);
  EXPECT_EQ(found.at("seq").max, std::nullopt);
  EXPECT_THAT(ErrorOf(ErrorKind::kUsage, [&] { ranges({"x=f32[n=1..8]", "y=f32[n=1..9]"}); }),
              HasSubstr("the axis `n` has two ranges"));
  EXPECT_THAT(ErrorOf(ErrorKind::kUsage, [&] { ranges({"x=f32[n=0..8]"}); }),
              HasSubstr("the axis `n` of input 'x' is at least 1"));
}

TEST(Inputs, ParsesLists) {
  const Input list = ParseInput("xs=list[f32[n,4]]");
  EXPECT_TRUE(list.list);
  EXPECT_EQ(list.dtype, kFloat32);
  EXPECT_EQ(*list.dims, (std::vector<onnxport::Dim>{Sym("n"), 4}));
  EXPECT_FALSE(ParseInput("xs=list[i64]").dims.has_value());
}

TEST(Inputs, ParsesFixedValues) {
  const auto fixed = [](const char* text) { return ParseInput(text).fixed.value_or(std::string("nothing fixed")); };
  EXPECT_THAT(fixed("n=5"), VariantWith<int64_t>(5));
  EXPECT_THAT(fixed("n=-5"), VariantWith<int64_t>(-5));
  EXPECT_THAT(fixed("s=0.5"), VariantWith<double>(0.5));
  EXPECT_THAT(fixed("s=1e-3"), VariantWith<double>(1e-3));
  EXPECT_THAT(fixed("flag=true"), VariantWith<bool>(true));
  EXPECT_THAT(fixed("flag=False"), VariantWith<bool>(false));
  EXPECT_TRUE(std::holds_alternative<None>(fixed("opt=none")));
  EXPECT_THAT(fixed("mode=sum"), VariantWith<std::string>("sum"));
  EXPECT_THAT(fixed("mode='f32'"), VariantWith<std::string>("f32"));
  EXPECT_THAT(fixed("mode='a=b'"), VariantWith<std::string>("a=b"));
  EXPECT_FALSE(ParseInput("mode=f32").fixed.has_value());
}

TEST(Inputs, RefusesWithTheForm) {
  const std::pair<const char*, const char*> cases[] = {
      {"x", "no 'NAME='"},
      {"=f32[1]", "no 'NAME='"},
      {"x=f33[1]", "unknown dtype 'f33'"},
      {"x=[1]", "unknown dtype ''"},
      {"x=", "'' is neither a dtype nor a value"},
      {"x=a-b", "'a-b' is neither"},
      {"x=1.5.2", "'1.5.2' is neither"},
      {"x=list[]", "'' is no tensor"},
      {"x=list[5]", "'5' is no tensor"},
      {"x=list[list[f32]]", "unknown dtype 'list'"},
      {"x=f32[1", "']' is missing"},
      {"x=f32[-1]", "is not negative"},
      {"x=f32[2b]", "'2b' is neither"},
      {"x=f32[a-b]", "'a-b' is neither"},
      {"x=f32[1,]", "'' is neither"},
      {"x=f32[99999999999999999999]", "is neither"},
      {"x=f32[\xc3\xa4]", "is neither"},
      {"x=f32[n=]", "'' is no range like 1..64"},
      {"x=f32[n=4]", "'4' is no range like 1..64"},
      {"x=f32[n=..]", "'..' is no range like 1..64"},
      {"x=f32[n=-1..4]", "'-1' is no size"},
      {"x=f32[n=1..b]", "'b' is no size"},
      {"x=f32[n=5..4]", "no size is in 5..4"},
      {"x=f32[?=1..4]", "'?' is neither"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_THAT(ErrorOf(ErrorKind::kUsage, [&] { ParseInput(text); }),
                AllOf(HasSubstr(message), HasSubstr("x=f32[batch,3,224,224]")))
        << text;
  }
}

// x: float32[s0, 3, s1, 2*s1], n: int64[s0]; y = f(x): float32[s0, 3*s1 - 4]
ir::Graph Example() {
  ir::Graph graph;
  const auto add = [&](const char* name, DType dtype, ir::Dims dims) {
    ir::Value value;
    value.name = name;
    value.dtype = dtype;
    value.dims = std::move(dims);
    return graph.AddValue(std::move(value));
  };
  const auto input = [&](const char* name, DType dtype, ir::Dims dims) {
    const ir::ValueId id = add(name, dtype, std::move(dims));
    graph.inputs.push_back({name, {id}});
    graph.body.inputs.push_back(id);
  };
  const Dim s0 = Dim::Symbol("s0");
  const Dim s1 = Dim::Symbol("s1");
  input("x", DType::kFloat32, {s0, 3, s1, Dim(2) * s1});
  input("n", DType::kInt64, {s0});
  graph.value(add("y", DType::kFloat32, {s0, Dim(3) * s1 - Dim(4)})).contents = ir::Dims{s1};
  graph.ranges = {{"s0", {2, 8}}, {"s1", {1, std::nullopt}}, {"u0", {}}};
  return graph;
}

std::string Apply(ErrorKind kind, ir::Graph* graph, const std::vector<const char*>& texts) {
  std::vector<Input> inputs;
  for (const char* text : texts) inputs.push_back(ParseInput(text));
  return ErrorOf(kind, [&] { ApplyInputs(graph, inputs); });
}

TEST(Inputs, RenamesAndSpecialisesEverywhere) {
  ir::Graph graph = Example();
  EXPECT_EQ(Apply(ErrorKind::kUsage, &graph, {"x=f32[batch,3,width,8]"}).substr(0, 60),
            "axis 3 of input 'x' is 2*s1 in the file: it follows from oth");
  graph = Example();
  EXPECT_EQ(Apply(ErrorKind::kUsage, &graph, {"n=i64[batch]", "x=f32"}), "no error");
  EXPECT_EQ((*graph.values[0].dims)[0].ToString(), "batch");
  EXPECT_EQ((*graph.values[2].dims)[0].ToString(), "batch");
  EXPECT_EQ(graph.ranges.at("batch").max, 8);
  EXPECT_FALSE(graph.ranges.contains("s0"));

  graph = Example();
  graph.values[0].dims->pop_back();
  EXPECT_EQ(Apply(ErrorKind::kUsage, &graph, {"x=f32[4,3,width]"}), "no error");
  EXPECT_TRUE((*graph.values[1].dims)[0] == Dim(4));
  EXPECT_EQ((*graph.values[2].dims)[1].ToString(), "3*width - 4");
  EXPECT_EQ((*graph.values[2].contents)[0].ToString(), "width");
  EXPECT_FALSE(graph.ranges.contains("s0"));
}

TEST(Inputs, RangesNarrowThoseOfTheFile) {
  ir::Graph graph = Example();
  EXPECT_EQ(Apply(ErrorKind::kUsage, &graph, {"n=i64[batch=4..]"}), "no error");
  EXPECT_EQ(graph.ranges.at("batch").min, 4);
  EXPECT_EQ(graph.ranges.at("batch").max, 8);
}

TEST(Inputs, AxesWithoutANameKeepTheFiles) {
  ir::Graph graph = Example();
  EXPECT_EQ(Apply(ErrorKind::kUsage, &graph, {"x=f32[?,3,width,?]", "n=i64[?]"}), "no error");
  EXPECT_EQ((*graph.values[0].dims)[0].ToString(), "s0");
  EXPECT_EQ((*graph.values[0].dims)[3].ToString(), "2*width");
}

// past: float32[s0, s1], mask: float32[s0, s2], ids: int64[s0, s3]
ir::Graph Cached(const Dim& mask) {
  ir::Graph graph;
  const auto input = [&](const char* name, ir::Dims dims) {
    ir::Value value;
    value.name = name;
    value.dtype = DType::kFloat32;
    value.dims = std::move(dims);
    const ir::ValueId id = graph.AddValue(std::move(value));
    graph.inputs.push_back({name, {id}});
    graph.body.inputs.push_back(id);
  };
  input("past", {Dim::Symbol("s0"), Dim::Symbol("s1")});
  input("mask", {Dim::Symbol("s0"), mask});
  input("ids", {Dim::Symbol("s0"), Dim::Symbol("s3")});
  for (const char* symbol : {"s0", "s1", "s2", "s3"}) graph.ranges[symbol] = {2, std::nullopt};
  return graph;
}

TEST(Inputs, SumsOfAxes) {
  EXPECT_EQ(ParseDims("past + 1").at(0), Sym("past + 1"));
  EXPECT_EQ(DimOfAxis("past+ 1 +n").ToString(), "n + past + 1");
  for (const char* text : {"+", "a +", "1 + 2", "a + b-c", "a + b=1..4"}) {
    EXPECT_THAT(ErrorOf(ErrorKind::kUsage, [&] { ParseDims(text); }), HasSubstr("is neither")) << text;
  }
  const std::vector<const char*> texts = {"past=f32[b,p]", "ids=f32[b,n]"};
  const auto apply = [&](const Dim& mask, const char* said) {
    ir::Graph graph = Cached(mask);
    std::vector<const char*> all = texts;
    all.insert(all.begin(), said);  // before the axes that it is a sum of
    const std::string error = Apply(ErrorKind::kUsage, &graph, all);
    return error == "no error" ? (*graph.values[1].dims)[1].ToString() : error;
  };
  EXPECT_EQ(apply(Dim::Symbol("s2"), "mask=f32[b,p + n]"), "n + p");
  EXPECT_EQ(apply(Dim::Symbol("s1") + Dim::Symbol("s3"), "mask=f32[b,p + n]"), "n + p");
  EXPECT_EQ(apply(Dim::Symbol("s1") + Dim(1), "mask=f32[b,p + n]"), "axis 1 of input 'mask' is p + 1, not n + p");
  EXPECT_EQ(apply(Dim(7), "mask=f32[b,p + n]"), "axis 1 of input 'mask' is 7 in the file, which is never n + p");
  EXPECT_EQ(apply(Dim::Symbol("s2"), "mask=f32[b,p + q]"), "axis 1 of input 'mask' is p + q, but no axis is 'q'");
}

TEST(Inputs, Mistakes) {
  struct {
    std::vector<const char*> specs;
    ErrorKind kind;
    const char* message;
  } cases[] = {
      {{"nn=i64[2]"}, ErrorKind::kUsage, "no input 'nn'; did you mean 'n'? The inputs are x, n"},
      {{"n=i32[2]"}, ErrorKind::kUsage, "input 'n' is int64 in the file, not int32"},
      {{"n=i64[2,3]"}, ErrorKind::kUsage, "input 'n' has 1 dimensions in the file, not 2"},
      {{"n=i64[9]"}, ErrorKind::kUsage, "axis 0 of input 'n' is 2..8 in the file, not 9"},
      {{"n=i64[b=1..4]"}, ErrorKind::kUsage, "axis 0 of input 'n' is 2..8 in the file, not 1..4"},
      {{"n=i64[b=2..9]"}, ErrorKind::kUsage, "axis 0 of input 'n' is 2..8 in the file, not 2..9"},
      {{"n=i64[3]", "n=i64[3]"}, ErrorKind::kUsage, "input 'n' is given twice"},
      {{"x=f32[b,4,w,h]"}, ErrorKind::kUsage, "axis 1 of input 'x' is fixed to 3 in the file, not 4"},
      {{"x=f32[b,c,w,h]"}, ErrorKind::kUsage, "axis 3 of input 'x' is 2*s1 in the file"},
      {{"x=f32[?,u0,?,?]"}, ErrorKind::kUsage, "axis 1 of input 'x': the name 'u0' is taken by another size"},
      {{"x=f32[?,c=4..8,?,?]"}, ErrorKind::kUsage, "axis 1 of input 'x' is 3 in the file, outside 4..8"},
      {{"n=i64[u0]"}, ErrorKind::kUsage, "the name 'u0' is taken by another size"},
  };
  for (const auto& c : cases) {
    ir::Graph graph = Example();
    EXPECT_THAT(Apply(c.kind, &graph, c.specs), HasSubstr(c.message));
  }
}

TEST(Inputs, AnAxisThatTheFileFixedBecomesASymbol) {
  ir::Graph graph = Example();
  const std::vector<FreedAxis> freed =
      ApplyInputs(&graph, {ParseInput("x=f32[?,channels=1..8,?,?]"), ParseInput("n=i64[?]")});
  ASSERT_EQ(freed.size(), 1u);
  EXPECT_EQ(freed[0].symbol, "channels");
  EXPECT_EQ(freed[0].size, 3);
  EXPECT_EQ(freed[0].where, "axis 1 of input 'x'");
  EXPECT_EQ((*graph.values[0].dims)[1].ToString(), "channels");
  EXPECT_EQ(graph.ranges.at("channels").max, 8);
  graph = Example();
  EXPECT_EQ(ApplyInputs(&graph, {ParseInput("x=f32[?,?,?,?]")}).at(0).symbol, "x_axis1");
}

TEST(Inputs, OneNameForFixedAxesOfOneSizeOnly) {
  ir::Graph graph = Example();
  (*graph.values[0].dims)[2] = Dim(5);
  EXPECT_THAT(Apply(ErrorKind::kUsage, &graph, {"x=f32[?,n,n,?]"}),
              HasSubstr("axis 2 of input 'x' is 5 in the file and axis 1 of input 'x' is 3: they cannot both be 'n'"));
}

TEST(Inputs, OneSizeOneMeaning) {
  ir::Graph graph = Example();
  graph.values[0].dims->pop_back();
  EXPECT_THAT(Apply(ErrorKind::kUsage, &graph, {"x=f32[4,3,w]", "n=i64[5]"}),
              HasSubstr("axis 0 of input 'n' is the same size as axis 0 of input 'x' (s0 in the file), but one is 4 "
                        "and the other 5"));
  graph = Example();
  graph.values[0].dims->pop_back();
  // The user promises that two free sizes are equal.
  EXPECT_EQ(Apply(ErrorKind::kUsage, &graph, {"x=f32[d,3,d]"}), "no error");
  EXPECT_EQ((*graph.values[2].dims)[1].ToString(), "3*d - 4");
  EXPECT_EQ(graph.ranges.at("d").min, 2);
  EXPECT_EQ(graph.ranges.at("d").max, 8);
  graph = Example();
  graph.values[0].dims->pop_back();
  graph.ranges["s1"] = {9, 10};
  EXPECT_THAT(Apply(ErrorKind::kUsage, &graph, {"x=f32[d,3,d]"}),
              HasSubstr("no size that all axes of its name can have"));
}

TEST(Inputs, SizesThatBreakOthers) {
  ir::Graph graph = Example();
  graph.values[0].dims->pop_back();
  EXPECT_THAT(Apply(ErrorKind::kUsage, &graph, {"x=f32[2,3,1]"}),
              HasSubstr("with these sizes 'y' would have an axis of -1"));
}

TEST(Inputs, MistakesAreReportedTogether) {
  ir::Graph graph = Example();
  const std::string text = Apply(ErrorKind::kUsage, &graph, {"q=f32", "n=f32[9]"});
  EXPECT_THAT(text, AllOf(HasSubstr("no input 'q'"), HasSubstr("input 'n' is int64"), HasSubstr("2..8")));
}

}  // namespace
}  // namespace onnxport::inputs
