// A map that forgets the entries of a scope when the scope ends. The cost depends only on the number of changes.
#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_SCOPED_MAP_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_SCOPED_MAP_H_

#include <utility>
#include <vector>

namespace onnxport::lowering {

template <typename Map>
class ScopedMap {
 public:
  using Key = typename Map::key_type;
  using Value = typename Map::mapped_type;

  // Null if absent. Valid until the next Insert or Leave.
  template <typename K>
  const Value* Find(const K& key) const {
    const auto found = map_.find(key);
    return found == map_.end() ? nullptr : &found->second;
  }

  // Keeps an existing entry.
  void Insert(const Key& key, Value value) {
    if (map_.try_emplace(key, std::move(value)).second && !scopes_.empty()) scopes_.back().push_back(key);
  }

  void Enter() { scopes_.emplace_back(); }
  void Leave() {
    for (const Key& key : scopes_.back()) map_.erase(key);
    scopes_.pop_back();
  }

 private:
  Map map_;
  std::vector<std::vector<Key>> scopes_;
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_SCOPED_MAP_H_
