// The report of what cannot be exported.
#ifndef ONNXPORT_RUNTIME_TRACE_REPORT_H_
#define ONNXPORT_RUNTIME_TRACE_REPORT_H_

#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/failure.h"

namespace onnxport::trace {

// All failures, grouped by operator and reason in the order in which they came:
//   the model cannot be exported at opset 9:
//     aten::roll (3 calls): axis 4 is outside a rank of 2
//         opset 11 can express it
//         layer1.0  model.py:12  x = torch.roll(x, 1, 4)
// `source` has their locations; `works_at`, for each of them: the lowest later opset that takes it; 0: none.
std::string FailureReport(const ir::Graph& source, const std::vector<Failure>& failures,
                          const std::vector<int>& works_at, int opset);

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_REPORT_H_
