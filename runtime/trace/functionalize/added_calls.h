// Adds calls that functionalization needs besides those of the program.
#ifndef ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_ADDED_CALLS_H_
#define ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_ADDED_CALLS_H_

#include <cstddef>
#include <utility>
#include <vector>

#include "runtime/aten/aten_schema.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/operator.h"
#include "runtime/trace/record/recorder.h"

namespace onnxport::functionalize {

using PositionedArgs = std::vector<std::pair<size_t, ir::Arg>>;

// Returns the inputs of a call of the schema. Missing arguments have their defaults.
std::vector<ir::Arg> InputsOf(const ir::AtenSchema& schema, PositionedArgs args);

// Adds a call of a schema. The result has the sizes of `model`.
ir::ValueId AddCall(record::Recorder* recorder, const ir::Operator& op, PositionedArgs args, ir::ValueId model);

// Adds an instruction on numbers.
ir::Arg AddInstruction(record::Recorder* recorder, ir::Instruction instruction, std::vector<ir::Arg> args);

// Adds a choice: `then` where the bool is true, else `otherwise`, in whatever sizes they have. The chosen one has the
// sizes of `model`. Returns nothing if no type holds both.
std::optional<ir::ValueId> AddChoice(record::Recorder* recorder, ir::ValueId condition, ir::ValueId then,
                                     ir::ValueId otherwise, ir::ValueId model);

// Casts the tensor to the type of `model`.
ir::ValueId AddCast(record::Recorder* recorder, ir::ValueId tensor, ir::ValueId model);

// Returns the sizes of a tensor as a list of ints and `sym_size` instructions. A single unknown one is -1.
ir::Arg SizesToReshape(record::Recorder* recorder, ir::ValueId tensor);

}  // namespace onnxport::functionalize

#endif  // ONNXPORT_RUNTIME_TRACE_FUNCTIONALIZE_ADDED_CALLS_H_
