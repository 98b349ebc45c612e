// Specs, and the functions that the generator made of them.
#ifndef ONNXPORT_TESTS_LANGUAGE_PROGRAMS_H_
#define ONNXPORT_TESTS_LANGUAGE_PROGRAMS_H_

#include <span>
#include <string_view>

#include "runtime/lowering/dsl/context.h"

namespace onnxport::language {

struct Program {
  std::string_view spec;  // a whole file
  lowering::Vals (*function)(lowering::Context& context);
};

// Written by programs_main.cc.
std::span<const Program> Programs();

}  // namespace onnxport::language

#endif  // ONNXPORT_TESTS_LANGUAGE_PROGRAMS_H_
