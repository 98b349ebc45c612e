// Finds the bytes of parameters, buffers and constants.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_WEIGHTS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_WEIGHTS_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/pt2/tensor_meta.h"

namespace onnxport::pt2 {

// The payload lists of one model: data/weights/NAME_weights_config.json and data/constants/NAME_constants_config.json.
class Weights {
 public:
  // `folder` is the archive's own top folder with a slash, or empty.
  Weights(std::shared_ptr<const archive::Archive> archive, const std::string& folder, const std::string& model,
          MetaReader* metas);

  // Returns the same object for the same contents. Contents of fake tensors are absent. Throws Error: kBadInput if the
  // name is unknown, pickled, or does not fit its record; kCannotExport for a size that is no number.
  std::shared_ptr<const ir::TensorData> Find(std::string_view name, bool constant);
  // Returns true if the contents of this name share memory with those of another name.
  bool IsTied(std::string_view name) const;

 private:
  struct Payload {
    std::string record;
    bool pickled = false;
    bool has_meta = false;
    TensorMeta meta;
  };
  using List = std::map<std::string, Payload, std::less<>>;
  // Record, dtype, shape, strides, offset.
  using Place = std::tuple<std::string, int, std::vector<int64_t>, std::vector<int64_t>, int64_t>;

  List ReadList(const std::string& record, const std::string& folder, MetaReader* metas);
  std::shared_ptr<const ir::TensorData> Open(std::string_view name, const Payload& payload);

  std::shared_ptr<const archive::Archive> archive_;
  List weights_;
  List constants_;
  std::map<std::string, int, std::less<>> names_;  // names whose contents are in a record of weights_
  std::map<Place, std::shared_ptr<const ir::TensorData>> opened_;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_WEIGHTS_H_
