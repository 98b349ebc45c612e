// A parameter or buffer of the program itself, as opposed to a tensor that a pass made from it.
#ifndef ONNXPORT_RUNTIME_IR_PROGRAM_WEIGHT_H_
#define ONNXPORT_RUNTIME_IR_PROGRAM_WEIGHT_H_

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ir/graph.h"

namespace onnxport::ir {

// The bytes of a weight, and its names in the program. It records if somebody reads the bytes: a model whose graph
// depends on the elements may be wrong for other weights. A pass that only computes with them while the model is
// written reads data() instead.
class ProgramWeight : public TensorBytes {
 public:
  ProgramWeight(std::vector<std::string> names, std::shared_ptr<const TensorData> data)
      : names_(std::move(names)), data_(std::move(data)) {}

  void Stream(const ByteSink& sink) const override {
    read_ = true;
    data_->bytes->Stream(sink);
  }
  void StreamRange(int64_t begin, int64_t size, const ByteSink& sink) const override {
    read_ = true;
    data_->bytes->StreamRange(begin, size, sink);
  }
  bool has_ranges() const override { return data_->bytes->has_ranges(); }
  const void* storage() const override { return data_->bytes->storage(); }
  bool absent() const override { return data_->bytes->absent(); }

  // Tied weights have several names; the first one represents all.
  const std::vector<std::string>& names() const { return names_; }
  const TensorData& data() const { return *data_; }
  bool was_read() const { return read_; }
  void NoteReading() const { read_ = true; }

 private:
  std::vector<std::string> names_;
  std::shared_ptr<const TensorData> data_;
  mutable std::atomic<bool> read_ = false;  // atomic, because two threads may write weights
};

}  // namespace onnxport::ir

#endif  // ONNXPORT_RUNTIME_IR_PROGRAM_WEIGHT_H_
