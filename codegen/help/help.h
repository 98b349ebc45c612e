// Help for who writes a spec: what stands at a place, and what may. The file may have mistakes, at that place, too.
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
  int column = 0;  // from 1: the cursor stands before this character
};
// "spec/aten/norm.yaml:12:9". Throws std::runtime_error for another text.
Location ParseLocation(const std::string& text);

// Explains the name at the place: a key, an argument, a let, a definition, a function, an ONNX operator with its schema
// at each opset, and so on. For a name in an expression it lists the kinds at each opset. Lines of text; empty where
// there is nothing to say. `libraries`: all that `spec` might import.
std::string Explain(const SpecText& spec, const Libraries& libraries, int line, int column);

struct Completion {
  std::string name;
  std::string what;
};
// The names that may stand there and begin with what stands before the cursor.
std::vector<Completion> Complete(const SpecText& spec, const Libraries& libraries, int line, int column);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_HELP_H_
