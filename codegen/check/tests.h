// Which overloads a line of `tests:` is a call of.
#ifndef ONNXPORT_CODEGEN_CHECK_TESTS_H_
#define ONNXPORT_CODEGEN_CHECK_TESTS_H_

#include <string>

#include "codegen/model/spec.h"
#include "runtime/ir/aten_schema.h"

namespace onnxport::codegen {

// Why the test is no call of the overload: "aten::relu has no argument `x`"; empty when it is one.
std::string Misfit(const TestCase& test, const ir::AtenSchema& schema);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_CHECK_TESTS_H_
