// Makes the report of everything that cannot be exported.
#ifndef ONNXPORT_RUNTIME_TRACE_REPORT_H_
#define ONNXPORT_RUNTIME_TRACE_REPORT_H_

#include <vector>

#include "onnxport/diagnostic.h"
#include "runtime/ir/graph.h"
#include "runtime/trace/record/failure.h"

namespace onnxport::trace {

// One diagnostic for each operator and reason, in the order of the failures. `source` has their locations. `works_at`
// has, for each failure, the lowest later opset at which the call works; 0: none.
Report ReportOf(ErrorKind kind, const ir::Graph& source, const std::vector<record::Failure>& failures,
                const std::vector<int>& works_at, int opset);

}  // namespace onnxport::trace

#endif  // ONNXPORT_RUNTIME_TRACE_REPORT_H_
