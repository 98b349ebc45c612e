#include "runtime/sources/pt2/arguments.h"

#include <optional>

#include "runtime/base/text.h"
#include "runtime/ir/complex_number.h"
#include "runtime/sources/pt2/tensor_meta.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using ir::ArgList;
using ir::Word;

// torch/_export/serde/schema.py, MemoryFormat and Layout. The index of a word is its number in the file; 0 is PyTorch's
// "unknown".
constexpr const char* kMemoryFormats[] = {"", "contiguous_format", "channels_last", "channels_last_3d",
                                          "preserve_format"};
constexpr const char* kLayouts[] = {"",           "sparse_coo", "sparse_csr", "sparse_csc",
                                    "sparse_bsr", "sparse_bsc", "_mkldnn",    "strided"};

template <size_t N>
Arg Numbered(const Json& json, const char* const (&words)[N]) {
  const int64_t number = json.AsInt();
  if (number < 1 || number >= static_cast<int64_t>(N)) json.FailUnknown("unknown number " + std::to_string(number));
  return {Word{words[number]}};
}

template <typename Read>
Arg List(const Json& json, const Read& read) {
  const JsonRange elements = json.Elements();
  ArgList list;
  list.reserve(elements.size());
  for (const Json& element : elements) list.push_back(read(element));
  return {std::move(list)};
}

Arg Number(const Json& json) {
  switch (json.kind()) {
    case Json::Kind::kBool:
      return {json.AsBool()};
    case Json::Kind::kInt:
      return {json.AsInt()};
    default:
      return {json.AsFloat()};
  }
}

}  // namespace

Arg ReadArgument(const Json& argument, const Scope& scope) {
  const Json json = argument.Choice();
  const std::string_view kind = json.key();
  const auto tensor = [&](const Json& j) { return scope.Find(j["name"].AsText(), j); };
  // {"as_name": ..} or a number; also {"as_tensor": {"name": ..}} and {"as_none": true}.
  const auto choice = [&](const Json& j) -> Arg {
    const Json inner = j.Choice();
    if (inner.key() == "as_name") return scope.Find(inner.AsText(), inner);
    if (inner.key() == "as_tensor") return tensor(inner);
    return inner.key() == "as_none" ? Arg{} : Number(inner);
  };
  const auto integer = [](const Json& j) -> Arg { return {j.AsInt()}; };
  const auto real = [](const Json& j) -> Arg { return {j.AsFloat()}; };
  if (kind == "as_tensor") return tensor(json);
  if (kind == "as_int") return integer(json);
  if (kind == "as_none") return {};
  if (kind == "as_ints") return List(json, integer);
  if (kind == "as_tensors") return List(json, tensor);
  if (kind == "as_float") return real(json);
  if (kind == "as_bool") return {json.AsBool()};
  if (kind == "as_sym_int" || kind == "as_sym_float" || kind == "as_sym_bool" || kind == "as_optional_tensor")
    return choice(json);
  if (kind == "as_sym_ints" || kind == "as_sym_floats" || kind == "as_sym_bools" || kind == "as_optional_tensors") {
    return List(json, choice);
  }
  if (kind == "as_scalar_type") return {ReadDType(json)};
  if (kind == "as_memory_format") return Numbered(json, kMemoryFormats);
  if (kind == "as_layout") return Numbered(json, kLayouts);
  if (kind == "as_device") return {Word{ReadDevice(json)}};
  if (kind == "as_string") return {std::string(json.AsText())};
  if (kind == "as_floats") return List(json, real);
  if (kind == "as_bools") return List(json, [](const Json& j) -> Arg { return {j.AsBool()}; });
  if (kind == "as_strings") return List(json, [](const Json& j) -> Arg { return {std::string(j.AsText())}; });
  if (kind == "as_nested_tensors") return List(json, [&](const Json& j) { return List(j, tensor); });
  if (kind == "as_int_lists") return List(json, [&](const Json& j) { return List(j, integer); });
  if (kind == "as_float_lists") return List(json, [&](const Json& j) { return List(j, real); });
  if (kind == "as_complex") {
    return ir::ComplexNumber(json["real"].AsFloat(), json["imag"].AsFloat());
  }
  if (kind == "as_graph" || kind == "as_custom_obj") return {Word{std::string(json["name"].AsText())}};
  if (kind == "as_operator") return {Word{std::string(json.AsText())}};
  // A dict, for some higher-order operators. The word keeps its place among the arguments.
  if (kind == "as_string_to_argument") return {Word{"dict"}};
  json.FailUnknown("unknown kind of argument '" + Printable(kind) + "'");
}

// A program may pass 1 for `float eps`, and the file has an int then. Unconverted, it would become an int64 constant.
Arg Fit(Arg arg, const ir::AtenType& type) {
  if (arg.is_none()) return arg;
  if (type.list && !arg.list() && !std::holds_alternative<ir::ValueId>(arg.v)) {
    // PyTorch takes 2 for int[2] and means [2, 2].
    return Fit({ArgList(static_cast<size_t>(type.list_size.value_or(1)), arg)}, type);
  }
  if (type.kind != ir::AtenKind::kFloat) return arg;
  if (const int64_t* integer = std::get_if<int64_t>(&arg.v)) return {static_cast<double>(*integer)};
  if (ArgList* list = std::get_if<ArgList>(&arg.v)) {
    for (Arg& element : *list) {
      if (const int64_t* integer = std::get_if<int64_t>(&element.v)) element.v = static_cast<double>(*integer);
    }
  }
  return arg;
}

std::vector<Arg> ReadArguments(const Json& inputs, const Scope& scope, const ir::AtenSchema* schema) {
  std::vector<Arg> args;
  if (schema == nullptr) {
    for (const Json& input : inputs.Elements()) args.push_back(ReadArgument(input["arg"], scope));
    return args;
  }
  args.resize(schema->arguments.size());
  std::vector<bool> given(args.size());
  for (const Json& input : inputs.Elements()) {
    const std::string_view name = input["name"].AsText();
    const int position = schema->FindArgument(name);
    if (position < 0) input.FailUnknown(schema->name.text() + " has no argument '" + Printable(name) + "'");
    const auto at = static_cast<size_t>(position);
    if (given[at]) input.Fail("argument '" + Printable(name) + "' is given twice");
    given[at] = true;
    args[at] = Fit(ReadArgument(input["arg"], scope), schema->arguments[at].type);
  }
  for (size_t i = 0; i < args.size(); ++i) {
    // Takes the file's value, else the schema's default, else None. If none of these fits, the file has another schema.
    if (given[i]) continue;
    const ir::AtenArgument& argument = schema->arguments[i];
    if (argument.default_value) {
      args[i] = Fit(*argument.default_value, argument.type);
    } else if (!argument.type.optional) {
      inputs.FailUnknown(schema->name.text() + " lacks its argument '" + argument.name + "'");
    }
  }
  return args;
}

}  // namespace onnxport::pt2
