#include "runtime/functionalize/views.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/functionalize/strides.h"

namespace onnxport::functionalize {
namespace {

using ir::Arg;
using ir::ValueId;

// Results share memory although the schema has no mark.
constexpr std::string_view kUnmarked[] = {
    "aten::_unsafe_view", "aten::atleast_1d",   "aten::atleast_2d",   "aten::atleast_3d",
    "aten::lift",         "aten::unsafe_chunk", "aten::unsafe_split", "aten::unsafe_split_with_sizes",
};
constexpr std::string_view kDropouts[] = {
    "aten::alpha_dropout",
    "aten::dropout",
    "aten::feature_alpha_dropout",
    "aten::feature_dropout",
};
// Results are views of the elements of a list.
constexpr std::string_view kOfLists[] = {
    "aten::atleast_1d", "aten::atleast_2d", "aten::atleast_3d", "aten::broadcast_tensors", "aten::meshgrid",
};
// A view when strides allow, else a copy.
constexpr std::string_view kReshapes[] = {"aten::flatten", "aten::ravel", "aten::reshape", "aten::reshape_as"};

template <size_t N>
bool Contains(const std::string_view (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

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

Aliasing OfDropout(const ir::Node& node, const ir::AtenSchema& schema) {
  const bool draws = IsTrue(ArgumentOf(node, schema, "train")) && !IsZero(ArgumentOf(node, schema, "p"));
  return draws ? Aliasing::kNone : Aliasing::kView;
}

bool HasResult(const ir::Node& node) { return !node.outputs.empty() && node.outputs[0] != ValueId::kNone; }

Aliasing ViewIf(std::optional<bool> condition) {
  if (!condition) return Aliasing::kMaybe;
  return *condition ? Aliasing::kView : Aliasing::kNone;
}

// `to`, `type_as`: the argument itself when nothing changes.
Aliasing OfCast(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, const ir::Value& base,
                bool row_major) {
  if (IsTrue(ArgumentOf(node, schema, "copy"))) return Aliasing::kNone;
  if (!HasResult(node) || graph.value(node.outputs[0]).dtype != base.dtype) return Aliasing::kNone;
  const Arg* format = ArgumentOf(node, schema, "memory_format");
  const ir::Word* word = format == nullptr ? nullptr : std::get_if<ir::Word>(&format->v);
  if (word == nullptr || word->text == "preserve_format") return Aliasing::kView;
  return word->text == "contiguous_format" ? ViewIf(row_major ? true : RowMajor(graph, base)) : Aliasing::kMaybe;
}

Aliasing OfContiguous(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, const ir::Value& base,
                      bool row_major) {
  const Arg* format = ArgumentOf(node, schema, "memory_format");
  const ir::Word* word = format == nullptr ? nullptr : std::get_if<ir::Word>(&format->v);
  if (word != nullptr && word->text != "contiguous_format") return Aliasing::kMaybe;
  return row_major ? Aliasing::kView : ViewIf(RowMajor(graph, base));
}

}  // namespace

std::optional<size_t> AliasArgument(const ir::AtenSchema& schema) {
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    for (const ir::AtenArgument& result : schema.results) {
      if (result.type.alias.empty() || schema.arguments[i].type.alias.empty()) continue;
      if (Mark(result.type) == Mark(schema.arguments[i].type) || Mark(result.type) == "*") return i;
    }
  }
  const std::string name = schema.base_name();
  const bool unmarked = Contains(kDropouts, name) || Contains(kUnmarked, name) || name == "aten::type_as";
  return unmarked ? std::optional<size_t>(0) : std::nullopt;
}

Aliasing FindAlias(const ir::Graph& graph, const ir::Node& node, const ir::AtenSchema& schema, const ir::Value& base,
                   bool row_major) {
  const std::string name = schema.base_name();
  if (Contains(kDropouts, name)) return OfDropout(node, schema);
  if (name == "aten::type_as" || name == "aten::to") return OfCast(graph, node, schema, base, row_major);
  if (name == "aten::contiguous") return OfContiguous(graph, node, schema, base, row_major);
  if (Contains(kReshapes, name)) {
    if (!HasResult(node)) return Aliasing::kNone;
    return row_major ? Aliasing::kView : ViewIf(CanView(graph, base, graph.value(node.outputs[0])));
  }
  return Aliasing::kView;
}

bool MayReturnListElements(const ir::AtenSchema& schema) { return Contains(kOfLists, schema.base_name()); }

}  // namespace onnxport::functionalize
