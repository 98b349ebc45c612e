#include "tests/conformance/model_bytes.h"

#include <algorithm>

#include "runtime/model/serializer/file_ops.h"
#include "runtime/model/serializer/serializer.h"

namespace onnxport::conformance {
namespace {

// The one file of a small model: what is written to it is kept here.
class MemoryFile : public serializer::FileOps {
 public:
  int Open(const std::string&, int, mode_t) override { return 0; }
  int OpenNameless(const std::string&, mode_t) override { return 0; }
  int Link(int, const std::string&) override { return 0; }
  ssize_t WriteAt(int, const std::byte* data, size_t size, int64_t offset) override {
    const auto at = static_cast<size_t>(offset);
    bytes.resize(std::max(bytes.size(), at + size));
    bytes.replace(at, size, reinterpret_cast<const char*>(data), size);
    return static_cast<ssize_t>(size);
  }
  int Allocate(int, int64_t) override { return 0; }
  void StartWriteback(int, int64_t, int64_t) override {}
  int Sync(int) override { return 0; }
  int Close(int) override { return 0; }
  int Rename(const std::string&, const std::string&) override { return 0; }
  int Remove(const std::string&) override { return 0; }

  std::string bytes;
};

}  // namespace

std::string ModelBytes(const ir::Graph& graph) {
  MemoryFile file;
  serializer::Write(graph, "/model.onnx", {.external_data = serializer::ExternalData::kNever, .ops = &file});
  return file.bytes;
}

}  // namespace onnxport::conformance
