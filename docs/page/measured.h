// Reads the tables of the conformance tests (tests/conformance/expectations.h), for the page of operators.
#ifndef ONNXPORT_DOCS_PAGE_MEASURED_H_
#define ONNXPORT_DOCS_PAGE_MEASURED_H_

#include <compare>
#include <istream>
#include <map>
#include <set>
#include <string>

namespace onnxport::page {

using Cells = std::map<std::string, std::set<int>>;  // a dtype's short name -> opsets

// The calls are left out.
struct Outcome {
  std::string kind;       // "agrees", "refused", "no kernel", ...
  std::string reason;     // may be empty
  bool by_a_run = false;  // of calls with sizes or numbers known only at run time

  auto operator<=>(const Outcome&) const = default;
};

// The cells of one operator.
struct Measured {
  int agree = 0;
  int cells = 0;
  std::map<Outcome, Cells> outcomes;
};

// By operator. Throws std::exception on a line of another form.
std::map<std::string, Measured> ReadMeasured(std::istream& table);

}  // namespace onnxport::page

#endif  // ONNXPORT_DOCS_PAGE_MEASURED_H_
