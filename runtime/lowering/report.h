// The report of what cannot be exported.
#ifndef ONNXPORT_RUNTIME_LOWERING_REPORT_H_
#define ONNXPORT_RUNTIME_LOWERING_REPORT_H_

#include <string>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::lowering {

// What cannot be exported, and where.
struct Complaint {
  std::string op;  // "aten::roll"; empty for what is no call
  std::string reason;
  ir::Location location;
  int works_at = 0;  // the lowest later opset that takes it; 0: none, or not known
};

// All complaints, grouped by operator and reason in the order in which they came:
//   the model cannot be exported at opset 9:
//     aten::roll (3 calls): axis 4 is outside a rank of 2
//         opset 11 can express it
//         layer1.0  model.py:12  x = torch.roll(x, 1, 4)
std::string FailureReport(const std::vector<Complaint>& complaints, int opset);

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_REPORT_H_
