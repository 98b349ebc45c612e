// Describes a wrong result in a few words for the tables. An excuse is for this difference of this graph, not for any
// result of the operator.
#ifndef ONNXPORT_TESTS_CONFORMANCE_DIFFERENCE_H_
#define ONNXPORT_TESTS_CONFORMANCE_DIFFERENCE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/ir/graph.h"

namespace onnxport::conformance {

// The kind of the text of ort::Difference: "type", "NaN", "infinity", "zero" (its sign), "values"; or of an error:
// "fails in TopK", "does not load", "internal error".
std::string KindOfDifference(std::string_view text);
std::string KindOfError(std::string_view text);
// Returns whether the error says only that there was no answer.
bool IsNoAnswer(std::string_view error);

// A hash of its nodes, attributes, weights and types: the same on every machine.
uint32_t HashOf(const ir::Graph& graph);

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_DIFFERENCE_H_
