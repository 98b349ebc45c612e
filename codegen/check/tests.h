// Which overloads a line of `tests:` is a call of.
#ifndef ONNXPORT_CODEGEN_CHECK_TESTS_H_
#define ONNXPORT_CODEGEN_CHECK_TESTS_H_

#include <string>
#include <utility>
#include <vector>

#include "codegen/model/spec.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {

// The test's arguments by name, in the schema's order; those that the schema does not have, or has twice, at the end.
// A positional argument too many has no name.
std::vector<std::pair<std::string, TestValue>> ArgumentsFor(const TestCase& test, const ir::AtenSchema& schema);

// Why the test is no call of the overload: "aten::relu has no argument `x`"; empty when it is one.
std::string Misfit(const TestCase& test, const ir::AtenSchema& schema);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_TESTS_H_
