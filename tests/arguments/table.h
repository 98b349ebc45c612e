// The checked-in tables of calls with other arguments (expected/FAMILY.txt). They do not list calls that agree with
// PyTorch, that PyTorch rejects, or that are not run here:
//
//   aten::elu
//     (self=T[2,3], alpha=2.); (self=T[2,3], alpha=2.) of unknown sizes
//       refused: alpha must be a number | alpha=inf; alpha=-inf
//       wrong: NaN 1a2b3c4d | alpha=2., scale=nan
//
// Calls of which the same becomes, change by change, have one line.
#ifndef ONNXPORT_TESTS_ARGUMENTS_TABLE_H_
#define ONNXPORT_TESTS_ARGUMENTS_TABLE_H_

#include <map>
#include <string>

#include "tests/conformance/cell.h"

namespace onnxport::arguments {

// A change of a call -> its outcome.
using Changes = std::map<std::string, std::string, std::less<>>;
// Operator -> a test line's call -> changes of it.
using Table = std::map<std::string, std::map<std::string, Changes>, std::less<>>;

// An absent file has none. Throws std::exception on a line of another form.
Table ReadTable(const std::string& path);
void WriteTable(const Table& table, const std::string& path);

// "refused: REASON", "no kernel: Relu", "lacks: out1", "wrong: NaN 1a2b3c4d", "error: fails in TopK 1a2b3c4d"; empty
// when it agrees or is not run here.
std::string ToText(const conformance::Outcome& outcome, int opset);

}  // namespace onnxport::arguments

#endif  // ONNXPORT_TESTS_ARGUMENTS_TABLE_H_
