// Findings about a program for the user: calls that could not be lowered, and remarks.
#ifndef ONNXPORT_RUNTIME_TRACE_RECORD_FINDINGS_H_
#define ONNXPORT_RUNTIME_TRACE_RECORD_FINDINGS_H_

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/trace/record/failure.h"
#include "runtime/trace/record/places.h"

namespace onnxport::record {

class Findings {
 public:
  explicit Findings(const Places* places) : places_(*places) {}
  Findings(const Findings&) = delete;

  // Reports each reason once per place. The place is that of the current call unless it is given.
  void Report(const ir::Operator& op, const Reason& reason) { Report({places_.current(), op, reason}); }
  void Report(Failure failure);
  const std::vector<Failure>& failures() const { return failures_; }
  // The number of calls of Report, including repeated reports.
  size_t reports() const { return reports_; }
  // Removes the failures from `first` on and returns them.
  std::vector<Failure> TakeFailures(size_t first);

  // Adds a remark, each text once.
  void Remark(std::string text);
  const std::vector<std::string>& remarks() const { return remarks_; }
  // Removes the remarks from `first` on and returns them.
  std::vector<std::string> TakeRemarks(size_t first);

 private:
  std::string KeyOf(const Failure& failure) const;

  const Places& places_;
  std::vector<Failure> failures_;
  size_t reports_ = 0;
  std::unordered_set<std::string> reported_;
  std::vector<std::string> remarks_;
  std::unordered_set<std::string> remarked_;
};

}  // namespace onnxport::record

#endif  // ONNXPORT_RUNTIME_TRACE_RECORD_FINDINGS_H_
