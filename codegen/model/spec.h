// The contents of the YAML files, after parsing. Plain data, no logic; the language is described in spec/README.md.
#ifndef ONNXPORT_CODEGEN_MODEL_SPEC_H_
#define ONNXPORT_CODEGEN_MODEL_SPEC_H_

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/model/expr.h"
#include "runtime/lowering/types/node_schema.h"

namespace onnxport::codegen {

// `x: expr` or `a, b, c: expr` (results of a node with several outputs, or elements of a list).
struct Let {
  std::vector<std::string> names;
  ExprPtr value;
  Place place;
};

// `compute_in`: classes of dtypes (int, half ...) -> dtype word.
struct ComputeIn {
  std::map<std::string, std::string> to;
  std::string lossy;  // why it may be that not every value survives; empty: each does
  Place place;
};

// A result of an operator, as its schema calls it (model/result_names.h).
struct NamedResult {
  std::string name;
  Place place;
};

// The results of a case, or of a block without cases.
struct Body {
  enum class Kind { kEmit, kList, kSequence, kRefuse, kHook, kIf, kMap } kind = Kind::kEmit;
  // kEmit: one per result (kNone, once specialized: refused if used). kList: the one list expression. kSequence: the
  // one node that gives an ONNX sequence. kIf: the condition, then the results of `then`, then as many of `else`. kMap:
  // a comprehension.
  std::vector<ExprPtr> emit;
  // `emit: {output: y}`: which results these are, of `else` in the order of `then`. Empty when they are all there, in
  // the schema's order, as always once specialized.
  std::vector<NamedResult> names;
  std::string text;  // kRefuse: the reason; kHook: the C++ function
  Place place;
};

// The first case whose `when` holds and whose opsets contain the target is taken.
struct Case {
  ExprPtr when;  // null: always
  std::optional<int> since;
  std::optional<int> until;
  std::vector<Let> lets;
  Body body;
  ComputeIn compute_in;
  Place place;
};

// Repetition: unrolled while exporting (`fold`), or an ONNX Loop (`loop`).
struct Repetition {
  enum class Kind { kFold, kLoop } kind = Kind::kFold;
  std::vector<std::string> each;  // targets; of a loop at most one, the number of the iteration
  ExprPtr in;                     // fold: a list; loop: the trip count, null without one
  ExprPtr go_on;                  // loop: `while`, over the carried values; null without one
  std::vector<Let> init;          // loop: `carry`
  std::vector<Let> lets;
  std::vector<Let> next;
  std::vector<Let> collect;  // loop: `scan`
  Place place;

  const char* word() const { return kind == Kind::kFold ? "fold" : "loop"; }
};

// Names, a repetition over them, and what is made of both: the part that entries and definitions have in common.
struct Block {
  std::vector<Let> lets;
  std::optional<Repetition> repetition;
  std::vector<Case> cases;  // at least one; without `cases` in the file it is the only one
};

// The facts about a definition that its callers need.
struct Signature {
  std::string name;
  std::vector<std::string> params;
  std::map<std::string, size_t> given;  // parameters that stand for definitions, and how many arguments these take
  std::vector<std::string> results;     // `emit: {a: x, b: y}`: names for the elements of the list that it gives
  std::optional<int> since;             // a call at an older opset is refused
  std::string what;                     // what the refusal says needs the opset: "complex numbers"; may be empty
  Place place;
};

// A function of the spec: `conv(x, w): expr`, of one entry or of the file. Lexical scope, no recursion. Its block has
// one case, which is always taken and gives one value: conditions are part of it, and several results are a list.
struct Def : Signature, Block {};

enum class RefineKind { kAxis, kAxisList, kMust, kIgnore, kEnum, kRepeatTo };
inline constexpr auto kRefinements =  // how they are written, in the order of the enumeration
    std::to_array<std::string_view>(
        {"axis(arg)", "axis_list(arg)", "must(constant)", "ignore", "enum({a: b})", "repeat_to(n)"});
constexpr std::string_view NameOf(RefineKind kind) {
  const std::string_view form = kRefinements[static_cast<size_t>(kind)];
  return form.substr(0, form.find('('));
}

// `dim: axis(self)` counts `dim` from the front from here on; `train: must(False)` refuses another value; `reduction:
// enum({0: "none", 1: "mean"})` replaces the number by the word; `pad: repeat_to(2)` makes [p, p] of p. spec/README.md
// has all of them.
struct Refine {
  RefineKind kind;
  std::string tensor;                              // kAxis, kAxisList: the argument whose rank counts
  ExprPtr value;                                   // kMust: the constant; kRepeatTo: how many
  std::vector<std::pair<ExprPtr, ExprPtr>> table;  // kEnum
  Place place;
};

enum class PromoteKind { kDefault, kFloat, kBool };

// `promote: {of: [self, other]}`: these arguments get one dtype, as PyTorch promotes them. kFloat: integers become
// float32 first, as for `true_divide`. kBool: the dtype in which operands are compared.
struct PromoteRule {
  std::vector<std::string> of;
  PromoteKind kind = PromoteKind::kDefault;
  Place place;
};

// An argument of a call that conformance tests make: `f32[2,3]`, `i64[4] in 0..9`, a constant, a list of them.
struct TestValue {
  enum class Kind { kConstant, kTensor, kList } kind = Kind::kConstant;
  ExprPtr constant;                             // kConstant
  std::string dtype;                            // kTensor: short word ("f32")
  std::vector<int64_t> shape;                   // kTensor
  std::optional<std::pair<double, double>> in;  // kTensor: bounds of the values, inclusive
  bool evenly = false;                          // kTensor: from the first bound to the second, which may be the lower
  std::vector<ExprPtr> contents;                // kTensor: its numbers or bools, where the test gives them
  std::vector<TestValue> items;                 // kList
  Place place;
};

// The property of the results that is compared with PyTorch's.
enum class Compared { kValues, kDistribution, kRelations, kShape };

struct TestCase {
  std::vector<std::string> operators;  // those of the entry that it calls, each where it takes the arguments
  std::vector<std::pair<std::string, TestValue>> args;  // positional ones first, without a name
  std::vector<int> opsets;                              // empty: each epoch of the entry
  std::optional<double> tolerance;                      // absolute and relative
  std::string refuses;                                  // the export must fail with this text in its message
  std::string special;                                  // why it is not run with special values (NaN, 1e30 ...)
  Compared compared = Compared::kValues;                // `compare="distribution"`: of random results
  std::vector<ExprPtr> holds;                           // kRelations: `a == b` over arguments and results
  std::string domain;                                   // that the model may use: `domain(...)`
  std::string keep;                                     // the operator that stays one node: `keeps(...)`
  bool training = false;                                // `keeps_training()`
  std::string why;                                      // it asks for less than other tests: `opset`, `tol` ...
  Place place;
};

struct NamedTerm;

// A word, a number, or `word(a, b, name=c)`: the value of a trait, or an operand in it.
struct TraitTerm {
  enum class Kind { kWord, kCall, kInt, kFloat } kind = Kind::kWord;
  std::string text;  // the word; "slice.Tensor" has an overload
  int64_t int_value = 0;
  double float_value = 0;
  std::vector<TraitTerm> operands;
  std::vector<NamedTerm> named;
  Place place;
};
struct NamedTerm {
  std::string name;
  TraitTerm value;
};

// A fact about an operator that the runtime needs besides its mapping: `alias: range(dim, start, end, step)`.
struct Trait {
  std::string key;
  TraitTerm value;
};

// The steps that prepare the arguments of a call before its block sees them, and the definitions that the block may
// call.
struct Premises {
  std::vector<std::pair<std::string, Refine>> args;
  std::optional<PromoteRule> promote;
  ExprPtr require;
  std::string require_text;
  std::vector<Def> defs;
  Place place;  // of the entry
};

// How calls become nodes.
struct Mapping : Premises, Block {};

// The operators that an entry is of, and what is said of them besides the mapping.
struct Claim {
  std::vector<std::string> names;  // "aten::add.Tensor"; several share the mapping
  std::vector<Place> name_places;
  bool overrides = false;  // of a user's: it wins over onnxport's own entries for these operators
  std::string limits;      // where results are not PyTorch's, for who exports the operators; may be empty
  std::vector<std::map<std::string, ExprPtr>> constants;  // of each name; the same names for all, none for most entries
  std::optional<int> since;
  std::optional<int> until;
  std::vector<TestCase> tests;
  std::vector<Trait> traits;
};

// Two halves, because what is specialized for an overload and opset is the mapping; names and tests are the entry's as
// written.
struct OpEntry : Mapping, Claim {};

// An item that states traits only: of in-place forms, and of operators that are never lowered themselves.
struct TraitEntry {
  std::vector<std::string> names;
  std::vector<Place> name_places;
  std::vector<Trait> traits;
};

// An operator of a user's domain: `schema:`.
struct NodeDeclaration {
  lowering::NodeSchema schema;
  Place place;
};

// A library of definitions that the file may call, `shape` of `import: [shape]`: spec/lib/shape.yaml.
struct Import {
  std::string name;
  Place place;
  bool used = true;  // found out where libraries are known (load/imports.h)
};

struct SpecFile {
  std::string path;
  std::string family;  // "pointwise"; of a library its name
  std::vector<Import> imports;
  bool complete = true;  // the loader found no mistake
  std::vector<OpEntry> ops;
  std::vector<Def> defs;
  std::vector<TraitEntry> traits;
  std::vector<NodeDeclaration> schemas;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_SPEC_H_
