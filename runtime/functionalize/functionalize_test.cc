#include "runtime/functionalize/functionalize.h"

#include <functional>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/functionalize/program.h"
#include "runtime/ir/error.h"

namespace onnxport::functionalize {
namespace {

using ir::Arg;
using ir::ArgList;
using ir::DType;
using ir::ValueId;
using ir::Word;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

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

std::string Functionalized(Program* program, std::vector<std::string>* remarks = nullptr) {
  Functionalize(&program->graph, remarks);
  return Lines(program->graph);
}

std::string ErrorOf(Program* program) {
  try {
    Functionalize(&program->graph, nullptr);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCannotExport);
    return error.what();
  }
  return "no error";
}

TEST(Functionalize, InPlace) {
  Program p;
  const ValueId x = p.Input("x", {2, 3});
  const ValueId a = p.Call("aten::relu", {{x}}, {2, 3}, "a");
  const ValueId r = p.Call("aten::relu_", {{a}}, {2, 3}, "r");
  const ValueId s = p.Call("aten::add_.Tensor", {{r}, {2.0}, {1}}, {2, 3}, "s");
  const ValueId y = p.Call("aten::mul.Tensor", {{a}, {s}}, {2, 3}, "y");
  p.Output({y});
  p.Output({a});
  std::vector<std::string> remarks;
  EXPECT_EQ(Functionalized(&p, &remarks),
            "a = aten::relu(%x)\n"
            "r = aten::relu(%a)\n"
            "s = aten::add.Tensor(%r, 2.0, 1)\n"
            "y = aten::mul.Tensor(%s, %s)\n"
            "output = %y\n"
            "output = %s\n");
  EXPECT_THAT(remarks, IsEmpty());
}

TEST(Functionalize, WithoutWritesNothingChanges) {
  Program p;
  const ValueId x = p.Input("x", {2, 3});
  const ValueId t = p.Call("aten::t", {{x}}, {3, 2}, "t");
  const ValueId y = p.Call("aten::reshape", {{t}, {ArgList{{6}}}}, {6}, "y");
  p.Output({y});
  EXPECT_EQ(Functionalized(&p), "t = aten::t(%x)\ny = aten::reshape(%t, [6])\noutput = %y\n");
}

TEST(Functionalize, BaseReadAfterTheWriteToAView) {
  Program p;
  const ValueId x = p.Input("x", {4, 3});
  const ValueId y = p.Input("y", {3});
  const ValueId a = p.Call("aten::clone", {{x}, {}}, {4, 3}, "a");
  const ValueId row = p.Call("aten::select.int", {{a}, {0}, {1}}, {3}, "row");
  const ValueId c = p.Call("aten::copy_", {{row}, {y}, {false}}, {3}, "c");
  p.Output({a});
  p.Output({c});
  EXPECT_EQ(Functionalized(&p),
            "a = aten::clone(%x, None)\n"
            "row = aten::select.int(%a, 0, 1)\n"
            "c = aten::copy(%row, %y, False)\n"
            "a_1 = aten::select_scatter(%a, %c, 0, 1)\n"
            "output = %a_1\n"
            "output = %c\n");
}

// Each write makes only the element that is read next, not all of them.
TEST(Functionalize, ElementsWrittenInTurn) {
  Program p;
  const ValueId x = p.Input("x", {3, 2});
  const ValueId a = p.Call("aten::clone", {{x}, {}}, {3, 2}, "a");
  const auto rows = p.CallMany("aten::unbind.int", {{a}, {0}}, {{2}, {2}, {2}}, "r");
  for (const ValueId row : rows) p.Call("aten::add_.Scalar", {{row}, {1}, {1}}, {2}, "w");
  p.Output({a});
  const std::string text = Functionalized(&p);
  EXPECT_EQ(text.find("unbind"), text.rfind("unbind")) << text;
  EXPECT_NE(text.find("aten::select.int(%a_1, 0, 1)"), std::string::npos) << text;
  EXPECT_NE(text.find("aten::select.int(%a_2, 0, 2)"), std::string::npos) << text;
  EXPECT_EQ(text.find("aten::select.int(%a_2, 0, 0)"), std::string::npos) << text;
}

TEST(Functionalize, OtherViewsSeeTheWrite) {
  Program p;
  const ValueId x = p.Input("x", {4, 3});
  const ValueId a = p.Call("aten::clone", {{x}, {}}, {4, 3}, "a");
  const ValueId t = p.Call("aten::t", {{a}}, {3, 4}, "t");
  const ValueId s = p.Call("aten::slice.Tensor", {{t}, {1}, {1}, {3}, {1}}, {3, 2}, "s");
  const ValueId v = p.Call("aten::view", {{a}, {ArgList{{12}}}}, {12}, "v");
  p.Call("aten::mul_.Tensor", {{s}, {2}}, {3, 2}, "w");
  const ValueId y = p.Call("aten::sum", {{v}, {}}, {}, "y");
  p.Output({y});
  p.Output({t});
  EXPECT_EQ(Functionalized(&p),
            "a = aten::clone(%x, None)\n"
            "t = aten::t(%a)\n"
            "s = aten::slice.Tensor(%t, 1, 1, 3, 1)\n"
            "v = aten::view(%a, [12])\n"
            "w = aten::mul.Tensor(%s, 2)\n"
            "t_1 = aten::slice_scatter(%t, %w, 1, 1, 3, 1)\n"
            "a_1 = aten::t(%t_1)\n"
            "v_1 = aten::view(%a_1, [12])\n"
            "y = aten::sum(%v_1, None)\n"
            "output = %y\n"
            "output = %t_1\n");
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
      {"aten::view", {{ArgList{{12}, {2}}}}, {12, 2}, "a_1 = aten::reshape(%w, [4, 3, 2])\n"},
      {"aten::_unsafe_view", {{ArgList{{12}, {2}}}}, {12, 2}, "a_1 = aten::reshape(%w, [4, 3, 2])\n"},
      {"aten::view", {{ArgList{{-1}}}}, {ir::Dim(6) * b}, "a_1 = aten::reshape(%w, [-1, 3, 2])\n", {b, 3, 2}},
      {"aten::view",
       {{ArgList{{-1}}}},
       {ir::Dim(3) * b * b},
       "a_size_0 = host::sym_size(%a, 0)\na_size_1 = host::sym_size(%a, 1)\na_1 = aten::reshape(%w, "
       "[%a_size_0, %a_size_1, 3])\n",
       {b, b, 3}},
      {"aten::reshape", {{ArgList{{24}}}}, {24}, "a_1 = aten::reshape(%w, [4, 3, 2])\n"},
      {"aten::flatten.using_ints", {{0}, {1}}, {12, 2}, "a_1 = aten::reshape(%w, [4, 3, 2])\n"},
      {"aten::unflatten.int", {{0}, {ArgList{{2}, {2}}}}, {2, 2, 3, 2}, "a_1 = aten::reshape(%w, [4, 3, 2])\n"},
      {"aten::squeeze.dim", {{1}}, {4, 2}, "a_1 = aten::reshape(%w, [4, 1, 2])\n", {4, 1, 2}},
      {"aten::unsqueeze", {{-1}}, {4, 3, 2, 1}, "a_1 = aten::squeeze.dim(%w, -1)\n"},
      {"aten::transpose.int", {{0}, {2}}, {2, 3, 4}, "a_1 = aten::transpose.int(%w, 0, 2)\n"},
      {"aten::t", {}, {3, 4}, "a_1 = aten::t(%w)\n", {4, 3}},
      {"aten::mT", {}, {4, 2, 3}, "a_1 = aten::mT(%w)\n"},
      {"aten::permute", {{ArgList{{2}, {0}, {-2}}}}, {2, 4, 3}, "a_1 = aten::permute(%w, [1, 2, 0])\n"},
      {"aten::movedim.int", {{0}, {2}}, {3, 2, 4}, "a_1 = aten::movedim.int(%w, 2, 0)\n"},
      {"aten::expand", {{ArgList{{4}, {3}, {2}}}, {false}}, {4, 3, 2}, ""},
      {"aten::slice.Tensor", {{1}, {0}, {2}, {1}}, {4, 2, 2}, "a_1 = aten::slice_scatter(%a, %w, 1, 0, 2, 1)\n"},
      {"aten::select.int", {{-1}, {-1}}, {4, 3}, "a_1 = aten::select_scatter(%a, %w, -1, -1)\n"},
      {"aten::narrow", {{0}, {1}, {2}}, {2, 3, 2}, "a_1 = aten::slice_scatter(%a, %w, 0, 1, 3, 1)\n"},
      {"aten::narrow",
       {{0}, {-2}, {2}},
       {2, 3, 2},
       "a_1 = aten::slice_scatter(%a, %w, 0, -2, 9223372036854775807, 1)\n"},
      {"aten::diagonal", {{1}, {0}, {1}}, {2, 2}, "a_1 = aten::diagonal_scatter(%a, %w, 1, 0, 1)\n"},
      {"aten::as_strided",
       {{ArgList{{2}, {2}}}, {ArgList{{6}, {2}}}, {1}},
       {2, 2},
       "a_1 = aten::as_strided_scatter(%a, %w, [2, 2], [6, 2], 1)\n"},
      {"aten::contiguous", {{Word{"contiguous_format"}}}, {4, 3, 2}, ""},
      {"aten::to.dtype", {{DType::kFloat32}, {false}, {false}, {}}, {4, 3, 2}, ""},
      {"aten::dropout", {{0.5}, {false}}, {4, 3, 2}, ""},
      {"aten::lift", {}, {4, 3, 2}, ""},
  };
  for (const Through& c : cases) {
    Program p;
    const ValueId x = p.Input("x", c.base);
    const ValueId a = p.Call("aten::relu", {{x}}, c.base, "a");
    std::vector<Arg> args = {{a}};
    args.insert(args.end(), c.args.begin(), c.args.end());
    const ValueId v = p.Call(c.op, args, c.view, "v");
    p.Call("aten::mul_.Tensor", {{v}, {2}}, c.view, "w");
    p.Output({a});
    const std::string lines = Functionalized(&p);
    const size_t after = lines.find("w = aten::mul.Tensor(%v, 2)\n");
    ASSERT_NE(after, std::string::npos) << c.op << "\n" << lines;
    const bool same = std::string_view(c.back).empty();
    EXPECT_EQ(lines.substr(after + 28), std::string(c.back) + (same ? "output = %w\n" : "output = %a_1\n")) << c.op;
  }
}

TEST(Functionalize, SplitsWriteBackTheirPiece) {
  Program p;
  const ValueId x = p.Input("x", {5, 2});
  const ValueId a = p.Call("aten::relu", {{x}}, {5, 2}, "a");
  const auto pieces = p.CallMany("aten::split.Tensor", {{a}, {2}, {0}}, {{2, 2}, {2, 2}, {1, 2}}, "p");
  p.Call("aten::neg_", {{pieces[1]}}, {2, 2}, "w");
  p.Call("aten::copy_", {{pieces[2]}, {pieces[1]}, {false}}, {1, 2}, "c");
  p.Output({pieces[2]});
  p.Output({pieces[0]});
  EXPECT_EQ(Functionalized(&p),
            "a = aten::relu(%x)\n"
            "p_0 = aten::split.Tensor(%a, 2, 0)\n"
            "w = aten::neg(%p_1)\n"
            "a_1 = aten::slice_scatter(%a, %w, 0, 2, 4, 1)\n"
            "p_0_1 = aten::split.Tensor(%a_1, 2, 0)\n"
            "c = aten::copy(%p_2_1, %w, False)\n"
            "a_2 = aten::slice_scatter(%a_1, %c, 0, 4, 5, 1)\n"
            "p_0_2 = aten::split.Tensor(%a_2, 2, 0)\n"
            "output = %c\n"
            "output = %p_0_2\n");
}

TEST(Functionalize, OutForms) {
  Program p;
  const ValueId x = p.Input("x", {2, 3});
  const ValueId o = p.Call("aten::zeros_like", {{x}, {}, {}, {}, {}, {}}, {2, 3}, "o");
  const ValueId r = p.Call("aten::add.out", {{x}, {x}, {1}, {o}}, {2, 3}, "r");
  p.Output({o});
  p.Output({r});
  EXPECT_EQ(Functionalized(&p),
            "o = aten::zeros_like(%x, None, None, None, None, None)\n"
            "r = aten::add.Tensor(%x, %x, 1)\n"
            "output = %r\n"
            "output = %r\n");
}

TEST(Functionalize, FillAndCopy) {
  Program p;
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
  EXPECT_EQ(Functionalized(&p),
            "a = aten::relu(%x)\n"
            "f = aten::fill.Scalar(%a, 0.5)\n"
            "g = aten::fill.Tensor(%f, %s)\n"
            "z = aten::zero(%g)\n"
            "c = aten::copy(%z, %y, False)\n"
            "d = aten::copy(%c, %x, False)\n"
            "output = %d\n");
}

TEST(Functionalize, ResultKeepsTheTypeOfWhatIsWritten) {
  Program p;
  const ValueId h = p.Input("h", {2, 3}, DType::kFloat16);
  const ValueId f = p.Input("f", {2, 3});
  const ValueId zero_d = p.Input("s", {});
  const ValueId a = p.Call("aten::clone", {{h}, {}}, {2, 3}, "a", DType::kFloat16);
  p.Call("aten::add_.Tensor", {{a}, {f}, {1}}, {2, 3}, "b", DType::kFloat16);
  p.Call("aten::mul_.Tensor", {{a}, {zero_d}}, {2, 3}, "c", DType::kFloat16);
  p.Call("aten::gt_.Scalar", {{a}, {0}}, {2, 3}, "d", DType::kFloat16);
  p.Call("aten::masked_fill_.Scalar", {{a}, {p.Input("m", {2, 3}, DType::kBool)}, {0}}, {2, 3}, "e", DType::kFloat16);
  p.Output({a});
  EXPECT_EQ(Functionalized(&p),
            "a = aten::clone(%h, None)\n"
            "b_1 = aten::add.Tensor(%a, %f, 1)\n"
            "a_1 = host::cast(%b_1, float16)\n"
            "c = aten::mul.Tensor(%a_1, %s)\n"
            "d_1 = aten::gt.Scalar(%c, 0)\n"
            "a_2 = host::cast(%d_1, float16)\n"
            "e = aten::masked_fill.Scalar(%a_2, %m, 0)\n"
            "output = %e\n");
}

TEST(Functionalize, WritesToInputsAndWeightsAreSeenAndRemarkedUpon) {
  Program p;
  const ValueId x = p.Input("x", {2});
  const ValueId n = p.Weight("steps", {}, DType::kInt64);
  p.Call("aten::add_.Tensor", {{n}, {1}, {1}}, {}, "m", DType::kInt64);
  const ValueId v = p.Call("aten::select.int", {{x}, {0}, {0}}, {}, "v");
  p.Call("aten::zero_", {{v}}, {}, "z");
  p.Output({x});
  p.Output({n});
  std::vector<std::string> remarks;
  EXPECT_EQ(Functionalized(&p, &remarks),
            "m = aten::add.Tensor(%steps, 1, 1)\n"
            "v = aten::select.int(%x, 0, 0)\n"
            "z = aten::zero(%v)\n"
            "x_1 = aten::select_scatter(%x, %z, 0, 0)\n"
            "output = %x_1\n"
            "output = %m\n");
  EXPECT_THAT(remarks, ElementsAre("the new value of 'steps' is not kept: an ONNX model has no state",
                                   "input 'x' is not written to: an ONNX model does not change its inputs"));
}

// reshape of a transposed tensor is a copy, of a row-major one a view; the strides tell.
TEST(Functionalize, ReshapeFollowsTheStrides) {
  for (const bool transposed : {false, true}) {
    Program p;
    const ValueId x = p.Input("x", {3, 4});
    const ValueId a = p.Call("aten::relu", {{x}}, {3, 4}, "a");
    const ValueId t = transposed ? p.Call("aten::t", {{a}}, {4, 3}, "t", DType::kFloat32, {1, 4}) : a;
    const ValueId r = p.Call("aten::reshape", {{t}, {ArgList{{12}}}}, {12}, "r");
    p.Call("aten::zero_", {{a}}, {3, 4}, "z");
    p.Output({r});
    EXPECT_THAT(Functionalized(&p), HasSubstr(transposed ? "output = %r\n" : "output = %r_1\n"));
  }
}

TEST(Functionalize, CastsToTheSameTypeAreTheTensorItself) {
  for (const DType other : {DType::kFloat32, DType::kInt64}) {
    Program p;
    const ValueId x = p.Input("x", {2});
    const ValueId like = p.Input("like", {2}, other);
    const ValueId a = p.Call("aten::relu", {{x}}, {2}, "a");
    const ValueId t = p.Call("aten::type_as", {{a}, {like}}, {2}, "t", other);
    p.Call("aten::neg_", {{a}}, {2}, "n");
    p.Output({t});
    EXPECT_THAT(Functionalized(&p), HasSubstr(other == DType::kFloat32 ? "output = %t_1\n" : "output = %t\n"));
  }
}

TEST(Functionalize, AMaybeAliasIsRefusedWhenTheWriteCouldBeSeen) {
  const auto program = [](bool read) {
    Program p;
    const ValueId x = p.Input("x", {kBatch, 4});
    const ValueId a = p.Call("aten::relu", {{x}}, {kBatch, 4}, "a");
    p.graph.value(a).strides.reset();
    const ValueId r = p.Call("aten::reshape", {{a}, {ArgList{{-1}}}}, {ir::Dim(4) * kBatch}, "r");
    p.At("net.py", 7, "a.zero_()");
    p.Call("aten::zero_", {{a}}, {kBatch, 4}, "z");
    p.At("net.py", 8, "return r + 1");
    p.Output({read ? p.Call("aten::add.Tensor", {{r}, {1}, {1}}, {ir::Dim(4) * kBatch}, "y") : a});
    return p;
  };
  Program read = program(true);
  EXPECT_EQ(ErrorOf(&read),
            "a write to a tensor cannot be followed:\n"
            "  net.py:8: aten::add.Tensor reads a tensor that may share memory with the one written by aten::zero_ "
            "(net.py:7); clone it before the write\n"
            "      return r + 1");
  Program unread = program(false);
  EXPECT_EQ(ErrorOf(&unread), "no error");
}

TEST(Functionalize, AMaybeAliasIsStatedOfCallsWithOneTensor) {
  for (const bool one : {true, false}) {
    Program p;
    const ValueId x = p.Input("x", {2, 2});
    const ValueId a = p.Call("aten::relu", {{x}}, {2, 2}, "a");
    const ArgList operands = one ? ArgList{{a}} : ArgList{{a}, {x}};
    const ValueId e = p.Call("aten::einsum", {{std::string(one ? "ij->ji" : "ij,jk->ik")}, {operands}}, {2, 2}, "e");
    p.Call("aten::zero_", {{e}}, {2, 2}, "z");
    p.Output({p.Call("aten::neg", {{a}}, {2, 2}, "y")});
    const std::string error = ErrorOf(&p);
    if (one) {
      EXPECT_THAT(error,
                  HasSubstr("aten::neg reads a tensor that may share memory with the one written by aten::zero_"));
    } else {
      EXPECT_EQ(error, "no error");
    }
  }
}

TEST(Functionalize, WeightsOfOneStorage) {
  Program p;
  const auto bytes = ir::MakeTensor(DType::kFloat32, {2}, std::string(8, '\0'))->bytes;
  const ValueId a = p.Weight("a", {2}, DType::kFloat32, bytes);
  const ValueId b = p.Weight("b", {2}, DType::kFloat32, bytes);
  p.Call("aten::relu_", {{a}}, {2}, "r");
  p.Output({b});
  EXPECT_THAT(ErrorOf(&p), HasSubstr("may share memory with the one written by aten::relu_"));
}

TEST(Functionalize, Refusals) {
  const std::tuple<const char*, std::vector<Arg>, ir::Dims, const char*> views[] = {
      {"aten::expand", {{ArgList{{5}, {4}, {3}}}, {false}}, {5, 4, 3}, "several of its elements are one in memory"},
      {"aten::unfold", {{0}, {2}, {1}}, {3, 3, 2}, "a write through aten::unfold is not supported"},
      {"aten::view.dtype", {{DType::kInt32}}, {4, 3}, "a write through aten::view.dtype is not supported"},
  };
  for (const auto& [op, args, dims, message] : views) {
    Program p;
    const ValueId x = p.Input("x", {4, 3});
    std::vector<Arg> all = {{p.Call("aten::relu", {{x}}, {4, 3}, "a")}};
    all.insert(all.end(), args.begin(), args.end());
    const ValueId v =
        p.Call(op, all, dims, "v", op == std::string("aten::view.dtype") ? DType::kInt32 : DType::kFloat32);
    p.Call("aten::zero_", {{v}}, dims, "z", p.graph.value(v).dtype);
    EXPECT_THAT(ErrorOf(&p), HasSubstr(message)) << op;
  }
}

TEST(Functionalize, AllRefusalsAreReportedTogether) {
  Program p;
  const ValueId x = p.Input("x", {4, 3});
  const ValueId a = p.Call("aten::relu", {{x}}, {4, 3}, "a");
  p.At("net.py", 3, "a.t_()");
  p.Call("aten::t_", {{a}}, {3, 4}, "t");
  p.At("net.py", 4, "a.resize_(2)");
  p.Call("aten::resize_", {{a}, {ArgList{{2}}}, {}}, {2}, "r");
  p.At("net.py", 5, "torch.add(x, 1, out=b)");
  const ValueId b = p.Call("aten::relu", {{x}}, {4, 1}, "b");
  p.Call("aten::add.out", {{x}, {x}, {1}, {b}}, {4, 3}, "o");
  EXPECT_THAT(ErrorOf(&p), AllOf(HasSubstr("3 writes to tensors cannot be followed:"),
                                 HasSubstr("net.py:3: aten::t_ changes the shape"),
                                 HasSubstr("net.py:4: aten::resize_ gives a tensor another shape"),
                                 HasSubstr("net.py:5: aten::add.out gives a tensor another shape")));
}

TEST(Functionalize, AsStridedNeedsAllOfTheMemory) {
  const auto read = [](bool whole) {
    Program p;
    const ValueId x = p.Input("x", {4, 3});
    const ValueId base = whole ? p.Call("aten::view", {{x}, {ArgList{{12}}}}, {12}, "v")
                               : p.Call("aten::select.int", {{x}, {0}, {1}}, {3}, "v");
    p.Output({p.Call("aten::as_strided", {{base}, {ArgList{{2}}}, {ArgList{{1}}}, {}}, {2}, "y")});
    return ErrorOf(&p);
  };
  EXPECT_EQ(read(true), "no error");
  EXPECT_THAT(read(false), HasSubstr("reads the memory of a tensor whose layout"));
}

TEST(Functionalize, ForeignCallsAreLeftAlone) {
  Program p;
  const ValueId x = p.Input("x", {2});
  const ValueId y = p.Call("mine::op", {{x}, {1}}, {2}, "y");
  p.Output({y});
  EXPECT_EQ(Functionalized(&p), "y = mine::op(%x, 1)\noutput = %y\n");
}

}  // namespace
}  // namespace onnxport::functionalize
