#include "runtime/model/passes/half/half_precision.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/glob.h"
#include "runtime/base/text.h"
#include "runtime/ir/location.h"
#include "runtime/ir/read_node.h"
#include "runtime/lowering/types/op_info.h"
#include "runtime/model/passes/graph/remove_dead.h"
#include "runtime/model/passes/half/float32_operators.h"
#include "runtime/model/passes/half/two_precisions.h"
#include "runtime/model/passes/half/value_kinds.h"
#include "runtime/model/passes/weights/converted_tensor.h"
#include "runtime/model/passes/weights/recipe.h"

namespace onnxport::passes {
namespace {

using ir::DType;
using ir::ValueId;

constexpr int kBFloat16Opset = 13;

constexpr std::string_view kProducts[] = {"Conv", "ConvTranspose", "Einsum", "GRU", "Gemm", "LSTM", "MatMul", "RNN"};

bool IsProduct(const ir::Node& node) {
  return std::ranges::find(kProducts, std::string_view(node.op)) != std::end(kProducts);
}

DType DTypeOf(HalfType type) { return type == HalfType::kFloat16 ? DType::kFloat16 : DType::kBFloat16; }

class HalfMaker {
 public:
  HalfMaker(ir::Graph* graph, const HalfPrecision& wanted)
      : graph_(graph),
        wanted_(wanted),
        dtype_(DTypeOf(wanted.as.type)),
        catalog_(graph->opset),
        kinds_(*graph, FindWide()),
        values_(graph, dtype_) {}

  std::vector<std::string> Run() {
    if (wanted_.as.io) {
      for (const ValueId input : graph_->body.inputs) values_.MakeHalf(input);
    }
    Visit(&graph_->body);
    CheckNames();
    RemoveDead(graph_);
    remarks_.insert(remarks_.begin(),
                    fmt::format("{} nodes compute in {}, {} in float32", in_half_, ir::Name(dtype_), in_float32_));
    return std::move(remarks_);
  }

 private:
  // Not noted as a reading: the recipe of a rounded weight checks other weights in the same way (kRounded).
  std::vector<bool> FindWide() {
    std::vector<bool> wide(graph_->values.size());
    for (const ir::Weight& weight : graph_->weights) {
      if (weight.data->dtype != DType::kFloat32) continue;
      const float largest = LargestBeyond(*Unnoted(*weight.data), dtype_);
      wide[static_cast<size_t>(weight.value)] = largest != 0;
      if (largest == 0) continue;
      const std::string what = weight.name.empty() ? "a constant" : fmt::format("weight `{}`", Printable(weight.name));
      remarks_.push_back(fmt::format("{} has {}, beyond {}: it stays float32", what, largest, ir::Name(dtype_)));
    }
    return wide;
  }

  void Visit(ir::Block* block) {
    values_.Begin(block);
    for (size_t i = 0; i < block->nodes.size(); ++i) {
      values_.GoTo(i);
      Visit(&block->nodes[i]);
    }
    // Outputs of a block are float32, whatever uses them. So are those of the model, except with `as.io`.
    const bool half = block == &graph_->body && wanted_.as.io;
    values_.End(half);
  }

  void Visit(ir::Node* node) {
    for (ir::Block& block : node->blocks) {
      for (const ValueId input : block.inputs) kinds_.NoteData(input);
      Visit(&block);
    }
    const bool half = IsInHalf(*node);
    Count(*node, half);
    kinds_.Note(*node);  // while it still has its original inputs
    if (half) {
      const lowering::OpInfo& info = *catalog_.Find(node->op);
      for (size_t i = 0; i < node->inputs.size(); ++i) {
        if (Takes(info, i)) values_.Use(&node->inputs[i], true);
      }
      for (size_t i = 0; i < node->outputs.size(); ++i) {
        if (Gives(info, i)) values_.MakeHalf(node->outputs[i]);
      }
    } else if (node->op != "Cast") {  // which takes either
      for (ir::Arg& input : node->inputs) values_.Use(&input, false);
    }
  }

  void Count(const ir::Node& node, bool half) {
    const auto is_ours = [this](const ir::Arg& input) {
      return input.value() != nullptr && values_.IsOurs(*input.value());
    };
    if (node.op != "Cast" && std::ranges::any_of(node.inputs, is_ours)) ++(half ? in_half_ : in_float32_);
  }

  bool IsInHalf(const ir::Node& node) {
    if (IsNamed(node) || !node.blocks.empty() || !ReasonForFloat32(node.op).empty()) return false;
    const lowering::OpInfo* info = catalog_.Find(node.op);
    if (info == nullptr || node.op == "Cast" || kinds_.HasWide(node)) return false;
    return FitsSchema(node, *info) && (IsProduct(node) ? kinds_.OriginOf(node) == Origin::kData : MeetsHalfOnly(node));
  }

  // Returns true if all inputs except weights are in 16 bits. A look-up in a weight counts, too: if only rows are read,
  // the whole weight should not be cast. So does a Transpose of a weight, for example of an embedding that is also the
  // last layer's weight: the weight is stored once. A view does not, because it may be of frequencies that are
  // multiplied with positions.
  bool MeetsHalfOnly(const ir::Node& node) const {
    const auto is_weight = [this](ValueId id) { return values_.IsStored(id); };
    if ((node.op == "Gather" || node.op == "Transpose") && is_weight(InputAt(node, 0))) return true;
    bool any = false;
    for (const ir::Arg& input : node.inputs) {
      const ValueId* id = input.value();
      if (id == nullptr || !values_.IsOurs(*id) || is_weight(*id)) continue;
      if (!values_.IsHalf(*id)) return false;
      any = true;
    }
    return any;
  }

  // Returns true if the node has a float32 input that may be 16 bits, and this input alone decides the type of its
  // results.
  bool FitsSchema(const ir::Node& node, const lowering::OpInfo& info) const {
    std::set<int> half;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId id = InputAt(node, i);
      if (id == ValueId::kNone) continue;
      if (graph_->value(id).kind != ir::ValueKind::kTensor) return false;
      if (values_.IsOurs(id) && Takes(info, i)) half.insert(info.input(i)->variable);
    }
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId id = node.outputs[i];
      if (id == ValueId::kNone) continue;
      if (graph_->value(id).kind != ir::ValueKind::kTensor) return false;
      if (graph_->value(id).dtype == DType::kFloat32 && Gives(info, i) && !half.contains(info.output(i)->variable))
        return false;
    }
    return !half.empty();
  }

  bool Allows(const lowering::OpInfo& info, const lowering::FormalParameter* parameter) const {
    return parameter != nullptr && info.VariableOf(*parameter).allowed.Has(dtype_);
  }
  bool Takes(const lowering::OpInfo& info, size_t i) const { return Allows(info, info.input(i)); }
  bool Gives(const lowering::OpInfo& info, size_t i) const { return Allows(info, info.output(i)); }

  // Returns true if the user wants the node in float32.
  bool IsNamed(const ir::Node& node) {
    const std::string_view path = ModulePath(graph_->location(node.location));
    operators_.insert(Printable(std::string_view(node.op)));
    bool named = false;
    for (const std::string& name : wanted_.float32) {
      if (!MatchesGlob(std::string_view(node.op), name) && !MatchesPath(path, name)) continue;
      named = true;
      seen_.insert(name);
    }
    return named;
  }

  void CheckNames() const {
    for (const std::string& name : wanted_.float32) {
      if (seen_.contains(name)) continue;
      throw Error(ErrorKind::kUsage,
                  fmt::format("no operator or module of the model is called `{}` (<<float32>>); the model has {}",
                              Printable(name), fmt::join(operators_, ", ")));
    }
  }

  ir::Graph* graph_;
  const HalfPrecision& wanted_;
  const DType dtype_;  // float16 or bfloat16
  lowering::OpCatalog catalog_;
  std::vector<std::string> remarks_;  // before what fills it
  ValueKinds kinds_;
  TwoPrecisions values_;
  std::set<std::string> seen_;  // of `wanted_.float32`
  std::set<std::string> operators_;
  size_t in_half_ = 0;
  size_t in_float32_ = 0;
};

}  // namespace

void CheckHalfPrecision(const HalfPrecision& wanted, int opset) {
  if (wanted.as.type != HalfType::kBFloat16 || opset >= kBFloat16Opset) return;
  throw Error(ErrorKind::kUsage, fmt::format("<<compute_as>>: bfloat16 needs opset {}, not {}", kBFloat16Opset, opset));
}

std::vector<std::string> ComputeInHalf(ir::Graph* graph, const HalfPrecision& wanted) {
  return HalfMaker(graph, wanted).Run();
}

}  // namespace onnxport::passes
