#include "tests/conformance/eager_quantized.h"

#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/_empty_per_channel_affine_quantized.h>
#include <ATen/ops/dequantize.h>
#include <ATen/ops/int_repr.h>
#include <ATen/ops/quantize_per_channel.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <c10/core/TensorOptions.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "tests/conformance/program.h"

namespace onnxport::conformance {
namespace {

using c10::IValue;

c10::OperatorHandle FindOperator(const std::string& name) {
  auto& dispatcher = c10::Dispatcher::singleton();
  for (const char* overload : {"new", ""}) {
    if (const auto handle = dispatcher.findSchema({name, overload})) return *handle;
  }
  throw std::runtime_error("PyTorch has no operator " + name);
}

class QuantizedCall {
 public:
  QuantizedCall(std::string name, const FindArgument& find) : name_(std::move(name)), find_(find) {}

  std::vector<IValue> Run() {
    if (const auto dtype = Number("dtype")) {
      dtype_ = static_cast<at::ScalarType>(*dtype) == at::kByte ? at::kQUInt8 : at::kQInt8;
      zero_point_ = dtype_ == at::kQUInt8 ? 64 : 4;
    }
    if (const auto zero_point = Number("input_zero_point")) {
      zero_point_ = *zero_point;
      scale_ = find_("input_scale", c10::FloatType::get())->toDouble();
    }
    if (name_.starts_with("int_repr")) return {Integers()};
    if (name_.ends_with("_layer")) return Layer();
    if (name_ == "dequantize_4bit") return {at::dequantize(Table("self", "scale", "zero_point", true))};
    const auto handle = FindOperator("quantized::" + name_);
    std::vector<IValue> stack;
    for (const c10::Argument& argument : handle.schema().arguments()) stack.push_back(Make(argument));
    handle.callBoxed(&stack);
    return stack;
  }

 private:
  std::optional<int64_t> Number(const std::string& name) const {
    const auto value = find_(name, c10::IntType::get());
    return value ? std::optional(value->toInt()) : std::nullopt;
  }

  IValue Make(const c10::Argument& argument) const {
    const std::string type = argument.type()->str();
    // For cells: both weights with their biases in them, and the biases once more.
    if (name_.starts_with("quantized_") && argument.name().ends_with("_ih"))
      return type == "Tensor" ? Given("w_ih_bias") : PackLinear("w_ih_weight", "w_ih_bias");
    if (name_.starts_with("quantized_") && argument.name().ends_with("_hh"))
      return type == "Tensor" ? Given("w_hh_bias") : PackLinear("w_hh_weight", "w_hh_bias");
    if (type.find("EmbeddingPackedParamsBase") != std::string::npos) return PackTable();
    if (type.find("PackedParamsBase") != std::string::npos) return Packed();
    auto value = find_(argument.name(), argument.type());
    if (!value) {
      if (argument.default_value()) return *argument.default_value();
      throw std::runtime_error("nothing to give for " + argument.name());
    }
    return IsQuantized(argument.name()) ? Quantize(*value) : *value;
  }

  bool IsQuantized(std::string_view argument) const {
    if (name_ == "prelu" && argument == "weight") return true;
    static constexpr std::array<std::string_view, 7> names = {"qx", "qa", "qb", "qaccum", "X", "self", "input"};
    return dtype_ != at::kFloat && std::find(names.begin(), names.end(), argument) != names.end();
  }

  IValue Quantize(const IValue& value) const {
    if (value.isTensor()) return at::quantize_per_tensor(value.toTensor(), scale_, zero_point_, dtype_);
    c10::List<at::Tensor> list;
    for (const at::Tensor& tensor : value.toTensorVector()) {
      list.push_back(at::quantize_per_tensor(tensor, scale_, zero_point_, dtype_));
    }
    return list;
  }

  // The result of `quantized::..._prepack` for the parameters.
  IValue Packed() const {
    const auto handle = FindOperator(PrepackName());
    std::vector<IValue> stack;
    for (const c10::Argument& argument : handle.schema().arguments()) {
      std::string name = argument.name();
      if (name == "W" || name == "B") name = name == "W" ? "weight" : "bias";
      const auto value = find_(name, argument.type());
      if (!value) throw std::runtime_error("nothing to pack for " + name);
      stack.push_back(name == "weight" && !name_.ends_with("fp16")
                          ? at::quantize_per_tensor(value->toTensor(), kGridStep, 0, at::kQInt8)
                          : *value);
    }
    handle.callBoxed(&stack);
    return stack.at(0);
  }

  IValue Given(const std::string& name) const {
    const auto value = find_(name, c10::TensorType::get());
    if (!value) throw std::runtime_error("nothing to give for " + name);
    return *value;
  }

  static IValue CallOne(const c10::OperatorHandle& handle, std::vector<IValue> stack) {
    handle.callBoxed(&stack);
    return stack.at(0);
  }

  IValue PackLinear(const std::string& weight, const std::string& bias) const {
    const at::Tensor quantized = at::quantize_per_tensor(Given(weight).toTensor(), kGridStep, 0, at::kQInt8);
    return CallOne(FindOperator("quantized::linear_prepack"), {quantized, Given(bias)});
  }

  // One direction of one layer, of all steps.
  std::vector<IValue> Layer() const {
    const auto flag = [&](const std::string& name) { return find_(name, c10::BoolType::get())->toBool(); };
    const auto state = [&](const std::string& name) { return Given(name).toTensor().unsqueeze(0); };
    const bool is_lstm = name_ == "lstm_layer";
    const IValue cell = CallOne(
        FindOperator("quantized::make_quantized_cell_params_dynamic"),
        {PackLinear("w_ih", "b_ih"), PackLinear("w_hh", "b_hh"), Given("b_ih"), Given("b_hh"), flag("reduce_range")});
    c10::impl::GenericList cells(cell.type());
    cells.push_back(cell);
    const auto in_order = [&](const at::Tensor& x) { return flag("reverse") ? x.flip({0}) : x; };
    std::vector<IValue> stack = {
        in_order(Given("input").toTensor()), state("hx"), cells, true, 1, 0.0, false, false, false};
    if (is_lstm) {
      stack[1] = std::vector<at::Tensor>{state("hx"), state("cx")};
      stack.insert(stack.end(), {IValue(), IValue(true)});
    }
    const std::string op = is_lstm ? "aten::quantized_lstm" : "aten::quantized_gru";
    c10::Dispatcher::singleton().findSchemaOrThrow(op.c_str(), "input").callBoxed(&stack);
    std::vector<IValue> results = {in_order(stack.at(0).toTensor())};
    for (size_t i = 1; i < stack.size(); ++i) results.emplace_back(stack[i].toTensor().squeeze(0));
    return results;
  }

  // Rows with a scale and zero point each, which are floats; four bits of an element stand in a byte of two.
  at::Tensor Table(const char* integers, const char* scale, const char* zero_point, bool small) const {
    const at::Tensor bytes = Given(integers).toTensor().contiguous();
    const at::Tensor scales = Given(scale).toTensor();
    const at::Tensor zero_points = Given(zero_point).toTensor();
    const at::Tensor table =
        at::_empty_per_channel_affine_quantized({bytes.size(0), bytes.size(1) * (small ? 2 : 1)}, scales, zero_points,
                                                0, at::dtype(small ? at::kQUInt4x2 : at::kQUInt8));
    std::memcpy(table.data_ptr(), bytes.data_ptr(), bytes.nbytes());
    return table;
  }

  IValue PackTable() const {
    return CallOne(FindOperator("quantized::embedding_bag_prepack"),
                   {Table("weight_integers", "weight_scale", "weight_zero_point", name_.ends_with("4bit"))});
  }

  std::string PrepackName() const {
    const std::string base = name_.substr(0, name_.find(name_.starts_with("conv_t") ? "d" : "_"));
    if (name_.starts_with("conv_t")) return "quantized::" + base + "d_prepack";
    return "quantized::" + base + (name_.ends_with("fp16") ? "_prepack_fp16" : "_prepack");
  }

  IValue Integers() const {
    const at::Tensor self = find_("self", c10::TensorType::get())->toTensor();
    if (name_ == "int_repr") {
      const double scale = find_("scale", c10::FloatType::get())->toDouble();
      return at::int_repr(at::quantize_per_tensor(self, scale, *Number("zero_point"), dtype_));
    }
    const at::Tensor scale = find_("scale", c10::TensorType::get())->toTensor();
    const at::Tensor zero_point = find_("zero_point", c10::TensorType::get())->toTensor();
    return at::int_repr(at::quantize_per_channel(self, scale, zero_point, *Number("axis"), dtype_));
  }

  std::string name_;
  const FindArgument& find_;
  at::ScalarType dtype_ = at::kFloat;  // kFloat: the operator takes float tensors
  double scale_ = kGridStep;
  int64_t zero_point_ = 0;
};

}  // namespace

std::vector<IValue> RunQuantized(const std::string& name, const FindArgument& find) {
  // oneDNN's transposed convolutions give other numbers than the float ones of the same weights.
  const bool transposed = name.starts_with("conv_transpose") && !name.starts_with("conv_transpose3d");
  at::globalContext().setQEngine(transposed ? at::QEngine::QNNPACK : at::QEngine::ONEDNN);
  return QuantizedCall(name, find).Run();
}

}  // namespace onnxport::conformance
