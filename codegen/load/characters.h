// Which bytes a spec file may consist of.
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

// The first place with a byte that is not valid UTF-8, or with a bad character. Bad characters are control characters
// other than line ends, invisible ones, and those that change the order in which a reader sees the text.
std::optional<BadCharacter> FindBadCharacter(std::string_view text);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_CHARACTERS_H_
