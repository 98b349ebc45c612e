#include "runtime/sources/torchscript/interpret/traced_numbers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace {

using fit::Formula;
using fit::Observed;
using ir::Arg;
using ir::Dim;

constexpr size_t kMostShown = 4;  // candidates in a message
// Sizes at which two expressions are compared, in another order for each axis.
constexpr std::array<int64_t, 16> kTrials = {2, 3, 5, 8, 12, 17, 31, 64, 97, 130, 255, 384, 511, 1000, 1337, 4096};

// The size of a slice depends on its bounds, but is limited by the tensor. A trace below the limit does not show it.
bool IsBounded(const Dim& size) {
  const std::string text = size.ToString();
  return text.find("Min(") != std::string::npos || text.find("Max(") != std::string::npos;
}

Dim Apply(fit::Step::Kind kind, const Dim& a, const Dim& b) {
  using Kind = fit::Step::Kind;
  if (kind == Kind::kAdd) return a + b;
  if (kind == Kind::kSub) return a - b;
  if (kind == Kind::kMul) return a * b;
  return kind == Kind::kFloorDiv ? Dim::FloorDiv(a, b) : Dim::Mod(a, b);
}

}  // namespace

Value NumberMaker::Make(const Expr& literal) {
  const DifferentNumber& number = traced_->numbers.at(&literal);
  // More sizes become known while the program is walked: a tensor made since the last number may have the wanted size.
  LookAtSizes();
  // The same numbers occur in each layer of a model. With more known sizes there may be other candidates.
  const auto [found, is_new] = candidates_.try_emplace({number.seen, known_.size()});
  if (is_new) found->second = fit::Candidates(number.seen, observed_);
  const std::vector<Formula>& candidates = found->second;
  std::vector<Dim> sizes;  // different sizes
  for (const Formula& candidate : candidates) {
    Dim size = SizeOf(candidate);
    // Several formulas are often the same size, such as `n*2` and `n+n`. Only if they differ somewhere is the choice
    // unclear.
    if (std::ranges::none_of(sizes, [&](const Dim& other) { return Equal(other, size); }))
      sizes.push_back(std::move(size));
  }
  if (sizes.empty()) {
    return Fail(number,
                "no simple expression of the sizes gives that; with another trace (<<other_traces>>) more "
                "are tried, and a script or an axis that is a number needs none");
  }
  if (sizes.size() > 1) {
    std::vector<std::string> texts;
    for (size_t i = 0; i < std::min(sizes.size(), kMostShown); ++i) texts.push_back(sizes[i].ToString());
    return Fail(
        number,
        fmt::format("that may be {}: another trace (<<other_traces>>), with sizes that are no multiples of each "
                    "other, tells which",
                    fmt::join(texts, " or ")));
  }
  const Arg made = fit::Fold<Arg>(
      candidates.front(), [&](size_t which) { return Find(known_[which]); }, [](int64_t n) { return Arg{n}; },
      [&](fit::Step::Kind kind, const Arg& a, const Arg& b) {
        return a.is_none() || b.is_none() ? Arg() : tracer_.Call(fit::InstructionOf(kind), {a, b})[0];
      });
  // The formula is known, but no tensor exists from which its sizes can be read.
  if (made.is_none())
    return Fail(number, fmt::format("no tensor is left that has the size of {}", sizes[0].ToString()));
  tracer_.findings().Remark(
      fmt::format("numbers that were {} in the traces are {}", fmt::join(number.seen, ", "), sizes[0].ToString()));
  return LeafValue(made, tracer_);
}

Value NumberMaker::Fail(const DifferentNumber& number, const std::string& why) {
  const std::string reason =
      fmt::format("an argument of {} is {}: {}", number.op.empty() ? "the code" : number.op, Seen(number.seen), why);
  return {Number{tracer_.Fail("", {onnxport::Code::kTracesDiffer, reason})}};
}

std::string NumberMaker::Seen(const Observed& numbers) const {
  std::vector<std::string> seen;
  for (size_t i = 0; i < numbers.size(); ++i) {
    seen.push_back(fmt::format("{} in {} ({})", numbers[i], traced_->files[i], fit::SizesText(traced_->sizes[i])));
  }
  return fmt::format("{}", fmt::join(seen, ", "));
}

// ---- known sizes

void NumberMaker::LookAtSizes() {
  const ir::Graph& graph = tracer_.source();
  for (; inputs_seen_ < graph.body.inputs.size(); ++inputs_seen_) LookAtSizes(graph.body.inputs[inputs_seen_]);
  // A value made inside a branch or loop cannot be used after it, so only calls outside are searched.
  for (; calls_seen_ < graph.body.nodes.size(); ++calls_seen_) {
    for (const ir::ValueId id : graph.body.nodes[calls_seen_].outputs) {
      if (id != ir::ValueId::kNone) LookAtSizes(id);
    }
  }
}

void NumberMaker::LookAtSizes(ir::ValueId tensor) {
  const ir::Value& value = tracer_.source().value(tensor);
  if (value.kind != ir::ValueKind::kTensor || !value.dims) return;
  for (const Dim& size : *value.dims) {
    if (!size.is_symbolic() || !texts_.insert(size.ToString()).second) continue;
    std::optional<Observed> observed = ObservedOf(size);
    if (!observed || (IsBounded(size) && std::ranges::find(observed_, *observed) != observed_.end())) continue;
    known_.push_back(size);
    observed_.push_back(*std::move(observed));
  }
}

// Nothing for a size that depends on more than the named axes, or is equal in all traces.
std::optional<Observed> NumberMaker::ObservedOf(const Dim& size) const {
  Observed observed;
  for (const AxisSizes& sizes : traced_->sizes) {
    const Dim number = size.Substitute(std::map<std::string, Dim>(sizes.begin(), sizes.end()));
    if (!number.is_number()) return std::nullopt;
    observed.push_back(number.number());
  }
  const bool differ = std::ranges::any_of(observed, [&](int64_t number) { return number != observed[0]; });
  return differ ? std::optional(std::move(observed)) : std::nullopt;
}

Dim NumberMaker::SizeOf(const Formula& formula) const {
  return fit::Fold<Dim>(
      formula, [&](size_t which) { return known_[which]; }, [](int64_t number) { return Dim(number); }, Apply);
}

// Compares them at all trial sizes.
bool NumberMaker::Equal(const Dim& a, const Dim& b) const {
  if (a == b) return true;
  for (size_t trial = 0; trial < kTrials.size(); ++trial) {
    std::map<std::string, Dim> sizes;
    size_t axis = 0;
    for (const auto& [name, size] : traced_->sizes[0])
      sizes.emplace(name, kTrials[(trial * (2 * axis + 1) + 5 * axis) % kTrials.size()]), ++axis;
    if (a.Substitute(sizes) != b.Substitute(sizes)) return false;
  }
  return true;
}

Arg NumberMaker::Find(const Dim& size) {
  const ir::Graph& graph = tracer_.source();
  const auto in = [&](ir::ValueId id) -> Arg {
    if (id == ir::ValueId::kNone || graph.value(id).kind != ir::ValueKind::kTensor || tracer_.IsFailed(id)) return {};
    const auto& dims = tracer_.TypeOf(id).dims;  // of the object as it is now
    for (size_t axis = 0; dims && axis < dims->size(); ++axis) {
      if ((*dims)[axis] == size)
        return tracer_.Call(ir::Instruction::kSymSize, {{id}, {static_cast<int64_t>(axis)}})[0];
    }
    return {};
  };
  for (const ir::ValueId id : graph.body.inputs) {
    if (Arg found = in(id); !found.is_none()) return found;
  }
  for (size_t call = 0; call < calls_seen_; ++call) {
    for (const ir::ValueId id : graph.body.nodes[call].outputs) {
      if (Arg found = in(id); !found.is_none()) return found;
    }
  }
  return {};
}

}  // namespace onnxport::torchscript
