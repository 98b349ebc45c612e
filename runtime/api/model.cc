#include "onnxport/model.h"

#include <algorithm>
#include <utility>

#include "runtime/api/border/border.h"
#include "runtime/api/border/opener.h"
#include "runtime/api/model_data.h"
#include "runtime/api/model_properties.h"
#include "runtime/api/options/write_options.h"
#include "runtime/api/reports/operators_of.h"
#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/base/memory_budget.h"
#include "runtime/base/option_names.h"
#include "runtime/model/serializer/serializer.h"

namespace onnxport {
namespace {

// Renaming over the model would destroy what the export was made from.
bool IsInput(const Model::Data& data, const std::string& path) {
  return data.source->IsFile(path) ||
         std::ranges::any_of(data.also_read, [&](const Source& read) { return read.opener().IsFile(path); });
}

// Weights are read only here, so the remark on weights that became 0 is known now.
void TellLost(Model::Data* data) {
  data->remarks.resize(data->remarks_of_export);
  std::string lost = data->lost == nullptr ? "" : data->lost->Remark();
  if (!lost.empty()) data->remarks.push_back(std::move(lost));
}

// Calls `write` with the limits of `options` in force and the writer's options.
template <typename Write>
auto WriteWith(Model::Data& data, const SaveOptions& options, const Write& write) {
  return AtBorder([&] {
    const Interruption interruption(options.stop, options.deadline);
    // As for the export: only saving reads the weights, and computes what passes made of them.
    const MemoryBudget budget(data.source->name(), data.source->size(), data.memory_budget);
    serializer::WriteOptions wanted = WriteOptionsOf(options);
    wanted.state_as_inputs = data.state_as_inputs;
    wanted.any_thread = data.source->any_thread();
    wanted.is_input = [&data](const std::string& path) { return IsInput(data, path); };
    if (data.modular) wanted.functions = data.modular->functions;
    if (data.metadata) wanted.metadata = {.source = &data.calls, .properties = data.properties};
    auto written = write(wanted);
    TellLost(&data);
    return written;
  });
}

std::vector<std::string> Named(std::vector<std::string> texts, OptionName name) {
  for (std::string& text : texts) text = WithOptionNames(text, name == nullptr ? OptionInCpp : name);
  return texts;
}

// Counts and operators are those of the plain graph, where each call of a function is still the nodes that it stands
// for.
const ir::Graph& WrittenGraph(const Model::Data& data) { return data.modular ? data.modular->graph : data.graph; }

}  // namespace

Model::Model(std::unique_ptr<Data> data) : data_(std::move(data)) {}
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

int Model::opset() const { return data_->graph.opset; }
const std::vector<Port>& Model::inputs() const { return data_->inputs; }
const std::vector<Port>& Model::outputs() const { return data_->outputs; }
std::vector<std::string> Model::remarks(OptionName name) const { return Named(data_->remarks, name); }
std::vector<Warning> Model::warnings(OptionName name) const {
  std::vector<Warning> warnings = data_->warnings;
  for (Warning& warning : warnings) warning.text = WithOptionNames(warning.text, name == nullptr ? OptionInCpp : name);
  return warnings;
}
int64_t Model::nodes() const { return static_cast<int64_t>(data_->graph.body.nodes.size()); }
int64_t Model::weights() const { return static_cast<int64_t>(data_->graph.weights.size()); }
std::vector<Model::Operator> Model::operators() const { return OperatorsOf(data_->calls, data_->graph); }
std::vector<Model::Function> Model::functions() const {
  std::vector<Function> made;
  if (!data_->modular) return made;
  for (const functions::Function& function : data_->modular->functions) {
    made.push_back({.name = function.op,
                    .calls = static_cast<int64_t>(function.paths.size()),
                    .nodes = static_cast<int64_t>(function.body.nodes.size())});
  }
  return made;
}
std::vector<Model::FreeAxis> Model::axes() const { return AxesOf(data_->graph); }
const std::vector<Model::State>& Model::state() const { return data_->state; }
const std::vector<Model::Stage>& Model::stages() const { return data_->stages; }

Result<SaveReport> Model::Save(const std::string& path, const SaveOptions& options) const {
  return WriteWith(*data_, options, [&](const serializer::WriteOptions& wanted) {
    const serializer::WriteReport files = serializer::Write(WrittenGraph(*data_), path, wanted);
    return SaveReport{files.model_bytes, files.data_bytes, files.data_file, files.left_behind};
  });
}

Result<int64_t> Model::Serialize(const Sink& sink, const SaveOptions& options) const {
  return WriteWith(*data_, options, [&](const serializer::WriteOptions& wanted) {
    return serializer::Stream(
        WrittenGraph(*data_),
        [&sink](std::span<const std::byte> piece) {
          // A sink that wants no more says false; what it throws is caught and becomes an error with its text
          // (CallUser).
          if (!CallUser("sink", sink, piece)) throw Error(ErrorKind::kCancelled, "cancelled by the sink");
        },
        wanted);
  });
}

Result<int64_t> Model::Serialize(std::ostream& stream, const SaveOptions& options) const {
  return WriteWith(*data_, options, [&](const serializer::WriteOptions& wanted) {
    return serializer::Stream(
        WrittenGraph(*data_),
        [&stream](std::span<const std::byte> piece) {
          CallUser("stream", [&] {
            stream.write(reinterpret_cast<const char*>(piece.data()), static_cast<std::streamsize>(piece.size()));
          });
          if (!stream) throw Error(ErrorKind::kCannotWrite, "the stream takes no more");
        },
        wanted);
  });
}

Result<std::vector<std::byte>> Model::Bytes(const SaveOptions& options) const {
  return WriteWith(*data_, options, [&](const serializer::WriteOptions& wanted) {
    std::vector<std::byte> bytes;
    serializer::Stream(
        WrittenGraph(*data_),
        [&bytes](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); }, wanted);
    return bytes;
  });
}

}  // namespace onnxport
