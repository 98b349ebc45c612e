// A set of names.
#ifndef ONNXPORT_RUNTIME_BASE_NAME_SET_H_
#define ONNXPORT_RUNTIME_BASE_NAME_SET_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/hash_slots.h"

namespace onnxport {

// Holds pointers to strings that others own. A large graph has hundreds of thousands of names. std::unordered_set takes
// 60 bytes for each of them; this takes 24 to 40.
class NameSet {
 public:
  NameSet() = default;
  // Makes room for this many names.
  explicit NameSet(size_t names) : slots_(names) { names_.reserve(names); }

  // Returns true if the name is new. The string must neither move nor change as long as the set is used.
  bool Insert(const std::string& name) {
    const bool is_new = slots_.Add(name, Is{this, name}).second;
    if (is_new) names_.push_back(&name);
    return is_new;
  }
  bool Contains(std::string_view name) const { return slots_.Find(name, Is{this, name}) != HashSlots<>::kNone; }
  void Clear() { *this = NameSet(); }

 private:
  struct Is {
    bool operator()(uint32_t number) const { return *set->names_[number] == name; }
    const NameSet* set;
    std::string_view name;
  };

  HashSlots<> slots_;
  std::vector<const std::string*> names_;
};

}  // namespace onnxport

#endif  // ONNXPORT_RUNTIME_BASE_NAME_SET_H_
