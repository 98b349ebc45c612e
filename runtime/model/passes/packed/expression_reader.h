// Computes the elements of an expression of constants.
#ifndef ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_READER_H_
#define ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_READER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/base/memory_budget.h"
#include "runtime/ir/graph.h"
#include "runtime/model/passes/packed/expression.h"

namespace onnxport::passes {

using BudgetBytes = std::vector<std::byte, BudgetAllocator<std::byte>>;

BudgetBytes ReadBytes(const ir::TensorData& data);

// Neighbours along the last axis.
struct ElementRun {
  std::span<const int64_t> outer;  // index on each of the other axes
  int64_t first = 0;               // first index on the last axis
  std::span<const int64_t> elements;
};

// Reads the constants at construction and keeps their bytes. Computed elements are kept only for a run.
class ExpressionReader {
 public:
  // `whole` must have an axis.
  explicit ExpressionReader(ExpressionRef whole);

  // Calls `visit` with all elements in order, until it returns false. Returns true if all were visited. It stops at an
  // element that is no integer, or for which runtimes differ.
  bool ForEachRun(const std::function<bool(const ElementRun& run)>& visit) const;

 private:
  struct Indices {
    std::span<const int64_t> outer;
    std::span<const int64_t> inner;
  };
  // Buffers for the elements of a run. They are reused, because freeing memory at the end of the heap returns it at
  // once.
  class Rooms;
  // One element for each inner index; they are not initialized.
  struct Elements {
    Elements(size_t count, Rooms* rooms);
    ~Elements();
    Elements(const Elements&) = delete;
    Elements& operator=(const Elements&) = delete;

    Rooms* rooms;
    std::unique_ptr<int64_t[]> room;
    std::span<int64_t> all;
  };
  // Elements computed so far, by expression, for the same indices.
  struct Known {
    Rooms* rooms;
    std::unordered_map<const Expression*, Elements> elements = {};
  };

  void Load(const Expression& expression);
  // Null if they cannot be computed.
  const Elements* Read(const Expression& expression, const Indices& indices, Known* known) const;
  bool ReadConstant(const Expression::Constant& constant, const Indices& indices, std::span<int64_t> elements) const;
  bool Compute(const Expression& expression, const Indices& indices, Known* known, std::span<int64_t> elements) const;
  bool Choose(const Expression::Chosen& chosen, const Indices& indices, Rooms* rooms,
              std::span<int64_t> elements) const;

  ExpressionRef whole_;
  std::unordered_set<const Expression*> loaded_;
  std::unordered_map<const ir::TensorData*, BudgetBytes> bytes_;
};

// All elements, if there are at most 2**22; else nothing.
std::optional<std::vector<int64_t>> ReadAll(const ExpressionRef& whole);

// The elements along an axis, if the expression changes only along that axis; else nothing.
std::optional<std::vector<int64_t>> ReadAlong(const ExpressionRef& whole, size_t axis);

}  // namespace onnxport::passes

#endif  // ONNXPORT_RUNTIME_MODEL_PASSES_PACKED_EXPRESSION_READER_H_
