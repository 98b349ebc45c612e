// Help for authors of specs: explains the name at a place, and lists the names that may stand there. The file may have
// mistakes, even at that place.
#ifndef ONNXPORT_CODEGEN_HELP_HELP_H_
#define ONNXPORT_CODEGEN_HELP_HELP_H_

#include <string>
#include <vector>

#include "codegen/load/libraries.h"

namespace onnxport::codegen {

struct SpecText {
  std::string path;  // as messages and answers name it
  std::string text;
};

struct Location {
  std::string path;
  int line = 0;    // from 1
  int column = 0;  // from 1: the cursor is before this character
};
// "spec/aten/norm.yaml:12:9". Throws std::runtime_error for another text.
Location ParseLocation(const std::string& text);

// Explains the name at the place: a key, an argument, a let, a definition, a function, an ONNX operator with its schema
// at each opset, and so on. For a name in an expression it lists the kinds at each opset. Returns lines of text, or an
// empty text if nothing is known. `libraries` are all libraries that `spec` might import.
std::string Explain(const SpecText& spec, const Libraries& libraries, int line, int column);

struct Completion {
  std::string name;
  std::string what;
};
// Returns the names that may stand there and begin with the text before the cursor.
std::vector<Completion> Complete(const SpecText& spec, const Libraries& libraries, int line, int column);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_HELP_H_
