// What `--input` flags and parameters have to do with each other.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_INPUT_FORMS_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_INPUT_FORMS_H_

#include <optional>
#include <string>
#include <vector>

#include "runtime/inputs/inputs.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"
#include "runtime/sources/torchscript/syntax/ast.h"
#include "runtime/sources/torchscript/syntax/type.h"

namespace onnxport::torchscript {

// The flag that would describe a parameter of this type.
std::string Example(const std::string& name, const Type& type);

// What a literal of a parameter's default says.
std::optional<Value> Literal(const Expr& expr, Heap* heap);

// Which member of a Union a flag means.
bool Fits(const Input& spec, const Type& type);

// Nothing when the flag has no sizes.
std::optional<ir::Dims> SpecDims(const Input& spec);

// What flags say of elements of `name`: the names right below `name.`, in the order of the flags.
std::vector<std::string> ElementsUnder(const std::string& name, const std::vector<Input>& specs);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_BOUNDARY_INPUT_FORMS_H_
