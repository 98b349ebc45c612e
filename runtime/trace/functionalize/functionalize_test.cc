// Programs with writes: the calls that are made instead.
#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/aten/aten_schema_table.h"
#include "runtime/base/error.h"
#include "runtime/sources/pt2/replay/replay.h"
#include "runtime/testing/aten_program.h"
#include "runtime/trace/walk.h"

namespace onnxport::functionalize::functionalize_test {
namespace {

using ir::Arg;
using ir::ArgList;
using ir::DType;
using ir::ValueId;
using ir::Word;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const ir::Dim kBatch = ir::Dim::Symbol("b");

// The graph's calls and outputs, a line each, without types: "b = aten::relu(%a)".
std::string Lines(const ir::Graph& graph) {
  std::string lines;
  const std::string text = ir::ToText(graph);
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const size_t equals = line.find(" = ");
    if (equals == std::string::npos || line.starts_with("input ") || line.starts_with("weight ")) continue;
    const std::string value = line.substr(equals, line.find("  #") - equals);
    lines += line.starts_with("output ") ? "output" + value + "\n" : line.substr(1, line.find(':') - 1) + value + "\n";
  }
  return lines;
}

trace::Traced Traced(const AtenProgram& program) {
  lowering::Options options;
  options.choices.training = true;
  return trace::Trace([&](int opset, const auto&) { return pt2::Replay(program.graph, opset, options); }, 18);
}

std::string Functionalized(const AtenProgram& program, std::vector<std::string>* remarks = nullptr) {
  const trace::Traced traced = Traced(program);
  if (remarks != nullptr) *remarks = traced.remarks;
  return Lines(traced.source);
}

std::string ErrorOf(const AtenProgram& program) {
  try {
    Traced(program);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCannotExport);
    return error.what();
  }
  return "no error";
}

TEST(Functionalize, InPlace) {
  AtenProgram p;
  const ValueId x = p.Input("x", {2, 3});
  const ValueId a = p.Call("aten::relu", {{x}}, {2, 3}, "a");
  const ValueId r = p.Call("aten::relu_", {{a}}, {2, 3}, "r");
  const ValueId s = p.Call("aten::add_.Tensor", {{r}, {2.0}, {1}}, {2, 3}, "s");
  const ValueId y = p.Call("aten::mul.Tensor", {{a}, {s}}, {2, 3}, "y");
  p.Output({y});
  p.Output({a});
  std::vector<std::string> remarks;
  EXPECT_EQ(Functionalized(p, &remarks),
            "a = aten::relu(%x)\n"
            "2 = aten::relu(%a)\n"
            "3 = aten::add.Tensor(%2, 2.0, 1)\n"
            "y = aten::mul.Tensor(%3, %3)\n"
            "output = %y\n"
            "output = %3\n");
  EXPECT_THAT(remarks, IsEmpty());
}

// The object is another view from then on, what it shares memory with is not.
TEST(Functionalize, AChangeOfShapeInPlace) {
  AtenProgram p;
  const ValueId x = p.Input("x", {2, 3});
  const ValueId a = p.Call("aten::relu", {{x}}, {2, 3}, "a");
  const ValueId t = p.Call("aten::t_", {{a}}, {3, 2}, "t", DType::kFloat32, {1, 3});
  p.Output({p.Call("aten::mul.Tensor", {{a}, {t}}, {3, 2}, "y", DType::kFloat32, {1, 3})});
  EXPECT_EQ(Functionalized(p),
            "a = aten::relu(%x)\n"
            "2 = aten::t(%a)\n"
            "y = aten::mul.Tensor(%2, %2)\n"
            "output = %y\n");
}

// Only the runtime's own questions about sizes may look at any value of a tensor: an operator of others that gives a
// number may have computed it of the elements.
TEST(Functionalize, ANumberOfSomebodysOperator) {
  ir::AtenSchemaTables::Add(
      {.owner = "//foo:ops", .text = "foo::count(Tensor x) -> SymInt\n", .order = {}, .origin = "//foo:ops"});
  AtenProgram p;
  const ValueId x = p.Input("x", {2, 3});
  const ValueId a = p.Call("aten::relu", {{x}}, {2, 3}, "a");
  const ValueId v = p.Call("aten::view", {{a}, {ArgList{{6}}}}, {6}, "v");
  p.Call("aten::add_.Tensor", {{a}, {2.0}, {1}}, {2, 3}, "s");
  p.Output({p.Call("foo::count", {{v}}, {}, "n", DType::kInt64)});
  const lowering::Options options = {.custom_nodes = {.targets = {}, .fallthrough = true, .versions = {}},
                                     .choices = {}};
  const auto traced = trace::Trace([&](int opset, const auto&) { return pt2::Replay(p.graph, opset, options); }, 18);
  EXPECT_EQ(Lines(traced.source),
            "a = aten::relu(%x)\n"
            "v = aten::view(%a, [6])\n"
            "3 = aten::add.Tensor(%a, 2.0, 1)\n"
            "4 = aten::view(%3, [6])\n"
            "n = foo::count(%4)\n"
            "output = %n\n");
}

// `torch.add(x, x, out=torch.empty(0))`; a second result is written into the first.
TEST(Functionalize, AnEmptyOutTakesTheShapeOfTheResult) {
  AtenProgram p;
  const ValueId x = p.Input("x", {2, 3});
  const ValueId e = p.Call("aten::new_empty", {{x}, {ArgList{{0}}}, {}, {}, {}, {}}, {0}, "e");
  p.Call("aten::add.out", {{x}, {x}, {1}, {e}}, {2, 3}, "o");
  p.Call("aten::mul.out", {{e}, {x}, {e}}, {2, 3}, "q");
  p.Output({e});
  EXPECT_EQ(Functionalized(p),
            "e = aten::new_empty(%x, [0], None, None, None, None)\n"
            "2 = aten::add.Tensor(%x, %x, 1)\n"
            "3 = aten::mul.Tensor(%2, %x)\n"
            "output = %3\n");
}

// `torch.arange(0, 6, 2, out=e)`: the dtype is that of e.
TEST(Functionalize, OutOfAMaker) {
  AtenProgram p;
  const ValueId x = p.Input("x", {3});
  const ValueId e = p.Call("aten::clone", {{x}, {}}, {3}, "e");
  p.Call("aten::arange.start_out", {{0}, {6}, {2}, {e}}, {3}, "o");
  p.Output({e});
  EXPECT_EQ(Functionalized(p),
            "e = aten::clone(%x, None)\n"
            "2 = aten::arange.start_step(0, 6, 2, float32, None, None, None)\n"
            "output = %2\n");
}

TEST(Functionalize, WithoutWritesNothingChanges) {
  AtenProgram p;
  const ValueId x = p.Input("x", {2, 3});
  const ValueId t = p.Call("aten::t", {{x}}, {3, 2}, "t");
  const ValueId y = p.Call("aten::reshape", {{t}, {ArgList{{6}}}}, {6}, "y");
  p.Output({y});
  EXPECT_EQ(Functionalized(p), "t = aten::t(%x)\ny = aten::reshape(%t, [6])\noutput = %y\n");
}

TEST(Functionalize, BaseReadAfterTheWriteToAView) {
  AtenProgram p;
  const ValueId x = p.Input("x", {4, 3});
  const ValueId y = p.Input("y", {3});
  const ValueId a = p.Call("aten::clone", {{x}, {}}, {4, 3}, "a");
  const ValueId row = p.Call("aten::select.int", {{a}, {0}, {1}}, {3}, "row");
  const ValueId c = p.Call("aten::copy_", {{row}, {y}, {false}}, {3}, "c");
  p.Output({a});
  p.Output({c});
  EXPECT_EQ(Functionalized(p),
            "a = aten::clone(%x, None)\n"
            "row = aten::select.int(%a, 0, 1)\n"
            "4 = aten::copy(%row, %y, False)\n"
            "5 = aten::select_scatter(%a, %4, 0, 1)\n"
            "output = %5\n"
            "output = %4\n");
}

// Each write makes only the element that is read next, not all of them.
TEST(Functionalize, ElementsWrittenInTurn) {
  AtenProgram p;
  const ValueId x = p.Input("x", {3, 2});
  const ValueId a = p.Call("aten::clone", {{x}, {}}, {3, 2}, "a");
  const auto rows = p.CallMany("aten::unbind.int", {{a}, {0}}, {{2}, {2}, {2}}, "r");
  for (const ValueId row : rows) p.Call("aten::add_.Scalar", {{row}, {1}, {1}}, {2}, "w");
  p.Output({a});
  const std::string text = Functionalized(p);
  EXPECT_EQ(text.find("unbind"), text.rfind("unbind")) << text;
  EXPECT_NE(text.find("aten::select.int(%6, 0, 1)"), std::string::npos) << text;
  EXPECT_NE(text.find("aten::select.int(%9, 0, 2)"), std::string::npos) << text;
  EXPECT_EQ(text.find("aten::select.int(%9, 0, 0)"), std::string::npos) << text;
}

TEST(Functionalize, OtherViewsSeeTheWrite) {
  AtenProgram p;
  const ValueId x = p.Input("x", {4, 3});
  const ValueId a = p.Call("aten::clone", {{x}, {}}, {4, 3}, "a");
  const ValueId t = p.Call("aten::t", {{a}}, {3, 4}, "t");
  const ValueId s = p.Call("aten::slice.Tensor", {{t}, {1}, {1}, {3}, {1}}, {3, 2}, "s");
  const ValueId v = p.Call("aten::view", {{a}, {ArgList{{12}}}}, {12}, "v");
  p.Call("aten::mul_.Tensor", {{s}, {2}}, {3, 2}, "w");
  const ValueId y = p.Call("aten::sum", {{v}, {}}, {}, "y");
  p.Output({y});
  p.Output({t});
  EXPECT_EQ(Functionalized(p),
            "a = aten::clone(%x, None)\n"
            "t = aten::t(%a)\n"
            "s = aten::slice.Tensor(%t, 1, 1, 3, 1)\n"
            "v = aten::view(%a, [12])\n"
            "5 = aten::mul.Tensor(%s, 2)\n"
            "6 = aten::slice_scatter(%t, %5, 1, 1, 3, 1)\n"
            "7 = aten::t(%6)\n"
            "8 = aten::view(%7, [12])\n"
            "y = aten::sum(%8, None)\n"
            "output = %y\n"
            "output = %6\n");
}

struct Through {
  const char* op;
  std::vector<Arg> args;  // after the base
  ir::Dims view;
  const char* back;
  ir::Dims base = {4, 3, 2};
};

// How the base {4, 3, 2} is made again from a view v that was doubled.
TEST(Functionalize, WriteBack) {
  const ir::Dim b = kBatch;
  const Through cases[] = {
      {"aten::alias", {}, {4, 3, 2}, ""},
      {"aten::detach", {}, {4, 3, 2}, ""},
      {"aten::view", {{ArgList{{12}, {2}}}}, {12, 2}, "4 = aten::reshape(%3, [4, 3, 2])\n"},
      {"aten::_unsafe_view", {{ArgList{{12}, {2}}}}, {12, 2}, "4 = aten::reshape(%3, [4, 3, 2])\n"},
      {"aten::view", {{ArgList{{-1}}}}, {ir::Dim(6) * b}, "4 = aten::reshape(%3, [-1, 3, 2])\n", {b, 3, 2}},
      {"aten::view",
       {{ArgList{{-1}}}},
       {ir::Dim(3) * b * b},
       "4 = host::sym_size(%a, 0)\n5 = host::sym_size(%a, 1)\n6 = aten::reshape(%3, [%4, %5, 3])\n",
       {b, b, 3}},
      {"aten::reshape", {{ArgList{{24}}}}, {24}, "4 = aten::reshape(%3, [4, 3, 2])\n"},
      {"aten::flatten.using_ints", {{0}, {1}}, {12, 2}, "4 = aten::reshape(%3, [4, 3, 2])\n"},
      {"aten::unflatten.int", {{0}, {ArgList{{2}, {2}}}}, {2, 2, 3, 2}, "4 = aten::reshape(%3, [4, 3, 2])\n"},
      {"aten::squeeze.dim", {{1}}, {4, 2}, "4 = aten::reshape(%3, [4, 1, 2])\n", {4, 1, 2}},
      {"aten::unsqueeze", {{-1}}, {4, 3, 2, 1}, "4 = aten::squeeze.dim(%3, -1)\n"},
      {"aten::transpose.int", {{0}, {2}}, {2, 3, 4}, "4 = aten::transpose.int(%3, 0, 2)\n"},
      {"aten::t", {}, {3, 4}, "4 = aten::t(%3)\n", {4, 3}},
      {"aten::mT", {}, {3, 4}, "4 = aten::mT(%3)\n", {4, 3}},
      {"aten::permute", {{ArgList{{2}, {0}, {-2}}}}, {2, 4, 3}, "4 = aten::permute(%3, [1, 2, 0])\n"},
      {"aten::movedim.int", {{0}, {2}}, {3, 2, 4}, "4 = aten::movedim.int(%3, 2, 0)\n"},
      {"aten::expand", {{ArgList{{4}, {3}, {2}}}, {false}}, {4, 3, 2}, ""},
      {"aten::slice.Tensor", {{1}, {0}, {2}, {1}}, {4, 2, 2}, "4 = aten::slice_scatter(%a, %3, 1, 0, 2, 1)\n"},
      {"aten::select.int", {{-1}, {-1}}, {4, 3}, "4 = aten::select_scatter(%a, %3, -1, -1)\n"},
      {"aten::narrow", {{0}, {1}, {2}}, {2, 3, 2}, "4 = aten::slice_scatter(%a, %3, 0, 1, 3, 1)\n"},
      {"aten::narrow", {{0}, {-2}, {2}}, {2, 3, 2}, "4 = aten::slice_scatter(%a, %3, 0, -2, 9223372036854775807, 1)\n"},
      {"aten::diagonal", {{1}, {0}, {1}}, {2, 2}, "4 = aten::diagonal_scatter(%a, %3, 1, 0, 1)\n"},
      {"aten::as_strided",
       {{ArgList{{2}, {2}}}, {ArgList{{6}, {2}}}, {1}},
       {2, 2},
       "4 = aten::as_strided_scatter(%a, %3, [2, 2], [6, 2], 1)\n"},
      {"aten::contiguous", {{Word{"contiguous_format"}}}, {4, 3, 2}, ""},
      {"aten::to.dtype", {{DType::kFloat32}, {false}, {false}, {}}, {4, 3, 2}, ""},
      {"aten::dropout", {{0.5}, {false}}, {4, 3, 2}, ""},
      {"aten::lift", {}, {4, 3, 2}, ""},
  };
  for (const Through& c : cases) {
    AtenProgram p;
    const ValueId x = p.Input("x", c.base);
    const ValueId a = p.Call("aten::relu", {{x}}, c.base, "a");
    std::vector<Arg> args = {{a}};
    args.insert(args.end(), c.args.begin(), c.args.end());
    const ValueId v = p.Call(c.op, args, c.view, "v");
    p.Call("aten::mul_.Tensor", {{v}, {2}}, c.view, "w");
    p.Output({a});
    const std::string lines = Functionalized(p);
    const size_t after = lines.find("3 = aten::mul.Tensor(%v, 2)\n");
    ASSERT_NE(after, std::string::npos) << c.op << "\n" << lines;
    const std::string back = c.back;
    // The last call's result.
    const size_t last = back.empty() ? std::string::npos : back.rfind('\n', back.size() - 2) + 1;
    const std::string output = back.empty() ? "3" : back.substr(last, back.find(' ', last) - last);
    EXPECT_EQ(lines.substr(after + 28), back + "output = %" + output + "\n") << c.op;
  }
}

TEST(Functionalize, SplitsWriteBackTheirPiece) {
  AtenProgram p;
  const ValueId x = p.Input("x", {6, 2});
  const ValueId a = p.Call("aten::relu", {{x}}, {6, 2}, "a");
  const auto pieces = p.CallMany("aten::split.Tensor", {{a}, {2}, {0}}, {{2, 2}, {2, 2}, {2, 2}}, "p");
  p.Call("aten::neg_", {{pieces[1]}}, {2, 2}, "w");
  p.Call("aten::copy_", {{pieces[2]}, {pieces[1]}, {false}}, {2, 2}, "c");
  p.Output({pieces[2]});
  p.Output({pieces[0]});
  EXPECT_EQ(Functionalized(p),
            "a = aten::relu(%x)\n"
            "p_0 = aten::split.Tensor(%a, 2, 0)\n"
            "5 = aten::neg(%p_1)\n"
            "6 = aten::slice_scatter(%a, %5, 0, 2, 4, 1)\n"
            "7 = aten::split.Tensor(%6, 2, 0)\n"
            "10 = aten::copy(%9, %5, False)\n"
            "11 = aten::slice_scatter(%6, %10, 0, 4, 6, 1)\n"
            "12 = aten::split.Tensor(%11, 2, 0)\n"
            "output = %10\n"
            "output = %12\n");
}

// The program says how many there are, each piece how large it is.
TEST(Functionalize, PiecesWhoseSizesARunDecides) {
  AtenProgram p;
  const ValueId x = p.Input("x", {kBatch, 2});
  const ValueId a = p.Call("aten::relu", {{x}}, {kBatch, 2}, "a");
  const auto pieces = p.CallMany("aten::chunk", {{a}, {3}, {0}}, {{ir::Dim(), 2}, {ir::Dim(), 2}, {ir::Dim(), 2}}, "p");
  p.Call("aten::neg_", {{pieces[1]}}, {ir::Dim(), 2}, "w");
  p.Output({pieces[0]});
  p.Output({a});
  EXPECT_EQ(Functionalized(p),
            "a = aten::relu(%x)\n"
            "p_0 = aten::chunk(%a, 3, 0)\n"
            "5 = aten::neg(%p_1)\n"
            "6 = host::sym_size(%p_0, 0)\n"
            "7 = host::sym_size(%p_0, 0)\n"
            "8 = host::sym_size(%p_1, 0)\n"
            "9 = host::add(%7, %8)\n"
            "10 = aten::slice_scatter(%a, %5, 0, %6, %9, 1)\n"
            "11 = aten::chunk(%10, 3, 0)\n"
            "output = %11\n"
            "output = %10\n");
}

TEST(Functionalize, OutForms) {
  AtenProgram p;
  const ValueId x = p.Input("x", {2, 3});
  const ValueId o = p.Call("aten::zeros_like", {{x}, {}, {}, {}, {}, {}}, {2, 3}, "o");
  const ValueId r = p.Call("aten::add.out", {{x}, {x}, {1}, {o}}, {2, 3}, "r");
  p.Output({o});
  p.Output({r});
  EXPECT_EQ(Functionalized(p),
            "o = aten::zeros_like(%x, None, None, None, None, None)\n"
            "2 = aten::add.Tensor(%x, %x, 1)\n"
            "output = %2\n"
            "output = %2\n");
}

// Its schema may say so or not: in training mode batch norm has results of its own, and writes its statistics.
TEST(Functionalize, RunningStatistics) {
  for (const char* op : {"aten::batch_norm", "aten::native_batch_norm", "aten::_native_batch_norm_legit"}) {
    for (const bool training : {true, false}) {
      SCOPED_TRACE(std::string(op) + (training ? " in training mode" : ""));
      AtenProgram p;
      const ValueId x = p.Input("x", {2, 3});
      const ValueId mean = p.Weight("mean", {3});
      const ValueId var = p.Weight("var", {3});
      const bool legit = std::string_view(op) == "aten::_native_batch_norm_legit";
      std::vector<Arg> args = {{x}, {}, {}, {mean}, {var}, {training}, {0.1}, {0.5}};
      if (std::string_view(op) == "aten::batch_norm") {
        args.push_back({false});
        p.Output({p.Call(op, args, {2, 3}, "y")});
      } else {
        const int saved = training ? 3 : 0;  // statistics of the batch
        p.Output({p.CallMany(op, args, {{2, 3}, {saved}, {saved}}, "y")[0]});
      }
      p.Output({mean});
      p.Output({var});
      const std::string text = Functionalized(p);
      if (training || legit) {
        const std::string flag = training ? "True" : "False";
        EXPECT_THAT(text, HasSubstr("= aten::_native_batch_norm_legit_functional(%x, None, None, %mean, %var, " + flag +
                                    ", 0.1, 0.5)\n"));
        EXPECT_THAT(text, Not(HasSubstr("output = %mean")));
        EXPECT_THAT(text, Not(HasSubstr("output = %var")));
      } else {
        EXPECT_THAT(text, HasSubstr(std::string(op) + "(%x"));
        EXPECT_THAT(text, HasSubstr("output = %mean\noutput = %var\n"));
      }
    }
  }
  AtenProgram p;  // nothing to write to
  p.Output({p.Call("aten::batch_norm", {{p.Input("x", {2, 3})}, {}, {}, {}, {}, {true}, {0.1}, {0.5}, {false}}, {2, 3},
                   "y")});
  EXPECT_THAT(Functionalized(p), HasSubstr("y = aten::batch_norm(%x"));
}

TEST(Functionalize, FillAndCopy) {
  AtenProgram p;
  const ValueId x = p.Input("x", {2, 3});
  const ValueId y = p.Input("y", {3}, DType::kInt64);
  const ValueId s = p.Input("s", {});
  const ValueId a = p.Call("aten::relu", {{x}}, {2, 3}, "a");
  p.Call("aten::fill_.Scalar", {{a}, {0.5}}, {2, 3}, "f");
  p.Call("aten::fill_.Tensor", {{a}, {s}}, {2, 3}, "g");
  p.Call("aten::zero_", {{a}}, {2, 3}, "z");
  p.Call("aten::copy_", {{a}, {y}, {false}}, {2, 3}, "c");
  p.Call("aten::copy_", {{a}, {x}, {false}}, {2, 3}, "d");
  p.Output({a});
  EXPECT_EQ(Functionalized(p),
            "a = aten::relu(%x)\n"
            "4 = aten::fill.Scalar(%a, 0.5)\n"
            "5 = aten::fill.Tensor(%4, %s)\n"
            "6 = aten::zero(%5)\n"
            "7 = aten::copy(%6, %y, False)\n"
            "8 = aten::copy(%7, %x, False)\n"
            "output = %8\n");
}

TEST(Functionalize, ResultKeepsTheTypeOfWhatIsWritten) {
  AtenProgram p;
  const ValueId h = p.Input("h", {2, 3}, DType::kFloat16);
  const ValueId f = p.Input("f", {2, 3});
  const ValueId zero_d = p.Input("s", {});
  const ValueId a = p.Call("aten::clone", {{h}, {}}, {2, 3}, "a", DType::kFloat16);
  p.Call("aten::add_.Tensor", {{a}, {f}, {1}}, {2, 3}, "b", DType::kFloat16);
  p.Call("aten::mul_.Tensor", {{a}, {zero_d}}, {2, 3}, "c", DType::kFloat16);
  p.Call("aten::gt_.Scalar", {{a}, {0}}, {2, 3}, "d", DType::kFloat16);
  p.Call("aten::masked_fill_.Scalar", {{a}, {p.Input("m", {2, 3}, DType::kBool)}, {0}}, {2, 3}, "e", DType::kFloat16);
  p.Output({a});
  EXPECT_EQ(Functionalized(p),
            "a = aten::clone(%h, None)\n"
            "5 = aten::add.Tensor(%a, %f, 1)\n"
            "6 = host::cast(%5, float16)\n"
            "7 = aten::mul.Tensor(%6, %s)\n"
            "8 = aten::gt.Scalar(%7, 0)\n"
            "9 = host::cast(%8, float16)\n"
            "10 = aten::masked_fill.Scalar(%9, %m, 0)\n"
            "output = %10\n");
}

TEST(Functionalize, WritesToInputsAndWeightsAreSeenAndRemarkedUpon) {
  AtenProgram p;
  const ValueId x = p.Input("x", {2});
  const ValueId n = p.Weight("steps", {}, DType::kInt64);
  p.Call("aten::add_.Tensor", {{n}, {1}, {1}}, {}, "m", DType::kInt64);
  const ValueId v = p.Call("aten::select.int", {{x}, {0}, {0}}, {}, "v");
  p.Call("aten::zero_", {{v}}, {}, "z");
  p.Output({x});
  p.Output({n});
  std::vector<std::string> remarks;
  EXPECT_EQ(Functionalized(p, &remarks),
            "2 = aten::add.Tensor(%steps, 1, 1)\n"
            "v = aten::select.int(%x, 0, 0)\n"
            "4 = aten::zero(%v)\n"
            "5 = aten::select_scatter(%x, %4, 0, 0)\n"
            "output = %5\n"
            "output = %2\n");
  EXPECT_THAT(remarks,
              ElementsAre(StartsWith("the new value of 'steps' is not kept: an ONNX model has no state"),
                          StartsWith("input 'x' is not written to: an ONNX model does not change its inputs")));
}

// reshape of a transposed tensor is a copy, of a row-major one a view; the strides tell.
TEST(Functionalize, ReshapeFollowsTheStrides) {
  for (const bool transposed : {false, true}) {
    AtenProgram p;
    const ValueId x = p.Input("x", {3, 4});
    const ValueId a = p.Call("aten::relu", {{x}}, {3, 4}, "a");
    const ValueId t = transposed ? p.Call("aten::t", {{a}}, {4, 3}, "t", DType::kFloat32, {1, 4}) : a;
    const ValueId r = p.Call("aten::reshape", {{t}, {ArgList{{12}}}}, {12}, "r");
    p.Call("aten::zero_", {{a}}, {3, 4}, "z");
    p.Output({r});
    EXPECT_THAT(Functionalized(p), HasSubstr(transposed ? "output = %r\n" : "output = %4\n"));
  }
}

// As PyTorch does, where it is known.
TEST(Functionalize, AViewThatStridesForbidIsRefused) {
  const auto program = [](const char* op, ir::Dims strides) {
    AtenProgram p;
    const ValueId x = p.Input("x", {3, 4});
    const ValueId a = p.Call("aten::relu", {{x}}, {3, 4}, "a");
    const ValueId t = p.Call("aten::t", {{a}}, {4, 3}, "t", DType::kFloat32, std::move(strides));
    p.Output({p.Call(op, {{t}, {ArgList{{12}}}}, {12}, "r")});
    return p;
  };
  EXPECT_THAT(ErrorOf(program("aten::view", {1, 4})), HasSubstr("is no view of a tensor with these strides"));
  EXPECT_EQ(ErrorOf(program("aten::view", {3, 1})), "no error");
  EXPECT_EQ(ErrorOf(program("aten::reshape", {1, 4})), "no error");
}

TEST(Functionalize, CastsToTheSameTypeAreTheTensorItself) {
  for (const DType other : {DType::kFloat32, DType::kInt64}) {
    AtenProgram p;
    const ValueId x = p.Input("x", {2});
    const ValueId like = p.Input("like", {2}, other);
    const ValueId a = p.Call("aten::relu", {{x}}, {2}, "a");
    const ValueId t = p.Call("aten::type_as", {{a}, {like}}, {2}, "t", other);
    p.Call("aten::neg_", {{a}}, {2}, "n");
    p.Output({t});
    EXPECT_THAT(Functionalized(p), HasSubstr(other == DType::kFloat32 ? "output = %5\n" : "output = %t\n"));
  }
}

TEST(Functionalize, AMaybeAliasIsRefusedWhenTheWriteCouldBeSeen) {
  const auto program = [](bool read) {
    AtenProgram p;
    const ValueId a = p.Weight("a", {3, 4});
    p.graph.value(a).strides.reset();
    const ValueId r = p.Call("aten::reshape", {{a}, {ArgList{{-1}}}}, {12}, "r");
    p.At("net.py", 7, "a.zero_()");
    p.Call("aten::zero_", {{a}}, {3, 4}, "z");
    p.At("net.py", 8, "return r + 1");
    p.Output({read ? p.Call("aten::add.Tensor", {{r}, {1}, {1}}, {12}, "y") : a});
    return p;
  };
  const AtenProgram read = program(true);
  EXPECT_EQ(ErrorOf(read),
            "the model cannot be exported at opset 18:\n"
            "  aten::add.Tensor (1 call): reads a tensor that may share memory with the one written by aten::zero_ "
            "(net.py:7); clone it before the write\n"
            "      net.py:8  return r + 1");
  const AtenProgram unread = program(false);
  EXPECT_EQ(ErrorOf(unread), "no error");
}

TEST(Functionalize, AMaybeAliasIsStatedOfCallsWithOneTensor) {
  for (const bool one : {true, false}) {
    AtenProgram p;
    const ValueId x = p.Input("x", {2, 2});
    const ValueId a = p.Call("aten::relu", {{x}}, {2, 2}, "a");
    const ArgList operands = one ? ArgList{{a}} : ArgList{{a}, {x}};
    const ValueId e = p.Call("aten::einsum", {{std::string(one ? "ij->ji" : "ij,jk->ik")}, {operands}}, {2, 2}, "e");
    p.Call("aten::zero_", {{e}}, {2, 2}, "z");
    p.Output({p.Call("aten::neg", {{a}}, {2, 2}, "y")});
    const std::string error = ErrorOf(p);
    if (one) {
      EXPECT_THAT(
          error,
          HasSubstr("aten::neg (1 call): reads a tensor that may share memory with the one written by aten::zero_"));
    } else {
      EXPECT_EQ(error, "no error");
    }
  }
}

TEST(Functionalize, WeightsOfOneStorage) {
  AtenProgram p;
  const auto bytes = ir::MakeTensor(DType::kFloat32, {2}, std::string(8, '\0'))->bytes;
  const ValueId a = p.Weight("a", {2}, DType::kFloat32, bytes);
  const ValueId b = p.Weight("b", {2}, DType::kFloat32, bytes);
  p.Call("aten::relu_", {{a}}, {2}, "r");
  p.Output({b});
  EXPECT_THAT(ErrorOf(p), HasSubstr("may share memory with the one written by aten::relu_"));
}

TEST(Functionalize, Refusals) {
  const std::tuple<const char*, std::vector<Arg>, ir::Dims, const char*> views[] = {
      {"aten::expand", {{ArgList{{5}, {4}, {3}}}, {false}}, {5, 4, 3}, "elements that are, or may be, one in memory"},
      {"aten::unfold", {{0}, {2}, {1}}, {3, 3, 2}, "elements that are, or may be, one in memory"},
      {"aten::view.dtype", {{DType::kInt32}}, {4, 3}, "a write through aten::view.dtype is not supported"},
  };
  for (const auto& [op, args, dims, message] : views) {
    AtenProgram p;
    const ValueId x = p.Input("x", {4, 3});
    std::vector<Arg> all = {{p.Call("aten::relu", {{x}}, {4, 3}, "a")}};
    all.insert(all.end(), args.begin(), args.end());
    const ValueId v =
        p.Call(op, all, dims, "v", op == std::string("aten::view.dtype") ? DType::kInt32 : DType::kFloat32);
    p.Call("aten::zero_", {{v}}, dims, "z", p.graph.value(v).dtype);
    EXPECT_THAT(ErrorOf(p), HasSubstr(message)) << op;
  }
}

TEST(Functionalize, AllRefusalsAreReportedTogether) {
  AtenProgram p;
  const ValueId x = p.Input("x", {4, 3});
  const ValueId w = p.Weight("w", {4, 3});
  p.At("net.py", 3, "w.t_()");
  p.Call("aten::t_", {{w}}, {3, 4}, "t");
  p.At("net.py", 4, "v.zero_()");
  const ValueId v = p.Call("aten::expand", {{x}, {ArgList{{5}, {4}, {3}}}, {false}}, {5, 4, 3}, "v");
  const ValueId z = p.Call("aten::zero_", {{v}}, {5, 4, 3}, "z");
  p.At("net.py", 5, "torch.add(x, 1, out=b)");
  const ValueId b = p.Call("aten::sum.dim_IntList", {{x}, {ArgList{{1}}}, {true}, {}}, {4, 1}, "b");
  p.Call("aten::add.out", {{x}, {x}, {1}, {b}}, {4, 3}, "o");
  p.At("net.py", 6, "what follows from them is not reported");
  p.Output({p.Call("aten::add.Tensor", {{z}, {b}, {1}}, {5, 4, 3}, "y")});
  EXPECT_EQ(ErrorOf(p),
            "the model cannot be exported at opset 18:\n"
            "  aten::t_ (1 call): changes the shape of a weight in place; assign the result of the form without `_` "
            "instead\n"
            "      net.py:3  w.t_()\n"
            "  aten::zero_ (1 call): a write to a tensor with elements that are, or may be, one in memory: it was "
            "expanded, or unfold or as_strided made it; clone it before the write\n"
            "      net.py:4  v.zero_()\n"
            "  aten::add.out (1 call): gives a tensor another shape by writing to it\n"
            "      net.py:5  torch.add(x, 1, out=b)");
}

struct Strided {
  const char* op;
  const char* view;
  std::vector<Arg> arguments;  // of the view
  ir::Dims dims;
  Arg offset;
  bool allowed;
};

TEST(Functionalize, AsStridedNeedsTheMemory) {
  const Strided cases[] = {
      {"aten::as_strided", "aten::view", {{ArgList{{12}}}}, {12}, {}, true},
      {"aten::as_strided", "aten::t", {}, {3, 4}, {}, true},
      {"aten::as_strided", "aten::transpose.int", {{0}, {1}}, {3, 4}, {2}, true},
      {"aten::as_strided", "aten::expand", {{ArgList{{2}, {4}, {3}}}, {false}}, {2, 4, 3}, {}, true},
      // Where it begins is not followed, but may be said.
      {"aten::as_strided", "aten::select.int", {{0}, {1}}, {3}, {}, false},
      {"aten::as_strided", "aten::select.int", {{0}, {1}}, {3}, {4}, true},
      {"aten::as_strided", "aten::slice.Tensor", {{0}, {1}, {3}, {1}}, {2, 3}, {0}, true},
      // Not the elements of the memory.
      {"aten::as_strided", "aten::_conj", {}, {4, 3}, {}, true},
      {"aten::as_strided_copy", "aten::view", {{ArgList{{12}}}}, {12}, {}, true},
      {"aten::as_strided_copy", "aten::t", {}, {3, 4}, {}, true},
      {"aten::as_strided_copy", "aten::select.int", {{0}, {1}}, {3}, {}, false},
  };
  for (const Strided& c : cases) {
    AtenProgram p;
    const ValueId x = p.Input("x", {4, 3});
    std::vector<Arg> arguments = {{x}};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const ValueId base = p.Call(c.view, std::move(arguments), c.dims, "v");
    p.Output({p.Call(c.op, {{base}, {ArgList{{2}}}, {ArgList{{1}}}, c.offset}, {2}, "y")});
    EXPECT_THAT(ErrorOf(p), HasSubstr(c.allowed ? "no error" : "reads the memory of a tensor whose layout"))
        << c.op << " of " << c.view;
  }
}

}  // namespace
}  // namespace onnxport::functionalize::functionalize_test
