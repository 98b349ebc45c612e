// The keys of each kind of map, from the table of clauses (model/clauses.h), which loader and formatter go by as well:
// a key that is added there is offered, explained and in the JSON schema at once. Only what its value is has to be said
// here, where the table does not know.
#include "codegen/help/keys.h"

#include <array>
#include <cstdint>

#include "codegen/model/clauses.h"

namespace onnxport::codegen {
namespace {

// Whose keys in the table of clauses those of a map are. An item is what its first key says, and a value has the cases
// of a definition.
struct Rows {
  KeyMap map;
  Owner owner;
  std::string_view only = {};  // this key
};
constexpr auto kRows = std::to_array<Rows>({
    {KeyMap::kFile, kOfFile},
    {KeyMap::kItem, kOfEntry, "op"},
    {KeyMap::kItem, kOfDefinition, "def"},
    {KeyMap::kItem, kOfSchema, "schema"},
    {KeyMap::kEntry, kOfEntry},
    {KeyMap::kDefinition, kOfDefinition},
    {KeyMap::kLocalDefinition, kOfLocalDefinition},
    {KeyMap::kSchema, kOfSchema},
    {KeyMap::kCase, kOfCase},
    {KeyMap::kValue, kOfDefinition, "cases"},
    {KeyMap::kValueCase, kOfValueCase},
    {KeyMap::kFold, kOfFold},
    {KeyMap::kLoop, kOfLoop},
    {KeyMap::kPromote, kOfPromote},
    {KeyMap::kComputeIn, kOfComputeIn},
});

struct TakenBy {
  std::string_view key;
  Takes takes;
  uint16_t owners = 0xffff;
};
// Where the table of clauses, which is about how a value is written, does not say what it is.
constexpr auto kTaken = std::to_array<TakenBy>({
    {"spec", Takes::kVersion},
    {"family", Takes::kName},
    {"import", Takes::kLibraries},
    {"ops", Takes::kItems},
    {"def", Takes::kSignature, kOfDefinition},
    {"def", Takes::kSignatures, kOfEntry},
    {"schema", Takes::kNodeName},
    {"version", Takes::kNumber},
    {"since", Takes::kNumber},
    {"until", Takes::kNumber},
    {"pure", Takes::kTrue},
    {"override", Takes::kTrue},
    {"what", Takes::kSentence},
    {"hook", Takes::kSentence},
    {"types", Takes::kTypes},
    {"inputs", Takes::kNodeTypes},
    {"attributes", Takes::kNodeTypes},
    {"outputs", Takes::kNodeTypes},
    {"args", Takes::kRefinements},
    {"promote", Takes::kPromote},
    {"of", Takes::kArguments},
    {"kind", Takes::kPromoteKind},
    {"fold", Takes::kFold},
    {"loop", Takes::kLoop},
    {"cases", Takes::kCases, kOfEntry},
    {"cases", Takes::kValueCases, kOfEachDef},
    {"compute_in", Takes::kComputeIn},
    {"int", Takes::kDType},
    {"half", Takes::kDType},
    {"bool", Takes::kDType},
    {"double", Takes::kDType},
});

Takes TakesOf(const Clause& clause, Owner owner) {
  if ((clause.owners & kOfTraitItem) != 0 && clause.key != "op") return Takes::kTrait;
  for (const TakenBy& taken : kTaken)
    if (taken.key == clause.key && (taken.owners & owner) != 0) return taken.takes;
  switch (clause.form) {
    case Form::kResults:
      return (owner & kOfEachDef) != 0 ? Takes::kNamed : Takes::kResults;
    case Form::kSentence:
      return Takes::kSentence;
    case Form::kLets:
      return Takes::kLets;
    case Form::kOperators:
      return Takes::kOperators;
    case Form::kTests:
      return Takes::kTests;
    default:
      return Takes::kExpression;
  }
}

}  // namespace

std::vector<KeyInfo> KeysOf(KeyMap map) {
  std::vector<KeyInfo> keys;
  for (const Rows& rows : kRows) {
    if (rows.map != map) continue;
    for (const Clause& clause : kClauses)
      if ((clause.owners & rows.owner) != 0 && (rows.only.empty() || clause.key == rows.only))
        keys.push_back({clause.key, TakesOf(clause, rows.owner), clause.meaning});
  }
  return keys;
}

std::optional<KeyInfo> FindKey(KeyMap map, std::string_view key) {
  for (const KeyInfo& info : KeysOf(map))
    if (info.key == key) return info;
  return std::nullopt;
}

Inside InsideOf(Takes form) {
  using enum Inside::Kind;
  switch (form) {
    case Takes::kItems:
      return {.kind = kKeys, .owner = KeyMap::kItem};
    case Takes::kCases:
      return {.kind = kKeys, .owner = KeyMap::kCase};
    case Takes::kValueCases:
      return {.kind = kKeys, .owner = KeyMap::kValueCase};
    case Takes::kFold:
      return {.kind = kKeys, .owner = KeyMap::kFold};
    case Takes::kLoop:
      return {.kind = kKeys, .owner = KeyMap::kLoop};
    case Takes::kPromote:
      return {.kind = kKeys, .owner = KeyMap::kPromote};
    case Takes::kComputeIn:
      return {.kind = kKeys, .owner = KeyMap::kComputeIn};
    case Takes::kValue:
      return {.kind = kKeys, .owner = KeyMap::kValue};
    case Takes::kOperators:
      return {.kind = kNames, .value = Takes::kConstants};
    case Takes::kConstants:
    case Takes::kNamed:
    case Takes::kResults:
      return {.kind = kNames, .value = Takes::kExpression};
    case Takes::kRefinements:
      return {.kind = kNames, .value = Takes::kRefinement};
    case Takes::kLets:
      return {.kind = kNames, .value = Takes::kValue};
    case Takes::kSignatures:
      return {.kind = kNames, .value = Takes::kDefined};
    case Takes::kDefined:
      return {.kind = kKeys, .owner = KeyMap::kLocalDefinition};
    case Takes::kTypes:
      return {.kind = kNames, .value = Takes::kDType};
    case Takes::kNodeTypes:
      return {.kind = kNames, .value = Takes::kSentence};
    default:
      return {};
  }
}

}  // namespace onnxport::codegen
