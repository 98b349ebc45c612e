// Reads a `.pt` as data: version, code, constants, the module's objects. The order matters: the version decides if the
// rest can be read, and records are checked before their contents are trusted.
#include "runtime/sources/torchscript/archive/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "runtime/archive/record_tensor.h"
#include "runtime/base/error.h"
#include "runtime/base/memory_budget.h"
#include "runtime/base/text.h"
#include "runtime/sources/torchscript/archive/debug_info.h"
#include "runtime/sources/torchscript/archive/pickled_tensors.h"
#include "runtime/sources/torchscript/archive/safety.h"
#include "runtime/sources/torchscript/archive/unpickler.h"
#include "runtime/sources/torchscript/syntax/parser.h"

namespace onnxport::torchscript {
namespace {

using archive::Archive;

constexpr uint64_t kMaxPickle = uint64_t{256} << 20;
constexpr uint64_t kMaxSource = uint64_t{64} << 20;
constexpr uint64_t kMaxAllSources = uint64_t{256} << 20;
constexpr int kNewestVersion = 10;
constexpr size_t kMaxShownCode = 200;      // of a line
constexpr uint64_t kBytesForTensor = 512;  // in memory, besides four words for each axis

// "model/" for "model/data.pkl"; nothing if there is no such record, or two.
std::optional<std::string> TopFolder(const Archive& archive) {
  constexpr std::string_view kRecord = "data.pkl";
  std::optional<std::string> folder;
  for (const Archive::Record& record : archive.records()) {
    const size_t slash = record.name.find('/');
    if (slash == std::string::npos || record.name.substr(slash + 1) != kRecord) continue;
    if (folder) return std::nullopt;
    folder = record.name.substr(0, slash + 1);
  }
  return folder;
}

bool HasCode(const Archive& archive, const std::string& folder) {
  return std::ranges::any_of(archive.records(), [&](const Archive::Record& record) {
    return record.name.starts_with(folder + "code/") && record.name.ends_with(".py");
  });
}

// "code/__torch__/torch/nn.py" -> "__torch__.torch.nn"
std::string ModuleOf(std::string_view record) {
  record.remove_prefix(std::string_view("code/").size());
  record.remove_suffix(std::string_view(".py").size());
  std::string module(record);
  std::ranges::replace(module, '/', '.');
  return module;
}

using NamedTensors = std::map<std::string, std::shared_ptr<const ir::TensorData>>;

class ProgramReader {
 public:
  ProgramReader(std::shared_ptr<const Archive> archive, std::string folder)
      : archive_(std::move(archive)), folder_(std::move(folder)) {}

  Program Read() {
    program_.archive = archive_;
    ReadVersion();
    CheckRecords();
    ReadSources();
    if (Find("constants.pkl")) program_.constants = ItemsOf(*ReadPickle("constants.pkl", "constants"), "constants.pkl");
    program_.module = ReadPickle("data.pkl", "data");
    if (!std::holds_alternative<Pickled::Object>(program_.module->v))
      archive_->Fail(folder_ + "data.pkl", "holds no module");
    // Only torch.jit.trace stores examples. They give types and sizes of inputs that the user does not describe.
    if (Find("traced_inputs.pkl")) ReadTracedInputs();
    return std::move(program_);
  }

  NamedTensors ReadTensors() {
    ReadVersion();
    NamedTensors named;
    AddTensors(*ReadPickle("data.pkl", "data"), "", &named);
    return named;
  }

 private:
  const Archive::Record* Find(const std::string& name) const { return archive_->Find(folder_ + name); }

  std::string ReadAll(const std::string& name, uint64_t max_size) const {
    const Archive::Record* record = Find(name);
    if (!record) archive_->Fail(folder_ + name, "is missing");
    return archive_->ReadText(*record, max_size);
  }

  void ReadVersion() {
    const Archive::Record* record = Find("version");
    if (!record) record = Find(".data/version");
    if (!record) archive_->Fail(folder_ + "version", "is missing");
    const std::string text = archive_->ReadText(*record, 64);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), program_.version);
    if (error != std::errc() || program_.version < 1) archive_->Fail(record->name, "is no number");
    if (program_.version > kNewestVersion) {
      archive_->Fail(record->name, fmt::format("says {}: the file is of a newer PyTorch than this program knows ({})",
                                               program_.version, kNewestVersion));
    }
    if (Find("byteorder") && ReadAll("byteorder", 64).starts_with("big"))
      archive_->Fail(folder_ + "byteorder", "says big: save the model on a little-endian machine");
  }

  // Checks all of the file, also unused parts: a damaged archive is refused as a whole.
  void CheckRecords() const {
    for (const Archive::Record& record : archive_->records())
      if (!record.deflated) archive_->Check(record);
  }

  void ReadSources() {
    uint64_t total = 0;
    const std::string code = folder_ + "code/";
    for (const Archive::Record& record : archive_->records()) {
      if (!record.name.starts_with(code)) {
        if (record.deflated) archive_->Fail(record.name, "is compressed; PyTorch compresses source texts only");
        continue;
      }
      total += record.size;
      if (total > kMaxAllSources) archive_->Fail(record.name, "makes the source texts larger than 256 MiB together");
      if (record.name.ends_with(".py")) ReadSource(record);
    }
    // Parsed after all are read, so that the limit on all texts together is checked first.
    for (SourceFile& file : program_.files) {
      const MemoryBudget::Place place([&] { return What(file.name); });
      Define(Parse(file.text, ModuleOf(file.name), &file));
    }
  }

  void ReadSource(const Archive::Record& record) {
    SourceFile& file = program_.files.emplace_back();
    file.name = record.name.substr(folder_.size());
    const MemoryBudget::Place place([this, &file] { return What(file.name); });
    file.held.Add(record.size);
    file.text = archive_->ReadText(record, kMaxSource);
    if (!Find(file.name + ".debug_pkl")) return;
    const Charge held(Find(file.name + ".debug_pkl")->size);
    const std::string debug = ReadAll(file.name + ".debug_pkl", kMaxSource);
    ReadOrigins(debug, What(file.name + ".debug_pkl"), &file);
  }

  void Define(Definitions definitions) {
    for (Class& type : definitions.classes) {
      for (Function& method : type.methods) method.recorded = method.file->MayBeRecorded(method);
      const std::string name = type.qualified_name;
      if (!program_.classes.emplace(name, std::move(type)).second)
        throw Error(ErrorKind::kBadInput, fmt::format("{}: {} is defined twice", archive_->name(), name));
    }
    for (Function& function : definitions.functions) {
      function.recorded = function.file->MayBeRecorded(function);
      const std::string name = function.qualified_name;
      if (!program_.functions.emplace(name, std::move(function)).second)
        throw Error(ErrorKind::kBadInput, fmt::format("{}: {} is defined twice", archive_->name(), name));
    }
  }

  // ---- pickles ----

  static void AddTensors(const Pickled& value, const std::string& name, NamedTensors* named) {
    MemoryBudget::Take(name.size() + 1);  // one dictionary may be at many places, and contain others
    if (const auto* tensor = std::get_if<Pickled::Tensor>(&value.v)) {
      if (!tensor->quantizer) named->emplace(name, tensor->data);
    } else if (const auto* object = std::get_if<Pickled::Object>(&value.v)) {
      if (object->state) AddTensors(*object->state, name, named);
    } else if (const auto* dict = std::get_if<Pickled::Dict>(&value.v)) {
      for (const auto& [key, item] : dict->items) {
        const auto* text = std::get_if<std::string>(&key->v);
        if (text != nullptr) AddTensors(*item, name.empty() ? *text : name + "." + *text, named);
      }
    }
  }

  std::string What(const std::string& name) const {
    return fmt::format("{}: record '{}'", archive_->name(), Printable(folder_ + name));
  }

  PickledPtr ReadPickle(const std::string& name, const std::string& tensors) {
    const std::string text = ReadAll(name, kMaxPickle);
    return Unpickle(text, What(name), [&](const StorageView& view) { return OpenTensor(view, tensors); });
  }

  static std::string TensorName(const StorageView& view) { return "tensor " + Printable(view.key); }

  // Equal views are the same tensor, as for tied weights.
  std::shared_ptr<const ir::TensorData> OpenTensor(const StorageView& view, const std::string& folder) {
    const Place place{folder, view.key, view.storage, view.sizes, view.strides, view.offset};
    if (const auto found = opened_.find(place); found != opened_.end()) return found->second;
    const std::string name = folder_ + folder + "/" + view.key;
    const Archive::Record* record = archive_->Find(name);
    if (!record) archive_->Fail(name, "is missing");
    MemoryBudget::Take(kBytesForTensor + 4 * sizeof(int64_t) * view.sizes.size());
    std::shared_ptr<const ir::TensorData> data;
    if (folder == "traced_inputs" && record->size == 0) {
      // A trace stores the types of its example tensors without their elements.
      data = ir::MakeAbsent(view.dtype, view.sizes, nullptr,
                            "the archive keeps only the shape of this tensor, not its contents");
    } else {
      data = archive::OpenTensor(archive_, *record, TensorName(view),
                                 {.dtype = view.dtype,
                                  .shape = view.sizes,
                                  .strides = view.strides,
                                  .offset = static_cast<uint64_t>(view.offset)});
    }
    // All tensors without elements are in one empty record. They are not tied.
    if (!data->bytes->absent()) opened_.emplace(place, data);
    return data;
  }

  PickledList ItemsOf(const Pickled& value, const std::string& name) const {
    if (const auto* tuple = std::get_if<Pickled::Tuple>(&value.v)) return tuple->items;
    if (const auto* list = std::get_if<Pickled::List>(&value.v)) return list->items;
    archive_->Fail(folder_ + name, "holds no tuple");
  }

  void ReadTracedInputs() {
    const PickledPtr value = ReadPickle("traced_inputs.pkl", "traced_inputs");
    const auto* methods = std::get_if<Pickled::Dict>(&value->v);
    if (!methods) archive_->Fail(folder_ + "traced_inputs.pkl", "holds no dictionary");
    for (const auto& [key, inputs] : methods->items) {
      if (const auto* name = std::get_if<std::string>(&key->v))
        program_.traced_inputs[*name] = ItemsOf(*inputs, "traced_inputs.pkl");
    }
  }

  using Place = std::tuple<std::string, std::string, std::string, std::vector<int64_t>, std::vector<int64_t>, int64_t>;

  std::shared_ptr<const Archive> archive_;
  std::string folder_;
  Program program_;
  std::map<Place, std::shared_ptr<const ir::TensorData>> opened_;
};

}  // namespace

ir::Location SourceFile::Locate(Offset offset) const {
  const auto next = std::ranges::upper_bound(origins, offset, {}, &Origin::begin);
  if (next != origins.begin() && std::prev(next)->at) return {.at = std::prev(next)->at};
  ir::Location location;
  if (lines_.empty()) lines_ = LineIndex(text);
  const size_t line = lines_.LineAt(std::min<size_t>(offset, text.size()));
  std::string_view code = lines_.Line(text, line);
  code.remove_prefix(std::min(code.find_first_not_of(' '), code.size()));
  location.at = ir::MakeLine(name, 1 + static_cast<int>(line), std::string(code.substr(0, kMaxShownCode)));
  return location;
}

bool SourceFile::MayBeRecorded(const Function& function) const {
  bool compiled = false;
  const auto first = std::ranges::lower_bound(origins, function.offset, {}, &Origin::begin);
  for (auto at = first; at != origins.end() && at->begin < function.end; ++at) {
    if (at->maker == Maker::kTrace) return true;
    compiled = compiled || at->maker == Maker::kCompiler;
  }
  return !compiled;
}

const Class* ModuleClass(const Program& program) {
  const auto* object = program.module ? std::get_if<Pickled::Object>(&program.module->v) : nullptr;
  const auto type = object ? program.classes.find(object->type) : program.classes.end();
  return type == program.classes.end() ? nullptr : &type->second;
}

void FailNoProgram(const Archive& archive) {
  throw Error(
      Code::kNoProgram,
      fmt::format("{} holds weights without a program: torch.save in Python and torch::save in C++ write no code; in "
                  "Python build the model, load the weights into it, and save torch.jit.script(model) or "
                  "torch.jit.trace(model, example) with torch.jit.save, or torch.export.export(model, args) with "
                  "torch.export.save; in C++ export the model with onnxport/torch.h; <<weights>> takes this file for "
                  "the weights of another model",
                  archive.name()));
}

Program ReadProgram(std::shared_ptr<const Archive> archive, const ReadOptions& options) {
  const auto folder = TopFolder(*archive);
  if (!folder || !HasCode(*archive, *folder)) FailNoProgram(*archive);
  const std::string path = archive->name();
  Program program = ProgramReader(std::move(archive), *folder).Read();
  if (options.trust_source) return program;
  if (const auto dangers = FindDangers(program); !dangers.empty()) {
    std::vector<Diagnostic> found;
    for (const std::string& danger : dangers) found.push_back({.code = Code::kWouldRunCode, .reason = danger});
    throw Error(Report(ErrorKind::kBadInput, std::move(found),
                       path +
                           " has code that would run when PyTorch loads it; it is read without running anything, and "
                           "when you know where the file comes from, <<trust_source>> takes it"));
  }
  return program;
}

NamedTensors ReadTensors(std::shared_ptr<const Archive> archive) {
  const auto folder = TopFolder(*archive);
  if (!folder) archive->Fail("data.pkl", "is missing: torch.save(model.state_dict(), path) writes one");
  return ProgramReader(std::move(archive), *folder).ReadTensors();
}

bool IsTorchScript(const Archive& archive) { return TopFolder(archive).has_value(); }

}  // namespace onnxport::torchscript
