// The keys of each kind of map, from the table of clauses (model/clauses.h), which the loader and the formatter use as
// well. A key that is added there is at once offered, explained and in the JSON schema.
#include "codegen/help/keys.h"

#include <array>

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

}  // namespace

std::vector<KeyInfo> KeysOf(KeyMap map) {
  std::vector<KeyInfo> keys;
  for (const Rows& rows : kRows) {
    if (rows.map != map) continue;
    for (const Clause& clause : kClauses)
      if ((clause.owners & rows.owner) != 0 && (rows.only.empty() || clause.key == rows.only))
        keys.push_back({clause.key, clause.form, clause.meaning, IsNeeded(clause, rows.owner)});
  }
  return keys;
}

std::optional<KeyInfo> FindKey(KeyMap map, std::string_view key) {
  for (const KeyInfo& info : KeysOf(map))
    if (info.key == key) return info;
  return std::nullopt;
}

Inside InsideOf(Form form) {
  using enum Inside::Kind;
  switch (form) {
    case Form::kItems:
      return {.kind = kKeys, .owner = KeyMap::kItem};
    case Form::kCases:
      return {.kind = kKeys, .owner = KeyMap::kCase};
    case Form::kValueCases:
      return {.kind = kKeys, .owner = KeyMap::kValueCase};
    case Form::kFold:
      return {.kind = kKeys, .owner = KeyMap::kFold};
    case Form::kLoop:
      return {.kind = kKeys, .owner = KeyMap::kLoop};
    case Form::kPromote:
      return {.kind = kKeys, .owner = KeyMap::kPromote};
    case Form::kComputeIn:
      return {.kind = kKeys, .owner = KeyMap::kComputeIn};
    case Form::kValue:
      return {.kind = kKeys, .owner = KeyMap::kValue};
    case Form::kOperators:
      return {.kind = kNames, .value = Form::kConstants};
    case Form::kConstants:
    case Form::kNamed:
    case Form::kResults:
      return {.kind = kNames, .value = Form::kExpression};
    case Form::kRefinements:
      return {.kind = kNames, .value = Form::kRefinement};
    case Form::kLets:
      return {.kind = kNames, .value = Form::kValue};
    case Form::kSignatures:
      return {.kind = kNames, .value = Form::kDefined};
    case Form::kDefined:
      return {.kind = kKeys, .owner = KeyMap::kLocalDefinition};
    case Form::kTypes:
      return {.kind = kNames, .value = Form::kDType};
    case Form::kNodeTypes:
      return {.kind = kNames, .value = Form::kSentence};
    default:
      return {};
  }
}

}  // namespace onnxport::codegen
