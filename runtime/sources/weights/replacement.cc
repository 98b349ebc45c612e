#include "runtime/sources/weights/replacement.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

#include "runtime/archive/archive.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/ir/same_bytes.h"
#include "runtime/sources/weights/texts.h"

namespace onnxport::weights {
namespace {

// Elements of another tensor, with the storage of the program's: the program decides which weights share memory.
class OtherBytes : public ir::TensorBytes {
 public:
  OtherBytes(std::shared_ptr<const ir::TensorBytes> elements, std::shared_ptr<const ir::TensorBytes> memory)
      : elements_(std::move(elements)), memory_(std::move(memory)) {}
  void Stream(const ir::ByteSink& sink) const override { elements_->Stream(sink); }
  void StreamRange(int64_t begin, int64_t size, const ir::ByteSink& sink) const override {
    elements_->StreamRange(begin, size, sink);
  }
  bool has_ranges() const override { return elements_->has_ranges(); }
  const void* storage() const override { return memory_->storage(); }

 private:
  std::shared_ptr<const ir::TensorBytes> elements_;
  std::shared_ptr<const ir::TensorBytes> memory_;
};

}  // namespace

NamedTensors ReadWeights(const std::shared_ptr<const archive::ByteSource>& file) {
  if (IsSafetensors(*file)) return ReadSafetensors(file);
  return torchscript::ReadTensors(archive::Archive::Open(file));
}

Replacement::Replacement(const std::shared_ptr<const archive::ByteSource>& file)
    : file_(File{.name = file->name(), .tensors = ReadWeights(file)}) {}

Replacement::Data Replacement::FromFile(const std::vector<std::string>& names, const ir::TensorData& data) {
  Data found;
  for (const std::string& name : names) {
    const auto tensor = file_->tensors.find(name);
    if (tensor == file_->tensors.end()) continue;
    // In any case: a tensor with a wrong shape is reported as wrong, and not a second time as unused.
    used_.insert(name);
    const ir::TensorData& other = *tensor->second;
    if (other.bytes->absent()) {
      unlike_.push_back(fmt::format("'{}' has no elements in the file either", Printable(name)));
    } else if (other.dtype != data.dtype || other.shape != data.shape) {
      unlike_.push_back(fmt::format("'{}' is {} in the file, and {} in the model", Printable(name),
                                    TypeText(other.dtype, other.shape), TypeText(data.dtype, data.shape)));
    } else if (found && !ir::SameBytes(other, *found)) {
      // A safetensors file cannot say that two tensors are tied. So for `embedding.weight` and `head.weight` it has
      // only one, or both with the same bytes.
      unlike_.push_back(fmt::format("'{}' is tied to another weight in the model, and is another tensor in the file",
                                    Printable(name)));
    }
    if (!found) found = tensor->second;
  }
  if (!found) missing_.push_back(Printable(names.front()));
  return found;
}

Replacement::Data Replacement::Replace(const Data& data) {
  // Once for each tensor of the program, not for each name, so that tied weights stay one object and one initializer.
  const auto [known, is_new] = replaced_.try_emplace(data.get(), data);
  if (!is_new) return known->second;
  kept_.push_back(data);
  if (!file_) {
    known->second = ir::MakeAbsent(data->dtype, data->shape, data->bytes->storage(),
                                   "the value of a weight is needed, which is an input of the model");
  } else if (const Data found = FromFile(names_.at(data.get()), *data)) {
    known->second = std::make_shared<const ir::TensorData>(ir::TensorData{
        .dtype = data->dtype, .shape = data->shape, .bytes = std::make_shared<OtherBytes>(found->bytes, data->bytes)});
  }
  return known->second;
}

void Replacement::Check() const {
  std::vector<Diagnostic> wrong;
  if (!missing_.empty()) {
    wrong.emplace_back().code = Code::kWeightsDiffer;
    wrong.back().reason = fmt::format("there is no {} in it, but {}", ListText(missing_), [&] {
      std::vector<std::string> names;
      for (const auto& [name, _] : file_->tensors) names.push_back(Printable(name));
      return names.empty() ? "no other tensor either" : ListText(std::move(names));
    }());
  }
  for (const std::string& reason : unlike_) wrong.push_back({.code = Code::kWeightsDiffer, .reason = reason});
  if (wrong.empty()) return;
  throw Error(Report(ErrorKind::kCannotExport, std::move(wrong),
                     fmt::format("{} does not have the weights of the model", file_->name)));
}

// Two walks: all names of a tensor are collected before the first tensor is replaced, because the file may have a tied
// weight only under its last name.
void Replacement::Apply(ir::Graph* program) {
  const auto is_state = [](const ir::Weight& weight) { return !weight.constant; };
  for (const ir::Weight& weight : program->weights) {
    if (is_state(weight)) Note(weight.name, weight.data);
  }
  for (ir::Weight& weight : program->weights) {
    if (is_state(weight)) weight.data = Replace(weight.data);
  }
  Check();
}

void Replacement::Apply(torchscript::Program* program) {
  torchscript::ReplaceState(program, [this](const std::string& name, const Data& data) {
    Note(name, data);
    return data;
  });
  torchscript::ReplaceState(program, [this](const std::string&, const Data& data) { return Replace(data); });
  Check();
}

std::vector<std::string> Replacement::Remarks() const {
  if (!file_) return {};
  std::vector<std::string> unused;
  for (const auto& [name, _] : file_->tensors) {
    if (!used_.contains(name)) unused.push_back(Printable(name));
  }
  if (unused.empty()) return {};
  return {fmt::format("the model has no use for {} of {}", ListText(std::move(unused)), file_->name)};
}

}  // namespace onnxport::weights
