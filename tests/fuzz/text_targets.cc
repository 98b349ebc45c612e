// TorchScript's source, symbolic expressions, and spec files.
#include <fmt/format.h>

#include <iterator>

#include "codegen/load/load.h"
#include "codegen/source/diagnostics.h"
#include "runtime/base/error.h"
#include "runtime/ir/dim.h"
#include "runtime/sources/torchscript/syntax/parser.h"
#include "tests/fuzz/target.h"

namespace onnxport::fuzz {
namespace {

// ---- code/*.py

constexpr std::string_view kSourceWords[] = {"import",
                                             "class",
                                             "def",
                                             "if",
                                             "else",
                                             "while",
                                             "for",
                                             "in",
                                             "with",
                                             "as",
                                             "return",
                                             "pass",
                                             "assert",
                                             "del",
                                             "raise",
                                             "None",
                                             "True",
                                             "inf",
                                             "nan",
                                             "1.e400",
                                             "0x1",
                                             "9223372036854775808",
                                             "-",
                                             "...",
                                             "(",
                                             ")",
                                             "[",
                                             "]",
                                             "{",
                                             "}",
                                             ":",
                                             ",",
                                             "=",
                                             "\n",
                                             "\n  ",
                                             "\n\t",
                                             "->",
                                             "#",
                                             "Optional[",
                                             "Dict[",
                                             "Final[int]",
                                             "\"\\x\"",
                                             "'\\0'",
                                             "getattr(self, \"0\")",
                                             "op_version_set",
                                             "NamedTuple",
                                             "Enum",
                                             "__annotations__",
                                             "__parameters__"};

std::string MakeSource(Random* random) {
  const std::string& seed = Seed("source", random);
  return Mutated(seed, Seed("source", random), kSourceWords, random);
}

// Printing the result and reading it again gives the same.
void RunSource(const std::string& input) {
  const torchscript::Definitions read = torchscript::Parse(input, "__torch__", nullptr);
  for (const torchscript::Function& function : read.functions) {
    const std::string text = torchscript::ToText(function);
    const torchscript::Definitions again = torchscript::Parse(text, "__torch__", nullptr);
    Check(again.functions.size() == 1 && torchscript::ToText(again.functions[0]) == text, "Parse(ToText(x)) == x",
          text);
  }
}

// ---- symbolic expressions

constexpr const char* kBinary[] = {"{} + {}",     "{} - {}",     "{}*{}",       "({})//({})",        "FloorDiv({}, {})",
                                   "Mod({}, {})", "Max({}, {})", "Min({}, {})", "PythonMod({}, {})", "CleanDiv({}, {})",
                                   "Add({}, {})", "Mul({}, {})", "({})*({})",   "({})/({})",         "CeilDiv({}, {})"};
constexpr const char* kUnary[] = {"-({})",          "({})",    "floor({})",           "CeilToInt({})",
                                  "TruncToInt({})", "({})**2", "Pow({}, Integer(3))", "ToFloat({})",
                                  "Identity({})"};
constexpr const char* kLeaves[] = {"s0",
                                   "s1",
                                   "s77",
                                   "u0",
                                   "0",
                                   "1",
                                   "2",
                                   "-1",
                                   "7",
                                   "4611686018427387904",
                                   "9223372036854775807",
                                   "-9223372036854775808",
                                   "Symbol('s0', positive=True, integer=True)",
                                   "Integer(3)",
                                   "Rational(1, 2)",
                                   "Float('0.5')",
                                   "0.25",
                                   "9999999999999999999"};
constexpr std::string_view kExpressionWords[] = {"(",  ")",       ",", "**", "//",    "Max",
                                                 "s0", "Symbol(", "'", "=",  "1e308", "."};

std::string Expression(Random* random, int depth) {
  const auto form = [&](const char* text, auto... operands) { return fmt::format(fmt::runtime(text), operands...); };
  if (depth == 0 || random->OneIn(5)) return random->Pick(kLeaves);
  if (random->OneIn(4)) return form(random->Pick(kUnary), Expression(random, depth - 1));
  return form(random->Pick(kBinary), Expression(random, depth - 1), Expression(random, depth - 1));
}

std::string MakeExpression(Random* random) {
  const std::string text = Expression(random, static_cast<int>(1 + random->Below(6)));
  return random->OneIn(4) ? Mutated(text, Expression(random, 3), kExpressionWords, random) : text;
}

// A canonical text is read as what it is the text of; a substitution of numbers ends in a number or in nothing.
void RunExpression(const std::string& input) {
  std::string error;
  const auto dim = ir::Dim::Parse(input, &error);
  Check(dim.has_value() || !error.empty(), "a reason for every refusal", input);
  if (!dim || dim->is_unknown()) return;
  const auto again = ir::Dim::Parse(dim->ToString(), &error);
  Check(again && *again == *dim, "Parse(ToString(x)) == x", dim->ToString());
  std::map<std::string, ir::Dim> values;
  for (const std::string& name : dim->symbols()) values.emplace(name, static_cast<int64_t>(name.size() * 3));
  Check(!dim->Substitute(values).is_symbolic(), "that numbers make a number", dim->ToString());
  dim->Bounds({{"s0", {2, 1000}}, {"s1", {0, std::nullopt}}});
}

// ---- spec files

constexpr std::string_view kSpecWords[] = {
    "op", "let", "emit", "cases", "when", "since", "tests", "def",  "traits", ":", "-",  "{", "}",  "[",    "]",
    "|",  "&a",  "*a",   "!!map", "\n  ", "if",    "for",   "fold", "loop",   "'", "\"", "#", "<<", "null", "1e999"};

std::string MakeYaml(Random* random) { return Mutated(Seed("spec", random), Seed("spec", random), kSpecWords, random); }

void RunYaml(const std::string& input) {
  codegen::Diagnostics diagnostics;
  const auto spec = codegen::LoadSpecFile("spec/aten/fuzz.yaml", input, &diagnostics);
  Check(spec.has_value() || !diagnostics.ToText().empty(), "a diagnostic for every refusal", input);
}

}  // namespace

const Target kSource = {"source", MakeSource, RunSource};
const Target kExpression = {"expression", MakeExpression, RunExpression};
const Target kYaml = {"yaml", MakeYaml, RunYaml};

}  // namespace onnxport::fuzz
