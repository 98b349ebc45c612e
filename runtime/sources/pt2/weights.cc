#include "runtime/sources/pt2/weights.h"

#include <utility>

#include "runtime/archive/record_tensor.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/sources/pt2/json.h"
#include "runtime/sources/pt2/record_text.h"

namespace onnxport::pt2 {
namespace {

std::vector<int64_t> Numbers(const archive::Archive& archive, const std::string& record, const ir::Dims& dims) {
  std::vector<int64_t> numbers;
  for (const ir::Dim& dim : dims) {
    if (!dim.is_number() || dim.number() < 0)
      archive.Fail(record, "has a size or stride that is no number: " + dim.ToString());
    numbers.push_back(dim.number());
  }
  return numbers;
}

}  // namespace

Weights::Weights(std::shared_ptr<const archive::Archive> archive, const std::string& folder, const std::string& model,
                 MetaReader* metas)
    : archive_(std::move(archive)) {
  weights_ = ReadList(folder + "data/weights/" + model + "_weights_config.json", folder + "data/weights/", metas);
  // If several names have the same record, torch.export had tied weights.
  for (const auto& [name, payload] : weights_) ++names_[payload.record];
  constants_ =
      ReadList(folder + "data/constants/" + model + "_constants_config.json", folder + "data/constants/", metas);
}

Weights::List Weights::ReadList(const std::string& record, const std::string& folder, MetaReader* metas) {
  const archive::Archive::Record* found = archive_->Find(record);
  if (found == nullptr) {
    archive_->Fail(record,
                   "is missing; archives of PyTorch before 2.9 keep weights as a pickle, which is never read: load it "
                   "with PyTorch 2.9 or newer (torch.export.load) and save it again");
  }
  List list;
  const auto add = [&](std::string_view container, std::string_view key, const Json& value) {
    if (container != "config") return;
    Payload payload;
    payload.record = folder + std::string(value["path_name"].AsText());
    payload.pickled = value["use_pickle"].AsBool();
    if (const auto meta = value.Find("tensor_meta"); meta && !payload.pickled) {
      payload.has_meta = true;
      payload.meta = metas->ReadTensor(*meta);
    }
    list.emplace(std::string(key), std::move(payload));
  };
  ReadRecordText(archive_, *found, [&](const TextBlocks& text) { ReadJson(text, {"", "config"}, add); });
  return list;
}

std::shared_ptr<const ir::TensorData> Weights::Find(std::string_view name, bool constant) {
  // The likelier list first, then the other, in case the writer used that.
  for (const List* list : {constant ? &constants_ : &weights_, constant ? &weights_ : &constants_}) {
    if (const auto found = list->find(name); found != list->end()) return Open(name, found->second);
  }
  archive_->Fail("", "no contents for '" + Printable(name) + "' in it");
}

bool Weights::IsTied(std::string_view name) const {
  const auto found = weights_.find(name);
  return found != weights_.end() && !found->second.pickled && names_.at(found->second.record) > 1;
}

std::shared_ptr<const ir::TensorData> Weights::Open(std::string_view name, const Payload& payload) {
  const std::string& where = payload.record;
  if (payload.pickled || !payload.has_meta) {
    throw Error(ErrorKind::kBadInput, archive_->name() + ": '" + Printable(name) +
                                          "' is stored as a pickle, which is never read (it could run code); make it a "
                                          "plain tensor and export again (torchao's: "
                                          "torchao.utils.unwrap_tensor_subclass(model))");
  }
  const archive::Archive::Record* record = archive_->Find(where);
  if (record == nullptr) archive_->Fail(where, "is missing; '" + Printable(name) + "' lies in it");
  std::vector<int64_t> shape = Numbers(*archive_, where, payload.meta.sizes);
  std::vector<int64_t> strides = Numbers(*archive_, where, payload.meta.strides);
  const int64_t offset = Numbers(*archive_, where, {payload.meta.offset})[0];
  // Tied weights name the same view of a record and get the same object. So they are known to be tied (ir/graph.h).
  const Place place{where, static_cast<int>(payload.meta.dtype), shape, strides, offset};
  if (const auto found = opened_.find(place); found != opened_.end()) return found->second;

  const auto data = archive::OpenTensor(archive_, *record, Printable(name),
                                        {.dtype = payload.meta.dtype,
                                         .shape = std::move(shape),
                                         .strides = std::move(strides),
                                         .offset = static_cast<uint64_t>(offset)});
  // All fake tensors are in one empty record, so that does not mean that they are tied.
  if (!data->bytes->absent()) opened_.emplace(place, data);
  return data;
}

}  // namespace onnxport::pt2
