// Patterns of names.
#ifndef ONNXPORT_RUNTIME_BASE_GLOB_H_
#define ONNXPORT_RUNTIME_BASE_GLOB_H_

#include <string_view>

namespace onnxport {

// Returns true if the pattern matches the whole text: `*` matches any bytes or none, `?` one byte, everything else
// itself.
bool MatchesGlob(std::string_view text, std::string_view pattern);

// The same of a dotted name, or of one that it lies in: "layers.0" and "layers.*" match "layers.0.fc.weight".
bool MatchesPath(std::string_view name, std::string_view pattern);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_GLOB_H_
