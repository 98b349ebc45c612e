// The columns of the table of clauses (clauses.h).
#ifndef ONNXPORT_CODEGEN_MODEL_CLAUSE_H_
#define ONNXPORT_CODEGEN_MODEL_CLAUSE_H_

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

namespace onnxport::codegen {

// The kinds of maps that have keys. One bit each, for sets.
enum Owner : uint32_t {
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

inline constexpr uint32_t kOfBoth = kOfEntry | kOfCase;
inline constexpr uint32_t kOfEachDef = kOfDefinition | kOfLocalDefinition;
inline constexpr uint32_t kOfAnyItem = kOfEntry | kOfTraitItem;

// Owners that are nothing without the key.
inline constexpr int kNeededShift = 16;
constexpr uint32_t Needed(uint32_t owners) { return owners | owners << kNeededShift; }

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

constexpr std::string_view WordOf(Owner owner) {
  for (const auto& [other, word] : kOwnerWords)
    if (other == owner) return word;
  return {};
}

// The form of a key's value: how it is written, and which values are allowed.
enum class Form : uint8_t {
  kVersion,   // of the language
  kName,      // an identifier
  kSentence,  // text for people, or a C++ name
  kNumber,    // an opset, or a version
  kTrue,      // `true`
  kExpression,
  kResults,      // an expression, a list of them, or a map: result -> expression
  kNamed,        // an expression, or a map: name -> expression
  kItems,        // a list of entries, definitions, items with traits and schemas
  kCases,        // a list of maps: kOfCase
  kValueCases,   // the same: kOfValueCase
  kFold,         // a map: kOfFold
  kLoop,         // a map: kOfLoop
  kPromote,      // a map: kOfPromote
  kComputeIn,    // a map: kOfComputeIn
  kLibraries,    // a list of libraries' names
  kOperators,    // names of operators: one, a list, or a map to their constants
  kConstants,    // a map: name -> expression
  kRefinements,  // a map: argument -> refinement
  kRefinement,   // `axis(self)`
  kLets,         // a map: name, or names -> value
  kSignatures,   // a map: `name(a, b)` -> definition
  kDefined,      // an expression, or a map: kOfLocalDefinition
  kValue,        // an expression, a map with `cases`, or one of a node's arguments
  kSignature,    // `name(a, b)`
  kArguments,    // a list of arguments' names
  kPromoteKind,  // a word
  kDType,        // a word
  kTrait,        // a word, or a call
  kTests,        // a list of calls
  kNodeName,     // `acme.Foo`
  kTypes,        // a map: name -> list of dtypes
  kNodeTypes,    // a map: name -> type of a tensor, or kind of an attribute
};

struct Clause {
  std::string_view key;
  uint32_t owners;  // and those that need it
  Form form;
  std::string_view usage;  // in spec/README.md
  std::string_view meaning;
  std::string_view hint = "";  // for somebody who writes it at another place
};

constexpr bool IsNeeded(const Clause& clause, Owner owner) {
  return (clause.owners & static_cast<uint32_t>(owner) << kNeededShift) != 0;
}

// A clause with the members of spec.h that store it, one for each struct that has it. For example, Block::lets stores
// the `let` of an entry, and Case::lets that of a case. The members' types decide how the clause is read
// (load/fields.h), which expressions are in it (walk.h) and when two are equal (format/same_spec.h).
template <auto... kMembers>
struct KeptIn : Clause {};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_MODEL_CLAUSE_H_
