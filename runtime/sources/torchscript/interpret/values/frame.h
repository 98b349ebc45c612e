// The variables of one call, with a journal like that of the heap.
#ifndef ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_FRAME_H_
#define ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_FRAME_H_

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/sources/torchscript/interpret/values/value.h"

namespace onnxport::torchscript {

class Frame {
 public:
  // Null if the variable is not set.
  const Value* Find(const std::string& name) const;
  void Set(const std::string& name, Value value);
  // All of them.
  ValueMap Snapshot() const { return {variables_.begin(), variables_.end()}; }

  // Records changes from now on. Scopes nest.
  void Begin();
  struct Change {
    std::string name;
    std::optional<Value> before;  // nothing: not set
    Value after;
  };
  // Ends the scope, and restores every variable as of `Begin`. Returns the changes in the order of the first
  // assignment.
  std::vector<Change> Undo();

 private:
  struct Entry {
    std::string name;
    std::optional<Value> before;
  };
  struct Scope {
    std::vector<Entry> entries;
    std::unordered_map<std::string, size_t> index;
  };

  std::unordered_map<std::string, Value, std::hash<std::string>, std::equal_to<>,
                     BudgetAllocator<std::pair<const std::string, Value>>>
      variables_;
  std::vector<Scope> scopes_;
};

}  // namespace onnxport::torchscript

#endif  // ONNXPORT_RUNTIME_SOURCES_TORCHSCRIPT_INTERPRET_VALUES_FRAME_H_
