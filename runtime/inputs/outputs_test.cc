#include "runtime/inputs/outputs.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/testing/error_of.h"

namespace onnxport::inputs {
namespace {

using ir::Dim;
using testing::HasSubstr;

// x: [s0, batch]; y: [s0, batch, 4, 2*s0 + 1, ?]; z: [s0], w of unknown rank
ir::Graph Example() {
  ir::Graph graph;
  const auto add = [&graph](const char* name, std::optional<ir::Dims> dims) {
    ir::Value value;
    value.name = name;
    value.dims = std::move(dims);
    return graph.AddValue(std::move(value));
  };
  const Dim s0 = Dim::Symbol("s0");
  const Dim batch = Dim::Symbol("batch");
  const ir::ValueId x = add("x", ir::Dims{s0, batch});
  graph.inputs = {{"x", {x}}};
  const std::pair<const char*, std::optional<ir::Dims>> outputs[] = {
      {"y", ir::Dims{s0, batch, 4, Dim(2) * s0 + Dim(1), Dim()}}, {"z", ir::Dims{s0}}, {"w", std::nullopt}};
  for (const auto& [name, dims] : outputs) graph.outputs.push_back({name, {add(name, dims)}});
  graph.ranges = {{"s0", {2, 8}}};
  return graph;
}

std::string Apply(ErrorKind kind, ir::Graph* graph, const std::vector<const char*>& texts,
                  std::vector<std::string>* remarks = nullptr) {
  std::vector<Output> outputs;
  for (const char* text : texts) outputs.push_back(ParseOutput(text));
  return ErrorOf(kind, [&] {
    const std::vector<std::string> made = ApplyOutputs(graph, outputs, {"batch"});
    if (remarks != nullptr) *remarks = made;
  });
}

std::string ShapeOf(const ir::Graph& graph, size_t value) {
  std::string text;
  for (const Dim& dim : graph.values[value].dims.value_or(ir::Dims())) text += dim.ToString() + ",";
  return text;
}

TEST(Outputs, NamesSymbolsEverywhere) {
  ir::Graph graph = Example();
  EXPECT_EQ(Apply(ErrorKind::kUsage, &graph, {"y=[rows,batch,4,classes,?]", "z=[rows]", "w=[n,3]"}), "no error");
  EXPECT_EQ(ShapeOf(graph, 0), "rows,batch,");
  EXPECT_EQ(ShapeOf(graph, 1), "rows,batch,4,classes,?,");
  EXPECT_EQ(ShapeOf(graph, 2), "rows,");
  EXPECT_EQ(ShapeOf(graph, 3), "n,3,");
  EXPECT_EQ(graph.ranges.at("rows").max, 8);
  EXPECT_FALSE(graph.ranges.contains("s0"));
}

TEST(Outputs, FillsInWhatIsNotKnown) {
  ir::Graph graph = Example();
  std::vector<std::string> remarks;
  EXPECT_EQ(Apply(ErrorKind::kUsage, &graph, {"y=[?,?,4,?,7]"}, &remarks), "no error");
  EXPECT_EQ(ShapeOf(graph, 1), "s0,batch,4,2*s0 + 1,7,");
  EXPECT_THAT(remarks, testing::ElementsAre(HasSubstr("axis 4 of output 'y' is taken to be 7, as promised")));
}

TEST(Outputs, TellsWhichPromisesNothingIsKnownOf) {
  const struct {
    const char* promise;
    const char* dims;
    size_t remarks;
  } kCases[] = {
      {"y=[?,?,4,?,batch]", "s0,batch,4,2*s0 + 1,batch,", 1},
      {"y=[?,?,4,?,batch+1]", "s0,batch,4,2*s0 + 1,batch + 1,", 1},
      {"y=[?,?,4,?,free]", "s0,batch,4,2*s0 + 1,free,", 0},  // a single name promises nothing
      {"y=[?,?,4,n+n+1,?]", "n,batch,4,2*n + 1,?,", 0},      // s0 has no name yet
      {"y=[n,?,4,n+n+1,?]", "n,batch,4,2*n + 1,?,", 0},
      {"y=[?,?,2*2,2*n + 1,?]", "n,batch,4,2*n + 1,?,", 0},
      {"y=[?,?,4,?,Max(batch, 2*s0)]", "s0,batch,4,2*s0 + 1,Max(2*s0, batch),", 1},
      {"y=[?,?,4,?,(batch - 1)//2 % 3]", "s0,batch,4,2*s0 + 1,Mod(((batch + 1)//2) + 2, 3),", 1},
  };
  for (const auto& test : kCases) {
    ir::Graph graph = Example();
    std::vector<std::string> remarks;
    EXPECT_EQ(Apply(ErrorKind::kUsage, &graph, {test.promise}, &remarks), "no error");
    EXPECT_EQ(ShapeOf(graph, 1), test.dims);
    EXPECT_EQ(remarks.size(), test.remarks) << test.promise;
  }
}

TEST(Outputs, RefusesWhatContradicts) {
  const struct {
    std::vector<const char*> specs;
    ErrorKind kind;
    const char* message;
  } kCases[] = {
      {{"q=[1]"}, ErrorKind::kUsage, "no output 'q'; they are y, z, w"},
      {{"z=[a]", "z=[a]"}, ErrorKind::kUsage, "output 'z' is given twice"},
      {{"z=[1,2]"}, ErrorKind::kUsage, "output 'z' has 1 axes, not 2"},
      {{"z=[4]"}, ErrorKind::kUsage, "axis 0 of output 'z' is s0, not 4"},
      {{"y=[?,?,5,?,?]"}, ErrorKind::kUsage, "axis 2 of output 'y' is 4, not 5"},
      {{"y=[?,?,n,?,?]"}, ErrorKind::kCannotExport, "axis 2 of output 'y' is fixed to 4, it cannot be 'n'"},
      {{"y=[?,?,?,?,?]"}, ErrorKind::kCannotExport, "axis 2 of output 'y' is fixed to 4, it cannot be '?'"},
      {{"y=[?,rows,4,?,?]"}, ErrorKind::kUsage, "axis 1 of output 'y' is 'batch'; it cannot be called 'rows', too"},
      {{"z=[batch]"}, ErrorKind::kUsage, "axis 0 of output 'z' is s0, not 'batch', which is another size"},
      {{"y=[n,?,4,n,?]"}, ErrorKind::kUsage, "axis 3 of output 'y' is 2*s0 + 1, not 'n', which is another size"},
      {{"y=[?,batch+1,4,?,?]"}, ErrorKind::kUsage, "axis 1 of output 'y' is batch, not 'batch+1'"},
      {{"y=[?,?,4,s0+1,?]"}, ErrorKind::kUsage, "axis 3 of output 'y' is 2*s0 + 1, not 's0+1'"},
      {{"y=[?,?,4,n+1,?]"}, ErrorKind::kUsage, "axis 3 of output 'y' is 2*s0 + 1, not 'n+1'"},
      {{"y=[?,?,4,s0+batch,?]"}, ErrorKind::kUsage, "axis 3 of output 'y' is 2*s0 + 1, not 's0+batch'"},
      {{"y=[?,?,4,3*n + 1,?]"}, ErrorKind::kUsage, "axis 3 of output 'y' is 2*s0 + 1, not '3*n + 1'"},
      {{"y=[n,?,4,?,?]", "z=[m]"}, ErrorKind::kUsage, "axis 0 of output 'z' is 's0'; it cannot be called 'm', too"},
  };
  for (const auto& test : kCases) {
    ir::Graph graph = Example();
    EXPECT_THAT(Apply(test.kind, &graph, test.specs), HasSubstr(test.message));
  }
}

TEST(Outputs, RefusesTextsWithTheForm) {
  for (const char* text : {"model.onnx", "=[1]", "y=[1", "y=[n=1..4]", "y=f32[n]", "y=[-1]", "y=[2*]", "y=[]]"}) {
    EXPECT_THAT(ErrorOf(ErrorKind::kUsage, [&] { ParseOutput(text); }), HasSubstr("for example y=[batch,classes]"))
        << text;
  }
}

TEST(Outputs, TellsWhereAnExpressionIsWrong) {
  const struct {
    const char* text;
    const char* message;
  } kCases[] = {
      {"y=[n,2*]",
       "'2*' is neither a number, a name, an expression of names nor ?: expression expected at character 3"},
      {"y=[(n]", "expected ')' at character 3"},
      {"y=[n)]", "unexpected ')' at character 2"},
      {"y=[n//0]", "division by zero"},
      {"y=[n/2]", "not an integer expression"},
      {"y=[2n]", "unexpected 'n' at character 2"},
      {"y=[1-2]", "a dimension is not negative: 1-2"},
      {"y=[n.a*2]", "'n.a' in 'n.a*2' is no name"},
      {"y=[n,]", "expression expected at character 1"},
  };
  for (const auto& test : kCases) {
    EXPECT_THAT(ErrorOf(ErrorKind::kUsage, [&] { ParseOutput(test.text); }), HasSubstr(test.message)) << test.text;
  }
}

TEST(Outputs, ChecksWhatAProgramGives) {
  const struct {
    onnxport::Dim dim;
    const char* message;
  } kCases[] = {{Sym("2*"), "output 'y': '2*' is neither a number"},
                {-1, "output 'y': a dimension is not negative: -1"},
                {Sym("n").Between(1, 4), "output 'y': ranges are of inputs"},
                {Sym("2*n"), "no error"},
                {{}, "no error"}};
  for (const auto& test : kCases) {
    const std::vector<Output> outputs = {{.name = "y", .dims = {test.dim}}};
    EXPECT_THAT(ErrorOf(ErrorKind::kUsage, [&] { Check(outputs); }), HasSubstr(test.message));
  }
}

}  // namespace
}  // namespace onnxport::inputs
