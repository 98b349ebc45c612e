// Serialized protobuf fields, which may be as long as the graph.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_FIELDS_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_FIELDS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::serializer {

// Their length comes before them in the file, so it must be known before the first is written. Short content is kept in
// memory. Long content is generated twice, to be counted and to be written. That makes an export a tenth longer but
// takes no memory.
class Fields {
 public:
  // Takes serialized fields, any number of them at a time.
  using Take = std::function<void(std::string_view fields)>;
  // Generates all fields; each call generates the same.
  using Make = std::function<void(const Take& take)>;

  Fields() = default;
  explicit Fields(std::string text);
  // Calls `make`, and keeps up to `most` bytes. If there are more, each `Write` calls `make` again, so it must stay
  // valid.
  explicit Fields(Make make, size_t most = size_t{4} << 20);

  size_t size() const { return size_; }
  void Write(const ir::ByteSink& sink) const;

 private:
  void Keep(std::string_view fields);

  Make make_;                        // empty: the fields are in `blocks_`
  std::vector<std::string> blocks_;  // several blocks, because a growing one would be in memory twice when it moves
  size_t size_ = 0;
};

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_FIELDS_H_
