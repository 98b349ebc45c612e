#include "runtime/model/serializer/call_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <type_traits>

#include "runtime/aten/aten_schema.h"

namespace onnxport::serializer {
namespace {

class ArgPrinter {
 public:
  ArgPrinter(const ir::Graph& graph, std::string* out) : graph_(graph), out_(*out) {}

  void Print(const ir::Arg& arg) { std::visit(*this, arg.v); }

  void operator()(ir::None) { out_ += "None"; }
  void operator()(bool value) { out_ += value ? "True" : "False"; }
  void operator()(int64_t value) { out_ += std::to_string(value); }
  void operator()(double value) {
    // As Python prints a float: 2 is "2.0". 1e+20 has an exponent and nan a name, so they get no ".0".
    const bool whole = std::isfinite(value) && value == std::trunc(value) && std::fabs(value) < 1e16;
    fmt::format_to(std::back_inserter(out_), "{}{}", value, whole ? ".0" : "");
  }
  void operator()(const std::string& value) { out_ += PythonText(value); }
  void operator()(ir::DType value) { fmt::format_to(std::back_inserter(out_), "torch.{}", ir::Name(value)); }
  void operator()(const ir::Word& value) { out_ += value.text; }
  void operator()(ir::ValueId value) {
    if (value == ir::ValueId::kNone) {
      out_ += "None";
    } else {
      out_ += '%';
      out_ += Bare(graph_.value(value).name);
    }
  }
  void operator()(const ir::ArgList& list) {
    out_ += '[';
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0) out_ += ", ";
      Print(list[i]);
    }
    out_ += ']';
  }
  void operator()(const std::shared_ptr<const ir::TensorData>&) { out_ += "tensor"; }

 private:
  // Values of a trace are called "%12".
  static std::string_view Bare(std::string_view name) {
    if (name.starts_with('%')) name.remove_prefix(1);
    return name;
  }

  const ir::Graph& graph_;
  std::string& out_;
};

// Also compares kinds: if the default is 1, an argument 1.0 is not left out.
bool Same(const ir::Arg& a, const ir::Arg& b) {
  if (const ir::ArgList* list = a.list()) {
    const ir::ArgList* other = b.list();
    return other != nullptr && std::ranges::equal(*list, *other, Same);
  }
  return b.list() == nullptr && a.v.index() == b.v.index() &&
         std::visit(
             [&b]<typename T>(const T& value) {
               if constexpr (std::is_same_v<T, ir::ArgList>)
                 return false;
               else
                 return value == std::get<T>(b.v);
             },
             a.v);
}

bool IsDefault(const ir::AtenSchema* schema, size_t i, const ir::Arg& arg) {
  return schema != nullptr && i < schema->arguments.size() && schema->arguments[i].default_value &&
         Same(*schema->arguments[i].default_value, arg);
}

bool IsKeyword(const ir::AtenSchema* schema, size_t i) {
  return schema != nullptr && i < schema->arguments.size() && schema->arguments[i].keyword_only;
}

}  // namespace

std::string TargetText(const ir::Operator& called) {
  if (const auto instruction = called.instruction()) {
    return fmt::format("<built-in function {}>", ir::InfoOf(*instruction).name);
  }
  std::string text = called;
  const size_t colons = text.find("::");
  if (colons == std::string::npos) return text;
  text.replace(colons, 2, ".");
  if (text.find('.', colons + 1) == std::string::npos) text += ".default";
  return text;
}

std::string CallText(const ir::Graph& graph, const ir::Node& call, std::string_view name, int users) {
  // Concatenated by hand, here and in ArgPrinter, because every node has such a text.
  std::string text;
  text.reserve(256);
  text += '%';
  text += name;
  text += " : [num_users=";
  text += std::to_string(users);
  text += "] = call_function[target=";
  if (const auto instruction = call.op.instruction()) {
    text += "operator.";
    text += ir::InfoOf(*instruction).name;
  } else {
    text += "torch.ops.";
    text += TargetText(call.op);
  }
  text += "](args = (";
  const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
  // A default before another argument must be printed, because otherwise that would move into its place:
  // `aten::flatten.using_ints(%x, 0, 2)` keeps its 0, the default of start_dim.
  size_t positional = 0;  // up to the last one that is printed
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (!IsKeyword(schema, i) && !IsDefault(schema, i, call.inputs[i])) positional = i + 1;
  }
  ArgPrinter printer(graph, &text);
  for (size_t i = 0; i < positional; ++i) {
    if (i > 0) text += ", ";
    printer.Print(call.inputs[i]);
  }
  // A tuple of one element has a comma in Python: (%x,).
  text += positional == 1 ? ",), kwargs = {" : "), kwargs = {";
  std::string_view separator = "";
  for (size_t i = positional; i < call.inputs.size(); ++i) {
    if (!IsKeyword(schema, i) || IsDefault(schema, i, call.inputs[i])) continue;
    text += separator;
    separator = ", ";
    text += schema->arguments[i].name;
    text += ": ";
    printer.Print(call.inputs[i]);
  }
  text += "})";
  return text;
}

std::string PythonText(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    if (c == '\n') {
      out += "\\n";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace onnxport::serializer
