// The keys of the spec language for help in editors, from the table of clauses.
#ifndef ONNXPORT_CODEGEN_HELP_KEYS_H_
#define ONNXPORT_CODEGEN_HELP_KEYS_H_

#include <optional>
#include <string_view>
#include <vector>

#include "codegen/model/clause.h"

namespace onnxport::codegen {

// A map that has keys of the language.
enum class KeyMap {
  kFile,
  kItem,  // of `ops`: not yet known whether it is an entry, a definition, traits or a schema
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

struct KeyInfo {
  std::string_view key;
  Form form = Form::kExpression;
  std::string_view doc;
  bool needed = false;  // the map is invalid without it
};

// Returns the keys in the order in which they are offered.
std::vector<KeyInfo> KeysOf(KeyMap map);
// Returns nothing for an unknown key.
std::optional<KeyInfo> FindKey(KeyMap map, std::string_view key);

// The contents of a value that is a map (or a list of maps).
struct Inside {
  enum class Kind { kNothing, kKeys, kNames } kind = Kind::kNothing;
  KeyMap owner = KeyMap::kFile;    // kKeys
  Form value = Form::kExpression;  // kNames: the form of the value of each name
};
Inside InsideOf(Form form);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_KEYS_H_
