// Checks the characters of a spec file.
#ifndef ONNXPORT_CODEGEN_LOAD_CHARACTERS_H_
#define ONNXPORT_CODEGEN_LOAD_CHARACTERS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace onnxport::codegen {

struct BadCharacter {
  size_t offset;
  std::string message;
};

// Finds the first byte that is not valid UTF-8, or the first bad character. Bad characters are control characters other
// than line ends, invisible characters, and those that change the direction of text.
std::optional<BadCharacter> FindBadCharacter(std::string_view text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_CHARACTERS_H_
