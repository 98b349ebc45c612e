// A tensor whose elements lie in a record of an archive.
#ifndef ONNXPORT_RUNTIME_ARCHIVE_RECORD_TENSOR_H_
#define ONNXPORT_RUNTIME_ARCHIVE_RECORD_TENSOR_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/ir/dtype.h"
#include "runtime/ir/graph.h"

namespace onnxport::archive {

// All figures but the dtype's size are in elements; shape and strides are not negative and of one length.
struct RecordView {
  ir::DType dtype = ir::DType::kUndefined;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  uint64_t offset = 0;
};

// Streams from the record, in row-major order whatever the strides; nothing is read now. `name` is for messages. An
// empty record gives absent elements, as fake tensors have. Throws Error (kBadInput) when the record is too short, or
// repeated beyond reason by strides.
std::shared_ptr<const ir::TensorData> OpenTensor(const std::shared_ptr<const Archive>& archive,
                                                 const Archive::Record& record, const std::string& name,
                                                 const RecordView& view);

// Returns true if the strides are those of a row-major tensor; axes of size 1 do not count.
bool IsRowMajor(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides);

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_ARCHIVE_RECORD_TENSOR_H_
