#include "runtime/model/onnx_file/apply_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/text.h"
#include "runtime/ir/ir_version.h"
#include "runtime/ir/same_bytes.h"
#include "runtime/model/passes/recipes/hash_of.h"
#include "runtime/model/passes/recipes/read_recipes.h"
#include "runtime/model/passes/recipes/write_recipes.h"
#include "runtime/model/serializer/wire.h"
#include "runtime/sources/weights/texts.h"

namespace onnxport::onnx_file {
namespace {

using weights::ListText;

constexpr std::string_view kWayOut = "export it without passes (<<disabled_passes>>), or once more with <<weights>>";

// A model without metadata does not say how its weights were made. Passes join names with `+`, and append to them after
// a dot: `fc.weight+norm.weight.T` may be made from `fc.weight` and `norm.weight`.
bool IsPerhapsMadeOf(std::string_view stored, std::string_view name) {
  for (size_t at = stored.find(name); at != stored.npos; at = stored.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool begins = at == 0 || stored[at - 1] == '+';
    const bool ends = end == stored.size() || stored[end] == '+' || stored[end] == '.';
    if (begins && ends) return true;
  }
  return false;
}

// Nothing if a size is free or unknown: [batch, 3] cannot become a weight.
std::optional<std::vector<int64_t>> ShapeOf(const onnx::ValueInfoProto& input) {
  std::vector<int64_t> shape;
  if (!input.type().has_tensor_type() || !input.type().tensor_type().has_shape()) return std::nullopt;
  for (const auto& dim : input.type().tensor_type().shape().dim()) {
    if (!dim.has_dim_value()) return std::nullopt;
    shape.push_back(dim.dim_value());
  }
  return shape;
}

std::map<std::string, std::string> PropertiesOf(const Skeleton& model) {
  std::map<std::string, std::string> properties;
  onnx::ModelProto rest;
  if (!rest.ParseFromString(model.model)) return properties;
  for (const auto& property : rest.metadata_props()) properties.emplace(property.key(), property.value());
  return properties;
}

class Applier {
 public:
  Applier(Skeleton model, const weights::NamedTensors& tensors, std::string file)
      : model_(std::move(model)),
        tensors_(tensors),
        sources_(tensors.begin(), tensors.end()),
        file_(std::move(file)),
        properties_(PropertiesOf(model_)),
        recipes_(properties_[passes::kRecipesProperty], "the model"),
        renewed_(recipes_, sources_) {}

  WithWeights Run() {
    // Each step notes mistakes and continues, so that Check can report all of them. Initializers come before inputs:
    // TakeInputs needs to know which inputs are only defaults of an initializer.
    UniteTied();
    RefuseNumbers();
    RefuseRead();
    CheckSources();
    for (Initializer& initializer : model_.initializers) Settle(&initializer);
    TakeInputs();
    Check();
    made_.structure.model_head = std::move(model_.model);
    // After the fields that Settle and TakeInputs have added. The order of different fields in a message has no
    // meaning; that of values of one field has, and is kept.
    made_.structure.graph_head = serializer::Fields(graph_head_ + model_.graph);
    Remark();
    return std::move(made_);
  }

 private:
  // A file may have any name of a tied weight, or several with the same elements.
  void UniteTied() {
    for (const auto& [name, first] : recipes_.tied()) {
      const auto found = tensors_.find(name);
      if (found == tensors_.end()) continue;
      const auto [stands, is_new] = sources_.try_emplace(first, found->second);
      used_.insert(name);
      if (is_new) in_file_[first] = name;
      if (is_new || stands->second == found->second || ir::SameBytes(*stands->second, *found->second)) continue;
      wrong_.push_back(fmt::format("'{}' and '{}' are one weight in the model, and two in the file", Printable(first),
                                   Printable(name)));
    }
  }

  // Once for each source, even if several stored weights are made from it.
  void CheckSources() {
    for (const auto& [name, data] : sources_) {
      if (!recipes_.IsSource(name)) continue;
      const ir::TensorData& type = recipes_.TypeOf(name);
      if (!Fits(name, weights::TypeText(type.dtype, type.shape), *data)) misfits_.insert(name);
    }
  }

  void Settle(Initializer* initializer) {
    initializers_.insert(initializer->name);
    if (SettleMade(*initializer)) return;
    const auto found = recipes_.IsConstant(initializer->name) ? sources_.end() : sources_.find(initializer->name);
    // A stored weight may have the name of a source without being that weight, if the model says so.
    if (found != sources_.end() && (!IsMade(*initializer) || !recipes_.IsSource(initializer->name)))
      return Use(initializer->name, weights::TypeText(initializer->dtype, initializer->shape), *found->second);
    if (properties_[passes::kRecipesProperty].empty() && RefuseGuess(initializer->name)) return;
    kept_.push_back(Printable(initializer->name));
    if (initializer->bytes == nullptr) {
      graph_head_ += initializer->field;
    } else {
      // `true`, no state: with safetensors as the output, small ones stay in the model, as they did in the export.
      Add(initializer->name, {initializer->dtype, std::move(initializer->shape), std::move(initializer->bytes)}, true);
    }
  }

  bool IsMade(const Initializer& initializer) const { return !recipes_.SourcesOf(initializer.name).empty(); }

  // Returns false for a weight that is not made from any in the file.
  bool SettleMade(const Initializer& initializer) {
    const std::vector<std::string> of = recipes_.SourcesOf(initializer.name);
    std::vector<std::string> missing;
    bool misfits = false;
    for (const std::string& name : of) {
      if (!sources_.contains(name)) missing.push_back(Printable(name));
      misfits |= misfits_.contains(name);
    }
    if (missing.size() == of.size()) return false;
    for (const std::string& name : of) used_.insert(name);
    if (!recipes_.IsStated(initializer.name)) {
      // Left unchanged, it would have the old values beside new ones, and the model would silently be wrong.
      wrong_.push_back(fmt::format("'{}' was computed of '{}' while the model was exported: {}",
                                   Printable(initializer.name), Printable(of.front()), kWayOut));
    } else if (!missing.empty()) {
      wrong_.push_back(fmt::format("'{}' is also made of {}, which the file does not have", Printable(initializer.name),
                                   ListText(std::move(missing))));
    } else if (!misfits) {
      AddMade(initializer);
    }
    return true;
  }

  void AddMade(const Initializer& initializer) {
    const passes::WeightData made = renewed_.Make(initializer.name);
    if (made == nullptr || made->dtype != initializer.dtype || made->shape != initializer.shape) {
      wrong_.push_back(fmt::format("'{}' cannot be made of these weights, as the export made it: {}",
                                   Printable(initializer.name), kWayOut));
      return;
    }
    for (const std::string& name : recipes_.SourcesOf(initializer.name)) taken_.insert(name);
    Add(initializer.name, *made, false);
  }

  bool RefuseGuess(const std::string& stored) {
    for (const auto& [name, _] : tensors_) {
      if (name.empty() || !IsPerhapsMadeOf(stored, name)) continue;
      used_.insert(name);
      wrong_.push_back(
          fmt::format("'{}' may have been computed of '{}', and the model has no metadata that says so: {}",
                      Printable(stored), Printable(name), kWayOut));
      return true;
    }
    return false;
  }

  // Refuses weights whose elements determined a part of the model.
  void RefuseRead() {
    for (const auto& [name, hash] : recipes_.read()) {
      const auto found = sources_.find(name);
      if (found == sources_.end() || used_.contains(name)) continue;
      used_.insert(name);
      if (found->second->bytes->absent() || passes::HashOf(*found->second) == hash) continue;
      wrong_.push_back(
          fmt::format("the elements of '{}' became part of the model when it was exported: export it once more "
                      "with <<weights>>, or leave '{}' out of the file",
                      Printable(name), Printable(name)));
    }
  }

  // Refuses weights that are numbers in attributes and constants of the model (api/model_properties.h).
  void RefuseNumbers() {
    const auto names = nlohmann::json::parse(properties_["onnxport.numbers"], nullptr, false);
    if (!names.is_array()) return;
    for (const auto& name : names) {
      if (name.is_string() && sources_.contains(name.get<std::string>())) RefuseNumber(name.get<std::string>());
    }
  }

  void RefuseNumber(const std::string& name) {
    used_.insert(name);
    wrong_.push_back(
        fmt::format("the number in '{}' became part of the model when it was exported: export it once more "
                    "with <<weights>>, or leave '{}' out of the file",
                    Printable(name), Printable(name)));
  }

  // Replaces a weight of that type.
  void Use(const std::string& name, const std::string& type, const ir::TensorData& tensor) {
    if (Fits(name, type, tensor)) Add(name, tensor, false);
  }

  bool Fits(const std::string& name, const std::string& type, const ir::TensorData& tensor) {
    used_.insert(name);
    taken_.insert(name);
    const std::string here = weights::TypeText(tensor.dtype, tensor.shape);
    if (tensor.bytes->absent()) {
      wrong_.push_back(fmt::format("'{}' has no elements in the file", Printable(InFile(name))));
    } else if (here != type) {
      wrong_.push_back(fmt::format("'{}' is {} in the file, and {} in the model", Printable(InFile(name)), here, type));
    } else {
      return true;
    }
    return false;
  }

  // Returns its name in the file.
  const std::string& InFile(const std::string& name) const {
    const auto found = in_file_.find(name);
    return found == in_file_.end() ? name : found->second;
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

  // Weights that are inputs come after the others (--no-weights).
  void TakeInputs() {
    // So an input after one that was found must be a weight that the file lacks. Without this check the model would ask
    // its caller for it.
    bool among_weights = false;
    for (const onnx::ValueInfoProto& input : model_.inputs) {
      // Below IR version 4 every initializer is also listed as an input, but it is none for the caller.
      const bool has_default = initializers_.contains(input.name());
      const auto found = has_default ? sources_.end() : sources_.find(input.name());
      if (found != sources_.end()) {
        among_weights = true;
        UseForInput(input, *found->second);
        // It is an initializer now, and from IR version 4 on not an input any more. Before that it must be both.
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

  std::vector<std::string> Unused() const {
    std::vector<std::string> unused;
    for (const auto& [name, _] : tensors_) {
      if (!used_.contains(name)) unused.push_back(Printable(name));
    }
    return unused;
  }

  void Check() const {
    std::vector<Diagnostic> diagnostics;
    const auto add = [&](std::string reason) {
      diagnostics.push_back({.code = Code::kWeightsDiffer, .reason = std::move(reason)});
    };
    for (const std::string& reason : wrong_) add(reason);
    if (diagnostics.empty() && taken_.empty()) add(fmt::format("none of its tensors is one: it has {}", NamesInFile()));
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
  passes::Renewed::Sources sources_;            // the same, and tied weights by the name that stands for all
  std::map<std::string, std::string> in_file_;  // tied weights that the file has by another name
  const std::string file_;
  std::map<std::string, std::string> properties_;
  const passes::Recipes recipes_;
  passes::Renewed renewed_;
  std::set<std::string> misfits_;  // sources of another type
  WithWeights made_;
  std::string graph_head_;  // of `made_`, but for what stays of the model
  std::set<std::string> initializers_;
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
