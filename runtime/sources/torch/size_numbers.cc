#include "runtime/sources/torch/size_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace onnxport::torch_export {

using fit::Observed;
using ir::Arg;
using ir::Instruction;
using ir::ValueId;

void SizeNumbers::Note(ValueId tensor, size_t axis, Observed sizes, Of of) {
  const bool differ = std::ranges::any_of(sizes, [&](int64_t size) { return size != sizes[0]; });
  // A size that no run has otherwise tells nothing, and of two that always agree one is enough.
  if (!differ || std::ranges::find(observed_, sizes) != observed_.end()) return;
  observed_.push_back(std::move(sizes));
  known_.push_back({tensor, static_cast<int64_t>(axis), of});
}

bool SizeNumbers::IsPlain(size_t which) {
  if (known_[which].of == Of::kInput) return true;
  const auto [plain, added] = plain_.emplace(which, false);
  if (added) {
    const auto fitted = fit::Fit(observed_[which], std::span(observed_).first(which));
    plain->second = fitted && fitted->sure;
  }
  return plain->second;
}

std::optional<Arg> SizeNumbers::Int(const Observed& numbers) {
  if (const auto found = computed_.find(numbers); found != computed_.end()) return found->second;
  const std::optional<fit::Fitted> fitted = fit::Fit(numbers, observed_);
  if (!fitted) return std::nullopt;
  const auto told = [&](const fit::Step& step) {
    return step.kind != fit::Step::Kind::kKnown || IsPlain(static_cast<size_t>(step.number));
  };
  sure_ = sure_ && fitted->sure && std::ranges::all_of(fitted->formula, told);
  const Arg result = fit::Fold<Arg>(
      fitted->formula,
      [&](size_t which) -> Arg {
        const Known& size = known_[which];
        return {Compute(Instruction::kSymSize, {{size.tensor}, {size.axis}}, ir::ValueKind::kInt)};
      },
      [](int64_t number) { return Arg{number}; },
      [&](fit::Step::Kind kind, const Arg& a, const Arg& b) -> Arg {
        return {Compute(fit::InstructionOf(kind), {a, b}, ir::ValueKind::kInt)};
      });
  computed_.emplace(numbers, result);
  return result;
}

// n, 1/n, sqrt(n) and 1/sqrt(n) of a number n that is computed of sizes.
std::optional<Arg> SizeNumbers::Floats(const std::vector<double>& values) {
  struct Form {
    double (*make)(double);
    double (*undo)(double);
    std::vector<Instruction> ops;
  };
  static const Form kForms[] = {
      {[](double n) { return n; }, [](double v) { return v; }, {Instruction::kFloat}},
      {[](double n) { return 1 / n; }, [](double v) { return 1 / v; }, {Instruction::kTrueDiv}},
      {[](double n) { return std::sqrt(n); }, [](double v) { return v * v; }, {Instruction::kSqrt}},
      {[](double n) { return 1 / std::sqrt(n); },
       [](double v) { return 1 / (v * v); },
       {Instruction::kSqrt, Instruction::kTrueDiv}},
  };
  // A number of the form must come out bit by bit: 1/sqrt(n) of attention, computed as the program would.
  for (const Form& form : kForms) {
    Observed numbers;
    for (const double value : values) {
      const double number = std::round(form.undo(value));
      if (std::abs(number) > 1e15 || form.make(number) != value) break;
      numbers.push_back(static_cast<int64_t>(number));
    }
    if (numbers.size() != values.size()) continue;
    const std::optional<Arg> number = Int(numbers);
    if (!number) continue;
    Arg result = *number;
    for (const Instruction op : form.ops) {
      const bool divides = op == Instruction::kTrueDiv;
      std::vector<Arg> args = divides ? std::vector<Arg>{{1.0}, result} : std::vector<Arg>{result};
      result = Arg{Compute(op, std::move(args), ir::ValueKind::kFloat)};
    }
    return result;
  }
  return Ratios(values);
}

// A number computed from sizes, divided by a size or a small number.
// For example, 0.5 * n of an n that is odd in some run: n / 2.
std::optional<Arg> SizeNumbers::Ratios(const std::vector<double>& values) {
  constexpr int64_t kLargestDivisor = 64;
  const auto divided_by = [&](const Observed& divisors) -> std::optional<Arg> {
    Observed numbers;
    for (size_t i = 0; i < values.size(); ++i) {
      const double number = std::round(values[i] * static_cast<double>(divisors[i]));
      if (std::abs(number) > 1e15 || number / static_cast<double>(divisors[i]) != values[i]) return std::nullopt;
      numbers.push_back(static_cast<int64_t>(number));
    }
    const std::optional<Arg> above = Int(numbers);
    const std::optional<Arg> below = above ? Int(divisors) : std::nullopt;
    if (!below) return std::nullopt;
    return Arg{Compute(Instruction::kTrueDiv, {*above, *below}, ir::ValueKind::kFloat)};
  };
  for (int64_t divisor = 2; divisor <= kLargestDivisor; ++divisor) {
    if (const auto found = divided_by(Observed(values.size(), divisor))) return found;
  }
  const std::vector<Observed> sizes = observed_;
  for (const Observed& size : sizes) {
    if (const auto found = divided_by(size)) return found;
  }
  return std::nullopt;
}

ValueId SizeNumbers::Compute(Instruction op, std::vector<Arg> args, ir::ValueKind kind) {
  ir::Value type;
  type.name = fmt::format("size_{}", graph_->values.size());
  type.kind = kind;
  type.dtype = kind == ir::ValueKind::kInt ? ir::DType::kInt64 : ir::DType::kFloat64;
  type.dims.emplace();
  ir::Node call;
  call.op = op;
  call.inputs = std::move(args);
  call.outputs = {graph_->AddValue(std::move(type))};
  call.location = location;
  graph_->body.nodes.push_back(call);
  return call.outputs[0];
}

}  // namespace onnxport::torch_export
