#include <array>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>

#include "codegen/load/load.h"
#include "codegen/traits/resolve.h"
#include "codegen/traits/table.h"
#include "codegen/traits/words.h"
#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace onnxport::codegen {
namespace {

using testing::HasSubstr;

struct Outcome {
  std::string mistakes;
  std::string table;
};

// Resolves a file with these entries.
Outcome Resolved(const std::string& ops) {
  Diagnostics diagnostics;
  const auto spec = LoadSpecFile("f.yaml", "spec: 1\nfamily: f\nops:\n" + ops, &diagnostics);
  if (!spec) return {diagnostics.ToText(), ""};
  const auto traits = ResolveTraits(*spec, &diagnostics);
  CheckTraitClaims(traits, &diagnostics);
  if (diagnostics.has_errors()) return {diagnostics.ToText(), ""};
  Templates templates("templates");
  return {"", TraitsTable(traits, &templates)};
}

struct Case {
  const char* ops;
  const char* expected;
};

TEST(Traits, BecomeRows) {
  const Case cases[] = {
      {"- {op: aten::select.int, alias: 'element(dim, index)', write_back: 'select_scatter(base, part, dim, index)'}\n",
       "{.op = \"aten::select.int\", .alias = Alias::kElement, .axes = {1, 2, -1, -1}, .write_back = &kCall0},"},
      {"- {op: aten::select.int, write_back: 'select_scatter(base, part, dim, index)'}\n",
       "kOperands0[] = {{0, Kind::kBase}, {1, Kind::kPart}, {2, Kind::kArgument, 1}, {3, Kind::kArgument, 2}};"},
      {"- {op: aten::unbind.int, read_one: 'select.int(base, dim, output)'}\n", "{2, Kind::kOutput}"},
      {"- {op: aten::detach, alias: same, write_back: part}\n", "constexpr Call kCall0 = {\"\", {}};"},
      {"- {op: aten::narrow, write_back: 'slice_scatter(base, part, dim=dim, start=start, end=end(start, length))'}\n",
       "{4, Kind::kEnd, 2, 3}"},
      {"- {op: aten::tanh, quantized: 'grid(0.0078125, 128, -1)'}\n", ".grid = {0.0078125, 128, -1}"},
      {"- {op: aten::sum, layout: as_inputs, quantized: kept}\n",
       "{.op = \"aten::sum\", .layout = Layout::kAsInputs, .quantized = Quantized::kKept},"},
      // One operator may differ from those that share its entry.
      {"- {op: [aten::sum, aten::mean], layout: as_inputs}\n- {op: aten::sum, quantized: kept}\n",
       "{.op = \"aten::sum\", .layout = Layout::kAsInputs, .quantized = Quantized::kKept},"},
      {"- {op: aten::requires_grad_, writes: nothing}\n", ".writes_nothing = true"},
      {"- {op: aten::native_batch_norm, writes: when(training), functional: '_native_batch_norm_legit_functional("
       "input, weight, bias, running_mean, running_var, training, momentum, eps)'}\n",
       ".writes_when = 5"},
      {"- {op: aten::fill_diagonal_, functional: 'functional::fill_diagonal(self, fill_value, wrap)'}\n",
       "kOperands0[] = {{0, Kind::kArgument, 0}, {1, Kind::kArgument, 1}, {2, Kind::kArgument, 2}};"},
      {"- {op: aten::copy_.int, functional: 'fill.Scalar(self, other)'}\n",
       "kOperands0[] = {{0, Kind::kArgument, 0}, {1, Kind::kArgument, 1}};"},
      {"- {op: aten::resize_, functional: 'as_strided(self, size, row_major(size))'}\n", "{2, Kind::kRowMajor, 1}"},
  };
  for (const Case& c : cases) {
    const Outcome outcome = Resolved(c.ops);
    EXPECT_EQ(outcome.mistakes, "") << c.ops;
    EXPECT_THAT(outcome.table, HasSubstr(c.expected)) << c.ops;
  }
}

TEST(Traits, MistakesAreReportedAtTheirPlace) {
  const Case cases[] = {
      {"- {op: aten::nonsense, layout: other}\n", "f.yaml:4:8: error: PyTorch has no operator `aten::nonsense`"},
      {"- {op: aten::sum, layout: contigous}\n",
       "f.yaml:4:27: error: `layout` is one of contiguous, as_inputs, other; did you mean `contiguous`?"},
      {"- {op: aten::sum, layout: other(1)}\n", "`other` takes nothing in brackets"},
      {"- {op: aten::sum, layout: 3}\n", "`layout` is one of contiguous, as_inputs, other"},
      {"- {op: aten::select.int, alias: element}\n", "`element` takes 1 to 2 in brackets: axis, index"},
      {"- {op: aten::select.int, alias: 'element(axis)'}\n", "aten::select.int has no argument `axis`"},
      {"- {op: aten::select.int, alias: 'element(self)'}\n", "`self` is a tensor, no position"},
      {"- {op: aten::tanh, quantized: 'grid(1, 2)'}\n",
       "`grid` takes 3 in brackets: scale, zero point of quint8, of qint8"},
      {"- {op: aten::tanh, quantized: 'grid(1, 2, 3)'}\n", "`grid` takes a float and two ints"},
      {"- {op: aten::select.int, alias: 'element(dim, index=index)'}\n", "`element` takes no `name=`"},
      {"- {op: aten::relu_, writes: everything}\n", "`writes` is `nothing` or `when(argument)`"},
      {"- {op: aten::tanh, quantized: kept(1)}\n", "`kept` takes nothing in brackets"},
      {"- {op: aten::sum, write_back: part}\n",
       "aten::sum gives no view: its schema has no alias mark, and no `alias` is stated"},
      {"- {op: aten::relu_, writes: nothing(1)}\n", "`nothing` takes nothing in brackets"},
      {"- {op: aten::native_batch_norm, writes: when(momentum)}\n", "`when` takes a bool argument of the operator"},
      {"- {op: aten::native_batch_norm, writes: when(training)}\n",
       "`writes: when(...)` is of an operator without marks, with its `functional` call"},
      {"- {op: aten::relu_, layout: other}\n", "aten::relu_ writes in place, so `layout` says nothing of it"},
      {"- {op: aten::item, quantized: kept}\n", "aten::item gives no tensor, so `quantized` says nothing of it"},
      {"- {op: aten::relu, writes: nothing}\n", "aten::relu writes nothing by its schema"},
      {"- {op: aten::relu, functional: 'relu(self)'}\n", "aten::relu writes nothing by its schema"},
      {"- {op: aten::sum, layout: 'other('}\n", "f.yaml:4:34: error: expected a word"},
      {"- {op: aten::sum, layout: other other}\n", "f.yaml:4:33: error: expected the end"},
      {"- {op: aten::select.int, alias: 'element(dim index)'}\n", "f.yaml:4:46: error: expected `,` or `)`"},
      {"- {op: aten::select.int, write_back: dim}\n", "a call of an operator is expected"},
      {"- {op: aten::select.int, write_back: 'scatter_select(base)'}\n",
       "PyTorch has no functional operator `aten::scatter_select`"},
      {"- {op: aten::fill_diagonal_, functional: 'functional::fill(self)'}\n",
       "f.yaml:4:43: error: PyTorch has no functional operator `functional::fill`"},
      {"- {op: aten::fill_diagonal_, functional: 'functional:fill(self)'}\n", "f.yaml:4:53: error: expected the end"},
      {"- {op: aten::fill_diagonal_, functional: 'functional::fill_diagonal(self)'}\n",
       "functional::fill_diagonal needs its argument `fill_value`"},
      {"- {op: aten::t, write_back: 't_(part)'}\n", "PyTorch has no functional operator `aten::t_`"},
      {"- {op: aten::select.int, write_back: 'select_scatter(base, part, dim)'}\n",
       "aten::select_scatter needs its argument `index`"},
      {"- {op: aten::select.int, write_back: 'select_scatter(base, part, dim, index, 1)'}\n",
       "aten::select_scatter takes 4 arguments"},
      {"- {op: aten::select.int, write_back: 'select_scatter(base, part, dim, at=index)'}\n",
       "aten::select_scatter has no argument `at`"},
      {"- {op: aten::select.int, write_back: 'select_scatter(base, dim, dim, index)'}\n",
       "`src` of aten::select_scatter is a Tensor"},
      {"- {op: aten::select.int, write_back: 'select_scatter(base, part, axis, index)'}\n",
       "aten::select.int has no argument `axis`"},
      {"- {op: aten::select.int, write_back: 'select_scatter(base, part, dim, 0.5)'}\n",
       "an argument of the operator, `base`, `part`, `output`, a number or a function is expected"},
      {"- {op: aten::permute, write_back: 'permute(part, inverse(dims))'}\n",
       "`inverse` is no function here; there are sizes, inverse_perm, end, piece_start, piece_end, row_major"},
      {"- {op: aten::permute, write_back: 'permute(part, inverse_perm(dims, dims))'}\n",
       "`inverse_perm` takes 1 in brackets: dims"},
      {"- {op: aten::view, write_back: 'reshape(part, sizes(size))'}\n", "only the sizes of `base` are known"},
      {"- {op: aten::sum, layout: other}\n- {op: aten::sum, quantized: kept, layout: other}\n",
       "f.yaml:5:44: error: `layout` of `aten::sum` is stated twice"},
      {"- {op: aten::max, quantized: kept}\n- {op: aten::max.dim, quantized: rounded}\n",
       "`quantized` differs from that of `aten::max` at f.yaml:4"},
  };
  for (const Case& c : cases) EXPECT_THAT(Resolved(c.ops).mistakes, HasSubstr(c.expected)) << c.ops;
}

// ---- spec/README.md ----

template <typename E>
std::string Usage(const TraitWord<E>& row) {
  return row.operands.empty() ? std::string(row.word) : fmt::format("{}({})", row.word, row.operands);
}

// "`strides` (they allow no view), `layout` (...)"
template <typename E, size_t n>
std::string Sentence(const std::array<TraitWord<E>, n>& table) {
  std::string text;
  for (const auto& row : table)
    if (!row.word.empty()) text += fmt::format("{}`{}` ({})", text.empty() ? "" : ", ", Usage(row), row.doc);
  return text;
}

template <typename E, size_t n>
std::string Table(const char* head, const std::array<TraitWord<E>, n>& table) {
  std::string text = head;
  for (const auto& row : table)
    if (!row.word.empty()) text += fmt::format("| `{}` | {} |\n", Usage(row), row.doc);
  return text + "\n";
}

TEST(Readme, HasTheWordsOfTraits) {
  std::ifstream in("spec/README.md");
  const std::string readme(std::istreambuf_iterator<char>(in), {});
  for (const std::string& text : {Sentence(kCopiesWords), Sentence(kLayoutWords), Sentence(kQuantizedWords),
                                  Table("| `alias` | the view |\n| --- | --- |\n", kAliasWords),
                                  Table("| operand of a call | what it stands for |\n| --- | --- |\n", kOperandWords)})
    EXPECT_THAT(readme, HasSubstr(text));
}

}  // namespace
}  // namespace onnxport::codegen
