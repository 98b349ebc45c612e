// Finds the overloads that a line of `tests:` calls.
#ifndef ONNXPORT_CODEGEN_CHECK_TESTS_H_
#define ONNXPORT_CODEGEN_CHECK_TESTS_H_

#include <string>
#include <utility>
#include <vector>

#include "codegen/model/spec.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {

// Returns the test's arguments by name, in the schema's order. Arguments that the schema lacks, or that are given
// twice, come last. A positional argument too many has no name.
std::vector<std::pair<std::string, TestValue>> ArgumentsFor(const TestCase& test, const ir::AtenSchema& schema);

// Says why the test is no call of the overload: "aten::relu has no argument `x`". Empty if it is one.
std::string Misfit(const TestCase& test, const ir::AtenSchema& schema);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_TESTS_H_
