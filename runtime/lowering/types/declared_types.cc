#include "runtime/lowering/types/declared_types.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <string_view>

#include "runtime/base/refusal.h"
#include "runtime/onnx/node_view.h"
#include "runtime/onnx/size_refusals.h"

namespace onnxport::lowering {
namespace {

using ir::Dim;
using ir::Dims;
using onnx_ops::NodeView;
using onnx_ops::RefuseFixed;
using onnx_ops::Text;

constexpr std::string_view kAnySize = "?";

std::optional<int64_t> NumberOf(std::string_view word) {
  int64_t number = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
  return code == std::errc() && end == word.data() + word.size() ? std::optional(number) : std::nullopt;
}

// The values of a schema's names for one node. For example, an input declared as T[n, *rest, k] is [batch, 5, 6, 4].
// Then n is batch, rest is [5, 6], k is 4, and an output T[n, 2*k] is [batch, 8]. Int attributes are names, too, and
// come first: inputs must agree with them.
class Names {
 public:
  // `free_sizes_stay`: refuses a name that stands for a free size and for a number.
  Names(const NodeSchema& schema, const ir::Graph& graph, const ir::Node& node, bool free_sizes_stay)
      : schema_(schema), graph_(graph), free_sizes_stay_(free_sizes_stay) {
    const NodeView view{graph, node};
    for (const NodeAttribute& attribute : schema.attributes) ReadAttribute(view, attribute);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const NodeParameter& parameter = schema.inputs[std::min(i, schema.inputs.size() - 1)];
      const Dims* dims = view.Shape(i);
      if (dims && parameter.dims) Match(parameter, *dims);
    }
  }

  std::optional<Dims> Of(const NodeParameter& result) const {
    if (!result.dims) return std::nullopt;
    Dims dims;
    for (const std::string& word : *result.dims) {
      if (!word.starts_with('*')) {
        dims.push_back(Evaluate(word));
        continue;
      }
      const auto axes = lists_.find(std::string_view(word).substr(1));
      if (axes == lists_.end()) return std::nullopt;  // from an absent input, or one of unknown rank
      dims.insert(dims.end(), axes->second.begin(), axes->second.end());
    }
    return dims;
  }

 private:
  void ReadAttribute(const NodeView& view, const NodeAttribute& attribute) {
    if (attribute.kind != AttributeKind::kInt) return;
    const ir::Arg* given = view.Attribute(attribute.name);
    const int64_t* number = given ? std::get_if<int64_t>(&given->v) : nullptr;
    if (number || attribute.number) sizes_[attribute.name] = Dim(number ? *number : *attribute.number);
  }

  void Match(const NodeParameter& parameter, const Dims& dims) {
    const std::vector<std::string>& words = *parameter.dims;
    const auto list = std::ranges::find_if(words, [](const std::string& word) { return word.starts_with('*'); });
    const bool has_list = list != words.end();
    // A list may stand for no axis at all.
    if (has_list ? dims.size() + 1 < words.size() : dims.size() != words.size()) {
      Refuse(fmt::format("`{}` has sizes {}, and {} asks for [{}]", parameter.name, Text(dims), schema_.place,
                         fmt::join(words, ", ")));
    }
    const size_t before = list - words.begin();
    const size_t length = has_list ? dims.size() + 1 - words.size() : 0;
    for (size_t i = 0; i < words.size(); ++i) {
      if (i < before) Bind(parameter, words[i], dims[i]);
      if (i == before) BindList(parameter, words[i].substr(1), Dims(dims.begin() + i, dims.begin() + i + length));
      if (i > before) Bind(parameter, words[i], dims[i + length - 1]);
    }
  }

  void BindList(const NodeParameter& parameter, const std::string& name, Dims dims) {
    const auto [known, is_new] = lists_.try_emplace(name, dims);
    if (is_new) return;
    if (known->second.size() != dims.size()) {
      Refuse(fmt::format("`*{}` is {}, but {} in `{}`", name, Text(known->second), Text(dims), parameter.name));
    }
    for (size_t i = 0; i < dims.size(); ++i) Agree(parameter, "*" + name, dims[i], &known->second[i]);
  }

  void Bind(const NodeParameter& parameter, const std::string& word, const Dim& dim) {
    if (word == kAnySize) return;
    if (const auto number = NumberOf(word)) {
      Dim expected(*number);
      return Agree(parameter, word, dim, &expected);
    }
    const auto [known, is_new] = sizes_.try_emplace(word, dim);
    if (!is_new) Agree(parameter, word, dim, &known->second);
  }

  // A number says more than a symbol, and a symbol more than nothing.
  void Agree(const NodeParameter& parameter, const std::string& word, const Dim& seen, Dim* known) {
    if (seen.is_unknown() || seen == *known) return;
    if (!known->is_unknown()) CheckAgreement(parameter, word, seen, *known);
    // The result uses the best fact of any input: if one name is [n] and [4], it is 4.
    if (known->is_unknown() || seen.is_number()) *known = seen;
  }

  void CheckAgreement(const NodeParameter& parameter, const std::string& word, const Dim& seen, const Dim& known) {
    const std::string how = fmt::format("`{}` of {} is {}, but {} in `{}`", word, schema_.name, known.ToString(),
                                        seen.ToString(), parameter.name);
    if (seen.is_number() && known.is_number()) throw Refusal(Code::kSizesDoNotFit, how);
    if (!free_sizes_stay_ || (seen.is_symbolic() && known.is_symbolic())) return;
    RefuseFixed(graph_, seen.is_symbolic() ? seen : known, (seen.is_symbolic() ? known : seen).number(), how);
  }

  Dim Evaluate(const std::string& word) const {
    if (word == kAnySize) return {};
    std::string error;
    const std::optional<Dim> size = Dim::Parse(word, &error);
    if (!size) return {};  // the generator has checked it
    std::map<std::string, Dim> values;
    for (const std::string& symbol : size->symbols()) {
      const auto known = sizes_.find(symbol);
      if (known == sizes_.end() || known->second.is_unknown()) return {};
      values.emplace(symbol, known->second);
    }
    return size->Substitute(values);
  }

  [[noreturn]] void Refuse(const std::string& why) const {
    throw Refusal(Code::kCustomNodeDoesNotFit, fmt::format("{}: {}", schema_.name, why));
  }

  const NodeSchema& schema_;
  const ir::Graph& graph_;
  bool free_sizes_stay_;
  std::map<std::string, Dim, std::less<>> sizes_;
  std::map<std::string, Dims, std::less<>> lists_;
};

}  // namespace

std::vector<std::optional<Dims>> DeclaredDims(const NodeSchema& schema, const ir::Graph& graph, const ir::Node& node) {
  const Names names(schema, graph, node, false);
  std::vector<std::optional<Dims>> results;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    results.push_back(names.Of(schema.outputs[std::min(i, schema.outputs.size() - 1)]));
  }
  return results;
}

void CheckDeclaredSizes(const NodeSchema& schema, const ir::Graph& graph, const ir::Node& node) {
  const Names names(schema, graph, node, true);
}

}  // namespace onnxport::lowering
