// An ONNX file taken apart into its weights, which stay where they are, and all the rest.
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
  std::shared_ptr<const ir::TensorBytes> bytes;  // null where they are spelled out in `field`
  std::string field = {};                        // then: the field of the graph as it stands
};

struct Skeleton {
  int64_t ir_version = 0;
  std::string model;  // fields of the model, without the graph
  std::string graph;  // fields of the graph, without inputs and initializers
  std::vector<onnx::ValueInfoProto> inputs;
  std::vector<Initializer> initializers;
  std::vector<std::shared_ptr<const archive::ByteSource>> data_files;  // that the initializers name
};

// `path` is the file's, beside which its data files lie. Throws Error (kBadInput) for what is no ONNX model, damaged,
// or names data outside of its folder.
Skeleton ReadSkeleton(const std::shared_ptr<const archive::ByteSource>& file, const std::string& path);

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_SKELETON_H_
