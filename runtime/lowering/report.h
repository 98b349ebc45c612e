// The report of what cannot be exported.
#ifndef ONNXPORT_RUNTIME_LOWERING_REPORT_H_
#define ONNXPORT_RUNTIME_LOWERING_REPORT_H_

#include <functional>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/lowering/attempt.h"

namespace onnxport::lowering {

// All failures, grouped by operator and reason in order of first call:
//   2 operators cannot be exported at opset 9:
//     aten::roll (3 calls): axis 4 is outside a rank of 2
//       opset 11 can export it
//       layer1.0  model.py:12  x = torch.roll(x, 1, 4)
// `works_at`: the lowest later opset that takes the call at this node, or 0.
std::string FailureReport(const ir::Graph& aten, const std::vector<Failure>& failures, int opset,
                          const std::function<int(size_t node)>& works_at);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_REPORT_H_
