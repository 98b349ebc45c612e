// Results of a call whose types nobody stated, as values of the source graph.
#ifndef ONNXPORT_RUNTIME_LOWERING_PUBLISHED_H_
#define ONNXPORT_RUNTIME_LOWERING_PUBLISHED_H_

#include <string>
#include <vector>

namespace onnxport::lowering {

// What a result is to be; kScalar: a number of whatever kind, kAny: whatever was made (by a host operator).
enum class ResultKind { kTensor, kInt, kFloat, kBool, kScalar, kAny };

// What the schema says; empty for an operator without one.
std::vector<ResultKind> ResultKinds(const std::string& op);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_PUBLISHED_H_
