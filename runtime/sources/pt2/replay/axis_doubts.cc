#include "runtime/sources/pt2/replay/axis_doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "runtime/aten/aten_schema.h"
#include "runtime/aten/schema_questions.h"
#include "runtime/sources/pt2/replay/axis_numbers.h"
#include "runtime/sources/pt2/replay/forget_sizes.h"
#include "runtime/sources/pt2/replay/unused.h"

namespace onnxport::pt2 {
namespace {

using inputs::FreedAxis;
using ir::ValueId;

constexpr int64_t kSmallConstant = 64;  // number of elements up to which a constant's values are checked

// Collects the numbers in an argument.
void Collect(const ir::Arg& arg, std::vector<double>* numbers) {
  if (const auto* integer = std::get_if<int64_t>(&arg.v)) numbers->push_back(static_cast<double>(*integer));
  if (const auto* real = std::get_if<double>(&arg.v)) numbers->push_back(*real);
  if (const ir::ArgList* list = arg.list()) {
    for (const ir::Arg& element : *list) Collect(element, numbers);
  }
}

std::vector<double> NumbersOf(const ir::Arg& arg) {
  std::vector<double> numbers;
  Collect(arg, &numbers);
  return numbers;
}

template <typename Element>
void AppendElements(const std::string& bytes, std::vector<double>* numbers) {
  for (size_t at = 0; at + sizeof(Element) <= bytes.size(); at += sizeof(Element)) {
    Element element;
    std::memcpy(&element, bytes.data() + at, sizeof element);
    numbers->push_back(static_cast<double>(element));
  }
}

// The numbers of a constant of the program's code.
std::vector<double> NumbersOf(const ir::TensorData& constant) {
  int64_t count = 1;
  for (const int64_t size : constant.shape) count *= size;
  std::vector<double> numbers(constant.shape.begin(), constant.shape.end());
  if (count > kSmallConstant || constant.bytes == nullptr || constant.bytes->absent()) return numbers;
  const std::string bytes = ir::BytesOf(*constant.bytes);
  if (constant.dtype == ir::DType::kInt64) AppendElements<int64_t>(bytes, &numbers);
  if (constant.dtype == ir::DType::kInt32) AppendElements<int32_t>(bytes, &numbers);
  if (constant.dtype == ir::DType::kFloat32) AppendElements<float>(bytes, &numbers);
  if (constant.dtype == ir::DType::kFloat64) AppendElements<double>(bytes, &numbers);
  return numbers;
}

class Doubts {
 public:
  Doubts(const ir::Graph& program, const std::vector<FreedAxis>& axes, const DimsOfValues& dims,
         const std::function<bool(const ir::Graph&)>& works)
      : program_(program),
        axes_(axes),
        dims_(dims),
        works_(works),
        unused_(UnusedCalls(CallsOf(program.body), program.outputs, program.values.size())) {
    for (const FreedAxis& axis : axes) sizes_.emplace(axis.symbol, ir::Dim(axis.size));
  }

  std::vector<record::Failure> Find() {
    for (const ir::Port& input : program_.inputs) Learn(*input.value.value());
    Look(program_.body);
    LookAtConstants();
    LookAtOutputs();
    return std::move(found_);
  }

 private:
  bool Depends(const ir::Dim& dim) const {
    return std::ranges::any_of(dim.symbols(), [&](const std::string& symbol) { return sizes_.contains(symbol); });
  }

  // The program may compute with the sizes of this tensor from now on.
  void Learn(ValueId id) {
    const auto& dims = Inferred(id);
    const auto& stated = Stated(id);
    const auto& kept = program_.value(id).dims;
    if (!stated) return;
    std::vector<int64_t> numbers;
    std::vector<bool> depends;
    for (size_t i = 0; i < stated->size(); ++i) {
      const bool known = dims && i < dims->size() && !(*dims)[i].is_unknown();
      const ir::Dim was = known ? (*dims)[i].Substitute(sizes_) : (*stated)[i];
      numbers.push_back(was.is_number() ? was.number() : -1);
      const bool forgotten = kept && i < kept->size() && (*kept)[i].is_unknown();
      depends.push_back(known ? Depends((*dims)[i]) : forgotten);
    }
    numbers_.Add(numbers, depends);
  }

  void Look(const ir::Block& block) {
    for (const ir::Node& call : block.nodes) {
      if (unused_.contains(&call)) continue;
      for (const ir::Block& inner : call.blocks) Look(inner);
      LookAtArguments(call);
      LookAtResults(call);
      for (const ValueId id : call.outputs) {
        if (id != ValueId::kNone) Learn(id);
      }
    }
  }

  void LookAtArguments(const ir::Node& call) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
    const std::set<int64_t> changes = Changes(call);
    for (size_t i = 0; i < call.inputs.size(); ++i) {
      const ir::AtenArgument* argument = schema == nullptr ? nullptr : &schema->arguments[i];
      const std::vector<double> numbers = NumbersOf(call.inputs[i]);
      if (numbers.empty() || (argument != nullptr && !ir::CanBeSize(*argument))) continue;
      if (argument != nullptr && argument->default_value && NumbersOf(*argument->default_value) == numbers) continue;
      for (const double number : numbers) {
        const bool change = changes.contains(static_cast<int64_t>(number));
        if (!numbers_.IsLike(number, change) && !(change && Grows(call))) continue;
        if (IsForced(call, i, number)) continue;
        Doubt(call, fmt::format("its {}{}", number, argument == nullptr ? "" : fmt::format(" (`{}`)", argument->name)));
        return;
      }
    }
  }

  const std::optional<ir::Dims>& Inferred(ValueId id) const { return dims_.inferred[static_cast<size_t>(id)]; }
  const std::optional<ir::Dims>& Stated(ValueId id) const { return dims_.stated[static_cast<size_t>(id)]; }

  // Calls `take` with each free axis of a call's operand that has another size in the first result: x[:, :2], a pad.
  // Axes are counted from the last one. A size that is not inferred is the one in the file.
  template <typename Take>
  void ForChanged(const ir::Node& call, const Take& take) const {
    if (call.outputs.empty() || call.outputs[0] == ValueId::kNone) return;
    const auto& to = Inferred(call.outputs[0]);
    const auto& stated = Stated(call.outputs[0]);
    if (!to || !stated) return;
    for (const ir::Arg& arg : call.inputs) {
      const ValueId* operand = arg.value();
      if (operand == nullptr || *operand == ValueId::kNone || !Inferred(*operand)) continue;
      const ir::Dims& from = *Inferred(*operand);
      for (size_t i = 1; i <= std::min({from.size(), to->size(), stated->size()}); ++i) {
        const ir::Dim& was = from[from.size() - i];
        const ir::Dim& inferred = (*to)[to->size() - i];
        const ir::Dim& is = inferred.is_unknown() ? (*stated)[stated->size() - i] : inferred;
        if (Depends(was) && !(was == is)) take(was, is);
      }
    }
  }

  // The sizes of such axes in the exported program, and by how much they grew.
  std::set<int64_t> Changes(const ir::Node& call) const {
    std::set<int64_t> changes;
    ForChanged(call, [&](const ir::Dim& was, const ir::Dim& is) {
      const ir::Dim size = is.Substitute(sizes_);
      if (size.is_number()) changes.insert(size.number());
      if ((is - was).is_number()) changes.insert((is - was).number());
    });
    return changes;
  }

  // Returns true for a call that pads to a multiple of something, or may do so.
  bool Grows(const ir::Node& call) const {
    bool grows = false;
    ForChanged(call, [&](const ir::Dim& was, const ir::Dim& is) {
      grows = grows || ((is - was).is_number() && (is - was).number() > 0);
    });
    return grows;
  }

  // Returns true if later calls need this number as a size of a tensor made only from numbers, so that no other number
  // works.
  bool IsForced(const ir::Node& call, size_t argument, double number) const {
    const auto takes = [](const ir::Arg& arg) { return arg.value() != nullptr; };
    const size_t index = static_cast<size_t>(&call - program_.body.nodes.data());
    if (!works_ || std::ranges::any_of(call.inputs, takes) || index >= program_.body.nodes.size()) return false;
    const auto wanted = static_cast<int64_t>(number);
    return !WorksWith(index, argument, wanted, wanted + 1) && !WorksWith(index, argument, wanted, 2 * wanted);
  }

  bool WorksWith(size_t index, size_t argument, int64_t number, int64_t other) const {
    ir::Graph tried = program_;
    ir::Node& call = tried.body.nodes[index];
    Replace(number, other, &call.inputs[argument]);
    std::set<std::string> symbols;
    for (const auto& [symbol, size] : sizes_) symbols.insert(symbol);
    ForgetSizes(call.outputs, symbols, &tried);
    return works_(tried);
  }

  static void Replace(int64_t number, int64_t other, ir::Arg* arg) {
    if (auto* integer = std::get_if<int64_t>(&arg->v); integer != nullptr && *integer == number) *integer = other;
    if (auto* list = std::get_if<ir::ArgList>(&arg->v)) {
      for (ir::Arg& element : *list) Replace(number, other, &element);
    }
  }

  void LookAtResults(const ir::Node& call) {
    for (const ValueId id : call.outputs) {
      if (id != ValueId::kNone && !AgreesWithFile(id)) {
        return Doubt(call, "what it gives, another size than the file states where the axis is as long as there,");
      }
    }
    const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
    const bool list = schema != nullptr && !schema->results.empty() && schema->results[0].type.list;
    if (list && !std::ranges::all_of(call.inputs, [&](const ir::Arg& arg) { return IsKept(arg, call.outputs); })) {
      Doubt(call, "how many tensors it gives");
    }
  }

  bool AgreesWithFile(ValueId id) const {
    const auto& now = Inferred(id);
    const auto& stated = Stated(id);
    if (!now || !stated || now->size() != stated->size()) return true;
    for (size_t i = 0; i < now->size(); ++i) {
      const ir::Dim was = (*now)[i].Substitute(sizes_);
      if (was.is_number() && (*stated)[i].is_number() && was.number() != (*stated)[i].number()) return false;
    }
    return true;
  }

  // Returns true if the free axes of a divided tensor are in each of its pieces.
  bool IsKept(const ir::Arg& arg, std::span<const ValueId> pieces) const {
    const ValueId* id = arg.value();
    if (id == nullptr || !Inferred(*id)) return true;
    return std::ranges::all_of(*Inferred(*id), [&](const ir::Dim& dim) {
      return !Depends(dim) || std::ranges::all_of(pieces, [&](ValueId piece) {
        return piece == ValueId::kNone ||
               (Inferred(piece) && std::ranges::find(*Inferred(piece), dim) != Inferred(piece)->end());
      });
    });
  }

  void LookAtConstants() {
    for (const ir::Weight& weight : program_.weights) {
      if (!weight.constant) continue;
      for (const double number : NumbersOf(*weight.data)) {
        if (!numbers_.IsLike(number, false)) continue;
        Doubt({}, fmt::format("{} in the constant '{}'", number, weight.name));
        break;
      }
    }
  }

  void LookAtOutputs() {
    for (const ir::Port& output : program_.outputs) {
      for (const double number : NumbersOf(output.value)) {
        if (numbers_.IsLike(number, false)) Doubt({}, fmt::format("output '{}', {},", output.name, number));
      }
    }
  }

  void Doubt(const ir::Node& call, const std::string& what) {
    const FreedAxis& axis = axes_.front();
    const std::string which =
        axes_.size() == 1 ? fmt::format("{} of {}", axis.size, axis.where) : std::string("sizes of these axes");
    found_.push_back({call.location, call.op, fmt::format("{} may come from the {}", what, which)});
  }

  const ir::Graph& program_;
  const std::vector<FreedAxis>& axes_;
  const DimsOfValues& dims_;
  const std::function<bool(const ir::Graph&)>& works_;
  std::unordered_set<const ir::Node*> unused_;
  std::map<std::string, ir::Dim> sizes_;  // of the axes, as in the file
  AxisNumbers numbers_;
  std::vector<record::Failure> found_;
};

}  // namespace

std::vector<record::Failure> AxisDoubts(const ir::Graph& program, const std::vector<FreedAxis>& axes,
                                        const DimsOfValues& dims, const std::function<bool(const ir::Graph&)>& works) {
  return Doubts(program, axes, dims, works).Find();
}

}  // namespace onnxport::pt2
