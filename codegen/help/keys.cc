#include "codegen/help/keys.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace onnxport::codegen {
namespace {

// By owner, in the enumeration's order.
constexpr auto kKeys = std::to_array<KeyInfo>({
    {Owner::kFile, "spec", Form::kVersion, "the language's version: 1"},
    {Owner::kFile, "family", Form::kName, "the file's name without .yaml"},
    {Owner::kFile, "ops", Form::kItems, "entries, definitions, schemas of nodes, items that state traits only"},

    {Owner::kItem, "op", Form::kOperators, "an entry: what these operators become"},
    {Owner::kItem, "def", Form::kSignature, "a definition, for all entries of the file"},
    {Owner::kItem, "schema", Form::kNodeName, "a node of a domain of your own: `acme.Foo`"},

    {Owner::kEntry, "op", Form::kOperators,
     "the operators, with overload: `aten::add.Tensor`; a list; or with constants"},
    {Owner::kEntry, "override", Form::kTrue, "of a user's entry: it wins over onnxport's own for these operators"},
    {Owner::kEntry, "alias", Form::kTrait, "how a result that shares memory with an argument lies in it"},
    {Owner::kEntry, "copies", Form::kTrait, "when an operator that gives a view copies after all"},
    {Owner::kEntry, "write_back", Form::kTrait, "the call that puts a view that was written to back into its base"},
    {Owner::kEntry, "read_one", Form::kTrait, "the call that gives one of the views"},
    {Owner::kEntry, "layout", Form::kTrait, "how the result lies in memory"},
    {Owner::kEntry, "quantized", Form::kTrait, "what happens to quantized tensors"},
    {Owner::kEntry, "functional", Form::kTrait, "the call that gives the results of an operator that writes"},
    {Owner::kEntry, "writes", Form::kTrait, "what an operator writes to, where its schema does not say it"},
    {Owner::kEntry, "args", Form::kRefinements, "what an argument is turned into, or must be"},
    {Owner::kEntry, "promote", Form::kPromote, "PyTorch's type promotion"},
    {Owner::kEntry, "require", Form::kExpression, "refuses the call unless it holds"},
    {Owner::kEntry, "since", Form::kNumber, "the first opset"},
    {Owner::kEntry, "until", Form::kNumber, "the last opset, included"},
    {Owner::kEntry, "let", Form::kLets, "names for values, computed when first used; `a, b` take several results"},
    {Owner::kEntry, "def", Form::kSignatures, "functions of this entry, which see its names"},
    {Owner::kEntry, "fold", Form::kFold, "repetition while exporting; its names can be used after it"},
    {Owner::kEntry, "loop", Form::kLoop, "repetition in the model: an ONNX Loop"},
    {Owner::kEntry, "cases", Form::kCases, "the first whose `when` holds is taken"},
    {Owner::kEntry, "emit", Form::kResults, "the result, or results; `none`: refused if it is used"},
    {Owner::kEntry, "list", Form::kExpression, "the result is this list of tensors"},
    {Owner::kEntry, "sequence", Form::kExpression, "the result is an ONNX sequence, given by this node"},
    {Owner::kEntry, "if", Form::kExpression, "an ONNX If, for a condition that only a run knows"},
    {Owner::kEntry, "then", Form::kResults, "the results of the If when it holds"},
    {Owner::kEntry, "else", Form::kResults, "the results of the If when it does not"},
    {Owner::kEntry, "map", Form::kExpression, "`x in list`: `emit` for each element of a list or sequence"},
    {Owner::kEntry, "refuse", Form::kSentence, "never exported, and why"},
    {Owner::kEntry, "hook", Form::kSentence, "a C++ function lowers it: `hooks::index`"},
    {Owner::kEntry, "compute_in", Form::kComputeIn, "the dtype to compute in, where a node does not take the tensor's"},
    {Owner::kEntry, "tests", Form::kTests, "calls that are compared with PyTorch; together they reach every case"},

    {Owner::kDefinition, "def", Form::kSignature, "the name and the parameters"},
    {Owner::kDefinition, "let", Form::kLets, "names for values, computed when first used"},
    {Owner::kDefinition, "cases", Form::kValueCases, "a value by conditions; the last has none"},
    {Owner::kDefinition, "emit", Form::kExpression, "the value"},

    {Owner::kSchema, "schema", Form::kNodeName, "the operator and its domain, which may have dots itself"},
    {Owner::kSchema, "version", Form::kNumber, "the version of the domain that this form is from"},
    {Owner::kSchema, "pure", Form::kTrue, "equal inputs give equal results, so that two nodes become one"},
    {Owner::kSchema, "types", Form::kTypes, "names for sets of dtypes"},
    {Owner::kSchema, "inputs", Form::kNodeTypes, "in order: `T`, a dtype, `T?`, `T*`, `T+`; sizes in brackets"},
    {Owner::kSchema, "attributes", Form::kNodeTypes, "int, float, string, tensor, ints, floats, strings; `?`; `= 1`"},
    {Owner::kSchema, "outputs", Form::kNodeTypes, "a dtype, or the type of an input; sizes in brackets"},

    {Owner::kCase, "when", Form::kExpression, "the condition; absent: always"},
    {Owner::kCase, "since", Form::kNumber, "the first opset"},
    {Owner::kCase, "until", Form::kNumber, "the last opset, included"},
    {Owner::kCase, "let", Form::kLets, "names for values, computed when first used"},
    {Owner::kCase, "emit", Form::kResults, "the result, or results; `none`: refused if it is used"},
    {Owner::kCase, "list", Form::kExpression, "the result is this list of tensors"},
    {Owner::kCase, "sequence", Form::kExpression, "the result is an ONNX sequence, given by this node"},
    {Owner::kCase, "if", Form::kExpression, "an ONNX If, for a condition that only a run knows"},
    {Owner::kCase, "then", Form::kResults, "the results of the If when it holds"},
    {Owner::kCase, "else", Form::kResults, "the results of the If when it does not"},
    {Owner::kCase, "map", Form::kExpression, "`x in list`: `emit` for each element of a list or sequence"},
    {Owner::kCase, "refuse", Form::kSentence, "never exported, and why"},
    {Owner::kCase, "compute_in", Form::kComputeIn, "the dtype to compute in, where a node does not take the tensor's"},

    {Owner::kValue, "cases", Form::kValueCases, "a value by conditions; the last has none"},

    {Owner::kValueCase, "when", Form::kExpression, "the condition; the last case has none"},
    {Owner::kValueCase, "value", Form::kExpression, "what the value is then"},

    {Owner::kFold, "each", Form::kExpression, "`x in list`, or `a, b in list`"},
    {Owner::kFold, "init", Form::kLets, "values before the first round"},
    {Owner::kFold, "let", Form::kLets, "names within each round"},
    {Owner::kFold, "next", Form::kLets, "values for the following round"},
    {Owner::kFold, "collect", Form::kLets, "lists, with one element for each round"},

    {Owner::kLoop, "each", Form::kExpression, "`i in count`: how many rounds, and the number of the round"},
    {Owner::kLoop, "while", Form::kExpression, "asked before each round, of the carried values"},
    {Owner::kLoop, "carry", Form::kLets, "values before the first round"},
    {Owner::kLoop, "let", Form::kLets, "names within each round"},
    {Owner::kLoop, "next", Form::kLets, "values for the following round, of the same dtype and rank"},
    {Owner::kLoop, "scan", Form::kLets, "one tensor for each round, stacked on a new first axis"},

    {Owner::kPromote, "of", Form::kArguments, "the arguments that get one dtype"},
    {Owner::kPromote, "kind", Form::kPromoteKind, "default; float: integers become float32 first; bool: to compare in"},

    {Owner::kComputeIn, "int", Form::kDType, "for integers"},
    {Owner::kComputeIn, "half", Form::kDType, "for float16 and bfloat16"},
    {Owner::kComputeIn, "bool", Form::kDType, "for bool"},
    {Owner::kComputeIn, "double", Form::kDType, "for float64"},
    {Owner::kComputeIn, "lossy", Form::kSentence, "why it is right though not every value survives"},
});
static_assert(std::ranges::is_sorted(kKeys, {}, &KeyInfo::owner));

}  // namespace

std::span<const KeyInfo> KeysOf(Owner owner) {
  const auto range = std::ranges::equal_range(kKeys, owner, {}, &KeyInfo::owner);
  return {range.begin(), range.end()};
}

const KeyInfo* FindKey(Owner owner, std::string_view key) {
  const std::span<const KeyInfo> keys = KeysOf(owner);
  const auto found = std::ranges::find(keys, key, &KeyInfo::key);
  return found == keys.end() ? nullptr : &*found;
}

Inside InsideOf(Form form) {
  using enum Inside::Kind;
  switch (form) {
    case Form::kItems:
      return {.kind = kKeys, .owner = Owner::kItem};
    case Form::kCases:
      return {.kind = kKeys, .owner = Owner::kCase};
    case Form::kValueCases:
      return {.kind = kKeys, .owner = Owner::kValueCase};
    case Form::kFold:
      return {.kind = kKeys, .owner = Owner::kFold};
    case Form::kLoop:
      return {.kind = kKeys, .owner = Owner::kLoop};
    case Form::kPromote:
      return {.kind = kKeys, .owner = Owner::kPromote};
    case Form::kComputeIn:
      return {.kind = kKeys, .owner = Owner::kComputeIn};
    case Form::kValue:
      return {.kind = kKeys, .owner = Owner::kValue};
    case Form::kOperators:
      return {.kind = kNames, .value = Form::kConstants};
    case Form::kConstants:
      return {.kind = kNames, .value = Form::kExpression};
    case Form::kRefinements:
      return {.kind = kNames, .value = Form::kRefinement};
    case Form::kLets:
    case Form::kSignatures:
      return {.kind = kNames, .value = Form::kValue};
    case Form::kTypes:
      return {.kind = kNames, .value = Form::kDType};
    case Form::kNodeTypes:
      return {.kind = kNames, .value = Form::kSentence};
    default:
      return {};
  }
}

}  // namespace onnxport::codegen
