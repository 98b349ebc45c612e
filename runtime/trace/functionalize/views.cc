#include "runtime/trace/functionalize/views.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "runtime/aten/op_traits.h"
#include "runtime/trace/functionalize/strides.h"

namespace onnxport::functionalize {
namespace {

using ir::Arg;
using ir::ValueId;

using op_traits::Alias;
using op_traits::Copies;
using op_traits::OpTraits;

// "a" of "a -> *".
std::string_view Mark(const ir::AtenType& type) {
  const std::string_view alias = type.alias;
  return alias.substr(0, alias.find(' '));
}

const Arg* ArgumentOf(const ir::Node& node, const ir::AtenSchema& schema, std::string_view name) {
  const int position = schema.FindArgument(name);
  return position < 0 || static_cast<size_t>(position) >= node.inputs.size()
             ? nullptr
             : &node.inputs[static_cast<size_t>(position)];
}

bool IsTrue(const Arg* arg) {
  const bool* value = arg == nullptr ? nullptr : std::get_if<bool>(&arg->v);
  return value != nullptr && *value;
}

bool IsZero(const Arg* arg) {
  const double* value = arg == nullptr ? nullptr : std::get_if<double>(&arg->v);
  return value != nullptr && *value == 0;
}

Aliasing OfTraining(const ir::Node& node, const ir::AtenSchema& schema) {
  const bool draws = IsTrue(ArgumentOf(node, schema, "train")) && !IsZero(ArgumentOf(node, schema, "p"));
  return draws ? Aliasing::kNone : Aliasing::kView;
}

std::ptrdiff_t CountTensors(const ir::Graph& graph, const std::vector<Arg>& args) {
  std::ptrdiff_t count = 0;
  for (const Arg& arg : args) {
    const ValueId* id = arg.value();
    if (id != nullptr) count += graph.value(*id).kind == ir::ValueKind::kTensor ? 1 : 0;
    if (arg.list() != nullptr) count += CountTensors(graph, *arg.list());
  }
  return count;
}

bool HasResult(const ir::Node& node) { return !node.outputs.empty() && node.outputs[0] != ValueId::kNone; }

Aliasing ViewIf(std::optional<bool> condition) {
  if (!condition) return Aliasing::kMaybe;
  return *condition ? Aliasing::kView : Aliasing::kNone;
}

// A conversion returns the argument itself if it changes nothing.
Aliasing OfConversion(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, const ir::Value& base,
                      bool row_major) {
  if (IsTrue(ArgumentOf(node, schema, "copy"))) return Aliasing::kNone;
  if (!HasResult(node) || graph.value(node.outputs[0]).dtype != base.dtype) return Aliasing::kNone;
  const Arg* format = ArgumentOf(node, schema, "memory_format");
  const ir::Word* word = format == nullptr ? nullptr : std::get_if<ir::Word>(&format->v);
  if (word == nullptr || word->text == "preserve_format") return Aliasing::kView;
  // Every tensor that does not look like channels_last counts as contiguous here, even with gaps and in any order.
  const auto channels_last = row_major ? std::optional(false) : LikeChannelsLast(base);
  if (!channels_last) return Aliasing::kMaybe;
  return *channels_last == (word->text != "contiguous_format") ? Aliasing::kView : Aliasing::kNone;
}

Aliasing OfLayout(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, const ir::Value& base,
                  bool row_major) {
  const Arg* format = ArgumentOf(node, schema, "memory_format");
  const ir::Word* word = format == nullptr ? nullptr : std::get_if<ir::Word>(&format->v);
  if (word != nullptr && word->text != "contiguous_format") return Aliasing::kMaybe;
  return row_major ? Aliasing::kView : ViewIf(RowMajor(graph, base));
}

// A list of ints.
std::optional<ir::Dims> KnownInts(const ir::Graph& graph, const Arg* arg) {
  if (arg == nullptr || arg->list() == nullptr) return std::nullopt;
  ir::Dims dims;
  for (const Arg& element : *arg->list()) {
    const int64_t* number = std::get_if<int64_t>(&element.v);
    const ValueId* id = element.value();
    if (number != nullptr) {
      dims.emplace_back(*number);
    } else if (id != nullptr && graph.value(*id).contents && graph.value(*id).contents->size() == 1) {
      dims.push_back(graph.value(*id).contents->front());
    } else {
      return std::nullopt;
    }
  }
  return dims;
}

const int64_t* KnownInt(const Arg* arg) { return arg == nullptr ? nullptr : std::get_if<int64_t>(&arg->v); }

bool WindowsAreApart(const ir::Node& node) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(node.op);
  if (schema == nullptr) return false;
  const int64_t* size = KnownInt(ArgumentOf(node, *schema, "size"));
  const int64_t* step = KnownInt(ArgumentOf(node, *schema, "step"));
  return size != nullptr && step != nullptr && *size <= *step;
}

std::optional<ir::Dims> IntsOf(const ir::Graph& graph, const ir::Node& node, std::string_view argument) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(node.op);
  return schema == nullptr ? std::nullopt : KnownInts(graph, ArgumentOf(node, *schema, argument));
}

}  // namespace

std::optional<ir::Dims> StatedStrides(const ir::Graph& graph, const ir::Node& node) {
  return IntsOf(graph, node, "stride");
}

bool IsNoView(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, const ir::Value& base) {
  const op_traits::OpTraits& traits = op_traits::TraitsOf(schema.name);
  if (traits.alias != Alias::kReshaped || traits.copies != Copies::kNever || !HasResult(node)) return false;
  const ir::Value& result = graph.value(node.outputs[0]);
  const auto known = [](const auto& dims) { return dims && ir::AllKnown(*dims); };
  if (!known(base.dims) || !known(base.strides) || !known(result.dims)) return false;
  return result.dtype == base.dtype && CanView(graph, base, result) == false;
}

bool MayRepeat(const ir::Graph& graph, const ir::Node& node, const ir::Value& parent) {
  const Alias alias = op_traits::TraitsOf(node.op).alias;
  if (alias == Alias::kExpanded) {
    return !parent.dims || !HasResult(node) || graph.value(node.outputs[0]).dims != parent.dims;
  }
  if (alias == Alias::kWindows) return !WindowsAreApart(node);
  if (alias != Alias::kStrided) return false;
  const auto sizes = IntsOf(graph, node, "size");
  const auto strides = StatedStrides(graph, node);
  return !sizes || !strides || Overlaps(graph, *sizes, *strides) != false;
}

std::optional<size_t> AliasArgument(const ir::AtenSchema& schema) {
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    for (const ir::AtenArgument& result : schema.results) {
      if (result.type.alias.empty() || schema.arguments[i].type.alias.empty()) continue;
      if (Mark(result.type) == Mark(schema.arguments[i].type) || Mark(result.type) == "*") return i;
    }
  }
  const Alias alias = op_traits::TraitsOf(schema.name).alias;
  if (alias == Alias::kUnknown || alias == Alias::kMaybe) return std::nullopt;
  const auto tensor = std::ranges::find_if(
      schema.arguments, [](const ir::AtenArgument& a) { return a.type.kind == ir::AtenKind::kTensor; });
  return static_cast<size_t>(tensor - schema.arguments.begin());
}

Aliasing FindAlias(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, const ir::Value& base,
                   bool row_major) {
  switch (op_traits::TraitsOf(schema.name).copies) {
    case Copies::kNever:
      return Aliasing::kView;
    case Copies::kStrides:
      if (!HasResult(node)) return Aliasing::kNone;
      return row_major ? Aliasing::kView : ViewIf(CanView(graph, base, graph.value(node.outputs[0])));
    case Copies::kLayout:
      return OfLayout(graph, node, schema, base, row_major);
    case Copies::kConversion:
      return OfConversion(graph, node, schema, base, row_major);
    case Copies::kTraining:
      return OfTraining(node, schema);
    case Copies::kComplex:
      return base.dtype == ir::DType::kUndefined ? Aliasing::kMaybe : ViewIf(!ir::IsComplex(base.dtype));
  }
  return Aliasing::kMaybe;
}

bool KeepsOrder(const ir::Operator& op) {
  const Alias alias = op_traits::TraitsOf(op).alias;
  return alias == Alias::kSame || alias == Alias::kItself || alias == Alias::kReshaped;
}

bool TakesAsItLies(const ir::Operator& op, bool from_start) {
  switch (op_traits::TraitsOf(op).alias) {
    case Alias::kReshaped:
    case Alias::kReversed:
    case Alias::kSwapped:
    case Alias::kPermuted:
    case Alias::kExpanded:
      return true;
    case Alias::kRange:
    case Alias::kElement:
    case Alias::kPlaced:
    case Alias::kWindows:
      return !from_start;
    default:
      return false;
  }
}

bool IsWrittenByPlaces(const ir::Operator& op) {
  const Alias alias = op_traits::TraitsOf(op).alias;
  return alias == Alias::kPlaced || alias == Alias::kWindows;
}

std::optional<size_t> StorageOffset(const ir::AtenSchema& schema) {
  const auto found = std::ranges::find(schema.arguments, "storage_offset", &ir::AtenArgument::name);
  if (found == schema.arguments.end()) return std::nullopt;
  return static_cast<size_t>(found - schema.arguments.begin());
}

// A tensor object that is new, or has other sizes, is not the argument.
bool MayBeArgument(const ir::Graph& graph, const ir::Node& node, const ir::Value& base) {
  const Alias alias = op_traits::TraitsOf(node.op).alias;
  if (alias != Alias::kItself && alias != Alias::kReshaped && alias != Alias::kExpanded) return false;
  if (!HasResult(node)) return false;
  const auto& made = graph.value(node.outputs[0]).dims;
  return !made || !base.dims || *made == *base.dims || !ir::AllKnown(*made) || !ir::AllKnown(*base.dims);
}

bool MayShareMemory(const ir::AtenSchema& schema, const ir::Graph& graph, const std::vector<Arg>& inputs) {
  if (op_traits::TraitsOf(schema.name).alias == Alias::kMaybe) return CountTensors(graph, inputs) == 1;
  const auto unmarked_list = [](const ir::AtenArgument& a) {
    return a.type.kind == ir::AtenKind::kTensor && a.type.list && a.type.alias.empty();
  };
  return std::ranges::any_of(schema.arguments, unmarked_list) && std::ranges::any_of(schema.results, unmarked_list);
}

}  // namespace onnxport::functionalize
