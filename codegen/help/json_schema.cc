#include "codegen/help/json_schema.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "codegen/help/keys.h"
#include "codegen/help/words.h"

namespace onnxport::codegen {
namespace {

using Json = nlohmann::ordered_json;

// In the order of KeyMap.
constexpr auto kOwnerNames =
    std::to_array<std::string_view>({"file", "item", "entry", "definition", "local_definition", "schema", "case",
                                     "value", "value_case", "fold", "loop", "promote", "compute_in"});

Json Reference(KeyMap owner) {
  return {{"$ref", "#/definitions/" + std::string(kOwnerNames[static_cast<size_t>(owner)])}};
}

Json ListOfSchema(Json items) { return {{"type", "array"}, {"minItems", 1}, {"items", std::move(items)}}; }
Json MapOfSchema(Json values) { return {{"type", "object"}, {"additionalProperties", std::move(values)}}; }
Json AnyOfSchema(Json first, Json second) { return {{"anyOf", {std::move(first), std::move(second)}}}; }
Json TextSchema() { return {{"type", "string"}}; }

// YAML makes a number of `1`, and a bool of `True`.
Json ExpressionSchema() { return {{"type", {"string", "number", "boolean"}}}; }

Json OneOfWords(const auto& words) {
  Json list = Json::array();
  for (const auto& word : words) list.push_back(word);
  return {{"enum", std::move(list)}};
}

Json PromoteKindSchema() {
  Json list = Json::array();
  for (const WordHelp& word : PromoteKinds()) list.push_back(word.word);
  return {{"enum", std::move(list)}};
}

// `if` and `then` where a key decides, not anyOf: an editor then says what is wrong with the one that was meant, rather
// than that none of several fits. Here: a map is a dict of a node's arguments, unless it has `cases`.
Json ValueSchema() {
  Json dict_or_expression = AnyOfSchema(ExpressionSchema(), MapOfSchema(ExpressionSchema()));
  return {{"if", {{"type", "object"}, {"required", {"cases"}}}},
          {"then", Reference(KeyMap::kValue)},
          {"else", std::move(dict_or_expression)}};
}

Json DefinedSchema() {
  return {{"if", {{"type", "object"}}}, {"then", Reference(KeyMap::kLocalDefinition)}, {"else", ExpressionSchema()}};
}

Json FormSchema(Form form) {
  switch (form) {
    case Form::kVersion:
      return {{"const", 1}};
    case Form::kName:
      return {{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}};
    case Form::kLibraries:
      return ListOfSchema(FormSchema(Form::kName));
    case Form::kNumber:
      return {{"type", "integer"}, {"minimum", 1}};
    case Form::kTrue:
      return {{"const", true}};
    case Form::kExpression:
      return ExpressionSchema();
    case Form::kResults:
      return {{"anyOf", {ExpressionSchema(), ListOfSchema(ExpressionSchema()), MapOfSchema(ExpressionSchema())}}};
    case Form::kOperators:
      return {{"anyOf", {TextSchema(), ListOfSchema(TextSchema()), MapOfSchema(MapOfSchema(ExpressionSchema()))}}};
    case Form::kRefinements:
    case Form::kNodeTypes:
      return MapOfSchema(TextSchema());
    case Form::kNamed:
      return AnyOfSchema(ExpressionSchema(), MapOfSchema(ExpressionSchema()));
    case Form::kLets:
      return MapOfSchema(ValueSchema());
    case Form::kSignatures:
      return MapOfSchema(DefinedSchema());
    case Form::kArguments:
      return AnyOfSchema(TextSchema(), ListOfSchema(TextSchema()));
    case Form::kPromoteKind:
      return PromoteKindSchema();
    case Form::kDType:
      return OneOfWords(DTypeWords());
    case Form::kTypes:
      return MapOfSchema(ListOfSchema(OneOfWords(DTypeWords())));
    case Form::kTests:
      return ListOfSchema(TextSchema());
    case Form::kItems:
    case Form::kCases:
    case Form::kValueCases:
      return ListOfSchema(Reference(InsideOf(form).owner));
    case Form::kFold:
    case Form::kLoop:
    case Form::kPromote:
    case Form::kComputeIn:
      return Reference(InsideOf(form).owner);
    case Form::kSentence:
    case Form::kSignature:
    case Form::kNodeName:
    case Form::kTrait:
      return TextSchema();
    // No key takes one itself: they are inside of the others, which say what they are.
    case Form::kConstants:
    case Form::kDefined:
    case Form::kRefinement:
    case Form::kValue:
      break;
  }
  return {};
}

Json MapSchema(KeyMap owner) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const KeyInfo& key : KeysOf(owner)) {
    // With a reference beside it, draft 7 does not look at a description.
    Json value = FormSchema(key.form);
    if (value.contains("$ref")) value = {{"allOf", {std::move(value)}}};
    value["description"] = key.doc;
    properties[std::string(key.key)] = std::move(value);
    // One of those of an item, and all that a value has as a map.
    if ((key.needed && owner != KeyMap::kItem) || owner == KeyMap::kValue) required.push_back(key.key);
  }
  Json map = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) map["required"] = std::move(required);
  return map;
}

// Which of them it is says a key, so that a mistake is found in one of them, and not in all.
Json ItemSchema() {
  Json schema = MapSchema(KeyMap::kItem);  // without such a key
  schema["minProperties"] = 1;
  const std::pair<const char*, KeyMap> kinds[] = {
      {"schema", KeyMap::kSchema}, {"def", KeyMap::kDefinition}, {"op", KeyMap::kEntry}};
  // An entry may have a `def` of its own, so `op` is asked for first.
  for (const auto& [key, owner] : kinds)
    schema = {{"if", {{"required", {key}}}}, {"then", Reference(owner)}, {"else", std::move(schema)}};
  return schema;
}

}  // namespace

std::string JsonSchemaText() {
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "A spec file of onnxport"},
                 {"description", "What operators of PyTorch become in ONNX; spec/README.md describes the language."}};
  schema.update(MapSchema(KeyMap::kFile));
  for (size_t i = 1; i < kOwnerNames.size(); ++i) {
    const auto owner = static_cast<KeyMap>(i);
    schema["definitions"][std::string(kOwnerNames[i])] = owner == KeyMap::kItem ? ItemSchema() : MapSchema(owner);
  }
  return schema.dump(2) + "\n";
}

}  // namespace onnxport::codegen
