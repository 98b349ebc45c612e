#include "runtime/model/serializer/model_frames.h"

#include <string_view>

#include "runtime/model/serializer/tensor_proto.h"
#include "runtime/model/serializer/wire.h"

namespace onnxport::serializer {
namespace {

// Field numbers of onnx.proto.
constexpr int kTensorRawData = 9;
// So many that handing out a share costs nothing.
constexpr int64_t kShareBytes = int64_t{4} << 20;

void WriteText(std::string_view text, const ByteSink& sink) { sink(std::as_bytes(std::span(text))); }

}  // namespace

void ModelFrames::Make(const FileLayout& layout, const std::string& data_name) {
  frames_.clear();
  weight_bytes_ = 0;
  for (size_t i = 0; i < graph_.weights.size(); ++i) {
    frames_.push_back(FrameOf(graph_.weights[i], layout.placements[i], data_name));
    weight_bytes_ += frames_.back().bytes();
  }
  const auto graph_bytes = static_cast<int64_t>(structure_.graph_head.size() + structure_.graph_tail.size());
  graph_header_ = FieldHeader(kModelGraph, graph_bytes + weight_bytes_);
  head_bytes_ =
      static_cast<int64_t>(structure_.model_head.size() + graph_header_.size() + structure_.graph_head.size());
}

ModelFrames::Frame ModelFrames::FrameOf(const ir::Weight& weight, const Placement& placement,
                                        const std::string& data_name) const {
  if (placement.external) {
    const External external = {data_name, placement.offset, placement.length};
    const std::string tensor = TensorHeader(graph_, weight, &external);
    return {FieldHeader(kGraphInitializer, static_cast<int64_t>(tensor.size())) + tensor, false, 0};
  }
  const std::string tensor = TensorHeader(graph_, weight, nullptr) + FieldHeader(kTensorRawData, placement.length);
  return {FieldHeader(kGraphInitializer, static_cast<int64_t>(tensor.size()) + placement.length) + tensor, true,
          placement.length};
}

std::vector<Share> ModelFrames::Shares() const {
  std::vector<Share> shares;
  int64_t offset = head_bytes_;
  for (size_t i = 0; i < frames_.size(); ++i) {
    if (shares.empty() || offset - shares.back().offset >= kShareBytes) shares.push_back({i, i, offset});
    shares.back().end = i + 1;
    offset += frames_[i].bytes();
  }
  return shares;
}

void ModelFrames::WriteHead(const ByteSink& sink) const {
  WriteText(structure_.model_head, sink);
  WriteText(graph_header_, sink);
  structure_.graph_head.Write(sink);
}

void ModelFrames::WriteWeights(const Share& share, const ByteSink& sink,
                               const std::function<void(const ir::Weight&)>& copy) const {
  for (size_t i = share.first; i < share.end; ++i) {
    WriteText(frames_[i].header, sink);
    if (frames_[i].within) copy(graph_.weights[i]);
  }
}

void ModelFrames::WriteTail(const ByteSink& sink) const {
  structure_.graph_tail.Write(sink);
  WriteText(structure_.model_tail, sink);
}

}  // namespace onnxport::serializer
