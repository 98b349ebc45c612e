// The keys of spec files: who may have them, what their values are, what they mean, and where what they say is kept.
// The loader, the formatter and its comparison, the walks over expressions, help in editors and the tables of
// spec/README.md follow this one.
#ifndef ONNXPORT_CODEGEN_MODEL_CLAUSES_H_
#define ONNXPORT_CODEGEN_MODEL_CLAUSES_H_

#include <array>
#include <string_view>
#include <tuple>
#include <vector>

#include "codegen/model/clause.h"
#include "codegen/model/spec.h"

namespace onnxport::codegen {

using KeptInTraits = KeptIn<&Claim::traits, &TraitEntry::traits>;
using KeptInBody = KeptIn<&Case::body>;  // an entry without `cases` has one case, which is its own body

// In the order in which the formatter writes them. A key has several rows where it means several things.
inline constexpr auto kTable = std::tuple{
    KeptIn<>{"spec", Needed(kOfFile), Form::kVersion, "`spec: 1`", "the version of the language"},
    KeptIn<&SpecFile::family>{"family", Needed(kOfFile), Form::kName, "`family: name`", "the file's name"},
    KeptIn<&SpecFile::imports>{"import", kOfFile, Form::kLibraries, "`import: [name, ...]`",
                               "the libraries whose definitions the file calls: `shape` is `spec/lib/shape.yaml`; see "
                               "[Libraries](#libraries)"},
    KeptIn<&SpecFile::ops, &SpecFile::defs, &SpecFile::traits, &SpecFile::schemas>{
        "ops", Needed(kOfFile), Form::kItems, "`ops: [item, ...]`",
        "entries, definitions, items with traits only, schemas"},
    KeptIn<&Claim::names, &Claim::name_places, &Claim::constants, &TraitEntry::names, &TraitEntry::name_places>{
        "op", Needed(kOfAnyItem), Form::kOperators, "`op: name` or `[name, ...]`",
        "the operators, with overload: `aten::add.Tensor`. `op: {name: {n: 1}, name: {n: 2}}`: with constants "
        "for each operator, as if by `let`"},
    KeptIn<&Signature::name, &Signature::params, &Signature::given>{"def", Needed(kOfDefinition), Form::kSignature,
                                                                    "`def: name(a, b)`", "its name and its parameters"},
    KeptIn<&NodeDeclaration::schema>{"schema", Needed(kOfSchema), Form::kNodeName, "`schema: acme.Foo`",
                                     "the operator and its domain, which may have dots itself"},
    KeptIn<>{"version", kOfSchema, Form::kNumber, "`version: n`",
             "the version of the domain that this form is from; 1 when it is left out. A model imports the newest "
             "version that one of its nodes is from"},
    KeptIn<>{"pure", kOfSchema, Form::kTrue, "`pure: true`",
             "equal inputs give equal results, so that two nodes with the same ones become one. Not stated: every "
             "node stays"},
    KeptIn<>{"types", kOfSchema, Form::kTypes, "`types: {T: [float32, ...]}`",
             "names for sets of dtypes. At one node, everything of type `T` has the same dtype"},
    KeptIn<>{"inputs", kOfSchema, Form::kNodeTypes, "`inputs: {name: type}`",
             "in order. The type is `T` or a dtype; `T?` may be absent; the last input may be `T*` (any number) or "
             "`T+` (at least one)"},
    KeptIn<>{"attributes", kOfSchema, Form::kNodeTypes, "`attributes: {name: kind}`",
             "`int`, `float`, `string`, `tensor`, `ints`, `floats`, `strings`; with `?` it may be left out. `int = "
             "1` gives the value that it then has. (Write attributes with `?` one per line: inside `{...}` YAML "
             "reads `?` as its own syntax)"},
    KeptIn<>{"outputs", Needed(kOfSchema), Form::kNodeTypes, "`outputs: {name: type}`",
             "a dtype, or the type of an input that is always there"},
    KeptIn<&Claim::overrides>{
        "override", kOfEntry, Form::kTrue, "`override: true`",
        "of a user's entry: it wins over onnxport's own for these operators; see [Operators of your "
        "own](#operators-of-your-own)"},
    KeptIn<&Claim::limits>{"limits", kOfEntry, Form::kSentence, "`limits: text`",
                           "where results are not PyTorch's, for who exports these operators: it stands in "
                           "[docs/operators.md](../docs/operators.md)"},
    KeptIn<&Premises::args>{"args", kOfEntry, Form::kRefinements, "`args: {arg: refinement}`",
                            "what an argument is turned into, or must be; see below"},
    KeptInTraits{"alias", kOfAnyItem, Form::kTrait, "`alias: view`",
                 "how results share memory with an argument; see [Traits](#traits)"},
    KeptInTraits{"copies", kOfAnyItem, Form::kTrait, "`copies: when`", "when such an operator copies after all"},
    KeptInTraits{"functional", kOfAnyItem, Form::kTrait, "`functional: call`", "what an operator that writes computes"},
    KeptInTraits{"writes", kOfAnyItem, Form::kTrait, "`writes: nothing` or `when(arg)`", "whether it writes at all"},
    KeptInTraits{"write_back", kOfAnyItem, Form::kTrait, "`write_back: call`", "the base after a write to the view"},
    KeptInTraits{"read_one", kOfAnyItem, Form::kTrait, "`read_one: call`",
                 "one result of several, made again from the base"},
    KeptInTraits{"layout", kOfAnyItem, Form::kTrait, "`layout: word`", "of a result with memory of its own"},
    KeptInTraits{"quantized", kOfAnyItem, Form::kTrait, "`quantized: word`", "what becomes of quantized tensors"},
    KeptIn<&Premises::promote>{"promote", kOfEntry, Form::kPromote, "`promote: {of: [arg, ...], kind: default}`",
                               "PyTorch's type promotion"},
    KeptIn<&PromoteRule::of>{"of", Needed(kOfPromote), Form::kArguments, "`of: [arg, ...]`",
                             "the arguments that get one dtype. None stays None"},
    KeptIn<&PromoteRule::kind>{
        "kind", kOfPromote, Form::kPromoteKind, "`kind: float` or `bool`",
        "`float`: integers become float32 first. `bool`: the dtype in which two operands are compared"},
    KeptIn<&Premises::require, &Premises::require_text>{"require", kOfEntry, Form::kExpression, "`require: condition`",
                                                        "refuses the call unless it holds", "write `when` in a case"},
    KeptIn<&Case::when>{"when", kOfCase | kOfValueCase, Form::kExpression, "`when: condition`",
                        "the case is taken when it holds; absent: always", "write `cases: [{when: ..., emit: ...}]`"},
    KeptIn<&Claim::since, &Case::since>{"since", kOfBoth, Form::kNumber, "`since: n`", "the first opset"},
    KeptIn<&Signature::since>{"since", kOfEachDef, Form::kNumber, "`since: n`",
                              "the first opset at which it can be called; at older ones the call is refused"},
    KeptIn<&Claim::until, &Case::until>{"until", kOfBoth, Form::kNumber, "`until: n`", "the last opset"},
    KeptIn<&Signature::what>{
        "what", kOfEachDef, Form::kSentence, "`what: text`",
        "what the refusal says needs that opset, in the plural: `complex numbers` becomes \"complex numbers "
        "need opset 13\". Without it the message has the name of the definition"},
    KeptIn<&Repetition::each, &Repetition::in>{"each", Needed(kOfFold), Form::kExpression,
                                               "`each: x in list`, or `a, b in list`", "the name of the element"},
    KeptIn<&Repetition::each, &Repetition::in>{
        "each", kOfLoop, Form::kExpression, "`each: i in count`",
        "the count is a number or a tensor, `i` the number of the round, a 0-d int64"},
    KeptIn<&Repetition::go_on>{"while", kOfLoop, Form::kExpression, "`while: expr`",
                               "a value over the carried names. At least one of `each` and `while` is needed"},
    KeptIn<&Repetition::init>{"init", kOfFold, Form::kLets, "`init: {x: expr}`", "before the first round",
                              "a `loop` has `carry`"},
    KeptIn<&Repetition::init>{"carry", kOfLoop, Form::kLets, "`carry: {x: expr}`",
                              "before the first round; a number becomes a tensor", "a `fold` has `init`"},
    KeptIn<&Block::lets, &Case::lets>{
        "let", kOfBoth | kOfEachDef, Form::kLets, "`let: {name: expr, 'a, b': expr}`",
        "names for values; several names take the outputs of a node, or the elements of a list. Computed when "
        "first used. Instead of an expression: a map, which is a dict of node arguments, or `cases`"},
    KeptIn<&Repetition::lets>{"let", kOfFold | kOfLoop, Form::kLets, "`let: {name: expr}`", "within each round"},
    KeptIn<&Premises::defs>{
        "def", kOfEntry, Form::kSignatures, "`def: {'name(a, b)': expr}`",
        "functions of this entry, which see its names; instead of an expression: a map of the keys of a "
        "definition, see below"},
    KeptIn<&Repetition::next>{"next", kOfFold, Form::kLets, "`next: {x: expr}`", "for the following round"},
    KeptIn<&Repetition::next>{"next", kOfLoop, Form::kLets, "`next: {x: expr}`",
                              "for the following round, of the same dtype and rank"},
    KeptIn<&Repetition::collect>{"collect", kOfFold, Form::kLets, "`collect: {xs: expr}`",
                                 "one element per round. At least one of `next` and `collect` is needed",
                                 "a `loop` has `scan`"},
    KeptIn<&Repetition::collect>{"scan", kOfLoop, Form::kLets, "`scan: {ys: expr}`",
                                 "one tensor per round, all of one shape. At least one of `next` and `scan` is needed",
                                 "a `fold` has `collect`"},
    KeptIn<&Block::repetition>{"fold", kOfEntry | kOfEachDef, Form::kFold, "`fold: {each, init, let, next, collect}`",
                               "repetition while exporting; its names can be used after it"},
    KeptIn<&Block::repetition>{"loop", kOfEntry | kOfEachDef, Form::kLoop,
                               "`loop: {each, while, carry, let, next, scan}`",
                               "repetition in the model; its `carry` and `scan` can be used after it"},
    KeptIn<&Block::cases>{"cases", kOfEntry, Form::kCases, "`cases: [case, ...]`",
                          "instead of `emit` or `list`: the first matching one", "cases do not nest"},
    KeptIn<&Block::cases>{"cases", kOfEachDef, Form::kValueCases, "`cases: [case, ...]`",
                          "instead of `emit`: cases of a value", "cases do not nest"},
    KeptIn<>{"value", Needed(kOfValueCase), Form::kExpression, "`value: expr`", "what it gives"},
    KeptInBody{"if", kOfBoth, Form::kExpression, "`if: expr`",
               "the results of an ONNX If. The condition is a value, as `Equal(a, b)` is"},
    KeptInBody{"then", kOfBoth, Form::kResults, "`then: expr` or `[expr, ...]`",
               "what an `if` gives where its condition is true"},
    KeptInBody{"else", kOfBoth, Form::kResults, "`else: expr` or `[expr, ...]`", "and where it is false"},
    KeptInBody{"map", kOfBoth, Form::kExpression, "`map: x in list`",
               "with `emit`: a list, or a sequence, of what becomes of each element"},
    KeptInBody{"emit", kOfBoth, Form::kResults, "`emit: expr`, `[expr, ...]` or `{result: expr, ...}`",
               "the result, or all results in order, or some by their names in the schema. A result without a name is "
               "`result0`, `result1`, ... A model that uses a result that is left out is refused"},
    KeptIn<&Signature::results>{
        "emit", kOfEachDef, Form::kNamed, "`emit: expr` or `{name: expr, ...}`",
        "its value. With names: several results, a list with names for its elements. With `r: f(x)` in a let, "
        "`r.name` is one of them; so is `f(x).name`"},
    KeptInBody{"list", kOfBoth, Form::kExpression, "`list: expr`", "the result is a list of tensors"},
    KeptInBody{"sequence", kOfBoth, Form::kExpression, "`sequence: expr`",
               "the result is an ONNX sequence, given by this node"},
    KeptInBody{"hook", kOfBoth, Form::kSentence, "`hook: hooks::name`", "a C++ function lowers it"},
    KeptInBody{"refuse", kOfBoth, Form::kSentence, "`refuse: text`", "never exported, and why"},
    KeptIn<>{"compute_in", kOfEntry, Form::kComputeIn, "`compute_in: {int: float32}`",
             "for the cases that have none of their own; see below"},
    KeptIn<&Case::compute_in>{"compute_in", kOfCase, Form::kComputeIn, "`compute_in: {int: float32}`", "see below"},
    KeptIn<&ComputeIn::to>{"int", kOfComputeIn, Form::kDType, "`int: dtype`", "integers"},
    KeptIn<&ComputeIn::to>{"half", kOfComputeIn, Form::kDType, "`half: dtype`", "float16 and bfloat16"},
    KeptIn<&ComputeIn::to>{"bool", kOfComputeIn, Form::kDType, "`bool: dtype`", "bool"},
    KeptIn<&ComputeIn::to>{"double", kOfComputeIn, Form::kDType, "`double: dtype`", "float64"},
    KeptIn<&ComputeIn::lossy>{"lossy", kOfComputeIn, Form::kSentence, "`lossy: reason`",
                              "why it is right that the dtype has not every value"},
    KeptIn<&Claim::tests>{"tests", kOfEntry, Form::kTests, "`tests: [test, ...]`",
                          "calls that are compared with PyTorch; together they reach every case"},
};

// The rows without what they are kept in.
inline constexpr auto kClauses =
    std::apply([](const auto&... row) { return std::array{static_cast<const Clause&>(row)...}; }, kTable);

// The keys that an owner may have, in their order.
inline std::vector<std::string_view> KeysOf(Owner owner) {
  std::vector<std::string_view> keys;
  for (const Clause& clause : kClauses)
    if (clause.owners & owner) keys.push_back(clause.key);
  return keys;
}

// Null when the owner has no such key.
constexpr const Clause* FindClause(Owner owner, std::string_view key) {
  for (const Clause& clause : kClauses)
    if ((clause.owners & owner) && clause.key == key) return &clause;
  return nullptr;
}

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_CLAUSES_H_
