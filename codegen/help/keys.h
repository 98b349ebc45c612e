// The keys of the spec language: in which map each stands, what it takes and what it means. Whoever needs them (help
// for editors, the JSON schema) asks here. keys_test holds them to what the loader takes.
#ifndef ONNXPORT_CODEGEN_HELP_KEYS_H_
#define ONNXPORT_CODEGEN_HELP_KEYS_H_

#include <span>
#include <string_view>

namespace onnxport::codegen {

// A map that has keys of the language.
enum class Owner {
  kFile,
  kItem,  // of `ops`, before it is known which: what tells
  kEntry,
  kDefinition,
  kSchema,
  kCase,
  kValue,      // of a let or a definition, as a map
  kValueCase,  // of the cases of such a value
  kFold,
  kLoop,
  kPromote,
  kComputeIn,
};

// What a key takes.
enum class Form {
  kVersion,   // of the language
  kName,      // an identifier
  kSentence,  // text for people, or a C++ name
  kNumber,    // an opset, or a version
  kTrue,      // `true`
  kExpression,
  kResults,      // an expression, or a list of them
  kItems,        // a list of maps: Owner::kItem
  kCases,        // the same: Owner::kCase
  kValueCases,   // the same: Owner::kValueCase
  kFold,         // a map: Owner::kFold
  kLoop,         // a map: Owner::kLoop
  kPromote,      // a map: Owner::kPromote
  kComputeIn,    // a map: Owner::kComputeIn
  kOperators,    // names of operators: one, a list, or a map to their constants
  kConstants,    // a map: name -> expression
  kRefinements,  // a map: argument -> refinement
  kRefinement,   // `axis(self)`
  kLets,         // a map: name, or names -> value
  kSignatures,   // a map: `name(a, b)` -> value
  kValue,        // an expression, or a map: Owner::kValue
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
  Owner owner;
  std::string_view key;
  Form form;
  std::string_view doc;
};

// In the order in which they are offered.
std::span<const KeyInfo> KeysOf(Owner owner);
// Null for another key.
const KeyInfo* FindKey(Owner owner, std::string_view key);

// What a value of a form is, when it is a map (or a list of maps).
struct Inside {
  enum class Kind { kNothing, kKeys, kNames } kind = Kind::kNothing;
  Owner owner = Owner::kFile;      // kKeys
  Form value = Form::kExpression;  // kNames: of each name
};
Inside InsideOf(Form form);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_KEYS_H_
