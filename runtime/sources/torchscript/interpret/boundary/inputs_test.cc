#include "runtime/sources/torchscript/interpret/boundary/inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/inputs/inputs.h"
#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/parser.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {
namespace {

using testing::HasSubstr;

// The parameters of `def forward(self, PARAMETERS)` for the flags, as text; or the error.
class InputsTest : public testing::Test {
 public:
  ValueList Bind(const std::string& parameters, const std::vector<std::string>& flags) {
    definitions_.push_back(Parse("def forward(self, " + parameters + "):\n  return None\n", "test", nullptr));
    std::vector<Input> specs;
    for (const std::string& flag : flags) specs.push_back(inputs::ParseInput(flag));
    return BindInputs(definitions_.back().functions.at(0), program_, specs, &traced_sizes_, &heap_, &tracer_);
  }

  std::string ErrorOf(const std::string& parameters, const std::vector<std::string>& flags) {
    try {
      Bind(parameters, flags);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "no error";
  }

  std::string Describe(const Value& value) {
    if (const auto* tensor = value.As<Tensor>()) return "tensor " + TypeText(tensor->id);
    if (const auto* number = value.As<Number>()) return "number " + TypeText(number->id);
    if (value.is_none()) return "none";
    if (const auto* b = value.As<bool>()) return *b ? "true" : "false";
    if (const auto* i = value.As<int64_t>()) return std::to_string(*i);
    if (const auto* d = value.As<double>()) return std::to_string(*d);
    if (const auto* s = value.As<std::string>()) return "'" + *s + "'";
    if (const auto* tuple = value.As<TuplePtr>()) return "(" + All((*tuple)->items) + ")";
    const auto* cell = value.As<CellPtr>();
    if (cell == nullptr) return "?";
    if ((*cell)->sequence != ir::ValueId::kNone) return "sequence " + TypeText((*cell)->sequence);
    return ((*cell)->kind == Cell::Kind::kDict ? "{" + All((*cell)->keys) + ": " : "[") + All((*cell)->items) +
           ((*cell)->kind == Cell::Kind::kDict ? "}" : "]");
  }

  std::string All(const ValueList& values) {
    std::string text;
    for (const Value& value : values) text += (text.empty() ? "" : ", ") + Describe(value);
    return text;
  }

 protected:
  std::string TypeText(ir::ValueId id) {
    const ir::Value& type = tracer_.TypeOf(id);
    std::string text(ir::ShortName(type.dtype));
    if (!type.dims) return text;
    text += "[";
    for (size_t i = 0; i < type.dims->size(); ++i) text += (i > 0 ? "," : "") + (*type.dims)[i].ToString();
    return text + "]";
  }

  AxisSizes traced_sizes_;
  Program program_;
  Heap heap_;
  trace::Tracer tracer_{17};
  std::vector<Definitions> definitions_;
};

TEST_F(InputsTest, Forms) {
  const struct {
    std::string parameters;
    std::vector<std::string> flags;
    std::string bound;
  } kRows[] = {
      {"x: Tensor", {"x=f32[n,4]"}, "tensor f32[n,4]"},
      {"a: int, b: float, c: bool", {"a=i64[]", "b=f64[]", "c=bool[]"}, "number i64[], number f64[], number bool[]"},
      {"a: int, b: float, c: bool, d: str", {"a=5", "b=2", "c=true", "d=sum"}, "5, 2.000000, true, 'sum'"},
      {"y: Optional[Tensor], k: Optional[int]", {"y=none", "k=3"}, "none, 3"},
      {"k: Union[Tensor, int], j: Union[Tensor, int]", {"k=2", "j=f32[2]"}, "2, tensor f32[2]"},
      {"k: Union[Tensor, int]", {"k=i64[]"}, "tensor i64[]"},
      {"xs: List[Tensor]", {"xs=list[f32[n,4]]"}, "sequence f32[?,4]"},
      {"xs: List[Tensor]", {"xs.0=f32[n]", "xs.1=f32[3]"}, "[tensor f32[n], tensor f32[3]]"},
      {"d: Dict[str, Tensor]", {"d.left=f32[n]", "d.right=f32[n]"}, "{'left', 'right': tensor f32[n], tensor f32[n]}"},
      {"d: Dict[str, Tensor]",
       {"d.a.x=f32[n]", "d.a=f32[1]", "d.a.x.0=f32[2]", "d.=f32[3]"},
       "{'a.x', 'a', 'a.x.0', '': tensor f32[n], tensor f32[1], tensor f32[2], tensor f32[3]}"},
      {"d: Optional[Dict[str, Optional[Tensor]]]", {"d.a.x=none", "d.0=f32[3]"}, "{'a.x', '0': none, tensor f32[3]}"},
      {"d: Dict[str, List[Tensor]]",
       {"d.a.0=f32[1]", "d.a.b.0=f32[2]", "d.a.b.1=f32[3]", "d.c.x=list[f32]"},
       "{'a', 'a.b', 'c.x': [tensor f32[1]], [tensor f32[2], tensor f32[3]], sequence f32}"},
      {"d: Dict[str, Tuple[Tensor, int]]", {"d.a.x.0=f32[1]", "d.a.x.1=5"}, "{'a.x': (tensor f32[1], 5)}"},
      {"d: List[Dict[str, Tensor]]", {"d.0.a.x=f32[1]"}, "[{'a.x': tensor f32[1]}]"},
      {"d: Dict[str, Dict[str, Tensor]]", {"d.a.b.c=f32[1]"}, "{'a': {'b.c': tensor f32[1]}}"},
      {"d: Dict[int, Tensor]", {"d.7=f32[n]", "d.-1=f32[3]"}, "{7, -1: tensor f32[n], tensor f32[3]}"},
      {"d: Dict[int, List[Tensor]]", {"d.1.0=f32[n]"}, "{1: [tensor f32[n]]}"},
      {"t: Tuple[Tensor, int]", {"t.0=f32[n]", "t.1=7"}, "(tensor f32[n], 7)"},
      {"x: Tensor, k: int=4, s: float=-1.5, o: Optional[int]=None", {"x=f32[n]"}, "tensor f32[n], 4, -1.500000, none"},
  };
  for (const auto& row : kRows) EXPECT_EQ(All(Bind(row.parameters, row.flags)), row.bound) << row.parameters;
}

TEST_F(InputsTest, Mistakes) {
  const struct {
    std::string parameters;
    std::vector<std::string> flags;
    std::string says;
  } kRows[] = {
      {"x: Tensor, k: int",
       {},
       "`k` (int): ExportOptions::inputs: \"k=5\", or ExportOptions::inputs: \"k=i64[]\" for a number that each run "
       "gives"},
      {"x: Tensor", {"x=f32[4]", "y=f32[4]"}, "no input `y`; the parameters of forward are `x`"},
      {"x: Tensor", {"x=f32[4]", "x=f32[5]"}, "input `x` is given twice"},
      {"x: Tensor", {"x=5"}, "the parameter is Tensor; write ExportOptions::inputs: \"x="},
      {"k: int", {"k=f32[3]"}, "a parameter of type int is given by each run as i64[], here is f32"},
      {"k: int", {"k=list[f32[3]]"}, "the parameter is int, here is a list of tensors"},
      {"d: Dict[str, List[Tensor]]",
       {"d.a.x=f32[3]"},
       "input `d.a.x`: the parameter is List[Tensor], here is a tensor"},
      {"d: Dict[float, Tensor]", {"d.1=f32[3]"}, "only dictionaries with str or int keys can be inputs, and lists"},
      {"d: Dict[int, Tensor]", {"d.a=f32[3]"}, "input `d.a`: the parameter is Dict[int, Tensor]: a key is an int"},
  };
  for (const auto& row : kRows) EXPECT_THAT(ErrorOf(row.parameters, row.flags), HasSubstr(row.says)) << row.parameters;
}

TEST_F(InputsTest, WhatATraceStored) {
  Pickled::Tensor tensor;
  tensor.data = ir::MakeTensor(ir::DType::kFloat32, {2, 3}, std::string(24, '\0'));
  const auto number = std::make_shared<const Pickled>(Pickled{int64_t{9}});
  program_.traced_inputs["forward"] = {std::make_shared<const Pickled>(Pickled{std::move(tensor)}), number};
  EXPECT_EQ(All(Bind("x: Tensor, k: int", {})), "tensor f32[2,3], 9");
  EXPECT_EQ(All(Bind("z: Tensor, k: int", {"z=f32[n,3]"})), "tensor f32[n,3], 9");
}

// A call that reads element `index` of axis 0 of a tensor of this size, in code of a trace.
std::string WhyUnrolled(trace::Tracer* tracer, const char* size, int64_t index) {
  tracer->unrolled().SetRecorded(true);
  const ir::Arg tensor{ir::ValueId{0}};
  const auto number_of = [](const ir::Arg& arg) { return ir::Dim(std::get<int64_t>(arg.v)); };
  const auto why =
      tracer->unrolled().Why("aten::select.int", {tensor, {int64_t{0}}, {index}}, {ir::Dim::Symbol(size)}, number_of);
  return why.value_or("");
}

TEST_F(InputsTest, SizesInTheTrace) {
  Pickled::Tensor tensor;
  tensor.data = ir::MakeTensor(ir::DType::kFloat32, {2}, std::string(8, '\0'));
  const auto example = std::make_shared<const Pickled>(Pickled{tensor});
  const auto key = std::make_shared<const Pickled>(Pickled{std::string("a")});
  program_.traced_inputs["forward"] = {
      example, std::make_shared<const Pickled>(Pickled{Pickled::Dict{.items = {{key, example}}}})};
  traced_sizes_ = {{"stated", 3}};
  Bind("x: Tensor, d: Dict[str, Tensor], y: Tensor, z: Tensor",
       {"x=f32[m]", "d.a=f32[n]", "y=f32[stated]", "z=f32[free]"});
  const auto last = HasSubstr("element 1 of axis 0 of");
  EXPECT_THAT(WhyUnrolled(&tracer_, "m", 1), last);
  EXPECT_THAT(WhyUnrolled(&tracer_, "n", 1), last);
  EXPECT_EQ(WhyUnrolled(&tracer_, "stated", 1), "");
  EXPECT_THAT(WhyUnrolled(&tracer_, "stated", -3), HasSubstr("it was the first one"));
  EXPECT_THAT(WhyUnrolled(&tracer_, "free", 1), HasSubstr("<<traced_sizes>>): free=8"));
  EXPECT_EQ(WhyUnrolled(&tracer_, "free", 0), "");
  EXPECT_EQ(WhyUnrolled(&tracer_, "free", -1), "");
  EXPECT_EQ(WhyUnrolled(&tracer_, "run", 1), "");
}

TEST_F(InputsTest, StatedSizesThatDoNotFit) {
  Pickled::Tensor tensor;
  tensor.data = ir::MakeTensor(ir::DType::kFloat32, {2}, std::string(8, '\0'));
  program_.traced_inputs["forward"] = {std::make_shared<const Pickled>(Pickled{tensor})};
  traced_sizes_ = {{"n", 3}};
  EXPECT_THAT(ErrorOf("x: Tensor", {"x=f32[n]"}), HasSubstr("`n` was 2 when the model was traced, and not 3"));
  EXPECT_THAT(ErrorOf("x: Tensor", {"x=f32[m]"}), HasSubstr("no axis is called `n`"));
}

// The recorded keys tell where a key ends if the type does not.
TEST_F(InputsTest, KeysThatATraceStored) {
  const auto dict = [](const std::string& key, PickledPtr item) {
    const auto text = std::make_shared<const Pickled>(Pickled{key});
    return std::make_shared<const Pickled>(Pickled{Pickled::Dict{.items = {{text, std::move(item)}}}});
  };
  Pickled::Tensor tensor;
  tensor.data = ir::MakeTensor(ir::DType::kFloat32, {2}, std::string(8, '\0'));
  program_.traced_inputs["forward"] = {dict("a.b", dict("c", std::make_shared<const Pickled>(Pickled{tensor})))};
  const char* parameters = "d: Dict[str, Dict[str, Tensor]]";
  EXPECT_EQ(All(Bind(parameters, {})), "{'a.b': {'c': tensor f32[2]}}");
  EXPECT_EQ(All(Bind(parameters, {"d.a.b.c=f32[n]"})), "{'a.b': {'c': tensor f32[n]}}");
}

}  // namespace
}  // namespace onnxport::torchscript
