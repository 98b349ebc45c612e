// The checked-in tables of the outcome of every cell (expected/FAMILY.txt):
//
//   aten::relu: 58 of 66 agree, 1a2b3c4d: f32@7,14 f64@7,14
//     refused bool@7,25: Relu takes no bool | (self=T[2,3]); (self=T[]) of unknown sizes
//     no kernel bf16@25: Relu | (self=T[2,3])
//     wrong f32@7: NaN 1a2b3c4d | (self=T[2,3])
//     not run here f32@7
//
// A cell is a test line with a dtype in the place of T, at an opset. `58 of 66`: PyTorch takes 66, and 58 of those give
// PyTorch's result. The 58 are not listed: there is a hash of their list, and the dtypes and opsets at which some call
// agrees. The other lines are the cells that do not agree, and the results that exports which agree lack. Each has an
// outcome, and the calls that have it. Cells that are not run here have one line for all calls of the operator. Cells
// that are `wrong`, or in which ONNX Runtime fails, have the kind of difference (difference.h) and a hash of the cells'
// graphs. They are in expected/wrong.txt as well, with the reason.
#ifndef ONNXPORT_TESTS_CONFORMANCE_EXPECTATIONS_H_
#define ONNXPORT_TESTS_CONFORMANCE_EXPECTATIONS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/dtype.h"
#include "tests/conformance/cell.h"

namespace onnxport::conformance {

// The part of a table about one operator.
class Section {
 public:
  explicit Section(std::string_view overload) : overload_(overload) {}
  void Add(const std::string& call, ir::DType dtype, int opset, const Outcome& outcome);
  std::string ToText() const;
  // A line for each cell that agrees.
  const std::multiset<std::string>& agreeing() const { return agreeing_; }

 private:
  using Cells = std::map<std::string, std::set<int>>;  // a dtype's short name -> opsets

  std::string overload_;
  int cells_ = 0;
  std::multiset<std::string> agreeing_;
  Cells agreeing_cells_;
  struct Row {
    Cells cells;
    uint32_t graphs = 0;  // a hash of those that are wrong, in their order; 0: none is
  };
  struct Key {
    std::string kind;
    std::string text;  // of the outcome: ": Relu takes no bool"
    std::string call;

    auto operator<=>(const Key&) const = default;
  };
  std::map<Key, Row> others_;
};

// A line for each cell that is in one of two sections and not in the other; where it is cells that agree, one that says
// so.
std::vector<std::string> Differences(const std::string& expected, const std::string& actual);

// The sections of a file, by operator. An absent file has none.
using Table = std::map<std::string, std::string, std::less<>>;
Table ReadTable(const std::string& path);
void WriteTable(const Table& table, const std::string& path);

// Operator and dtype ("aten::median f32") -> why its cells are known to be wrong. Lines: `  aten::median f32 f64`.
std::map<std::string, std::string> ReadWrongCells(const std::string& path);

// Returns whether a cell that has these reasons is wrong for special values on some processors only.
bool VariesByProcessor(const std::string& reasons);
// Returns whether it is wrong only where a NaN stands among bounded values (the last round of tensors.h), on some
// processors.
bool NaNVariesByProcessor(const std::string& reasons);
// Returns whether nothing defines the cell's result where an axis is empty.
bool IsOpenWhenEmpty(const std::string& reasons);

}  // namespace onnxport::conformance

#endif  // ONNXPORT_TESTS_CONFORMANCE_EXPECTATIONS_H_
