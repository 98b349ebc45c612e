// The checked-in table of calls that are wrong on purpose (taken.txt). It has each operator with calls that give a
// value here: the counts of its calls, PyTorch's message for those that give a value, and our reason for each. No call
// of another operator gives a value.
//
//   aten::meshgrid: 2 give a value, 4 refused
//     meshgrid expects all tensors to have the same dtype
//       our reason
#ifndef ONNXPORT_TESTS_ARGUMENTS_TAKEN_H_
#define ONNXPORT_TESTS_ARGUMENTS_TAKEN_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace onnxport::arguments {

// The row of one operator.
struct Taken {
  std::string counts;                           // "120 refused, 4 raise when they run, 2 give a value"
  std::map<std::string, std::string> refusals;  // what PyTorch says of the last ones -> our reason
};
using TakenTable = std::map<std::string, Taken, std::less<>>;

// Throws std::exception on a line of another form.
TakenTable ReadTaken(const std::string& path);
void WriteTaken(const TakenTable& table, const std::string& path);

struct TakenReason {
  std::string pattern;  // a part of "aten::meshgrid: meshgrid expects ..."; the first one that fits counts
  std::string reason;
};

// The matching row of taken_reasons.txt. Null: none fits.
const TakenReason* ReasonOf(std::string_view overload, std::string_view refusal);

// The patterns of taken_reasons.txt, in order.
const std::vector<TakenReason>& TakenReasons();

}  // namespace onnxport::arguments

#endif  // ONNXPORT_TESTS_ARGUMENTS_TAKEN_H_
