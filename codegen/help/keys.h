// The keys of the spec language for help in editors: what the table of clauses says, and what a value of each is.
#ifndef ONNXPORT_CODEGEN_HELP_KEYS_H_
#define ONNXPORT_CODEGEN_HELP_KEYS_H_

#include <optional>
#include <string_view>
#include <vector>

namespace onnxport::codegen {

// A map that has keys of the language.
enum class KeyMap {
  kFile,
  kItem,  // of `ops`, before it is known which: what tells
  kEntry,
  kDefinition,
  kLocalDefinition,  // of an entry, under its name
  kSchema,
  kCase,
  kValue,      // of a let, as a map
  kValueCase,  // of the cases of such a value
  kFold,
  kLoop,
  kPromote,
  kComputeIn,
};

// What a key takes.
enum class Takes {
  kVersion,   // of the language
  kName,      // an identifier
  kSentence,  // text for people, or a C++ name
  kNumber,    // an opset, or a version
  kTrue,      // `true`
  kExpression,
  kResults,      // an expression, a list of them, or a map: result -> expression
  kNamed,        // an expression, or a map: name -> expression
  kItems,        // a list of maps: KeyMap::kItem
  kCases,        // the same: KeyMap::kCase
  kValueCases,   // the same: KeyMap::kValueCase
  kFold,         // a map: KeyMap::kFold
  kLoop,         // a map: KeyMap::kLoop
  kPromote,      // a map: KeyMap::kPromote
  kComputeIn,    // a map: KeyMap::kComputeIn
  kLibraries,    // a list of libraries' names
  kOperators,    // names of operators: one, a list, or a map to their constants
  kConstants,    // a map: name -> expression
  kRefinements,  // a map: argument -> refinement
  kRefinement,   // `axis(self)`
  kLets,         // a map: name, or names -> value
  kSignatures,   // a map: `name(a, b)` -> definition
  kDefined,      // an expression, or a map: KeyMap::kLocalDefinition
  kValue,        // an expression, or a map: KeyMap::kValue
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

struct KeyInfo {
  std::string_view key;
  Takes form = Takes::kExpression;
  std::string_view doc;
};

// In the order in which they are offered.
std::vector<KeyInfo> KeysOf(KeyMap map);
// Nothing for another key.
std::optional<KeyInfo> FindKey(KeyMap map, std::string_view key);

// What a value of a form is, when it is a map (or a list of maps).
struct Inside {
  enum class Kind { kNothing, kKeys, kNames } kind = Kind::kNothing;
  KeyMap owner = KeyMap::kFile;      // kKeys
  Takes value = Takes::kExpression;  // kNames: of each name
};
Inside InsideOf(Takes form);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_KEYS_H_
