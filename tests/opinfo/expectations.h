// The table of expectations (expectations.txt): the samples that are not `ok`, and how many others there are.
//
//   ok 7: decomposed.pt2 92, pt 385, pt2 380, 1a2b3c4d
//   ok 8@18: ...
//   add pt2 pt@25: bf16 bool:2 = no kernel; bool:3 c64 = refused aten::add.Tensor
//
// Shard 7 has 92 samples of decomposed.pt2 that agree with PyTorch, and so on; the number behind them is a hash of
// their list (`table list`). For `add`, kSamples samples of bf16 and two of bool have no kernel in ONNX Runtime, as
// .pt2 at each opset and as .pt at opset 25. Samples of these that the line does not name agree.
#ifndef ONNXPORT_TESTS_OPINFO_EXPECTATIONS_H_
#define ONNXPORT_TESTS_OPINFO_EXPECTATIONS_H_

#include <array>
#include <cstdint>
#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "tests/opinfo/table.h"

namespace onnxport::opinfo {

inline constexpr std::array<int, 2> kOpsets = {18, 25};  // OPSETS of opinfo.bzl

// The samples of a shard that agree.
struct Agreeing {
  std::map<std::string, int> samples;  // by format
  uint32_t hash = 0;                   // of their list

  auto operator<=>(const Agreeing&) const = default;
};
Agreeing AgreeingOf(const Table& table);

using Shards = std::map<int, Table>;  // what was seen, by shard

struct Expectations {
  std::map<int, Table> others;                       // by opset: what is not `ok`
  std::map<std::pair<int, int>, Agreeing> agreeing;  // by shard and opset
};

// Throws std::exception on a line that the text form does not have.
Expectations ReadExpectations(std::istream& in);
// With a header that says what the file is and how often each kind of outcome occurs.
void WriteExpectations(const Expectations& expectations, std::ostream& out);

// Replaces what is expected of these shards at the opset; `all`: and removes what is expected of others.
void Update(const Shards& actual, int opset, bool all, Expectations* expectations);

// One text for each cell whose samples are not as expected, and for each shard whose list of those that agree is
// another. `all`: a cell or a shard that `actual` lacks is a difference as well.
std::vector<std::string> Differences(const Expectations& expected, const Shards& actual, int opset, bool all);

}  // namespace onnxport::opinfo

#endif  // ONNXPORT_TESTS_OPINFO_EXPECTATIONS_H_
