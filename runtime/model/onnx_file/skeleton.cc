#include "runtime/model/onnx_file/skeleton.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/archive/range_bytes.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/ir/packed_dtype.h"
#include "runtime/model/serializer/wire.h"
#include "runtime/model/serializer/wire_reader.h"

namespace onnxport::onnx_file {
namespace {

using archive::ByteSource;
using serializer::Field;
using serializer::WireReader;

// Field numbers of onnx.proto.
constexpr int kModelIrVersion = 1;
constexpr int kTensorRawData = 9;

// kUndefined for elements that have no bytes of their own (texts), and for what later versions have.
ir::DType DTypeOf(const onnx::TensorProto& tensor) {
  const auto packed = static_cast<ir::DType>(tensor.data_type());
  if (tensor.data_type() == static_cast<int>(packed) && ir::IsPacked(packed)) return packed;
  const ir::DType dtype = ir::DTypeOfNumber(tensor.data_type());
  return ir::ByteSize(dtype) > 0 ? dtype : ir::DType::kUndefined;
}

struct DataFile {
  std::shared_ptr<const ByteSource> file;
  std::map<std::pair<uint64_t, uint64_t>, std::shared_ptr<const ir::TensorBytes>>
      ranges;         // by where they begin and end
  uint64_t used = 0;  // bytes of `ranges`
};

// Reads model, graph and initializers, three levels of messages, and keeps everything below them as bytes. So fields
// that this program does not know are kept. serializer/serializer.cc puts the pieces together again.
class Reader {
 public:
  Reader(std::shared_ptr<const ByteSource> file, const std::string& path)
      : file_(std::move(file)), folder_(std::filesystem::path(path).parent_path()) {}

  Skeleton Read() {
    WireReader reader(*file_, 0, file_->size());
    bool has_graph = false;
    while (const auto field = reader.Next()) {
      if (field->number == serializer::kModelGraph && field->is_message) {
        // Protobuf would merge the two, so readers of the file would see another model than this code.
        if (std::exchange(has_graph, true)) Fail("has two graphs");
        ReadGraph(*field);
        continue;
      }
      if (field->number == kModelIrVersion) skeleton_.ir_version = static_cast<int64_t>(field->value);
      skeleton_.model += reader.Whole(*field);
    }
    if (!has_graph || skeleton_.ir_version == 0) Fail("is no ONNX model");
    return std::move(skeleton_);
  }

 private:
  void ReadGraph(const Field& graph) {
    WireReader reader(*file_, graph.data, graph.end);
    while (const auto field = reader.Next()) {
      if (field->number == serializer::kGraphInitializer && field->is_message) {
        ReadInitializer(*field, reader);
      } else if (field->number == serializer::kGraphInput && field->is_message) {
        if (!skeleton_.inputs.emplace_back().ParseFromString(reader.Contents(*field))) Fail("has a damaged input");
      } else {
        skeleton_.graph += reader.Whole(*field);
      }
    }
  }

  void ReadInitializer(const Field& whole, const WireReader& graph) {
    WireReader reader(*file_, whole.data, whole.end);
    // Everything except the bytes, which may be gigabytes. The rest is small enough to be parsed.
    std::string fields;
    std::optional<Field> raw;
    while (const auto field = reader.Next()) {
      if (field->number == kTensorRawData && field->is_message) {
        raw = *field;
      } else {
        fields += reader.Whole(*field);
      }
    }
    onnx::TensorProto tensor;
    if (!tensor.ParseFromString(fields)) Fail("has a damaged weight");
    Initializer& made = skeleton_.initializers.emplace_back();
    made.name = tensor.name();
    made.dtype = DTypeOf(tensor);
    made.shape.assign(tensor.dims().begin(), tensor.dims().end());
    // Elements in a data file, and raw bytes in the model, are a range of a file. Elements in typed fields
    // (`float_data`) stay in the model unchanged.
    if (tensor.data_location() == onnx::TensorProto::EXTERNAL) {
      if (made.dtype == ir::DType::kUndefined) {
        Fail(fmt::format("weight `{}` has the type {}, which is not known", Printable(tensor.name()),
                         tensor.data_type()));
      }
      made.bytes = External(tensor);
    } else if (raw && made.dtype != ir::DType::kUndefined) {
      made.bytes = std::make_shared<archive::RangeBytes>(file_, raw->data, raw->end);
    } else {
      made.field = graph.Whole(whole);
    }
  }

  std::shared_ptr<const ir::TensorBytes> External(const onnx::TensorProto& tensor) {
    std::string location;
    // In ONNX, a missing offset means "from the beginning", and a missing length "to the end".
    std::optional<uint64_t> offset = 0;
    std::optional<uint64_t> length;
    for (const auto& entry : tensor.external_data()) {
      if (entry.key() == "location") location = entry.value();
      if (entry.key() == "offset") offset = Number(entry.value(), tensor);
      if (entry.key() == "length") length = Number(entry.value(), tensor);
    }
    const std::filesystem::path name(location);
    // Otherwise a model could include any file of the machine in the result.
    if (location.empty() || name.is_absolute() || location.find("..") != std::string::npos) {
      Fail(fmt::format("weight `{}` lies in `{}`, which is no file beside it", Printable(tensor.name()),
                       Printable(location)));
    }
    DataFile& data = data_[location];
    if (data.file == nullptr) {
      data.file = archive::OpenFile((folder_ / name).string());
      skeleton_.data_files.push_back(data.file);
    }
    const uint64_t size = data.file->size();
    // In this order nothing overflows: the difference is only computed if it is not negative.
    if (*offset > size || length.value_or(0) > size - *offset) {
      Fail(fmt::format("weight `{}` lies outside of {}", Printable(tensor.name()), data.file->name()));
    }
    return RangeOf(&data, *offset, *offset + length.value_or(size - *offset));
  }

  // Tied weights have the same range, which is one object. Other weights each need their own range. Otherwise a model
  // of a few bytes could name a large file again and again.
  std::shared_ptr<const ir::TensorBytes> RangeOf(DataFile* data, uint64_t begin, uint64_t end) const {
    auto& range = data->ranges[{begin, end}];
    if (range != nullptr) return range;
    data->used += end - begin;
    if (data->used > data->file->size()) Fail("has weights that overlap in " + data->file->name());
    range = std::make_shared<archive::RangeBytes>(data->file, begin, end);
    return range;
  }

  uint64_t Number(const std::string& text, const onnx::TensorProto& tensor) const {
    uint64_t number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || stop != text.data() + text.size()) {
      Fail(fmt::format("weight `{}` lies at `{}`, which is no number", Printable(tensor.name()), Printable(text)));
    }
    return number;
  }

  [[noreturn]] void Fail(const std::string& what) const {
    throw Error(Code::kBadOnnxFile, fmt::format("{}: {}", file_->name(), what));
  }

  std::shared_ptr<const ByteSource> file_;
  std::filesystem::path folder_;
  std::map<std::string, DataFile> data_;
  Skeleton skeleton_;
};

}  // namespace

Skeleton ReadSkeleton(const std::shared_ptr<const ByteSource>& file, const std::string& path) {
  return Reader(file, path).Read();
}

}  // namespace onnxport::onnx_file
