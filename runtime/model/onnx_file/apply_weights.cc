#include "runtime/model/onnx_file/apply_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/ir/ir_version.h"
#include "runtime/ir/packed_dtype.h"
#include "runtime/model/serializer/wire.h"
#include "runtime/sources/weights/texts.h"

namespace onnxport::onnx_file {
namespace {

using weights::ListText;

constexpr std::string_view kWayOut = "export it without passes (<<disabled_passes>>), or once more with <<weights>>";

// Returns true if passes add this, behind a dot, to the name of a weight that they change: "T", "float16", "int4",
// "int4_scale".
bool IsChange(std::string_view word) {
  for (const std::string_view part : {"_zero", "_scale", "_scale"}) {
    if (word.ends_with(part)) word.remove_suffix(part.size());
  }
  if (word == "T" || word == "shuffled") return true;
  for (int number = 1; number <= static_cast<int>(ir::kInt2); ++number) {
    if (word == ir::Name(static_cast<ir::DType>(number))) return true;
  }
  return false;
}

// The weights that one is named after; passes join names by `+`. `conv.weight+norm.weight.T` gives "conv.weight",
// "norm.weight.T" and "norm.weight": each way that a file could call a part. Where the names are given:
// passes/weight_index.cc and passes/rearrange_weights.cc.
std::vector<std::string> MadeOf(std::string_view name) {
  std::vector<std::string> names;
  while (!name.empty()) {
    const size_t end = std::min(name.find('+'), name.size());
    std::string_view part = name.substr(0, end);
    names.emplace_back(part);
    for (size_t dot = part.rfind('.'); dot != part.npos && IsChange(part.substr(dot + 1)); dot = part.rfind('.'))
      names.emplace_back(part = part.substr(0, dot));
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return names;
}

// Nothing where a size is free or not stated: [batch, 3] cannot become a weight.
std::optional<std::vector<int64_t>> ShapeOf(const onnx::ValueInfoProto& input) {
  std::vector<int64_t> shape;
  if (!input.type().has_tensor_type() || !input.type().tensor_type().has_shape()) return std::nullopt;
  for (const auto& dim : input.type().tensor_type().shape().dim()) {
    if (!dim.has_dim_value()) return std::nullopt;
    shape.push_back(dim.dim_value());
  }
  return shape;
}

class Applier {
 public:
  Applier(Skeleton model, const weights::NamedTensors& tensors, std::string file)
      : model_(std::move(model)), tensors_(tensors), file_(std::move(file)) {}

  WithWeights Run() {
    // Each step notes what is wrong and goes on, so that Check can say all of it at once. Initializers come before
    // inputs: TakeInputs asks which inputs are only defaults of an initializer.
    RefuseNumbers();
    for (Initializer& initializer : model_.initializers) Settle(&initializer);
    TakeInputs();
    RefuseMore();
    Check();
    made_.structure.model_head = std::move(model_.model);
    // Behind what Settle and TakeInputs have put there. The order of fields in a message has no meaning to a reader;
    // that of values within one field has, and is kept.
    made_.structure.graph_head = serializer::Fields(graph_head_ + model_.graph);
    Remark();
    return std::move(made_);
  }

 private:
  void Settle(Initializer* initializer) {
    initializers_.insert(initializer->name);
    if (const auto found = tensors_.find(initializer->name); found != tensors_.end()) {
      // By its own name first: a name that only looks composed, as a parameter that somebody called `w.T`, is in the
      // file as it is.
      return Use(initializer->name, weights::TypeText(initializer->dtype, initializer->shape), *found->second);
    }
    for (const std::string& part : MadeOf(initializer->name)) {
      if (part == "...") made_of_more_.push_back(Printable(initializer->name));
      if (!tensors_.contains(part)) continue;
      used_.insert(part);
      // Left alone it would keep the old values beside new ones, and the model would run and be wrong.
      wrong_.push_back(fmt::format("'{}' was computed of '{}' while the model was exported: {}",
                                   Printable(initializer->name), Printable(part), kWayOut));
      return;
    }
    kept_.push_back(Printable(initializer->name));
    if (initializer->bytes == nullptr) {
      graph_head_ += initializer->field;
    } else {
      // `true`, no state: with safetensors as the output, small ones stay in the model, as they did in the export.
      Add(initializer->name, {initializer->dtype, std::move(initializer->shape), std::move(initializer->bytes)}, true);
    }
  }

  // Weights that are numbers in attributes and constants of the model (api/model_properties.h).
  void RefuseNumbers() {
    onnx::ModelProto rest;
    if (!rest.ParseFromString(model_.model)) return;
    for (const auto& property : rest.metadata_props()) {
      if (property.key() != "onnxport.numbers") continue;
      const auto names = nlohmann::json::parse(property.value(), nullptr, false);
      if (!names.is_array()) continue;
      for (const auto& name : names) {
        if (name.is_string() && tensors_.contains(name.get<std::string>())) RefuseNumber(name.get<std::string>());
      }
    }
  }

  void RefuseNumber(const std::string& name) {
    used_.insert(name);
    wrong_.push_back(
        fmt::format("the number in '{}' became part of the model when it was exported: export it once more "
                    "with <<weights>>, or leave '{}' out of the file",
                    Printable(name), Printable(name)));
  }

  // In place of a weight of that type.
  void Use(const std::string& name, const std::string& type, const ir::TensorData& tensor) {
    used_.insert(name);
    taken_.insert(name);
    const std::string here = weights::TypeText(tensor.dtype, tensor.shape);
    if (tensor.bytes->absent()) {
      wrong_.push_back(fmt::format("'{}' has no elements in the file", Printable(name)));
    } else if (here != type) {
      wrong_.push_back(fmt::format("'{}' is {} in the file, and {} in the model (if the export has rearranged it: {})",
                                   Printable(name), here, type, kWayOut));
    } else {
      Add(name, tensor, false);
    }
  }

  void Add(const std::string& name, ir::TensorData data, bool constant) {
    ir::Value value;
    value.name = name;
    const ir::ValueId id = made_.weights.AddValue(std::move(value));
    made_.weights.weights.push_back({.value = id,
                                     .name = name,
                                     .data = std::make_shared<const ir::TensorData>(std::move(data)),
                                     .constant = constant});
  }

  // Weights that are inputs stand behind the others (--no-weights).
  void TakeInputs() {
    // So an input behind one that was found is a weight that the file lacks; without this check the model would ask its
    // caller for it.
    bool among_weights = false;
    for (const onnx::ValueInfoProto& input : model_.inputs) {
      // Below IR version 4 every initializer is listed among the inputs, too; that does not make it an input for the
      // caller.
      const bool has_default = initializers_.contains(input.name());
      const auto found = has_default ? tensors_.end() : tensors_.find(input.name());
      if (found != tensors_.end()) {
        among_weights = true;
        UseForInput(input, *found->second);
        // It is an initializer now, and from IR version 4 on no input any more. Before that it has to be both.
        if (model_.ir_version >= ir::kIrVersionWithFreeInitializers) continue;
      } else if (among_weights && !has_default) {
        wrong_.push_back(
            fmt::format("there is no '{}' in the file, which is an input among weights", Printable(input.name())));
      }
      if (!has_default) inputs_.push_back(Printable(input.name()));
      const std::string bytes = input.SerializeAsString();
      graph_head_ += serializer::FieldHeader(serializer::kGraphInput, static_cast<int64_t>(bytes.size())) + bytes;
    }
  }

  void UseForInput(const onnx::ValueInfoProto& input, const ir::TensorData& tensor) {
    const std::optional<std::vector<int64_t>> shape = ShapeOf(input);
    if (!shape) {
      used_.insert(input.name());
      wrong_.push_back(fmt::format("'{}' is an input of free sizes, which no weight is", Printable(input.name())));
      return;
    }
    const ir::DType dtype = ir::DTypeOfNumber(input.type().tensor_type().elem_type());
    Use(input.name(), weights::TypeText(dtype, *shape), tensor);
  }

  std::string NamesInFile() const {
    std::vector<std::string> names;
    for (const auto& [name, _] : tensors_) names.push_back(Printable(name));
    return names.empty() ? "nothing" : ListText(std::move(names));
  }

  // A long name leaves out some of the weights that one is made of. A weight that nothing else takes may be one of
  // them.
  void RefuseMore() {
    const std::vector<std::string> unused = Unused();
    if (unused.empty()) return;
    for (const std::string& name : made_of_more_) {
      wrong_.push_back(fmt::format("'{}' was computed of more weights than its name tells, perhaps of {}: {}", name,
                                   ListText(unused), kWayOut));
    }
  }

  std::vector<std::string> Unused() const {
    std::vector<std::string> unused;
    for (const auto& [name, _] : tensors_) {
      if (!used_.contains(name)) unused.push_back(Printable(name));
    }
    return unused;
  }

  void Check() const {
    std::vector<Diagnostic> diagnostics;
    for (const std::string& reason : wrong_) diagnostics.emplace_back().reason = reason;
    if (diagnostics.empty() && taken_.empty())
      diagnostics.emplace_back().reason = fmt::format("none of its tensors is one: it has {}", NamesInFile());
    if (diagnostics.empty()) return;
    throw Error(Report(ErrorKind::kCannotExport, std::move(diagnostics),
                       fmt::format("{} does not have the weights of the model", file_)));
  }

  void Remark() {
    std::vector<std::string> unused = Unused();
    made_.remarks.push_back(fmt::format("{} weights are those of {}", taken_.size(), file_));
    made_.remarks.push_back(fmt::format("inputs of the model: {}", inputs_.empty() ? "none" : ListText(inputs_)));
    if (!kept_.empty()) made_.remarks.push_back(fmt::format("what stays as it is: {}", ListText(kept_)));
    if (!unused.empty())
      made_.remarks.push_back(fmt::format("the model has no use for {} of {}", ListText(std::move(unused)), file_));
  }

  Skeleton model_;
  const weights::NamedTensors& tensors_;
  const std::string file_;
  WithWeights made_;
  std::string graph_head_;  // of `made_`, but for what stays of the model
  std::set<std::string> initializers_;
  std::vector<std::string> made_of_more_;
  std::set<std::string> used_;
  std::set<std::string> taken_;
  std::vector<std::string> inputs_;  // that stay
  std::vector<std::string> kept_;
  std::vector<std::string> wrong_;
};

}  // namespace

WithWeights ApplyWeights(Skeleton model, const weights::NamedTensors& tensors, const std::string& file) {
  return Applier(std::move(model), tensors, file).Run();
}

}  // namespace onnxport::onnx_file
