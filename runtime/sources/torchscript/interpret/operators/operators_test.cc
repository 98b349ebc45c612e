#include "runtime/sources/torchscript/interpret/operators/operators.h"

#include <string>

#include "gtest/gtest.h"
#include "runtime/sources/torchscript/interpret/values/refusal.h"
#include "runtime/sources/torchscript/interpret/values/values.h"
#include "runtime/testing/script_evaluator.h"
#include "runtime/trace/tracer.h"

namespace onnxport::torchscript {
namespace {

// `str` of the last expression, "raises", or "refused: why".
std::string Text(const std::string& code) {
  trace::Tracer tracer(18);
  ScriptEvaluator evaluator(&tracer);
  try {
    const Value value = evaluator.Run(code);
    if (const auto* missing = value.As<Missing>()) return "refused: " + missing->reason.text;
    return Str(value);
  } catch (const Refusal& refusal) {
    return IsRaised(refusal) ? "raises" : refusal.what();
  }
}

struct Row {
  const char* code;
  const char* text;
};

// The results of LibTorch's interpreter for the same code, printed by its `str`.
constexpr Row kAsLibTorch[] = {
    {"torch.add(1, 2)", "3"},
    {"torch.add(1, 2.5)", "3.5"},
    {"torch.sub(1, 2)", "-1"},
    {"torch.mul(3, 4)", "12"},
    {"torch.mul(3, 0.5)", "1.5"},
    {"torch.floordiv(-7, 2)", "-4"},
    {"torch.floordiv(7, -2)", "-4"},
    {"torch.floordiv(7., 2)", "3."},
    {"torch.floordiv(-7., 2)", "-4."},
    {"torch.floordiv(1, 0)", "raises"},
    {"torch.remainder(-7, 3)", "2"},
    {"torch.remainder(7, -3)", "-2"},
    {"torch.remainder(-7.5, 2)", "0.5"},
    {"torch.remainder(7, -2.5)", "-0.5"},
    {"torch.div(7, 2)", "3.5"},
    {"torch.div(1, 0)", "inf"},
    {"torch.div(1., 4)", "0.25"},
    {"torch.pow(2, 10)", "1024."},
    {"torch.pow(2, -1)", "0.5"},
    {"torch.pow(2., 0.5)", "1.4142135623730951"},
    {"torch.neg(3)", "-3"},
    {"torch.neg(2.5)", "-2.5"},
    {"torch.divmod(-7, 2)", "(-4, 1)"},
    {"torch.divmod(7.5, 2)", "(3., 1.5)"},
    {"torch.__round_to_zero_floordiv(-7, 2)", "-3"},
    {"torch.eq(1, 1.)", "True"},
    {"torch.eq(\"a\", \"b\")", "False"},
    {"torch.ne(\"a\", \"b\")", "True"},
    {"torch.eq([1, 2], [1, 2])", "True"},
    {"torch.eq([1, 2], [1, 3])", "False"},
    {"torch.ne([1, 2], [1, 2, 3])", "True"},
    {"torch.eq([\"a\"], [\"a\"])", "True"},
    {"torch.lt(1, 2)", "True"},
    {"torch.le(2, 2)", "True"},
    {"torch.gt(1.5, 2)", "False"},
    {"torch.ge(2, 2.)", "True"},
    {"torch.lt(\"a\", \"b\")", "True"},
    {"torch.eq(True, False)", "False"},
    {"torch.__and__(True, False)", "False"},
    {"torch.__or__(True, False)", "True"},
    {"torch.__xor__(True, True)", "False"},
    {"torch.__and__(6, 3)", "2"},
    {"torch.__or__(6, 3)", "7"},
    {"torch.__xor__(6, 3)", "5"},
    {"torch.__not__(True)", "False"},
    {"torch.__lshift__(3, 4)", "48"},
    {"torch.__rshift__(-9, 1)", "-5"},
    {"torch.__is__(None, None)", "True"},
    {"torch.__isnot__(None, None)", "False"},
    {"torch.sqrt(2)", "1.4142135623730951"},
    {"torch.exp(1.)", "2.7182818284590451"},
    {"torch.log(10)", "2.3025850929940459"},
    {"torch.log(8, 2)", "3."},
    {"torch.log10(1000)", "3."},
    {"torch.log1p(0.5)", "0.40546510810816438"},
    {"torch.sin(1.)", "0.8414709848078965"},
    {"torch.atan2(1, 2)", "0.46364760900080609"},
    {"torch.floor(2.7)", "2"},
    {"torch.floor(-2.7)", "-3"},
    {"torch.ceil(2.1)", "3"},
    {"torch.ceil(-2.1)", "-2"},
    {"torch.round(2.5)", "2."},
    {"torch.round(3.5)", "4."},
    {"torch.round(3)", "3."},
    {"torch.fmod(-7, 3)", "-1."},
    {"torch.mathremainder(7.5, 2)", "-0.5"},
    {"torch.copysign(2, -1.)", "-2."},
    {"torch.gcd(12, 18)", "6"},
    {"torch.gcd(-12, 18)", "6"},
    {"torch.factorial(5)", "120"},
    {"torch.degrees(1.)", "57.295779513082323"},
    {"torch.radians(180)", "3.1415926535897931"},
    {"torch.frexp(10.)", "(0.625, 4)"},
    {"torch.modf(2.75)", "(0.75, 2.)"},
    {"torch.ldexp(0.5, 4)", "8."},
    {"torch.gamma(5)", "24."},
    {"torch.lgamma(5.)", "3.1780538303479458"},
    {"torch.erf(0.5)", "0.52049987781304652"},
    {"torch.erfc(0.5)", "0.47950012218695348"},
    {"torch.fabs(-2)", "2."},
    {"torch.isnan(nan)", "True"},
    {"torch.isinf(inf)", "True"},
    {"torch.isfinite(inf)", "False"},
    {"torch.expm1(0.1)", "0.10517091807564763"},
    {"torch.acosh(2)", "1.3169578969248168"},
    {"ops.prim.min(3, 2)", "2"},
    {"ops.prim.max(3, 2.5)", "3."},
    {"ops.prim.min(3, 3.5)", "3."},
    {"ops.prim.min([3, 1, 2])", "1"},
    {"ops.prim.max([3., 1.5])", "3."},
    {"ops.prim.min([1, 2], [1, 1, 5])", "[1, 1, 5]"},
    {"ops.prim.max([1, 2], [1, 2, 5])", "[1, 2, 5]"},
    {"ops.prim.abs(-3)", "3"},
    {"ops.prim.abs(-2.5)", "2.5"},
    {"int(3.9)", "3"},
    {"int(-3.9)", "-3"},
    {"int(True)", "1"},
    {"int(\"42\")", "42"},
    {"int(\"x\")", "raises"},
    {"float(3)", "3."},
    {"float(\"2.5\")", "2.5"},
    {"bool(0)", "False"},
    {"bool(0.5)", "True"},
    {"torch.len([1, 2, 3])", "3"},
    {"torch.len(\"abc\")", "3"},
    {"torch.len({\"a\": 1})", "1"},
    {"[1, 2, 3][-1]", "3"},
    {"[1, 2, 3][3]", "raises"},
    {"(1, \"a\", 2.5)", "(1, a, 2.5)"},
    {"(1,)", "(1,)"},
    {"[1.5, 2., 1e+20]", "[1.5, 2., 1e+20]"},
    {"{\"a\": 1, \"b\": 2}", "{a: 1, b: 2}"},
    {"{1: [1], 2: [2, 3]}", "{1: [1], 2: [2, 3]}"},
    {"torch.slice([1, 2, 3, 4, 5], 1, 3)", "[2, 3]"},
    {"torch.slice([1, 2, 3, 4, 5], None, None, -1)", "[5, 4, 3, 2, 1]"},
    {"torch.slice([1, 2, 3, 4, 5], -2)", "[4, 5]"},
    {"torch.slice([1, 2, 3, 4, 5], 4, 0, -2)", "[5, 3]"},
    {"torch.slice([1, 2, 3, 4, 5], -100, 100, 2)", "[1, 3, 5]"},
    {"torch.slice(\"hello\", 1, -1)", "ell"},
    {"torch.slice(\"hello\", None, None, 2)", "hlo"},
    {"torch.add([1], [2, 3])", "[1, 2, 3]"},
    {"torch.mul([1, 2], 2)", "[1, 2, 1, 2]"},
    {"torch.mul(2, [1])", "[1, 1]"},
    {"torch.mul([1, 2], -1)", "raises"},
    {"torch.sum([1, 2, 3])", "6"},
    {"torch.sum([1.5, 2.5])", "4."},
    {"torch.sum([True, True])", "2"},
    {"torch.any([False, True])", "True"},
    {"torch.all([1, 0])", "False"},
    {"torch.all([1, 2])", "True"},
    {"torch.any([0., 0.])", "False"},
    {"sorted([3, 1, 2])", "[1, 2, 3]"},
    {"sorted([\"b\", \"a\"])", "[a, b]"},
    {"sorted([9007199254740993, 9007199254740992])", "[9007199254740992, 9007199254740993]"},
    {"torch.index([5, 6, 7], 6)", "1"},
    {"torch.index([5, 6, 7], 9)", "raises"},
    {"torch.count([1, 2, 1], 1)", "2"},
    {"torch.__contains__([1, 2], 2)", "True"},
    {"torch.__contains__({\"a\": 1}, \"b\")", "False"},
    {"torch.__contains__(\"hello\", \"ell\")", "True"},
    {"torch.list(\"abc\")", "[a, b, c]"},
    {"torch.copy([1, 2])", "[1, 2]"},
    {"torch.keys({\"a\": 1, \"b\": 2})", "[a, b]"},
    {"torch.values({\"a\": 1, \"b\": 2})", "[1, 2]"},
    {"torch.items({\"a\": 1, \"b\": 2})", "[(a, 1), (b, 2)]"},
    {"torch.get({\"a\": 1}, \"a\")", "1"},
    {"torch.get({\"a\": 1}, \"b\")", "None"},
    {"torch.get({\"a\": 1}, \"b\", 7)", "7"},
    {"{\"a\": 1}[\"b\"]", "raises"},
    {"torch.dict([(\"a\", 1), (\"b\", 2)])", "{a: 1, b: 2}"},
    {"torch.format(\"{} and {}\", 1, \"x\")", "1 and x"},
    {"torch.format(\"{}\", [1, 2])", "[1, 2]"},
    {"torch.format(\"{}\", 0.1)", "0.10000000000000001"},
    {"torch.format(\"{}\", 1e-7)", "9.9999999999999995e-08"},
    {"torch.format(\"{} {}\", 1)", "raises"},
    {"torch.format(\"{}\", True)", "True"},
    {"torch.format(\"{}\", None)", "None"},
    {"torch.format(\"{}\", [\"a\", \"b\"])", "[a, b]"},
    {"torch.format(\"{}\", 123456789.)", "123456789."},
    {"torch.format(\"{}\", 1234567.5)", "1234567.5"},
    {"torch.format(\"{}\", 1e+16)", "10000000000000000."},
    {"torch.percentFormat(\"%d %s\", (3, \"x\"))", "3 x"},
    {"torch.percentFormat(\"%s %%\", (\"y\",))", "y %"},
    {"torch.percentFormat(\"%f\", (2.5,))", "2.500000"},
    {"torch.percentFormat(\"%d\", (2.5,))", "2"},
    {"str(1)", "1"},
    {"str(\"a\")", "a"},
    {"torch.add(\"a\", \"b\")", "ab"},
    {"torch.join(\", \", [\"a\", \"b\"])", "a, b"},
    {"torch.hex(255)", "0xff"},
    {"torch.hex(-255)", "-0xff"},
    {"torch.oct(8)", "0o10"},
    {"torch.bin(5)", "0b101"},
    {"torch.chr(65)", "A"},
    {"torch.ord(\"A\")", "65"},
    {"torch.find(\"hello\", \"l\")", "2"},
    {"torch.rfind(\"hello\", \"l\")", "3"},
    {"torch.find(\"hello\", \"z\")", "-1"},
    {"torch.find(\"hello\", \"l\", 3)", "3"},
    {"torch.find(\"hello\", \"l\", 0, 3)", "2"},
    {"torch.index(\"hello\", \"l\")", "2"},
    {"torch.rindex(\"hello\", \"l\")", "3"},
    {"torch.index(\"hello\", \"z\")", "raises"},
    {"torch.count(\"banana\", \"an\")", "2"},
    {"torch.count(\"banana\", \"a\", 2, 5)", "1"},
    {"torch.startswith(\"hello\", \"he\")", "True"},
    {"torch.startswith(\"hello\", \"el\", 1)", "True"},
    {"torch.endswith(\"hello\", \"lo\")", "True"},
    {"torch.endswith(\"hello\", \"l\", 0, 4)", "True"},
    {"torch.replace(\"banana\", \"a\", \"oo\")", "boonoonoo"},
    {"torch.replace(\"banana\", \"a\", \"o\", 2)", "bonona"},
    {"torch.split(\"a b  c\", None)", "[a, b, c]"},
    {"torch.split(\"a,b,,c\", \",\")", "[a, b, , c]"},
    {"torch.split(\"a,b,c\", \",\", 1)", "[a, b,c]"},
    {"torch.split(\"a b c\", None, 1)", "[a, b, c]"},
    {"torch.rsplit(\"a,b,c\", \",\", 1)", "[a,b, c]"},
    {"torch.rsplit(\"a b c\", \" \")", "[a, b, c]"},
    {"torch.splitlines(\"a\\nb\\n\", True)", "[a, \n, b, \n]"},
    {"torch.partition(\"a=b=c\", \"=\")", "(a, =, b=c)"},
    {"torch.rpartition(\"a=b=c\", \"=\")", "(a=b, =, c)"},
    {"torch.partition(\"abc\", \"=\")", "(abc, , )"},
    {"torch.rpartition(\"abc\", \"=\")", "(, , abc)"},
    {"torch.strip(\"  ab \")", "ab"},
    {"torch.lstrip(\"  ab \")", "ab "},
    {"torch.rstrip(\"  ab \")", "  ab"},
    {"torch.strip(\"xxabx\", \"x\")", "ab"},
    {"torch.ljust(\"ab\", 5, \".\")", "ab..."},
    {"torch.rjust(\"ab\", 5)", "   ab"},
    {"torch.center(\"ab\", 5, \"*\")", "**ab*"},
    {"torch.center(\"abc\", 6, \"*\")", "*abc**"},
    {"torch.zfill(\"42\", 5)", "00042"},
    {"torch.zfill(\"-42\", 5)", "00-42"},
    {"torch.expandtabs(\"a\\tb\", 4)", "a   b"},
    {"torch.upper(\"aBc\")", "ABC"},
    {"torch.lower(\"aBc\")", "abc"},
    {"torch.swapcase(\"aBc\")", "AbC"},
    {"torch.capitalize(\"hello World\")", "Hello world"},
    {"torch.title(\"hello world\")", "Hello World"},
    {"torch.isalnum(\"ab1\")", "True"},
    {"torch.isalpha(\"ab1\")", "False"},
    {"torch.isdigit(\"12\")", "True"},
    {"torch.isdecimal(\"\")", "False"},
    {"torch.isnumeric(\"1a\")", "False"},
    {"torch.isspace(\" \\t\")", "True"},
    {"torch.isprintable(\"a\\n\")", "False"},
    {"torch.isupper(\"AB1\")", "True"},
    {"torch.islower(\"aB\")", "False"},
    {"torch.istitle(\"Hello World\")", "True"},
    {"torch.istitle(\"Hello world\")", "False"},
    {"torch.isidentifier(\"a_1\")", "False"},
    {"torch.isidentifier(\"1a\")", "False"},
    {"torch.__range_length(0, 10, 3)", "4"},
    {"torch.__range_length(10, 0, -3)", "4"},
    {"torch.__range_length(5, 0, 1)", "0"},
    {"torch.__derive_index(3, 10, -2)", "4"},
    {"torch.device(\"cuda:1\")", "cuda:1"},
    {"torch.device(\"cuda\", 2)", "cuda:2"},
    {"ops.prim.type(torch.device(\"cuda:1\"))", "cuda"},
    {"ops.prim.index(torch.device(\"cuda:1\"))", "1"},
    {"ops.prim.index(torch.device(\"cpu\"))", "None"},
    {"torch.eq(torch.device(\"cpu\"), torch.device(\"cpu\"))", "True"},
    {"torch._infer_size([2, 1, 3], [4, 1])", "[2, 4, 3]"},
    {"torch.broadcast_shapes([2, 1], [3])", "[2, 3]"},
    {"torch.promote_types(6, 4)", "6"},
    {"torch.can_cast(6, 4)", "False"},
    {"torch.can_cast(4, 6)", "True"},
    {"torch.can_cast(11, 4)", "True"},
    {"torch.can_cast(4, 11)", "False"},
    {"torch._unwrap_optional(annotate(Optional[int], 3))", "3"},
    {"l = [3, 1, 2]; torch.sort(l); l", "[1, 2, 3]"},
    {"l = [3, 1, 2]; torch.sort(l, True); l", "[3, 2, 1]"},
    {"l = [3, 1, 2]; torch.reverse(l); l", "[2, 1, 3]"},
    {"l = [3, 1, 2]; a = torch.append(l, 5); l", "[3, 1, 2, 5]"},
    {"l = [3, 1, 2]; torch.extend(l, l); l", "[3, 1, 2, 3, 1, 2]"},
    {"l = [3, 1, 2]; torch.insert(l, 1, 9); l", "[3, 9, 1, 2]"},
    {"l = [3, 1, 2]; torch.insert(l, -1, 9); l", "[3, 1, 9, 2]"},
    {"l = [3, 1, 2]; torch.insert(l, 99, 9); l", "[3, 1, 2, 9]"},
    {"l = [3, 1, 2]; a = torch.pop(l); (a, l)", "(2, [3, 1])"},
    {"l = [3, 1, 2]; a = torch.pop(l, 0); (a, l)", "(3, [1, 2])"},
    {"l = [3, 1, 2]; a = torch.pop(l, 7); (a, l)", "raises"},
    {"l = [3, 1, 2]; torch.remove(l, 1); l", "[3, 2]"},
    {"l = [3, 1, 2]; torch.remove(l, 8); l", "raises"},
    {"l = [3, 1, 2]; a = torch._set_item(l, -1, 7); l", "[3, 1, 7]"},
    {"l = [3, 1, 2]; torch.Delete(l, 1); l", "[3, 2]"},
    {"l = [3, 1, 2]; torch.clear(l); l", "[]"},
    {"l = [3, 1, 2]; a = torch.add_(l, [4]); l", "[3, 1, 2, 4]"},
    {"l = [3, 1, 2]; a = torch.mul_(l, 2); l", "[3, 1, 2, 3, 1, 2]"},
    {"d = {\"a\": 1}; torch._set_item(d, \"b\", 2); d", "{a: 1, b: 2}"},
    {"d = {\"a\": 1}; torch._set_item(d, \"a\", 2); d", "{a: 2}"},
    {"d = {\"a\": 1, \"b\": 2}; torch.Delete(d, \"a\"); d", "{b: 2}"},
    {"d = {\"a\": 1}; torch.Delete(d, \"c\"); d", "raises"},
    {"d = {\"a\": 1, \"b\": 2}; a = torch.pop(d, \"a\"); (a, d)", "(1, {b: 2})"},
    {"d = {\"a\": 1}; a = torch.pop(d, \"c\", 9); (a, d)", "(9, {a: 1})"},
    {"d = {\"a\": 1, \"b\": 2}; a = torch.popitem(d); (a, d)", "((a, 1), {b: 2})"},
    {"d = {\"a\": 1}; a = torch.setdefault(d, \"b\", 3); (a, d)", "(3, {a: 1, b: 3})"},
    {"d = {\"a\": 1}; a = torch.setdefault(d, \"a\", 3); (a, d)", "(1, {a: 1})"},
    {"d = {\"a\": 1}; torch.update(d, {\"a\": 5, \"c\": 6}); d", "{a: 5, c: 6}"},
    {"d = {\"a\": 1}; torch.clear(d); d", "{}"},
    {"d = {\"a\": 1}; e = torch.copy(d); torch._set_item(e, \"b\", 2); (d, e)", "({a: 1}, {a: 1, b: 2})"},
};

TEST(Builtins, AsLibTorch) {
  for (const Row& row : kAsLibTorch) EXPECT_EQ(Text(row.code), row.text) << row.code;
}

// Where numbers leave their type, or the answer is ours alone.
TEST(Builtins, OfOurOwn) {
  const Row kRows[] = {
      {"torch.add(9223372036854775807, 1)", "raises"},
      {"torch.sub(-9223372036854775808, 1)", "raises"},
      {"torch.mul(9223372036854775807, 2)", "raises"},
      {"torch.neg(-9223372036854775808)", "raises"},
      {"torch.floordiv(-9223372036854775808, -1)", "raises"},
      {"torch.remainder(1, 0)", "raises"},
      {"torch.__lshift__(1, 64)", "raises"},
      {"ops.prim.abs(-9223372036854775808)", "raises"},
      {"torch.factorial(21)", "raises"},
      {"int(1e+300)", "raises"},
      {"int(nan)", "raises"},
      {"ops.prim.min(annotate(List[int], []))", "raises"},
      {"torch.mul([0], 10000000)", "refused: the list would have more than a million elements"},
      {"torch.is_grad_enabled()", "False"},
      {"torch.is_scripting()", "True"},
      {"torch.__is__(torch.device(\"cpu\"), None)", "False"},
      {"torch.__isnot__([1], None)", "True"},
      {"l = [1]; m = l; torch.__is__(l, m)", "True"},
      {"torch.splitlines(\"a\\nb\\r\\nc\")", "[a, b, c]"},
      {"torch.get({1: 2}, 1.)", "2"},
      {"ops.prim.TupleIndex((1, 2), -1)", "2"},
      {"ops.prim.unchecked_unwrap_optional(None)", "raises"},
      {"ops.prim.rangelist(3)", "[0, 1, 2]"},
      {"torch.warn(\"x\")", "None"},
      {"torch._infer_size([2], [3])", "raises"},
      {"torch.hash(1)", "refused: hashes differ from run to run"},
      {"torch.save(1, \"f\")", "refused: a model writes no files"},
      {"ops.prim.ConstantMKLDNNTensor()",
       "refused: optimize_for_inference left these weights out of the file; save the module before it"},
      {"torch.Complex(1, 2)", "(1.+2.j)"},
      {"torch.eq(torch.Complex(1, 2), torch.Complex(1, 2))", "True"},
      {"torch.no_such_thing(1)", "refused: no spec says how to export it"},
      {"ops.host.add(1, 2)", "refused: no spec says how to export it"},
      {"torch.format(\"{}{}\", torch.ljust(\"a\", 600000, \"b\"), torch.ljust(\"a\", 600000, \"b\"))",
       "refused: the text is longer than a million bytes"},
      {"torch.percentFormat(\"%s%s\", (torch.ljust(\"a\", 600000, \"b\"), torch.ljust(\"a\", 600000, \"b\")))",
       "refused: the text is longer than a million bytes"},
      {"torch.join(torch.ljust(\"a\", 600000, \"b\"), [\"x\", \"y\", \"z\"])",
       "refused: the text is longer than a million bytes"},
      {"torch.percentFormat(\"%5d\", 1)", "refused: a `%` format other than s, d, i, f and e without widths"},
  };
  for (const Row& row : kRows) EXPECT_EQ(Text(row.code), row.text) << row.code;
}

TEST(Builtins, ChangesAreUndone) {
  trace::Tracer tracer(18);
  ScriptEvaluator evaluator(&tracer);
  evaluator.Run("l = [1, 2]; d = {\"a\": 1}");
  evaluator.heap.Begin();
  evaluator.Run("a = torch.append(l, 3); torch.reverse(l); torch._set_item(d, \"b\", 2); torch.Delete(d, \"a\")");
  EXPECT_EQ(Str(evaluator.Run("(l, d)")), "([3, 2, 1], {b: 2})");
  evaluator.heap.Undo();
  EXPECT_EQ(Str(evaluator.Run("(l, d)")), "([1, 2], {a: 1})");
}

// x: f32[n,4], z: 0-d float, n, f, b: numbers of a run, s: a sequence of f32[2], k: f32[m,2] stacked, i: stacked ints.
class Traced : public testing::Test {
 protected:
  Value Input(const char* name, ir::ValueKind kind, ir::DType dtype, ir::Dims dims) {
    ir::Value type;
    type.kind = kind;
    type.dtype = dtype;
    type.dims = std::move(dims);
    const ir::ValueId id = tracer_.AddInput(name, type);
    if (kind == ir::ValueKind::kTensor || kind == ir::ValueKind::kSequence) return {Tensor{id}};
    return {Number{id}};
  }

  Value List(const char* name, ir::ValueKind kind, ir::DType dtype, ir::Dims dims, const char* element) {
    const CellPtr list = evaluator_.heap.NewList({}, {element, {}});
    const ir::ValueId id = Input(name, kind, dtype, std::move(dims)).As<Tensor>()->id;
    (kind == ir::ValueKind::kSequence ? list->sequence : list->stacked) = id;
    return {list};
  }

  void SetUp() override {
    using ir::DType;
    using ir::ValueKind;
    evaluator_.variables = {
        {"x", Input("x", ValueKind::kTensor, DType::kFloat32, {ir::Dim::Symbol("n"), 4})},
        {"z", Input("z", ValueKind::kTensor, DType::kFloat32, {})},
        {"n", Input("n", ValueKind::kInt, DType::kInt64, {})},
        {"f", Input("f", ValueKind::kFloat, DType::kFloat64, {})},
        {"b", Input("b", ValueKind::kBool, DType::kBool, {})},
        {"s", List("s", ValueKind::kSequence, DType::kFloat32, {2}, "Tensor")},
        {"k", List("k", ValueKind::kTensor, DType::kFloat32, {ir::Dim::Symbol("m"), 2}, "Tensor")},
        {"i", List("i", ValueKind::kTensor, DType::kInt64, {ir::Dim::Symbol("l")}, "int")},
    };
  }

  // The calls that the code made.
  std::string Calls() {
    std::string calls;
    for (const ir::Node& node : tracer_.source().body.nodes) calls += (calls.empty() ? "" : " ") + node.op.text();
    return calls;
  }

  trace::Tracer tracer_{18};
  ScriptEvaluator evaluator_{&tracer_};
};

struct TracedRow {
  const char* code;
  const char* calls;
  const char* kind;
};

class TracedCalls : public Traced, public testing::WithParamInterface<TracedRow> {};

TEST_P(TracedCalls, AreMade) {
  const Value value = evaluator_.Run(GetParam().code);
  EXPECT_EQ(Calls(), GetParam().calls);
  EXPECT_EQ(KindName(value, tracer_), GetParam().kind);
  for (const record::Failure& failure : tracer_.findings().failures())
    ADD_FAILURE() << failure.op.text() << ": " << failure.reason.text;
}

constexpr char kOpenList[] = "List[Tensor] (of a length known only at run time)";

constexpr TracedRow kTraced[] = {
    {"torch.add(n, 1)", "host::add", "int (known only at run time)"},
    {"torch.add(n, f)", "host::add", "float (known only at run time)"},
    {"torch.div(n, 2)", "host::truediv", "float (known only at run time)"},
    {"torch.floordiv(n, 2)", "host::floordiv", "int (known only at run time)"},
    {"torch.pow(n, 2)", "host::float host::float host::pow", "float (known only at run time)"},
    {"torch.gt(n, 3)", "host::gt", "bool (known only at run time)"},
    {"torch.eq([n, 1], [2, 1])", "host::eq", "bool (known only at run time)"},
    {"torch.eq([n, 1], [2, 3])", "", "bool"},
    {"torch.__lshift__(n, 3)", "host::mul", "int (known only at run time)"},
    {"torch.__rshift__(n, 3)", "host::floordiv", "int (known only at run time)"},
    {"torch.__lshift__(1, n)", "host::pow host::mul", "int (known only at run time)"},
    {"torch.__or__(n, 1)", "aten::scalar_tensor aten::scalar_tensor aten::bitwise_or.Tensor aten::item",
     "int (known only at run time)"},
    {"torch.__and__(b, True)", "", "bool (known only at run time)"},
    {"torch.__and__(b, False)", "", "bool"},
    {"torch.__and__(b, torch.gt(n, 3))", "host::gt host::and", "bool (known only at run time)"},
    {"torch.__not__(b)", "host::not", "bool (known only at run time)"},
    {"torch.__is__(n, None)", "", "bool"},
    {"torch.__contains__([1, 2], n)", "host::eq host::eq host::or", "bool (known only at run time)"},
    {"float(n)", "host::float", "float (known only at run time)"},
    {"int(f)", "host::trunc", "int (known only at run time)"},
    {"int(n)", "", "int (known only at run time)"},
    {"bool(n)", "host::ne", "bool (known only at run time)"},
    {"int(z)", "aten::item host::trunc", "int (known only at run time)"},
    {"float(z)", "aten::item", "float (known only at run time)"},
    {"torch.item(z)", "aten::item", "float (known only at run time)"},
    {"ops.prim.min(n, 3)", "host::min", "int (known only at run time)"},
    {"ops.prim.max([1, n, 3])", "host::max host::max", "int (known only at run time)"},
    {"torch.floor(f)", "host::floor", "int (known only at run time)"},
    {"torch.exp(f)", "aten::scalar_tensor aten::exp aten::item", "float (known only at run time)"},
    {"torch.sum([1, n])", "host::add", "int (known only at run time)"},
    {"torch.all([True, b])", "", "bool (known only at run time)"},
    {"torch.__range_length(0, n, 2)", "host::sub host::add host::floordiv host::max", "int (known only at run time)"},
    {"torch.dim(x)", "", "int"},
    {"torch.size(x, -1)", "", "int"},
    {"torch.size(x, 0)", "aten::sym_size.int", "int (known only at run time)"},
    {"torch.size(x)", "aten::sym_size.int", "List[int]"},
    {"torch.len(x)", "aten::sym_size.int", "int (known only at run time)"},
    {"torch.numel(x)", "aten::sym_numel", "int (known only at run time)"},
    {"torch.eq(ops.prim.dtype(x), 6)", "", "bool"},
    {"ops.prim.device(x)", "", "Device"},
    {"torch.is_floating_point(x)", "", "bool"},
    {"torch.result_type(x, 1)", "", "int"},
    {"torch.equal(z, z)", "aten::eq.Tensor aten::all aten::item", "bool (known only at run time)"},
    {"ops.prim.NumToTensor(n)", "aten::scalar_tensor", "Tensor"},
    {"torch.tensor([[1, 2], [3, 4]])", "aten::clone", "Tensor"},
    {"torch.tensor(1.5, dtype=7)", "aten::scalar_tensor", "Tensor"},
    {"torch.tensor([n, 2])", "aten::scalar_tensor aten::scalar_tensor aten::stack", "Tensor"},
    {"torch.as_tensor(x)", "", "Tensor"},
    {"torch.as_tensor(x, dtype=7)", "aten::to.dtype", "Tensor"},
    {"torch.relu(x)", "aten::relu", "Tensor"},
    {"torch.add(x, n)", "aten::add.Scalar", "Tensor"},
    {"torch.max(x, 1)", "aten::max.dim", "Tuple[Tensor, Tensor]"},
    {"torch.split(x, 2, 1)", "aten::split.Tensor", "List[Tensor]"},
    {"torch.to(x, torch.device(\"cuda\"))", "", "Tensor"},
    {"torch.to(x, torch.device(\"cuda\"), copy=True)", "aten::clone", "Tensor"},
    {"torch.to(x, 7)", "aten::to.dtype", "Tensor"},
    {"[z, z][n]", "host::sequence_construct host::sequence_at", "Tensor"},
    {"[5, 6][n]", "aten::scalar_tensor aten::scalar_tensor aten::stack aten::select.int aten::item",
     "int (known only at run time)"},
    {"torch.len(s)", "host::sequence_length", "int (known only at run time)"},
    {"s[0]", "host::sequence_at", "Tensor"},
    {"a = torch.append(s, s[0]); s", "host::sequence_at host::sequence_append", kOpenList},
    {"torch.pop(s)", "host::sequence_at host::sequence_erase", "Tensor"},
    {"torch.add(s, annotate(List[Tensor], []))", "", kOpenList},
    {"torch.add(s, k)", "host::sequence_split host::sequence_concat", kOpenList},
    {"torch.stack(s, 0)", "aten::stack", "Tensor"},
    {"torch.len(k)", "aten::sym_size.int", "int (known only at run time)"},
    {"k[n]", "aten::select.int", "Tensor"},
    {"i[n]", "aten::select.int aten::item", "int (known only at run time)"},
    {"torch.stack(k)", "", "Tensor"},
    {"torch.stack(k, -1)", "aten::movedim.int", "Tensor"},
    {"torch.cat(k)", "aten::flatten.using_ints", "Tensor"},
    {"torch.tolist(z)", "aten::item", "float (known only at run time)"},
    {"torch.tolist(torch.select(x, 1, 0))", "aten::select.int aten::sym_size.int aten::clone",
     "List[float] (of a length known only at run time)"},
};

INSTANTIATE_TEST_SUITE_P(Builtins, TracedCalls, testing::ValuesIn(kTraced));

TEST_F(Traced, Constants) {
  const Value tensor = evaluator_.Run("torch.tensor([[1, 2, 3], [4, 5, 6]])");
  const ir::Value& type = tracer_.TypeOf(tensor.As<Tensor>()->id);
  EXPECT_EQ(type.dtype, ir::DType::kInt64);
  EXPECT_EQ(type.dims, (ir::Dims{2, 3}));
  const Value floats = evaluator_.Run("torch.tensor([1, 2.5], dtype=5)");
  EXPECT_EQ(tracer_.TypeOf(floats.As<Tensor>()->id).dtype, ir::DType::kFloat16);
}

TEST_F(Traced, Refusals) {
  const Row kRows[] = {
      {"torch.__and__(f, 1)", "bit arithmetic of floats"},
      {"torch.eq(torch.format(\"{}\", n), \"3\")", "whether these are equal is not known at export"},
      {"torch.slice([1, 2], n)",
       "argument 2 is int (known only at run time): an int that is known at export is needed, as a parameter with a "
       "value is (<<inputs: n=5>>)"},
      {"torch.stride(x)", "a model does not know how its tensors lie in memory"},
      {"sorted([(n, 2), (1, 2)])", "the order of the elements is not known at export"},
  };
  for (const Row& row : kRows) {
    const size_t before = tracer_.findings().failures().size();
    const Value value = evaluator_.Run(row.code);
    const auto* missing = value.As<Missing>();
    ASSERT_NE(missing, nullptr) << row.code;
    EXPECT_EQ(missing->reason.text, row.text);
    EXPECT_TRUE(missing->reported);
    EXPECT_EQ(tracer_.findings().failures().size(), before + 1) << row.code;
  }
}

// The way out differs, and with it the code.
TEST_F(Traced, RefusalsHaveCodes) {
  const struct {
    const char* code;
    onnxport::Code number;
  } kRows[] = {
      {"torch.save(1, \"f\")", onnxport::Code::kNotInAModel},
      {"torch.stride(x)", onnxport::Code::kNotInAModel},
      {"ops.prim.ConstantMKLDNNTensor()", onnxport::Code::kUnsupportedCall},
      {"torch.mul([0], 10000000)", onnxport::Code::kValueIsTooLarge},
      {"torch.join(torch.ljust(\"a\", 600000, \"b\"), [\"x\", \"y\", \"z\"])", onnxport::Code::kValueIsTooLarge},
      {"torch.slice([1, 2], n)", onnxport::Code::kArgumentIsNotKnown},
      {"torch.__getitem__({1: 2}, n)", onnxport::Code::kNotDecided},
      {"torch.tensor([1, 2], dtype=16)", onnxport::Code::kNoOnnxType},
  };
  for (const auto& row : kRows) {
    ASSERT_NE(evaluator_.Run(row.code).As<Missing>(), nullptr) << row.code;
    EXPECT_EQ(onnxport::Number(tracer_.findings().failures().back().reason.code), onnxport::Number(row.number))
        << row.code;
  }
}

}  // namespace
}  // namespace onnxport::torchscript
