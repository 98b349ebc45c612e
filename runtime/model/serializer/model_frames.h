// Everything in a model file except the elements of its weights.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_MODEL_FRAMES_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_MODEL_FRAMES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/ir/graph.h"
#include "runtime/model/serializer/layout.h"
#include "runtime/model/serializer/structure.h"

namespace onnxport::serializer {

using ir::ByteSink;

// A range of consecutive weights in the file.
struct Share {
  size_t first = 0;
  size_t end = 0;
  int64_t offset = 0;  // offset in the file of the first one's frame
};

// All offsets are known before a weight is read: the head, then each weight after its frame (its initializer without
// the elements), then the tail.
class ModelFrames {
 public:
  // Both must outlive this.
  ModelFrames(const Structure& structure, const ir::Graph& graph) : structure_(structure), graph_(graph) {}

  // Weights outside the model are in the file `data_name`.
  void Make(const FileLayout& layout, const std::string& data_name);

  int64_t model_bytes() const { return tail_offset() + tail_bytes(); }
  int64_t tail_offset() const { return head_bytes_ + weight_bytes_; }
  // Divides all weights into shares of at least 4 MiB; the last one may be smaller.
  std::vector<Share> Shares() const;
  Share AllWeights() const { return {0, frames_.size(), head_bytes_}; }

  void WriteHead(const ByteSink& sink) const;
  // Calls `copy` for weights whose elements are in the model; it passes them to `sink`.
  void WriteWeights(const Share& share, const ByteSink& sink, const std::function<void(const ir::Weight&)>& copy) const;
  void WriteTail(const ByteSink& sink) const;

 private:
  // One initializer.
  struct Frame {
    std::string header;
    bool within = false;    // the elements follow it; otherwise they are in the data file
    int64_t raw_bytes = 0;  // of these elements

    int64_t bytes() const { return static_cast<int64_t>(header.size()) + raw_bytes; }
  };

  Frame FrameOf(const ir::Weight& weight, const Placement& placement, const std::string& data_name) const;
  int64_t tail_bytes() const {
    return static_cast<int64_t>(structure_.graph_tail.size() + structure_.model_tail.size());
  }

  const Structure& structure_;
  const ir::Graph& graph_;
  std::vector<Frame> frames_;
  std::string graph_header_;
  int64_t head_bytes_ = 0;
  int64_t weight_bytes_ = 0;  // including their frames
};

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_MODEL_FRAMES_H_
