// Patterns of names.
#ifndef ONNXPORT_RUNTIME_BASE_GLOB_H_
#define ONNXPORT_RUNTIME_BASE_GLOB_H_

#include <string_view>

namespace onnxport {

// Returns true if the pattern matches the whole text. `*` matches any number of bytes, `?` matches one byte, and every
// other character matches itself.
bool MatchesGlob(std::string_view text, std::string_view pattern);

// Returns true if the pattern matches a dotted name or one of its parents: "layers.0" and "layers.*" match
// "layers.0.fc.weight".
bool MatchesPath(std::string_view name, std::string_view pattern);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_GLOB_H_
