// The changes made by the two sides of an `if`.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_CHANGES_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_CHANGES_H_

#include <string>
#include <vector>

#include "runtime/sources/torchscript/interpret/values/frame.h"
#include "runtime/sources/torchscript/interpret/values/heap.h"
#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

// A variable at the end of each side; null if it is not set. The order is that of the first side, then the second, so
// that the outputs of an If always have the same order.
struct VariableSides {
  std::string name;
  const Value* then = nullptr;
  const Value* otherwise = nullptr;
};
std::vector<VariableSides> PairVariables(const std::vector<Frame::Change>& then,
                                         const std::vector<Frame::Change>& otherwise);

// The contents of a container at the end of each side.
struct CellSides {
  CellPtr cell;
  const Cell* then = nullptr;
  const Cell* otherwise = nullptr;
};
std::vector<CellSides> PairCells(const std::vector<Heap::Change>& then, const std::vector<Heap::Change>& otherwise);

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_CONTROL_CHANGES_H_
