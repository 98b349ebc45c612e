// Splits an ONNX file into its weights, which stay in place, and the rest.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_SKELETON_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_SKELETON_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "onnx/onnx_pb.h"
#include "runtime/archive/byte_source.h"
#include "runtime/ir/graph.h"

namespace onnxport::onnx_file {

struct Initializer {
  std::string name;
  ir::DType dtype = ir::DType::kUndefined;
  std::vector<int64_t> shape;
  std::shared_ptr<const ir::TensorBytes> bytes;  // null if the elements are in `field`
  std::string field = {};                        // then: the serialized field of the graph
};

struct Skeleton {
  int64_t ir_version = 0;
  std::string model;  // fields of the model, without the graph
  std::string graph;  // fields of the graph, without inputs and initializers
  std::vector<onnx::ValueInfoProto> inputs;
  std::vector<Initializer> initializers;
  std::vector<std::shared_ptr<const archive::ByteSource>> data_files;  // files that the initializers name
};

// `path` is that of the file; its data files are in the same folder. Throws Error (kBadInput) if it is no ONNX model,
// is damaged, or names data outside its folder.
Skeleton ReadSkeleton(const std::shared_ptr<const archive::ByteSource>& file, const std::string& path);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_SKELETON_H_
