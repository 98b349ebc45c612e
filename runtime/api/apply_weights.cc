#include "onnxport/apply_weights.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "onnxport/text.h"
#include "runtime/api/border/border.h"
#include "runtime/api/border/opener.h"
#include "runtime/api/options/write_options.h"
#include "runtime/archive/byte_source.h"
#include "runtime/base/interruption.h"
#include "runtime/base/memory_budget.h"
#include "runtime/model/onnx_file/apply_weights.h"
#include "runtime/model/serializer/serializer.h"
#include "runtime/sources/weights/replacement.h"

namespace onnxport {
namespace {

// The data files of a model stay unless it is replaced.
std::vector<std::shared_ptr<const archive::ByteSource>> KeptOf(const archive::ByteSource& model,
                                                               const onnx_file::Skeleton& skeleton,
                                                               const std::string& out) {
  // Replaced, the model takes its old data file with it: that one may go, though it was read.
  if (model.IsFile(out)) return {};
  return skeleton.data_files;
}

AppliedWeights Apply(const std::string& model, const Source& weights, const std::string& out,
                     const SaveOptions& options) {
  // The limits first: opening and reading are work that they have to end.
  const Interruption interruption(options.stop, options.deadline);
  const auto tensors = weights.opener().Open();
  const MemoryBudget budget(tensors->name(), tensors->size(), std::nullopt, "");
  const auto file = archive::OpenFile(model);
  onnx_file::Skeleton skeleton = onnx_file::ReadSkeleton(file, model);
  serializer::WriteOptions wanted = WriteOptionsOf(options);
  wanted.any_thread = tensors->any_thread();
  wanted.is_input = [&tensors, kept = KeptOf(*file, skeleton, out)](const std::string& path) {
    return tensors->IsFile(path) || std::ranges::any_of(kept, [&](const auto& data) { return data->IsFile(path); });
  };
  // A model that had its weights beside it is one that is loaded that way; kAuto would put them back into the file, if
  // they are small.
  if (!skeleton.data_files.empty() && wanted.external_data == serializer::ExternalData::kAuto)
    wanted.external_data = serializer::ExternalData::kAlways;
  onnx_file::WithWeights made =
      onnx_file::ApplyWeights(std::move(skeleton), weights::ReadWeights(tensors), tensors->name());
  std::vector<std::string> remarks;
  for (const std::string& remark : made.remarks) remarks.push_back(VisibleName(remark));
  const serializer::WriteReport files = serializer::Write(std::move(made.structure), made.weights, out, wanted);
  return {.files = {files.model_bytes, files.data_bytes, files.data_file, files.left_behind},
          .remarks = std::move(remarks)};
}

}  // namespace

Result<AppliedWeights> ApplyWeights(const std::string& model, const Source& weights, const std::string& out,
                                    const SaveOptions& options) {
  return AtBorder([&] { return Apply(model, weights, out, options); });
}

}  // namespace onnxport
