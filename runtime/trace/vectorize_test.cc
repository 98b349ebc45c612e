// Which calls on elements may be made on tensors of many elements.
#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "runtime/trace/tracer.h"

namespace onnxport::trace::vectorize_test {
namespace {

using ir::Arg;
using ir::ArgList;
using ir::DType;
using ir::ValueId;
using Args = std::vector<Arg>;

ir::Value Floats(ir::Dims dims) {
  ir::Value type;
  type.dtype = DType::kFloat32;
  type.dims = std::move(dims);
  return type;
}

class Calls {
 public:
  Arg operator()(const std::string& op, Args args) { return tracer.Call(op, std::move(args))[0]; }
  Arg Add(const Arg& a, const Arg& b) { return (*this)("aten::add.Tensor", {a, b, {int64_t{1}}}); }
  Arg Mul(const Arg& a, const Arg& b) { return (*this)("aten::mul.Tensor", {a, b}); }

  Tracer tracer{17, lowering::FreeSizes::kAsExported};
  Arg row = {tracer.AddInput("row", Floats({4}))};
  Arg table = {tracer.AddInput("table", Floats({4, 4}))};
};

struct Case {
  const char* name;
  bool expected;
  std::vector<ir::Dims> stacks;
  std::function<Args(Calls& call, const Args& in)> body;
};

const ir::Dim kMany = ir::Dim::Symbol("n");

const Case kCases[] = {
    {"sum of two", true, {{5, 4}, {5, 4}}, [](Calls& call, const Args& in) { return Args{call.Add(in[0], in[1])}; }},
    {"free size", true, {{kMany, 4}}, [](Calls& call, const Args& in) { return Args{call("aten::exp", {in[0]})}; }},
    {"0-d elements", true, {{5}}, [](Calls& call, const Args& in) { return Args{call("aten::exp", {in[0]})}; }},
    {"tensor of all", true, {{5, 4}}, [](Calls& call, const Args& in) { return Args{call.Mul(in[0], call.row)}; }},
    {"element of size 1", true, {{5, 1}}, [](Calls& call, const Args& in) { return Args{call.Mul(in[0], call.row)}; }},
    {"the element itself", true, {{5, 4}}, [](Calls&, const Args& in) { return Args{in[0]}; }},
    {"a write to its own tensor",
     true,
     {{5, 4}},
     [](Calls& call, const Args& in) {
       const Arg y = call("aten::exp", {in[0]});
       call("aten::mul_.Tensor", {y, call.row});
       return Args{y};
     }},
    {"a comparison and a choice",
     true,
     {{5, 4}},
     [](Calls& call, const Args& in) {
       const Arg test = call("aten::gt.Tensor", {in[0], call.row});
       return Args{call("aten::where.self", {test, in[0], call.row})};
     }},
    {"a tensor of more axes",
     false,
     {{5, 4}},
     [](Calls& call, const Args& in) { return Args{call.Mul(in[0], call.table)}; }},
    {"elements of other rank",
     false,
     {{5, 4}, {5}},
     [](Calls& call, const Args& in) { return Args{call.Mul(in[0], in[1])}; }},
    {"a result of no element", false, {{5, 4}}, [](Calls& call, const Args&) { return Args{call.row}; }},
    {"an axis",
     false,
     {{5, 4}},
     [](Calls& call, const Args& in) { return Args{call("aten::cumsum", {in[0], {int64_t{0}}, {}})}; }},
    // Nothing for one number.
    {"a sum", false, {{5}}, [](Calls& call, const Args& in) { return Args{call("aten::sum", {in[0], {}})}; }},
    {"a shape",
     false,
     {{5, 4}},
     [](Calls& call, const Args& in) { return Args{call("aten::reshape", {in[0], {ArgList{{int64_t{-1}}}}})}; }},
    {"a size",
     false,
     {{5, 4}},
     [](Calls& call, const Args& in) {
       return Args{call("aten::mul.Scalar", {in[0], call("aten::sym_size.int", {in[0], {int64_t{0}}})})};
     }},
    {"a write to a tensor of all",
     false,
     {{5, 4}},
     [](Calls& call, const Args& in) { return Args{call("aten::mul_.Tensor", {call.row, in[0]})}; }},
    {"a call that is refused",
     false,
     {{5, 4}},
     [](Calls& call, const Args&) { return Args{call("aten::nonsense", {})}; }},
};

TEST(Vectorizes, WhatComputesElementByElement) {
  for (const Case& c : kCases) {
    Calls call;
    Args stacks;
    for (const ir::Dims& dims : c.stacks) stacks.push_back({call.tracer.AddInput("x", Floats(dims))});
    EXPECT_EQ(call.tracer.regions().Vectorizes(stacks, [&](const Args& in) { return c.body(call, in); }), c.expected)
        << c.name;
    EXPECT_TRUE(call.tracer.findings().failures().empty()) << c.name;
    EXPECT_TRUE(call.tracer.source().body.nodes.empty()) << c.name;
  }
}

}  // namespace
}  // namespace onnxport::trace::vectorize_test
