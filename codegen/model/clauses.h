// The keys of spec files: who may have them, how they are written, what they mean. The loader, the formatter and the
// tables of spec/README.md follow this one.
#ifndef ONNXPORT_CODEGEN_MODEL_CLAUSES_H_
#define ONNXPORT_CODEGEN_MODEL_CLAUSES_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace onnxport::codegen {

// What has keys. One bit each, for sets.
enum Owner : uint16_t {
  kOfFile = 1,
  kOfEntry = 2,
  kOfTraitItem = 4,
  kOfDefinition = 8,
  kOfSchema = 16,
  kOfCase = 32,
  kOfValueCase = 64,
  kOfFold = 128,
  kOfLoop = 256,
  kOfPromote = 512,
  kOfComputeIn = 1024,
  kOfLocalDefinition = 2048,
};

// How messages call them.
inline constexpr auto kOwnerWords = std::to_array<std::pair<Owner, std::string_view>>({
    {kOfFile, "a spec file"},
    {kOfEntry, "an entry"},
    {kOfTraitItem, "an item with traits"},
    {kOfDefinition, "a definition"},
    {kOfLocalDefinition, "a definition"},
    {kOfSchema, "a schema"},
    {kOfCase, "a case"},
    {kOfValueCase, "a case of a value"},
    {kOfFold, "`fold`"},
    {kOfLoop, "`loop`"},
    {kOfPromote, "`promote`"},
    {kOfComputeIn, "`compute_in`"},
});

// How the formatter writes the value of a key.
enum class Form : uint8_t {
  kExpression,
  kResults,
  kWord,
  kSentence,
  kFlow,
  kLets,
  kValues,
  kBlock,
  kCases,
  kOperators,
  kTests,
  kWords,
};

struct Clause {
  std::string_view key;
  uint16_t owners;
  Form form;
  std::string_view usage;  // in spec/README.md
  std::string_view meaning;
  std::string_view hint = "";  // for somebody who writes it at another place
};

inline constexpr uint16_t kOfBoth = kOfEntry | kOfCase;
inline constexpr uint16_t kOfEachDef = kOfDefinition | kOfLocalDefinition;
inline constexpr uint16_t kOfAnyItem = kOfEntry | kOfTraitItem;

// In the order in which the formatter writes them. A key has several rows where it means several things.
inline constexpr auto kClauses = std::to_array<Clause>({
    {"spec", kOfFile, Form::kWord, "`spec: 1`", "the version of the language"},
    {"family", kOfFile, Form::kWord, "`family: name`", "the file's name"},
    {"import", kOfFile, Form::kFlow, "`import: [name, ...]`",
     "the libraries whose definitions the file calls: `shape` is `spec/lib/shape.yaml`; see [Libraries](#libraries)"},
    {"ops", kOfFile, Form::kCases, "`ops: [item, ...]`", "entries, definitions, items with traits only, schemas"},
    {"op", kOfAnyItem, Form::kOperators, "`op: name` or `[name, ...]`",
     "the operators, with overload: `aten::add.Tensor`. `op: {name: {n: 1}, name: {n: 2}}`: with constants for each "
     "operator, as if by `let`"},
    {"def", kOfDefinition, Form::kExpression, "`def: name(a, b)`", "its name and its parameters"},
    {"schema", kOfSchema, Form::kWord, "`schema: acme.Foo`", "the operator and its domain, which may have dots itself"},
    {"version", kOfSchema, Form::kWord, "`version: n`",
     "the version of the domain that this form is from; 1 when it is left out. A model imports the newest version that "
     "one of its nodes is from"},
    {"pure", kOfSchema, Form::kWord, "`pure: true`",
     "equal inputs give equal results, so that two nodes with the same ones become one. Not stated: every node stays"},
    {"types", kOfSchema, Form::kFlow, "`types: {T: [float32, ...]}`",
     "names for sets of dtypes. At one node, everything of type `T` has the same dtype"},
    {"inputs", kOfSchema, Form::kWords, "`inputs: {name: type}`",
     "in order. The type is `T` or a dtype; `T?` may be absent; the last input may be `T*` (any number) or `T+` (at "
     "least one)"},
    {"attributes", kOfSchema, Form::kWords, "`attributes: {name: kind}`",
     "`int`, `float`, `string`, `tensor`, `ints`, `floats`, `strings`; with `?` it may be left out. `int = 1` gives "
     "the value that it then has. (Write attributes with `?` one per line: inside `{...}` YAML reads `?` as its own "
     "syntax)"},
    {"outputs", kOfSchema, Form::kWords, "`outputs: {name: type}`",
     "a dtype, or the type of an input that is always there"},
    {"override", kOfEntry, Form::kWord, "`override: true`",
     "of a user's entry: it wins over onnxport's own for these operators; see "
     "[Operators of your own](#operators-of-your-own)"},
    {"args", kOfEntry, Form::kValues, "`args: {arg: refinement}`",
     "what an argument is turned into, or must be; see below"},
    {"alias", kOfAnyItem, Form::kWord, "`alias: view`",
     "how results share memory with an argument; see [Traits](#traits)"},
    {"copies", kOfAnyItem, Form::kWord, "`copies: when`", "when such an operator copies after all"},
    {"functional", kOfAnyItem, Form::kWord, "`functional: call`", "what an operator that writes computes"},
    {"writes", kOfAnyItem, Form::kWord, "`writes: nothing` or `when(arg)`", "whether it writes at all"},
    {"write_back", kOfAnyItem, Form::kExpression, "`write_back: call`", "the base after a write to the view"},
    {"read_one", kOfAnyItem, Form::kWord, "`read_one: call`", "one result of several, made again from the base"},
    {"layout", kOfAnyItem, Form::kWord, "`layout: word`", "of a result with memory of its own"},
    {"quantized", kOfAnyItem, Form::kWord, "`quantized: word`", "what becomes of quantized tensors"},
    {"promote", kOfEntry, Form::kFlow, "`promote: {of: [arg, ...], kind: default}`", "PyTorch's type promotion"},
    {"of", kOfPromote, Form::kFlow, "`of: [arg, ...]`", "the arguments that get one dtype. None stays None"},
    {"kind", kOfPromote, Form::kWord, "`kind: float` or `bool`",
     "`float`: integers become float32 first. `bool`: the dtype in which two operands are compared"},
    {"require", kOfEntry, Form::kExpression, "`require: condition`", "refuses the call unless it holds",
     "write `when` in a case"},
    {"when", kOfCase | kOfValueCase, Form::kExpression, "`when: condition`",
     "the case is taken when it holds; absent: always", "write `cases: [{when: ..., emit: ...}]`"},
    {"since", kOfBoth, Form::kWord, "`since: n`", "the first opset"},
    {"since", kOfEachDef, Form::kWord, "`since: n`",
     "the first opset at which it can be called; at older ones the call is refused"},
    {"until", kOfBoth, Form::kWord, "`until: n`", "the last opset"},
    {"what", kOfEachDef, Form::kWord, "`what: text`",
     "what the refusal says needs that opset, in the plural: `complex numbers` becomes \"complex numbers need opset "
     "13\". Without it the message has the name of the definition"},
    {"each", kOfFold, Form::kExpression, "`each: x in list`, or `a, b in list`", "the name of the element"},
    {"each", kOfLoop, Form::kExpression, "`each: i in count`",
     "the count is a number or a tensor, `i` the number of the round, a 0-d int64"},
    {"while", kOfLoop, Form::kExpression, "`while: expr`",
     "a value over the carried names. At least one of `each` and `while` is needed"},
    {"init", kOfFold, Form::kLets, "`init: {x: expr}`", "before the first round", "a `loop` has `carry`"},
    {"carry", kOfLoop, Form::kLets, "`carry: {x: expr}`", "before the first round; a number becomes a tensor",
     "a `fold` has `init`"},
    {"let", kOfBoth | kOfEachDef, Form::kLets, "`let: {name: expr, 'a, b': expr}`",
     "names for values; several names take the outputs of a node, or the elements of a list. Computed when first used. "
     "Instead of an expression: a map, which is a dict of node arguments, or `cases`"},
    {"let", kOfFold | kOfLoop, Form::kLets, "`let: {name: expr}`", "within each round"},
    {"def", kOfEntry, Form::kValues, "`def: {'name(a, b)': expr}`",
     "functions of this entry, which see its names; instead of an expression: a map of the keys of a definition, see "
     "below"},
    {"next", kOfFold, Form::kLets, "`next: {x: expr}`", "for the following round"},
    {"next", kOfLoop, Form::kLets, "`next: {x: expr}`", "for the following round, of the same dtype and rank"},
    {"collect", kOfFold, Form::kLets, "`collect: {xs: expr}`",
     "one element per round. At least one of `next` and `collect` is needed", "a `loop` has `scan`"},
    {"scan", kOfLoop, Form::kLets, "`scan: {ys: expr}`",
     "one tensor per round, all of one shape. At least one of `next` and `scan` is needed", "a `fold` has `collect`"},
    {"fold", kOfEntry | kOfEachDef, Form::kBlock, "`fold: {each, init, let, next, collect}`",
     "repetition while exporting; its names can be used after it"},
    {"loop", kOfEntry | kOfEachDef, Form::kBlock, "`loop: {each, while, carry, let, next, scan}`",
     "repetition in the model; its `carry` and `scan` can be used after it"},
    {"cases", kOfEntry, Form::kCases, "`cases: [case, ...]`", "instead of `emit` or `list`: the first matching one",
     "cases do not nest"},
    {"cases", kOfEachDef, Form::kCases, "`cases: [case, ...]`", "instead of `emit`: cases of a value",
     "cases do not nest"},
    {"value", kOfValueCase, Form::kExpression, "`value: expr`", "what it gives"},
    {"if", kOfBoth, Form::kExpression, "`if: expr`",
     "the results of an ONNX If. The condition is a value, as `Equal(a, b)` is"},
    {"then", kOfBoth, Form::kResults, "`then: expr` or `[expr, ...]`",
     "what an `if` gives where its condition is true"},
    {"else", kOfBoth, Form::kResults, "`else: expr` or `[expr, ...]`", "and where it is false"},
    {"map", kOfBoth, Form::kExpression, "`map: x in list`",
     "with `emit`: a list, or a sequence, of what becomes of each element"},
    {"emit", kOfBoth, Form::kResults, "`emit: expr`, `[expr, ...]` or `{result: expr, ...}`",
     "the result, or all results in order, or some by their names in the schema (`result0`, `result1` where it has "
     "none): a model that uses one of the others is refused"},
    {"emit", kOfEachDef, Form::kResults, "`emit: expr` or `{name: expr, ...}`",
     "its value. With names: several results, a list with names for its elements. With `r: f(x)` in a let, `r.name` is "
     "one of them; so is `f(x).name`"},
    {"list", kOfBoth, Form::kExpression, "`list: expr`", "the result is a list of tensors"},
    {"sequence", kOfBoth, Form::kExpression, "`sequence: expr`", "the result is an ONNX sequence, given by this node"},
    {"hook", kOfEntry, Form::kWord, "`hook: hooks::name`", "a C++ function lowers it"},
    {"refuse", kOfBoth, Form::kSentence, "`refuse: text`", "never exported, and why"},
    {"compute_in", kOfEntry, Form::kFlow, "`compute_in: {int: float32}`",
     "for the cases that have none of their own; see below"},
    {"compute_in", kOfCase, Form::kFlow, "`compute_in: {int: float32}`", "see below"},
    {"int", kOfComputeIn, Form::kWord, "`int: dtype`", "integers"},
    {"half", kOfComputeIn, Form::kWord, "`half: dtype`", "float16 and bfloat16"},
    {"bool", kOfComputeIn, Form::kWord, "`bool: dtype`", "bool"},
    {"double", kOfComputeIn, Form::kWord, "`double: dtype`", "float64"},
    {"lossy", kOfComputeIn, Form::kSentence, "`lossy: reason`", "why it is right that the dtype has not every value"},
    {"tests", kOfEntry, Form::kTests, "`tests: [test, ...]`",
     "calls that are compared with PyTorch; together they reach every case"},
});

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

constexpr std::string_view WordOf(Owner owner) {
  for (const auto& [other, word] : kOwnerWords)
    if (other == owner) return word;
  return {};
}

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_CLAUSES_H_
