#include "runtime/trace/unrolled.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "runtime/aten/op_traits.h"

namespace onnxport::trace {
namespace {

constexpr int64_t kEndOfAxis = std::numeric_limits<int64_t>::max();

// The elements [first, end) of the axis that a call reads, by constants. Negative ones count from the end.
struct ConstantRead {
  size_t axis;
  int64_t first;
  int64_t end;
};

class PartReader {
 public:
  PartReader(const std::vector<ir::Arg>& args, const ir::Dims& dims, const UnrolledLoops::NumberOf& number_of)
      : args_(args), dims_(dims), number_of_(number_of) {}

  std::optional<ConstantRead> ReadOf(const op_traits::OpTraits& traits) const {
    using op_traits::Alias;
    const bool element = traits.alias == Alias::kElement;
    if ((!element && traits.alias != Alias::kRange) || traits.write_back == nullptr) return std::nullopt;
    const auto axis = AxisOf(traits.axes[0]);
    if (!axis) return std::nullopt;
    // Both calls that write such a part back have its begin at this place, and its end after it.
    constexpr int8_t kFirst = 3;
    const auto first = PositionAt(*traits.write_back, kFirst, *axis, 0);
    if (!first || *first == kEndOfAxis || *first == std::numeric_limits<int64_t>::min()) return std::nullopt;
    const auto end = element ? *first + 1 : PositionAt(*traits.write_back, kFirst + 1, *axis, kEndOfAxis).value_or(0);
    return ConstantRead{*axis, *first, end};
  }

 private:
  const ir::Arg* ArgAt(int8_t position) const {
    return position >= 0 && static_cast<size_t>(position) < args_.size() ? &args_[static_cast<size_t>(position)]
                                                                         : nullptr;
  }

  std::optional<size_t> AxisOf(int8_t position) const {
    const ir::Arg* arg = ArgAt(position);
    const ir::Dim axis = arg ? number_of_(*arg) : ir::Dim();
    const auto rank = static_cast<int64_t>(dims_.size());
    if (!axis.is_number() || axis.number() < -rank || axis.number() >= rank) return std::nullopt;
    return static_cast<size_t>(axis.number() < 0 ? axis.number() + rank : axis.number());
  }

  // A constant, or the size and a constant: `n - 2` is -2 for an axis of size n, and `n` is its end.
  std::optional<int64_t> ConstantOf(const ir::Arg& arg, size_t axis, int64_t missing) const {
    if (arg.is_none()) return missing;
    const ir::Dim number = number_of_(arg);
    if (number.is_number()) return number.number();
    const ir::Dim from_end = number.is_symbolic() ? number - dims_[axis] : ir::Dim();
    if (!from_end.is_number() || from_end.number() > 0) return std::nullopt;
    return from_end.number() == 0 ? kEndOfAxis : from_end.number();
  }

  // Where the part begins or ends, as the call has it that would write the part back.
  std::optional<int64_t> PositionAt(const op_traits::Call& call, int8_t position, size_t axis, int64_t missing) const {
    using Kind = op_traits::Operand::Kind;
    const auto operand = std::ranges::find(call.operands, position, &op_traits::Operand::position);
    if (operand == call.operands.end() || (operand->kind != Kind::kArgument && operand->kind != Kind::kEnd))
      return std::nullopt;
    const ir::Arg* begin = ArgAt(operand->a);
    const auto number = begin ? ConstantOf(*begin, axis, missing) : std::nullopt;
    if (!number || operand->kind == Kind::kArgument) return number;
    const ir::Arg* length = ArgAt(operand->b);
    const ir::Dim count = length ? number_of_(*length) : ir::Dim();
    int64_t end = 0;
    if (*number < 0 || !count.is_number() || __builtin_add_overflow(*number, count.number(), &end)) return std::nullopt;
    return end;
  }

  const std::vector<ir::Arg>& args_;
  const ir::Dims& dims_;
  const UnrolledLoops::NumberOf& number_of_;
};

// A size at which a read is the last step of a loop over the axis, and the element that it reads then.
struct LastStep {
  int64_t size;
  int64_t element;
};

// A loop goes up to the last element, or counts down from the end to the first one. A loop of one step is no loop.
std::array<LastStep, 2> LastSteps(const ConstantRead& read) {
  const int64_t down = read.first < 0 ? -read.first : 0;
  const int64_t up = read.end != kEndOfAxis ? read.end : read.first + 1;
  return {LastStep{down, read.first}, LastStep{up, up - 1}};
}

std::string TextOf(const ir::Dims& dims) {
  std::string text;
  for (const ir::Dim& dim : dims) text += (text.empty() ? "" : ", ") + dim.ToString();
  return text;
}

std::string WhyAtSize(const LastStep& step, size_t axis, const ir::Dims& dims) {
  const char* read = step.element < 0 ? "is read by its number, and it was the first one when the model was traced"
                                      : "is read by its number, and it was the last one when the model was traced";
  return fmt::format(
      "element {} of axis {} of [{}] {}: a loop over `{}` is unrolled in a trace; give the size itself instead of a "
      "name, script the loop, or trace with another size if there is no loop",
      step.element, axis, TextOf(dims), read, dims[axis].ToString());
}

// The same text for each step of a loop, as one message is enough.
std::string WhyWithoutSize(const std::vector<std::string>& unknown, size_t axis, const ir::Dims& dims) {
  return fmt::format(
      "elements of axis {} of [{}] are read by their numbers: a loop over `{}` is unrolled in a trace, and the file "
      "has no recorded inputs that tell if this is one; give the size instead of a name, or say which size it was "
      "traced with (<<traced_sizes>>): {}=8",
      axis, TextOf(dims), dims[axis].ToString(), fmt::join(unknown, "=8,"));
}

}  // namespace

void UnrolledLoops::NoteSize(const std::string& symbol, std::optional<int64_t> size) {
  if (size) {
    known_.emplace(symbol, ir::Dim(*size));
    unknown_.erase(symbol);
  } else if (!known_.contains(symbol)) {
    unknown_.insert(symbol);
  }
}

std::optional<std::string> UnrolledLoops::Why(const ir::Operator& op, const std::vector<ir::Arg>& args,
                                              const ir::Dims& dims, const NumberOf& number_of) const {
  const auto read = PartReader(args, dims, number_of).ReadOf(op_traits::TraitsOf(op));
  if (!read || !dims[read->axis].is_symbolic()) return std::nullopt;
  const ir::Dim size = dims[read->axis].Substitute(known_);
  std::vector<std::string> unknown = size.is_number() ? std::vector<std::string>() : size.symbols();
  std::erase_if(unknown, [this](const std::string& symbol) { return !unknown_.contains(symbol); });
  for (const LastStep& step : LastSteps(*read)) {
    if (step.size < 2) continue;
    if (size == ir::Dim(step.size)) return WhyAtSize(step, read->axis, dims);
    if (!unknown.empty()) return WhyWithoutSize(unknown, read->axis, dims);
  }
  return std::nullopt;
}

}  // namespace onnxport::trace
