#include "runtime/model/passes/packed/expression_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <memory>
#include <set>
#include <utility>
#include <variant>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/ir/half.h"
#include "runtime/model/passes/graph/tensor_size.h"
#include "runtime/model/passes/weights/recipe.h"
#include "runtime/onnx/evaluate_elements.h"
#include "runtime/onnx/known_tensor.h"

namespace onnxport::passes {
namespace {

using ir::DType;

// The intermediate results of a run fit the processor's second-level cache.
constexpr int64_t kMostInRun = 1024;
constexpr int64_t kMostToReadAll = int64_t{1} << 22;

template <typename T>
struct PlainElement {
  using Stored = T;
  static bool Read(T element, int64_t* to) {
    *to = element;
    return true;
  }
};

// A negative zero is no integer: as an integer it would lose its sign.
template <typename T, typename Number, Number (*kWiden)(T)>
struct FloatElement {
  using Stored = T;
  static bool Read(T element, int64_t* to) {
    const Number number = kWiden(element);
    if (!(std::abs(number) < Number{1LL << 53}) || number != std::trunc(number)) return false;
    if (number == 0 && std::signbit(number)) return false;
    *to = static_cast<int64_t>(number);
    return true;
  }
};
template <typename T>
T Same(T number) {
  return number;
}

// Calls `visit` with the elements of a type that can be integers; false for any other.
template <typename Visit>
bool AsElements(DType dtype, const Visit& visit) {
  switch (dtype) {
    case DType::kBool:
    case DType::kUInt8:
      return visit(PlainElement<uint8_t>());
    case DType::kInt8:
      return visit(PlainElement<int8_t>());
    case DType::kInt16:
      return visit(PlainElement<int16_t>());
    case DType::kUInt16:
      return visit(PlainElement<uint16_t>());
    case DType::kInt32:
      return visit(PlainElement<int32_t>());
    case DType::kUInt32:
      return visit(PlainElement<uint32_t>());
    case DType::kInt64:
      return visit(PlainElement<int64_t>());
    case DType::kFloat16:
      return visit(FloatElement<uint16_t, double, ir::Float16Value>());
    case DType::kBFloat16:
      return visit(FloatElement<uint16_t, float, ir::BFloat16Value>());
    case DType::kFloat32:
      return visit(FloatElement<float, float, Same<float>>());
    case DType::kFloat64:
      return visit(FloatElement<double, double, Same<double>>());
    default:
      return false;
  }
}

// All integers up to this size are numbers of the type, so their sums are exact.
int64_t MostExact(DType dtype) {
  switch (dtype) {
    case DType::kBFloat16:
      return int64_t{1} << 8;
    case DType::kFloat16:
      return int64_t{1} << 11;
    case DType::kFloat32:
      return int64_t{1} << 24;
    case DType::kFloat64:
      return int64_t{1} << 53;
    default:
      return 0;
  }
}

bool AreExact(std::span<const int64_t> elements, DType dtype) {
  const int64_t most = MostExact(dtype);
  return std::ranges::all_of(elements, [most](int64_t element) { return element >= -most && element <= most; });
}

bool Fit(std::span<const int64_t> elements, DType dtype) {
  return std::ranges::all_of(elements, [dtype](int64_t element) { return element == onnx_ops::Wrap(element, dtype); });
}

}  // namespace

BudgetBytes ReadBytes(const ir::TensorData& data) {
  BudgetBytes bytes;
  const int64_t size = CountOf(data.shape) * ir::ByteSize(data.dtype);
  bytes.reserve(static_cast<size_t>(size));
  const auto source = Unnoted(data);  // a tensor stored from it cannot be made again (MadeUnstated)
  source->bytes->Stream(
      [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
  if (std::ssize(bytes) != size)
    throw Error(ErrorKind::kBadInput, fmt::format("a tensor has {} bytes, and its shape {}", bytes.size(), size));
  return bytes;
}

class ExpressionReader::Rooms {
 public:
  std::unique_ptr<int64_t[]> Take() {
    if (free_.empty()) return std::make_unique_for_overwrite<int64_t[]>(kMostInRun);
    auto room = std::move(free_.back());
    free_.pop_back();
    return room;
  }
  void Give(std::unique_ptr<int64_t[]> room) { free_.push_back(std::move(room)); }

 private:
  std::vector<std::unique_ptr<int64_t[]>> free_;
};

ExpressionReader::Elements::Elements(size_t count, Rooms* rooms)
    : rooms(rooms), room(rooms->Take()), all(room.get(), count) {}
ExpressionReader::Elements::~Elements() { rooms->Give(std::move(room)); }

ExpressionReader::ExpressionReader(ExpressionRef whole) : whole_(std::move(whole)) { Load(*whole_); }

void ExpressionReader::Load(const Expression& expression) {
  if (!loaded_.insert(&expression).second) return;
  const auto* constant = std::get_if<Expression::Constant>(&expression.form);
  if (constant != nullptr && !bytes_.contains(constant->data.get()))
    bytes_.emplace(constant->data.get(), ReadBytes(*constant->data));
  for (const ExpressionRef& operand : OperandsOf(expression)) Load(*operand);
}

bool ExpressionReader::ForEachRun(const std::function<bool(const ElementRun& run)>& visit) const {
  const std::vector<int64_t>& shape = whole_->shape;
  std::vector<int64_t> outer(shape.size() - 1);
  std::vector<int64_t> inner;
  Rooms rooms;
  while (true) {
    Interruption::Check();
    for (int64_t first = 0; first < shape.back(); first += kMostInRun) {
      inner.clear();
      for (int64_t i = first; i < std::min(first + kMostInRun, shape.back()); ++i) inner.push_back(i);
      Known known = {.rooms = &rooms};
      const Elements* elements = Read(*whole_, {.outer = outer, .inner = inner}, &known);
      if (elements == nullptr || !visit({.outer = outer, .first = first, .elements = elements->all})) return false;
    }
    size_t axis = outer.size();
    while (axis > 0 && ++outer[axis - 1] == shape[axis - 1]) outer[--axis] = 0;
    if (axis == 0) return true;
  }
}

const ExpressionReader::Elements* ExpressionReader::Read(const Expression& expression, const Indices& indices,
                                                         Known* known) const {
  if (const auto found = known->elements.find(&expression); found != known->elements.end()) return &found->second;
  // Inserted before its operands are computed: elements of a map do not move.
  Elements& made = known->elements.try_emplace(&expression, indices.inner.size(), known->rooms).first->second;
  bool fits = false;
  if (const auto* constant = std::get_if<Expression::Constant>(&expression.form)) {
    fits = ReadConstant(*constant, indices, made.all);
  } else if (const auto* chosen = std::get_if<Expression::Chosen>(&expression.form)) {
    fits = Choose(*chosen, indices, known->rooms, made.all);
  } else {
    fits = Compute(expression, indices, known, made.all);
  }
  return fits ? &made : nullptr;
}

bool ExpressionReader::ReadConstant(const Expression::Constant& constant, const Indices& indices,
                                    std::span<int64_t> elements) const {
  const BudgetBytes& bytes = bytes_.at(constant.data.get());
  const ElementMap::Row row = constant.map.RowAt(indices.outer);
  return AsElements(constant.data->dtype, [&](auto type) {
    using Type = decltype(type);
    const auto read = [&](int64_t place, int64_t* to) {
      typename Type::Stored element;
      std::memcpy(&element, bytes.data() + place * static_cast<int64_t>(sizeof element), sizeof element);
      return Type::Read(element, to);
    };
    if (row.is_one()) {
      int64_t same = 0;
      if (!read(row[0], &same)) return false;
      std::ranges::fill(elements, same);
      return true;
    }
    for (size_t i = 0; i < elements.size(); ++i) {
      if (!read(row[indices.inner[i]], &elements[i])) return false;
    }
    return true;
  });
}

bool ExpressionReader::Compute(const Expression& expression, const Indices& indices, Known* known,
                               std::span<int64_t> elements) const {
  const auto& [node, operands] = std::get<Expression::Computed>(expression.form);
  std::vector<std::span<const int64_t>> inputs;
  for (const ExpressionRef& operand : operands) {
    const Elements* input = Read(*operand, indices, known);
    if (input == nullptr) return false;
    inputs.emplace_back(input->all);
  }
  if (ir::IsFloat(expression.dtype)) {
    if (node->op == "Mul") return false;  // 0 * -1 has a sign
    if (node->op == "Cast") {
      std::ranges::copy(inputs[0], elements.begin());
    } else if (onnx_ops::EvaluateElements(*node, DType::kInt64, inputs, elements) == DType::kUndefined) {
      return false;
    }
    return AreExact(elements, expression.dtype);
  }
  if (ir::IsFloat(operands[0]->dtype)) {  // a Cast; of a number that is out of range it gives what the runtime gives
    std::ranges::copy(inputs[0], elements.begin());
    return Fit(elements, expression.dtype);
  }
  return onnx_ops::EvaluateElements(*node, operands[0]->dtype, inputs, elements) == expression.dtype;
}

// Each operand is only computed at the indices where it is chosen.
bool ExpressionReader::Choose(const Expression::Chosen& chosen, const Indices& indices, Rooms* rooms,
                              std::span<int64_t> elements) const {
  const ElementMap::Row row = chosen.map.RowAt(indices.outer);
  const auto choice = [&](int64_t inner) { return (*chosen.choices)[static_cast<size_t>(row[inner])]; };
  for (size_t i = 0; i < chosen.operands.size(); ++i) {
    std::vector<int64_t> inner;
    std::vector<size_t> positions;
    for (size_t k = 0; k < indices.inner.size(); ++k) {
      if (choice(indices.inner[k]) != i) continue;
      inner.push_back(indices.inner[k]);
      positions.push_back(k);
    }
    if (inner.empty()) continue;
    Known known = {.rooms = rooms};
    const Elements* part = Read(*chosen.operands[i], {.outer = indices.outer, .inner = inner}, &known);
    if (part == nullptr) return false;
    for (size_t k = 0; k < positions.size(); ++k) elements[positions[k]] = part->all[k];
  }
  return true;
}

namespace {

void NoteReadings(const Expression& whole, std::set<const Expression*>* seen) {
  if (!seen->insert(&whole).second) return;  // parts are shared
  if (const auto* constant = std::get_if<Expression::Constant>(&whole.form)) NoteReading(*constant->data);
  for (const ExpressionRef& operand : OperandsOf(whole)) NoteReadings(*operand, seen);
}

}  // namespace

std::optional<std::vector<int64_t>> ReadAll(const ExpressionRef& whole) {
  if (CountOf(whole->shape) > kMostToReadAll) return std::nullopt;
  // A number has no axis to read along.
  const ExpressionRef line =
      whole->shape.empty() ? Moved(whole, [](ElementMap* map) { return map->Reshape({1}); }) : whole;
  std::vector<int64_t> all;
  std::set<const Expression*> seen;
  NoteReadings(*line, &seen);
  const bool known = ExpressionReader(line).ForEachRun([&](const ElementRun& run) {
    all.insert(all.end(), run.elements.begin(), run.elements.end());
    return true;
  });
  return known ? std::optional(std::move(all)) : std::nullopt;
}

std::optional<std::vector<int64_t>> ReadAlong(const ExpressionRef& whole, size_t axis) {
  const int64_t size = whole->shape[axis];
  const ExpressionRef line = Moved(whole, [axis](ElementMap* map) {
    const size_t rank = map->Shape().size();
    for (size_t other = 0; other < rank; ++other) {
      if (other == axis) continue;
      if (!map->offsets(other).empty()) return false;
      map->Take(other, std::vector<int64_t>{0});
    }
    return true;
  });
  auto elements = ReadAll(line != nullptr ? line : whole);
  if (!elements || line != nullptr) return elements;
  // The same written out: then rows of it are compared.
  int64_t stride = 1;
  for (size_t i = axis + 1; i < whole->shape.size(); ++i) stride *= whole->shape[i];
  for (int64_t i = 0; i < std::ssize(*elements); ++i) {
    if ((*elements)[static_cast<size_t>(i)] != (*elements)[static_cast<size_t>(i / stride % size * stride)])
      return std::nullopt;
  }
  std::vector<int64_t> along;
  for (int64_t i = 0; i < size; ++i) along.push_back((*elements)[static_cast<size_t>(i * stride)]);
  return along;
}

}  // namespace onnxport::passes
