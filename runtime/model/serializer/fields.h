// A run of serialized fields, which is as long as the graph that it describes.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_FIELDS_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_FIELDS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::serializer {

// Its length stands in front, so it must be known before any of it is written. Short content is kept in between. Long
// content is made twice, to be counted and to be written, which takes a tenth of an export longer and no memory.
class Fields {
 public:
  // Takes serialized fields, any number of them at a time.
  using Take = std::function<void(std::string_view fields)>;
  // Makes them all, the same each time.
  using Make = std::function<void(const Take& take)>;

  Fields() = default;
  explicit Fields(std::string text);
  // Calls `make`, and keeps up to `most` bytes. Else `make` is called by each `Write`, and must be valid then.
  explicit Fields(Make make, size_t most = size_t{4} << 20);

  size_t size() const { return size_; }
  void Write(const ir::ByteSink& sink) const;

 private:
  void Keep(std::string_view fields);

  Make make_;                        // none: `blocks_` has them
  std::vector<std::string> blocks_;  // one that grew would be there twice while it moves
  size_t size_ = 0;
};

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_FIELDS_H_
