// A tensor that an archive stores in a record.
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

// Sizes and strides are in elements; none is negative, and there are as many strides as sizes.
struct RecordView {
  ir::DType dtype = ir::DType::kUndefined;
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;
  uint64_t offset = 0;
};

// Makes a tensor that reads the record when it is streamed, in row-major order whatever its strides are. Nothing is
// read now. Messages show `name`. An empty record gives absent elements, as a fake tensor has them. Throws Error
// (kBadInput) if the record is too short, or if the strides repeat it too often.
std::shared_ptr<const ir::TensorData> OpenTensor(const std::shared_ptr<const Archive>& archive,
                                                 const Archive::Record& record, const std::string& name,
                                                 const RecordView& view);

// Returns true if the strides are those of a row-major tensor. The strides of axes of size 1 do not matter.
bool IsRowMajor(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides);

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_ARCHIVE_RECORD_TENSOR_H_
