// An argument may have the name of a word of the language (`nan`, `opset`): then the word is the argument.
#ifndef ONNXPORT_CODEGEN_SPECIALIZE_ARGUMENT_WORDS_H_
#define ONNXPORT_CODEGEN_SPECIALIZE_ARGUMENT_WORDS_H_

#include "codegen/model/spec.h"

namespace onnxport::codegen {

// In the expressions of an entry, its own definitions included, the words that some operator of the entry has as an
// argument become names. `-inf` becomes minus the argument `inf`.
void TakeArgumentWords(OpEntry* entry);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_SPECIALIZE_ARGUMENT_WORDS_H_
