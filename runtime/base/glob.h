// Patterns of names.
#ifndef ONNXPORT_RUNTIME_BASE_GLOB_H_
#define ONNXPORT_RUNTIME_BASE_GLOB_H_

#include <string_view>

namespace onnxport {

// Whether all of the text fits: `*` stands for any bytes, none too, `?` for one; everything else for itself.
bool MatchesGlob(std::string_view text, std::string_view pattern);

// The same of a dotted name, or of one that it lies in: "layers.0" and "layers.*" match "layers.0.fc.weight".
bool MatchesPath(std::string_view name, std::string_view pattern);

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_GLOB_H_
