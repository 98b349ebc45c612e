#include "runtime/model/onnx_file/read_model.h"

#include <google/protobuf/io/zero_copy_stream_impl.h>

#include <algorithm>
#include <cstddef>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"

namespace onnxport::onnx_file {
namespace {

// Hands the bytes to protobuf, block by block.
class Blocks : public google::protobuf::io::CopyingInputStream {
 public:
  explicit Blocks(const archive::ByteSource& source) : source_(source) {}
  int Read(void* buffer, int size) override {
    Interruption::Check();
    const size_t count = std::min(static_cast<uint64_t>(size), source_.size() - at_);
    source_.ReadAt(at_, {static_cast<std::byte*>(buffer), count});
    at_ += count;
    return static_cast<int>(count);
  }

 private:
  const archive::ByteSource& source_;
  uint64_t at_ = 0;
};

}  // namespace

onnx::ModelProto ReadModel(const archive::ByteSource& source) {
  Blocks blocks(source);
  google::protobuf::io::CopyingInputStreamAdaptor stream(&blocks);
  onnx::ModelProto model;
  // Protobuf accepts nearly any bytes as some message: an empty file is a ModelProto without fields. Every real model
  // has these two.
  if (!model.ParseFromZeroCopyStream(&stream) || model.ir_version() == 0 || !model.has_graph()) {
    throw Error(Code::kUnknownFormat, source.name() + ": neither an ONNX model nor an archive of torch.export");
  }
  return model;
}

}  // namespace onnxport::onnx_file
