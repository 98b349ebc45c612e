// Relates `--input` flags to parameters.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_INPUT_FORMS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_INPUT_FORMS_H_

#include <optional>
#include <string>

#include "runtime/inputs/element_names.h"
#include "runtime/inputs/inputs.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"
#include "runtime/sources/torchscript/syntax/type.h"

namespace onnxport::torchscript {

// Returns a flag that would describe a parameter of this type.
std::string Example(const std::string& name, const Type& type);

// Returns the value of a literal that is a parameter's default.
std::optional<Value> Literal(const Expr& expr, Heap* heap);

// Returns true if a flag can mean this member of a Union.
bool Fits(const Input& spec, const Type& type);

// Nothing if the flag has no sizes.
std::optional<ir::Dims> SpecDims(const Input& spec);

// The elements that a parameter of this type has. `program` must live as long as the form.
inputs::Form FormOf(const Type& type, const Program& program);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_INPUT_FORMS_H_
