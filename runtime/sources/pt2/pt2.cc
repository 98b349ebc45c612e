#include "runtime/sources/pt2/pt2.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/archive/archive.h"
#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/ir/name_values.h"
#include "runtime/sources/pt2/json.h"
#include "runtime/sources/pt2/program.h"
#include "runtime/sources/pt2/record_text.h"
#include "runtime/sources/pt2/weights.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using ir::ValueId;

constexpr uint64_t kMaxSmallRecord = 64;

// "TOP/models/NAME.json"
struct Place {
  std::string folder;  // "TOP/" or empty
  std::string model;   // NAME
  const archive::Archive::Record* record = nullptr;
};

Place FindProgram(const archive::Archive& archive) {
  Place place;
  std::string names;
  int count = 0;
  for (const archive::Archive::Record& record : archive.records()) {
    const std::string_view name = record.name;
    const size_t slash = name.rfind('/');
    if (slash == std::string_view::npos || !name.ends_with(".json")) continue;
    const std::string_view folder = name.substr(0, slash);
    // In a folder that torch.export.save names after the file: "mlp/models/model.json".
    const bool below = folder.ends_with("/models") && folder.find('/') == folder.size() - 7;
    if (folder != "models" && !below) continue;
    place.folder = std::string(folder.substr(0, folder.size() - 6));
    place.model = std::string(name.substr(slash + 1, name.size() - slash - 6));
    place.record = &record;
    names += (count++ == 0 ? "" : ", ") + Printable(place.model);
  }
  if (count > 1) {
    throw Error(Code::kUnknownFormat, archive.name() + ": an archive of " + std::to_string(count) + " models (" +
                                          names + "): save each with torch.export.save of its own");
  }
  if (count == 1) return place;
  const bool old = std::ranges::any_of(archive.records(), [](const archive::Archive::Record& record) {
    return record.name.ends_with("serialized_exported_program.json");
  });
  archive.Fail("", old ? "an exported program in the form of PyTorch before 2.8: load it with PyTorch 2.9 or newer "
                         "(torch.export.load) and save it again"
                       : "neither an exported program (models/*.json) nor a TorchScript module (data.pkl) in it");
}

// Throws unless the byte order is "little", if the record exists.
void CheckByteOrder(const archive::Archive& archive, const std::string& folder) {
  const archive::Archive::Record* record = archive.Find(folder + "byteorder");
  if (record == nullptr) return;
  const std::string order = archive.Read(*record, kMaxSmallRecord);
  if (order != "little")
    archive.Fail(record->name, "says '" + Printable(order) + "': only little-endian archives are read");
}

void Collect(const Arg& arg, std::vector<bool>* used) {
  if (const ValueId* id = arg.value()) (*used)[static_cast<size_t>(*id)] = true;
  if (const ir::ArgList* list = arg.list()) {
    for (const Arg& element : *list) Collect(element, used);
  }
}

// Reads the contents of weights. Unused weights are left out, so an unused pickle is no error. But a weight that is
// used has all of its names.
void AttachWeights(Program* program, const archive::Archive& archive, Weights* weights) {
  ir::Graph& graph = program->graph;
  std::vector<bool> used(graph.values.size(), false);
  // Blocks are not visited: their node has the values that they use as inputs.
  for (const ir::Node& node : graph.body.nodes) {
    for (const Arg& input : node.inputs) Collect(input, &used);
  }
  for (const Arg& output : graph.body.outputs) Collect(output, &used);
  for (const Write& write : program->writes) used[static_cast<size_t>(write.target)] = true;
  std::set<const ir::TensorData*> attached;
  const auto attach = [&](LiftedInput& lifted, std::shared_ptr<const ir::TensorData> data) {
    const ir::Value& value = graph.value(lifted.value);
    bool same = value.dtype == data->dtype && value.dims && value.dims->size() == data->shape.size();
    for (size_t i = 0; same && i < data->shape.size(); ++i) same = (*value.dims)[i] == ir::Dim(data->shape[i]);
    if (!same)
      archive.Fail("", "'" + Printable(lifted.name) + "' has one type in the graph and another in its contents");
    attached.insert(data.get());
    graph.weights.push_back({lifted.value, std::move(lifted.name), std::move(data), lifted.constant});
  };
  const auto is_used = [&](const LiftedInput& lifted) { return used[static_cast<size_t>(lifted.value)]; };
  for (LiftedInput& lifted : program->lifted) {
    // All used weights come first. Only then is it known which contents are in the model, under any name.
    if (is_used(lifted)) attach(lifted, weights->Find(lifted.name, lifted.constant));
  }
  for (LiftedInput& lifted : program->lifted) {
    if (is_used(lifted) || lifted.constant || !weights->IsTied(lifted.name)) continue;
    if (auto data = weights->Find(lifted.name, false); attached.contains(data.get())) attach(lifted, std::move(data));
  }
}

Program ReadRecord(const std::shared_ptr<const archive::Archive>& archive, const archive::Archive::Record& record,
                   MetaReader* metas, bool with_writes) {
  Program program;
  try {
    ReadRecordText(archive, record, [&](const TextBlocks& text) { program = ReadProgram(text, metas, with_writes); });
  } catch (const Error& error) {
    // These name the file already.
    if (error.kind() == ErrorKind::kBadInput || error.kind() == ErrorKind::kMemoryBudget) throw;
    throw error.Behind(archive->name() + ": ");
  }
  return program;
}

}  // namespace

ir::Graph ReadPt2(const std::shared_ptr<const archive::Archive>& archive, Remarks* remarks,
                  std::vector<std::string>* guards, std::vector<Write>* writes) {
  const Place place = FindProgram(*archive);
  CheckByteOrder(*archive, place.folder);
  MetaReader metas;
  Program program = ReadRecord(archive, *place.record, &metas, writes != nullptr);
  Weights weights(archive, place.folder, place.model, &metas);
  AttachWeights(&program, *archive, &weights);
  ir::NameValues(&program.graph);
  if (remarks != nullptr) remarks->insert(remarks->end(), program.remarks.begin(), program.remarks.end());
  if (guards != nullptr) *guards = std::move(program.guards);
  if (writes != nullptr) *writes = std::move(program.writes);
  return std::move(program.graph);
}

ir::Graph ReadPt2(const std::string& path, Remarks* remarks) { return ReadPt2(archive::Archive::Open(path), remarks); }

}  // namespace onnxport::pt2
