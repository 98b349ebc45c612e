#include "codegen/load/node_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "codegen/load/fields.h"
#include "codegen/load/lexer.h"
#include "codegen/load/names.h"
#include "codegen/load/size_words.h"

namespace onnxport::codegen {
namespace {

using lowering::AttributeKind;
using lowering::NodeAttribute;
using lowering::NodeParameter;
using lowering::NodeType;
using Count = NodeParameter::Count;

constexpr std::string_view kOnnxDomain = "ai.onnx";  // as well as the empty one
constexpr int kLargestVersion = 1'000'000;

// In the order of AttributeKind.
constexpr auto kAttributeWords =
    std::to_array<std::string_view>({"int", "float", "string", "tensor", "ints", "floats", "strings"});

// `acme.Foo`, `my.domain.Foo`
bool IsNodeName(std::string_view name) {
  bool dotted = false;
  for (size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    if (!IsIdentifier(name.substr(0, dot))) return false;
    name.remove_prefix(dot + 1);
    dotted = true;
  }
  return dotted && IsIdentifier(name);
}

class SchemaReader {
 public:
  explicit SchemaReader(Diagnostics* diagnostics) : diagnostics_(diagnostics) {}

  // Types before what has them; attributes before inputs and inputs before outputs, as sizes of outputs are made of the
  // names that those give.
  NodeDeclaration Read(const YamlNode& node) {
    const Fields fields(node, kOfSchema, diagnostics_);
    if (node.kind != YamlKind::kMap) return {};
    Name(fields);
    if (const YamlNode* version = fields.Find("version"))
      schema_.version = ReadInt(*version, "`version` (of the domain)", 1, kLargestVersion, diagnostics_).value_or(1);
    if (const YamlNode* pure = fields.Find("pure")) schema_.pure = ReadTrue(*pure, "`pure`", diagnostics_);
    if (const YamlNode* types = fields.Find("types")) Types(*types);
    if (const YamlNode* attributes = fields.Find("attributes")) Attributes(*attributes);
    if (const YamlNode* inputs = fields.Find("inputs")) Inputs(*inputs);
    if (const YamlNode* outputs = fields.Find("outputs")) Outputs(*outputs);
    for (const NodeType& type : schema_.types)
      if (!used_types_.contains(type.name)) Error(node.place, fmt::format("no input has the type `{}`", type.name));
    return {.schema = std::move(schema_), .place = node.place};
  }

 private:
  void Error(const Place& place, std::string message) { diagnostics_->Error(place, std::move(message)); }

  void Name(const Fields& fields) {
    const YamlNode& node = *fields.Find("schema");
    const PlacedText* text = ReadText(node, "an operator's name", diagnostics_);
    if (text == nullptr) return;
    if (!IsNodeName(text->text()))
      Error(node.place, fmt::format("`{}` is no operator of a domain: `acme.Foo`", text->text().substr(0, 80)));
    // Else two schemas of Relu would be known, and which one is asked would depend on the order of tables.
    if (text->text().substr(0, text->text().rfind('.')) == kOnnxDomain)
      Error(node.place, "`ai.onnx` is the domain of ONNX's own operators; those are known");
    schema_.name = text->text();
    schema_.place = LineText(node.place);
  }

  // Calls `read` with each name and its text.
  template <typename Read>
  void EachNamed(const YamlNode& node, std::string_view what, const Read& read) {
    if (node.kind != YamlKind::kMap) return Error(node.place, fmt::format("{} are a map `{{name: type}}`", what));
    for (size_t i = 0; i < node.keys.size(); ++i) {
      const std::string& name = node.keys[i].text.text();
      if (!IsIdentifier(name)) Error(node.keys[i].place, fmt::format("`{}` is not a name", name.substr(0, 80)));
      if (const PlacedText* text = ReadText(node.items[i], fmt::format("`{}`", name.substr(0, 80)), diagnostics_))
        read(node.keys[i], text->Trimmed());
    }
  }

  void Types(const YamlNode& node) {
    if (node.kind != YamlKind::kMap) return Error(node.place, "`types` is a map `{T: [float32, float16]}`");
    for (size_t i = 0; i < node.keys.size(); ++i) {
      NodeType type{.name = node.keys[i].text.text(), .dtypes = {}};
      if (!IsIdentifier(type.name) || IsDTypeWord(type.name))
        Error(node.keys[i].place, fmt::format("`{}` is no name of a type", type.name.substr(0, 80)));
      for (const YamlNode* item : ReadOneOrMore(node.items[i], "a type", diagnostics_)) {
        const PlacedText* word = ReadText(*item, "a dtype", diagnostics_);
        if (word == nullptr) continue;
        if (IsDTypeWord(word->text()))
          type.dtypes.Add(*ir::ParseDType(word->text()));
        else
          Error(item->place, fmt::format("`{}` is no dtype: float32, int64, bool ...", word->text().substr(0, 80)));
      }
      schema_.types.push_back(std::move(type));
    }
  }

  // A name that no other argument has. Specs give inputs and attributes alike by name, so the two share one set of
  // names.
  void AddArgument(const YamlNode& key) {
    const std::string& name = key.text.text();
    if (name == "outputs") Error(key.place, "`outputs=` says how many outputs a node has; choose another name");
    if (!arguments_.insert(name).second) Error(key.place, fmt::format("`{}` is an input and an attribute", name));
  }

  void Attributes(const YamlNode& node) {
    EachNamed(node, "attributes", [&](const YamlNode& key, const PlacedText& text) {
      AddArgument(key);
      NodeAttribute attribute{.name = key.text.text(), .kind = AttributeKind::kOther, .required = true, .number = {}};
      std::string word = text.text();
      if (const size_t equals = word.find('='); equals != std::string::npos) {
        attribute.required = false;
        attribute.number = Default(text.Part(equals + 1, word.size()).Trimmed());
        word = text.Part(0, equals).Trimmed().text();
        if (word != "int") Error(text.At(equals), "only an int has a default here: it may be part of a size");
      } else if (word.ends_with('?')) {
        attribute.required = false;
        // `int?`: an attribute that may be left out.
        word.pop_back();
      }
      const auto kind = std::ranges::find(kAttributeWords, word);
      if (kind == kAttributeWords.end())
        return Error(text.At(0), fmt::format("`{}` is no kind of attribute: int, float, string, tensor, ints, floats, "
                                             "strings{}",
                                             word.substr(0, 80), DidYouMean(word, kAttributeWords)));
      attribute.kind = static_cast<AttributeKind>(kind - kAttributeWords.begin());
      // Only an int that is always known can be part of a size: `y: T[n, 2 * k]`.
      if (attribute.kind == AttributeKind::kInt && (attribute.required || attribute.number))
        sizes_.sizes.insert(attribute.name);
      schema_.attributes.push_back(std::move(attribute));
    });
  }

  std::optional<int64_t> Default(const PlacedText& text) {
    int64_t number = 0;
    const char* end = text.text().data() + text.text().size();
    const auto [last, code] = std::from_chars(text.text().data(), end, number);
    if (code != std::errc() || last != end) Error(text.At(0), "the default of an int is a whole number");
    return number;
  }

  // `T[*lead, n]?`: the type without its sizes, and these.
  std::optional<PlacedText> Typed(const YamlNode& key, const PlacedText& text, NodeParameter* parameter) {
    // `?` may be absent, `*` any number, `+` one or more: as in regular expressions.
    static constexpr std::string_view kCounts = "?*+";  // of Count, from the second on
    PlacedText rest = text;
    parameter->name = key.text.text();
    const auto last = [&] { return rest.text().empty() ? '\0' : rest.text().back(); };
    if (const size_t count = kCounts.find(last()); last() != '\0' && count != std::string_view::npos) {
      parameter->count = static_cast<Count>(count + 1);
      rest = rest.Part(0, rest.text().size() - 1).Trimmed();
    }
    std::optional<PlacedText> sizes;
    if (const size_t open = rest.text().find('['); open != std::string::npos) {
      if (last() != ']') Error(rest.At(rest.text().size()), "expected `]`");
      sizes = rest.Part(open + 1, std::max(open + 1, rest.text().size() - 1));
      rest = rest.Part(0, open).Trimmed();
    }
    parameter->type = rest.text();
    const bool known = std::ranges::find(schema_.types, parameter->type, &NodeType::name) != schema_.types.end();
    if (!known && !IsDTypeWord(parameter->type)) {
      std::vector<std::string_view> names;
      for (const NodeType& type : schema_.types) names.push_back(type.name);
      Error(text.At(0), fmt::format("`{}` is no dtype and not under `types`{}", parameter->type.substr(0, 80),
                                    DidYouMean(parameter->type, names)));
    }
    return sizes;
  }

  void Inputs(const YamlNode& node) {
    bool variadic = false;
    EachNamed(node, "inputs", [&](const YamlNode& key, const PlacedText& text) {
      AddArgument(key);
      NodeParameter input;
      if (const auto sizes = Typed(key, text, &input)) input.dims = ReadInputSizes(*sizes, &sizes_, diagnostics_);
      if (variadic) Error(key.place, "no input comes after one of any number");
      variadic = input.count == Count::kAny || input.count == Count::kSome;
      used_types_.insert(input.type);
      if (input.count == Count::kOne || input.count == Count::kSome) given_types_.insert(input.type);
      schema_.inputs.push_back(std::move(input));
    });
  }

  void Outputs(const YamlNode& node) {
    std::set<std::string> names;
    EachNamed(node, "outputs", [&](const YamlNode& key, const PlacedText& text) {
      NodeParameter output;
      if (const auto sizes = Typed(key, text, &output)) output.dims = ReadResultSizes(*sizes, sizes_, diagnostics_);
      if (output.count != Count::kOne) Error(key.place, "an output is always there, and one tensor");
      // An input that every node has must determine T. If only an optional input did, the dtype of the result would be
      // unknown without it.
      if (!IsDTypeWord(output.type) && !given_types_.contains(output.type))
        Error(text.At(0), fmt::format("no input that is always there has the type `{}`", output.type.substr(0, 80)));
      schema_.outputs.push_back(std::move(output));
    });
    if (node.kind == YamlKind::kMap && node.keys.empty()) Error(node.place, "an operator has an output");
  }

  Diagnostics* diagnostics_;
  lowering::NodeSchema schema_;
  SizeNames sizes_;
  std::set<std::string> arguments_;
  std::set<std::string> used_types_;
  std::set<std::string> given_types_;  // of inputs that every node has
};

}  // namespace

bool IsNodeSchema(const YamlNode& node) {
  return node.kind == YamlKind::kMap &&
         std::ranges::any_of(node.keys, [](const YamlNode& key) { return key.text.text() == "schema"; });
}

NodeDeclaration ReadNodeSchema(const YamlNode& node, Diagnostics* diagnostics) {
  return SchemaReader(diagnostics).Read(node);
}

}  // namespace onnxport::codegen
