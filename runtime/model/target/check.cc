#include "runtime/model/target/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/ir/call_site.h"
#include "runtime/ir/packed_dtype.h"
#include "runtime/ir/read_node.h"
#include "runtime/lowering/types/op_info.h"

namespace onnxport::target {
namespace {

using ir::DType;

// The dtype to compute in instead, of those that are taken.
std::string WayOut(const ir::Value& value, ir::DTypeSet taken) {
  const DType dtype = value.dtype;
  // Values of so few bits are weights, which become floats before anything is computed with them.
  if (ir::IsPacked(dtype) || (ir::IsFloat(dtype) && ir::ByteSize(dtype) == 1)) {
    return fmt::format("store weights in another type (float32, or <<weights_as>>); it takes {}", taken.ToString());
  }
  // Python's numbers are doubles, whatever the dtype of the model is.
  if (dtype == DType::kFloat64 && value.dims && value.dims->empty())
    return "compute it of a float32 tensor, as torch.tan does: functions of Python's math are of float64";
  if (ir::IsFloat(dtype) && taken.Has(DType::kFloat32))
    return "compute in float32, as model.float() does before the export";
  if (taken.empty()) return "compute it outside of the model";
  return fmt::format("cast its input to another dtype: {}", taken.ToString());
}

// Where Slice ends and such: what is beyond any axis may be cut off.
bool IsBound(int64_t number) {
  return number == std::numeric_limits<int64_t>::max() || number == std::numeric_limits<int64_t>::min() ||
         number == std::numeric_limits<int64_t>::min() + 1;
}

// All bits are: in each dtype that is 0.
bool IsZero(const ir::TensorBytes& bytes) {
  bool zero = true;
  bytes.Stream([&](std::span<const std::byte> part) {
    zero = zero && std::ranges::all_of(part, [](std::byte byte) { return byte == std::byte{0}; });
  });
  return zero;
}

class Checker {
 public:
  Checker(const ir::Graph& model, const Target& target) : model_(model), target_(target), catalog_(model.opset) {}

  std::vector<Diagnostic> Check() {
    Opset();
    for (const ir::Port& input : model_.inputs) FreeAxes(input);
    Nodes(model_.body);
    return std::move(found_);
  }

 private:
  void Add(std::string reason) { found_.push_back({.code = Code::kNotOnTarget, .reason = std::move(reason)}); }

  // Adds the node to the finding with this reason; there is one for all nodes that have it.
  void Add(const ir::Node& node, const std::string& reason) {
    const auto [at, is_new] = index_.try_emplace({node.op.text(), reason}, found_.size());
    if (is_new) found_.push_back({.code = Code::kNotOnTarget, .op = node.op.text(), .reason = reason});
    Diagnostic& diagnostic = found_[at->second];
    ++diagnostic.calls;
    CallSite site = ir::SiteOf(model_.location(node.location));
    std::string text = site.Text();
    // Told apart by what is shown of them: several nodes may come from one line.
    if (!text.empty() && shown_.emplace(at->second, std::move(text)).second)
      diagnostic.sites.push_back(std::move(site));
  }

  void Opset() {
    if (model_.opset >= target_.first_opset && model_.opset <= target_.last_opset) return;
    Add(fmt::format("{} takes opsets {} to {}, not {}", target_.title, target_.first_opset, target_.last_opset,
                    model_.opset));
  }

  void FreeAxes(const ir::Port& input) {
    const ir::Value& value = model_.value(*input.value.value());
    if (!target_.static_axes || !value.dims) return;
    std::string free;
    std::string fixed;
    for (const ir::Dim& dim : *value.dims) {
      if (!dim.is_number()) free += fmt::format("{}`{}`", free.empty() ? "" : ", ", dim.ToString());
      fixed += fmt::format("{}{}", fixed.empty() ? "" : ",", dim.is_number() ? dim.number() : 1);
    }
    if (free.empty()) return;
    Add(
        fmt::format("input `{0}` has free axes ({1}), and {2} takes none: give them sizes, as "
                    "<<inputs: {0}={3}[{4}]>> does",
                    value.name, free, target_.title, ir::ShortName(value.dtype), fixed));
  }

  void Nodes(const ir::Block& block) {
    for (const ir::Node& node : block.nodes) {
      // Another domain's, of which profiles say nothing.
      if (node.op.text().find('.') == std::string::npos) Node(node);
      for (const ir::Block& inner : node.blocks) Nodes(inner);
    }
  }

  void Node(const ir::Node& node) {
    const lowering::OpInfo* info = catalog_.Find(node.op.text());
    if (info == nullptr) return;
    const Form* form = FindForm(target_, node.op.text(), model_.opset);
    if (form == nullptr) return Add(node, Missing(node.op));
    // Once each: a node has several tensors of one dtype.
    std::set<std::string> reasons;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (const ir::ValueId* id = node.inputs[i].value()) Value(node, *form, *info, info->input(i), *id, &reasons);
    }
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] != ir::ValueId::kNone) Value(node, *form, *info, info->output(i), node.outputs[i], &reasons);
    }
    Zeros(node, *form, *info, &reasons);
    Known(node, *form, *info, &reasons);
    Saturates(node, *form, &reasons);
    Windows(node, *form, &reasons);
    Blocks(node, *form, &reasons);
    for (const std::string& reason : reasons) Add(node, reason);
  }

  // Inputs known only at run time are not checked.
  void Zeros(const ir::Node& node, const Form& form, const lowering::OpInfo& info, std::set<std::string>* reasons) {
    for (const std::string_view input : form.zeros) {
      const ir::ValueId id = ir::InputAt(node, static_cast<size_t>(info.FindInput(input)));
      const ir::TensorData* data = id == ir::ValueId::kNone ? nullptr : ConstantOf(id);
      if (data == nullptr || data->bytes->absent() || IsZero(*data->bytes)) continue;
      reasons->insert(fmt::format("{} takes {} only with zeros as `{}`; quantize symmetrically, with zero points of 0",
                                  target_.title, node.op, input));
    }
  }

  // Checks inputs that a target must know before the model runs to compute what ONNX defines.
  void Known(const ir::Node& node, const Form& form, const lowering::OpInfo& info, std::set<std::string>* reasons) {
    const auto given = [&](std::string_view input) {
      return ir::InputAt(node, static_cast<size_t>(info.FindInput(input)));
    };
    for (const std::string_view input : form.known) {
      const ir::ValueId id = given(input);
      if (id == ir::ValueId::kNone || ConstantOf(id) != nullptr || AreNumbers(model_.value(id).contents)) continue;
      reasons->insert(
          fmt::format("{} gives what ONNX says of {} where `{}` is known before the model runs, and not always "
                      "elsewhere; give the sizes that it is made of numbers",
                      target_.title, node.op, input));
    }
    for (const std::string_view input : form.sized) {
      const ir::ValueId id = given(input);
      if (id == ir::ValueId::kNone || AreNumbers(model_.value(id).dims)) continue;
      reasons->insert(fmt::format("{} takes {} only where the sizes of `{}` are numbers; give the model's inputs sizes",
                                  target_.title, node.op, input));
    }
  }

  static bool AreNumbers(const auto& dims) {
    return dims && std::ranges::all_of(*dims, [](const ir::Dim& dim) { return dim.is_number(); });
  }

  void Saturates(const ir::Node& node, const Form& form, std::set<std::string>* reasons) {
    const ir::ValueId output = node.outputs.empty() ? ir::ValueId::kNone : node.outputs[0];
    if (output == ir::ValueId::kNone || !form.saturating.Has(model_.value(output).dtype)) return;
    reasons->insert(
        fmt::format("{} gives the largest or smallest {} where {} goes beyond it, and PyTorch wraps around; "
                    "compute in int32",
                    target_.title, ir::Name(model_.value(output).dtype), node.op));
  }

  // ONNX drops a last window that begins behind the input, and counts no place behind the padding.
  void Windows(const ir::Node& node, const Form& form, std::set<std::string>* reasons) {
    if (!form.own_windows || ir::IntAttribute(node, "ceil_mode", 0) == 0) return;
    const std::vector<int64_t> kernel = ir::IntsAttribute(node, "kernel_shape").value_or(std::vector<int64_t>());
    const size_t n = kernel.size();
    const std::vector<int64_t> strides = ir::IntsAttribute(node, "strides").value_or(std::vector<int64_t>(n, 1));
    const std::vector<int64_t> pads = ir::IntsAttribute(node, "pads").value_or(std::vector<int64_t>(2 * n, 0));
    bool differs = ir::IntAttribute(node, "count_include_pad", 0) != 0 && pads != std::vector<int64_t>(2 * n, 0);
    for (size_t i = 0; i < n; ++i) differs = differs || pads[n + i] + strides[i] > kernel[i];
    if (!differs) return;
    reasons->insert(
        fmt::format("{} has other last windows than ONNX in {} with ceil_mode; leave ceil_mode out, and pad "
                    "the input",
                    target_.title, node.op));
  }

  void Blocks(const ir::Node& node, const Form& form, std::set<std::string>* reasons) {
    const int64_t size = form.whole_blocks ? ir::IntAttribute(node, "block_size", 0) : 0;
    if (size == 0) return;
    const std::optional<ir::Dims>& dims = model_.value(*node.inputs[0].value()).dims;
    const int64_t axis = ir::IntAttribute(node, "axis", 1);
    const int64_t rank = dims ? static_cast<int64_t>(dims->size()) : 0;
    if (rank == 0) return;
    const ir::Dim& dim = (*dims)[static_cast<size_t>(axis < 0 ? axis + rank : axis)];
    if (!dim.is_number() || dim.number() % size == 0) return;
    reasons->insert(
        fmt::format("{} takes {} only of whole blocks, and {} is no multiple of {}; choose a group that divides "
                    "the axis, or keep the weight as it is",
                    target_.title, node.op, dim.number(), size));
  }

  const ir::TensorData* ConstantOf(ir::ValueId id) {
    if (constants_.empty()) {
      for (const ir::Weight& weight : model_.weights) constants_.emplace(weight.value, weight.data.get());
      AddConstants(model_.body);
    }
    const auto found = constants_.find(id);
    return found == constants_.end() ? nullptr : found->second;
  }

  void AddConstants(const ir::Block& block) {
    for (const ir::Node& node : block.nodes) {
      // The node holds it.
      if (const auto data = ir::ConstantTensor(node)) constants_.emplace(node.outputs[0], data.get());
      for (const ir::Block& inner : node.blocks) AddConstants(inner);
    }
  }

  std::string Missing(const ir::Operator& op) const {
    for (int opset = model_.opset; opset >= target_.first_opset; --opset) {
      if (FindForm(target_, op.text(), opset) != nullptr) return MissingAt("up to", opset);
    }
    for (int opset = model_.opset; opset <= target_.last_opset; ++opset) {
      if (FindForm(target_, op.text(), opset) != nullptr) return MissingAt("from", opset);
    }
    return fmt::format("{} has no such operator; write the program without it, or compute it outside of the model",
                       target_.title);
  }

  std::string MissingAt(std::string_view until, int opset) const {
    return fmt::format("{} has no such operator at opset {}, but {} opset {}", target_.title, model_.opset, until,
                       opset);
  }

  void Value(const ir::Node& node, const Form& form, const lowering::OpInfo& info,
             const lowering::FormalParameter* parameter, ir::ValueId id, std::set<std::string>* reasons) {
    const ir::Value& value = model_.value(id);
    if (parameter == nullptr || value.kind != ir::ValueKind::kTensor || value.dtype == DType::kUndefined) return;
    ir::DTypeSet taken = target_.dtypes;
    const std::string& variable = info.VariableOf(*parameter).name;
    const auto kind = std::ranges::find(form.kinds, variable, &VariableDTypes::variable);
    if (kind != form.kinds.end()) taken = taken.empty() ? kind->dtypes : taken & kind->dtypes;
    if ((!target_.dtypes.empty() || kind != form.kinds.end()) && !taken.Has(value.dtype)) {
      reasons->insert(fmt::format("{} has no kernel for {} of {}; {}", target_.title, node.op, ir::Name(value.dtype),
                                  WayOut(value, taken)));
    }
    if (target_.narrow_int64 && value.dtype == DType::kInt64 && value.contents) Integers(*value.contents, reasons);
  }

  void Integers(const ir::Dims& contents, std::set<std::string>* reasons) {
    const auto too_large = [](const ir::Dim& dim) {
      return dim.is_number() && !std::in_range<int32_t>(dim.number()) && !IsBound(dim.number());
    };
    const auto found = std::ranges::find_if(contents, too_large);
    if (found == contents.end()) return;
    reasons->insert(fmt::format("{} computes int64 in 32 bits, which do not hold {}; use smaller numbers",
                                target_.title, found->number()));
  }

  const ir::Graph& model_;
  const Target& target_;
  lowering::OpCatalog catalog_;
  std::unordered_map<ir::ValueId, const ir::TensorData*> constants_;  // once somebody has asked
  std::vector<Diagnostic> found_;
  std::map<std::pair<std::string, std::string>, size_t> index_;  // operator and reason
  std::set<std::pair<size_t, std::string>> shown_;               // a diagnostic's number, the text of a site
};

}  // namespace

std::vector<Diagnostic> Check(const ir::Graph& model, const Target& target) { return Checker(model, target).Check(); }

}  // namespace onnxport::target
