// What tells one wrong result from another, in a few words that tables hold: an excuse is for this difference of this
// graph, not for whatever the operator gives.
#ifndef ONNXPORT_TESTS_CONFORMANCE_DIFFERENCE_H_
#define ONNXPORT_TESTS_CONFORMANCE_DIFFERENCE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/ir/graph.h"

namespace onnxport::conformance {

// Of the text of ort::Difference: "type", "NaN", "infinity", "zero" (its sign), "values"; of an error: "fails in TopK",
// "does not load", "internal error".
std::string KindOfDifference(std::string_view text);
std::string KindOfError(std::string_view text);
// Whether the error says nothing but that there was no answer.
bool IsNoAnswer(std::string_view error);

// Of its nodes, attributes, weights and types: the same on every machine.
uint32_t HashOf(const ir::Graph& graph);

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_DIFFERENCE_H_
