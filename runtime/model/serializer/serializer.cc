#include "runtime/model/serializer/serializer.h"

#define XXH_INLINE_ALL
#include <fmt/core.h>
#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/base/text.h"
#include "runtime/model/serializer/data_files.h"
#include "runtime/model/serializer/invariants.h"
#include "runtime/model/serializer/layout.h"
#include "runtime/model/serializer/model_frames.h"
#include "runtime/model/serializer/output_file.h"
#include "runtime/model/serializer/structure.h"
#include "runtime/model/serializer/tensor_proto.h"
#include "runtime/model/serializer/two_threads.h"

namespace onnxport::serializer {
namespace {

// The most bytes that a protobuf message can hold.
constexpr int64_t kMessageLimit = (int64_t{1} << 31) - 1;

// ONNX takes only plain file names for data: UTF-8, no step out of the folder.
std::string PlainName(std::string name) {
  const bool utf8 = IsUtf8(name);
  for (size_t i = 0; i < name.size(); ++i) {
    const auto byte = static_cast<unsigned char>(name[i]);
    // "a..b.onnx" is called "a._b" here: readers refuse any ".." (skeleton.cc does, too).
    const bool step = byte == '.' && i > 0 && name[i - 1] == '.';
    if (byte == '\\' || byte < 0x20 || byte == 0x7f || step || (!utf8 && byte >= 0x80)) name[i] = '_';
  }
  return name;
}

ByteSink Into(FilePart* part) {
  return [part](std::span<const std::byte> piece) { part->Write(piece); };
}

Structure StructureOf(const ir::Graph& graph, const WriteOptions& options) {
  return BuildStructure(graph, options.functions, options.metadata, options.state_as_inputs);
}

class Writer {
 public:
  // `path` may be empty for what is only streamed.
  Writer(Structure structure, const ir::Graph& graph, std::string path, const WriteOptions& options)
      : graph_(graph),
        path_(std::move(path)),
        options_(options),
        structure_(std::move(structure)),
        frames_(structure_, graph) {}

  WriteReport Run() {
    CheckTarget(path_);
    CheckNoInput(path_);
    // Which data the old model names can only be asked before it is replaced.
    std::vector<std::string> left = DataFilesOf(path_, DataStem());
    Plan(options_.external_data);
    // Both reserve their room before the first weight is read.
    OutputFile model(options_.ops, path_, frames_.model_bytes(), options_.sync);
    if (layout_.data_bytes > 0) {
      OutputFile data(options_.ops, path_, layout_.data_bytes, options_.sync);
      // The hash is known only after the data is written, and the name of the data file, which every external
      // initializer carries, is made of it. So the model's frames are made twice; Plan made them with zeros of the same
      // length, which is why the model has the size that is reserved.
      WriteData(&data);
      data_name_ = DataName();
      frames_.Make(layout_, data_name_);
      WriteModel(&model);
      CommitBoth(&data, &model);
    } else {
      WriteModel(&model);
      model.Commit(path_);
    }
    // The same weights give the same name, so an export that is repeated has written this file anew: it is not left
    // over.
    if (layout_.data_bytes > 0) std::erase(left, data_name_);
    return {frames_.model_bytes(), layout_.data_bytes, layout_.data_bytes > 0 ? DataPath() : "",
            Clear(std::move(left))};
  }

  int64_t Stream(const ByteSink& sink) {
    Plan(ExternalData::kNever);
    frames_.WriteHead(sink);
    WriteWeights(frames_.AllWeights(), sink, [this] { CheckCaller(); });
    frames_.WriteTail(sink);
    CheckCaller();
    return frames_.model_bytes();
  }

 private:
  bool IsInput(const std::string& path) const { return options_.is_input && options_.is_input(path); }

  void CheckNoInput(const std::string& path) const {
    if (IsInput(path)) throw Error(Code::kOutputIsInput, path + " is read for this model; name another output");
  }

  // Removes data files of the model that was replaced; returns those that stay.
  std::vector<std::string> Clear(std::vector<std::string> files) const {
    const auto inputs = std::ranges::stable_partition(files, [&](const std::string& name) {
      return !IsInput((std::filesystem::path(path_).parent_path() / name).string());
    });
    const std::vector<std::string> read(inputs.begin(), inputs.end());
    files.erase(inputs.begin(), inputs.end());
    std::vector<std::string> left = RemoveUnnamed(std::move(files), path_);
    left.insert(left.end(), read.begin(), read.end());
    return left;
  }

  // Decides where the weights go; the model's size is exact afterwards, as the data file's name has one length.
  void Plan(ExternalData wanted) {
    form_ = wanted == ExternalData::kSafetensors ? DataFile::kSafetensors : DataFile::kRaw;
    Place(wanted == ExternalData::kAlways || wanted == ExternalData::kSafetensors ? form_ : DataFile::kNone);
    // Placed within first, since only then it is known how long the model is.
    if (wanted == ExternalData::kAuto && frames_.model_bytes() > options_.inline_limit) Place(form_);
    if (frames_.model_bytes() > kMessageLimit) {
      const char* advice =
          wanted == ExternalData::kNever ? "; give the weights a file of their own (external data)" : "";
      throw Error(Code::kModelIsTooLarge, fmt::format("the model needs {} bytes in one file; ONNX allows {}{}",
                                                      frames_.model_bytes(), kMessageLimit, advice));
    }
  }

  void Place(DataFile file) {
    std::vector<std::string> names;
    for (const ir::Weight& weight : graph_.weights) names.push_back(graph_.value(weight.value).name);
    layout_ = MakeLayout(graph_.weights, names, file);
    data_name_ = DataName();
    frames_.Make(layout_, data_name_);
  }

  // By one thread: the hash goes over the bytes in their order.
  void WriteData(OutputFile* file) {
    const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash(XXH3_createState(), XXH3_freeState);
    XXH3_128bits_reset(hash.get());
    FilePart all(file, 0);
    all.Write(layout_.data_head);
    XXH3_128bits_update(hash.get(), layout_.data_head.data(), layout_.data_head.size());
    const ByteSink sink = [&all, &hash](std::span<const std::byte> piece) {
      XXH3_128bits_update(hash.get(), piece.data(), piece.size());
      all.Write(piece);
    };
    for (const size_t i : layout_.order) {
      const Placement& placement = layout_.placements[i];
      all.WriteZeros(placement.offset - all.offset());
      // The offsets stand for the gaps, whose zeros are not hashed.
      XXH3_128bits_update(hash.get(), &placement.offset, sizeof placement.offset);
      Copy(graph_.weights[i], sink, [this] { CheckCaller(); });
    }
    all.Flush();
    XXH128_canonical_t digest;
    XXH128_canonicalFromHash(&digest, XXH3_128bits_digest(hash.get()));
    digest_.clear();
    for (const unsigned char byte : digest.digest) digest_ += fmt::format("{:02x}", byte);
  }

  // Where each weight goes is known beforehand, so two threads write: one reads, checks and transposes while the other
  // hands its bytes to the system.
  void WriteModel(OutputFile* file) {
    FilePart head(file, 0);
    frames_.WriteHead(Into(&head));
    head.Flush();
    const std::vector<Share> shares = frames_.Shares();
    const auto write = [&](size_t i, const Check& check) {
      FilePart part(file, shares[i].offset);
      WriteWeights(shares[i], Into(&part), check);
      part.Flush();
    };
    ByTwoThreads(shares.size(), [this] { CheckCaller(); }, write, options_.any_thread);
    FilePart tail(file, frames_.tail_offset());
    frames_.WriteTail(Into(&tail));
    tail.Flush();
    CheckCaller();
  }

  void WriteWeights(const Share& share, const ByteSink& sink, const Check& check) {
    frames_.WriteWeights(share, sink, [&](const ir::Weight& weight) { Copy(weight, sink, check); });
  }

  void Copy(const ir::Weight& weight, const ByteSink& sink, const Check& check) {
    StreamChecked(*weight.data, weight.name, [&](std::span<const std::byte> piece) {
      check();
      sink(piece);
      done_ += static_cast<int64_t>(piece.size());
    });
  }

  // Reports to the caller and asks whether to go on; only its own thread asks.
  void CheckCaller() {
    Interruption::Check();
    const int64_t done = done_;
    if (options_.progress && done > std::exchange(told_, done)) {
      options_.progress(done, frames_.model_bytes() + layout_.data_bytes);
    }
  }

  // The data first: a model on the disk never names data that is not there.
  void CommitBoth(OutputFile* data, OutputFile* model) {
    CheckNoInput(DataPath());
    struct stat info;
    const bool is_new = ::lstat(DataPath().c_str(), &info) != 0;
    try {
      data->Commit(DataPath());
      model->Commit(path_);
    } catch (const Error&) {
      // Only data that was not there before: under this name it may be the data of another export of the same weights.
      if (is_new && data->committed() && !model->committed()) options_.ops->Remove(DataPath());
      throw;
    }
  }

  std::string DataName() const {
    const std::string digest = digest_.empty() ? std::string(kHashDigits, '0') : digest_;
    return fmt::format("{}.{}{}", DataStem(), digest, form_ == DataFile::kSafetensors ? kSafetensorsEnd : kRawEnd);
  }

  std::string DataStem() const { return PlainName(std::filesystem::path(path_).stem().string()); }

  std::string DataPath() const { return (std::filesystem::path(path_).parent_path() / data_name_).string(); }

  const ir::Graph& graph_;
  const std::string path_;
  const WriteOptions& options_;
  const Structure structure_;
  DataFile form_ = DataFile::kRaw;
  FileLayout layout_;
  ModelFrames frames_;
  std::string data_name_;
  std::string digest_;
  std::atomic<int64_t> done_ = 0;  // bytes of weights
  int64_t told_ = 0;               // of these, to `progress`
};

}  // namespace

WriteReport Write(const ir::Graph& graph, const std::string& path, const WriteOptions& options) {
  CheckInvariants(graph, options.functions);
  return Write(StructureOf(graph, options), graph, path, options);
}

WriteReport Write(Structure structure, const ir::Graph& weights, const std::string& path, const WriteOptions& options) {
  return Writer(std::move(structure), weights, path, options).Run();
}

int64_t Stream(const ir::Graph& graph, const ByteSink& sink, const WriteOptions& options) {
  CheckInvariants(graph, options.functions);
  return Writer(StructureOf(graph, options), graph, "", options).Stream(sink);
}

}  // namespace onnxport::serializer
