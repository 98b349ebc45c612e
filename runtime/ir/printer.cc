#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "runtime/base/text.h"
#include "runtime/ir/graph.h"
#include "runtime/ir/half.h"
#include "runtime/ir/location.h"

namespace onnxport::ir {
namespace {

constexpr int64_t kShownElements = 16;  // tensors up to here are printed with their elements
constexpr int kMaxBlockDepth = 64;      // of blocks and lists

// Names come from files: unusual ones are quoted, so that a name cannot end a line.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return VisibleLine(out) + '"';
}

std::string Word(std::string_view text) {
  if (text.find_first_of(" \"\\,()={}") != text.npos || VisibleLine(text) != text) return Quoted(text);
  return text.empty() ? "\"\"" : std::string(text);
}

// 2.0 and not 2: a float argument must not look like an int.
std::string FloatText(double value) {
  std::string text = fmt::format("{}", value);
  const bool plain = text.find_first_not_of("-0123456789") == std::string::npos;
  return plain ? text + ".0" : text;
}

template <typename T>
T Read(const char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

std::string ElementText(DType dtype, const char* p) {
  switch (dtype) {
    case DType::kBool:
      return *p ? "True" : "False";
    case DType::kInt8:
      return fmt::format("{}", Read<int8_t>(p));
    case DType::kUInt8:
      return fmt::format("{}", Read<uint8_t>(p));
    case DType::kInt16:
      return fmt::format("{}", Read<int16_t>(p));
    case DType::kUInt16:
      return fmt::format("{}", Read<uint16_t>(p));
    case DType::kInt32:
      return fmt::format("{}", Read<int32_t>(p));
    case DType::kUInt32:
      return fmt::format("{}", Read<uint32_t>(p));
    case DType::kInt64:
      return fmt::format("{}", Read<int64_t>(p));
    case DType::kUInt64:
      return fmt::format("{}", Read<uint64_t>(p));
    case DType::kFloat32:
      return fmt::format("{}", Read<float>(p));
    case DType::kFloat64:
      return fmt::format("{}", Read<double>(p));
    case DType::kFloat16:
      return fmt::format("{}", Float16Value(Read<uint16_t>(p)));
    case DType::kBFloat16:
      return fmt::format("{}", BFloat16Value(Read<uint16_t>(p)));
    default: {
      std::string hex = "0x";
      for (int64_t i = 0; i < ByteSize(dtype); ++i) {
        hex += fmt::format("{:02x}", static_cast<unsigned char>(p[i]));
      }
      return hex;
    }
  }
}

std::string ElementsText(const TensorData& tensor, int64_t count) {
  const std::string bytes = BytesOf(*tensor.bytes);
  const int64_t size = ByteSize(tensor.dtype);
  if (size == 0 || static_cast<int64_t>(bytes.size()) != count * size) return "...";
  std::string out;
  for (int64_t i = 0; i < count; ++i) {
    if (i) out += ", ";
    out += ElementText(tensor.dtype, bytes.data() + i * size);
  }
  return out;
}

std::string TensorText(const TensorData& tensor) {
  int64_t count = 1;
  for (const int64_t n : tensor.shape) {
    // Limited at each step: a forged shape of 2**40 by 2**40 must not overflow. A later 0 still makes it 0.
    count = std::min(count, kShownElements + 1) * std::clamp<int64_t>(n, 0, kShownElements + 1);
  }
  const bool shown = count <= kShownElements && !tensor.bytes->absent();
  return fmt::format("{}[{}]{{{}}}", Name(tensor.dtype), fmt::join(tensor.shape, ", "),
                     shown ? ElementsText(tensor, count) : "...");
}

std::string DimsText(const Dims& dims) {
  std::string out;
  for (const Dim& dim : dims) {
    if (!out.empty()) out += ", ";
    out += dim.ToString();
  }
  return out;
}

// A printed graph, in the order of its lines:
//   opset 18
//   symbol batch in 2..
//   input x = %x: float32[batch, 10]
//   weight fc.weight = %w: float16[2]
//   %n: int {batch} = aten::sym_size.int(%x, 0)
//   %y: float32[*] = Relu(%x)  # fc model.py:12
//   output out = %y
// {...} are known contents, [*] is an unknown rank, `_` is an unused result. Golden files contain such texts, so a
// change of the form changes them all.
class Printer {
 public:
  explicit Printer(const Graph& graph) : graph_(graph) {}

  std::string Print() {
    if (graph_.opset) AddLine(fmt::format("opset {}", graph_.opset));
    for (const auto& [name, range] : graph_.ranges) PrintRange(name, range);
    for (const Port& port : graph_.inputs) {
      AddLine(fmt::format("input {} = {}", Word(port.name), Typed(port.value)));
    }
    for (const Weight& weight : graph_.weights) {
      AddLine(fmt::format("weight {} = {}", Word(weight.name), Declared(weight.value)));
    }
    PrintNodes(graph_.body, 0);
    for (const Port& port : graph_.outputs) {
      AddLine(fmt::format("output {} = {}", Word(port.name), ArgText(port.value, 0)));
    }
    return std::move(out_);
  }

 private:
  // Text from a file cannot end the line.
  void AddLine(std::string_view text) { out_ += VisibleLine(text) + '\n'; }

  void PrintRange(const std::string& name, const Range& range) {
    AddLine(fmt::format("symbol {} in {}..{}", Word(name), range.min ? std::to_string(*range.min) : "",
                        range.max ? std::to_string(*range.max) : ""));
  }

  std::string Reference(ValueId id) const {
    if (id == ValueId::kNone) return "_";
    // A broken graph must be printable, too, for debugging.
    if (static_cast<size_t>(id) >= graph_.values.size()) return "%<missing>";
    const std::string& name = graph_.value(id).name;
    if (name.empty()) return fmt::format("%#{}", static_cast<int>(id));  // before the naming pass
    return name.starts_with('%') ? name : "%" + Word(name);              // that of a traced value has one already
  }

  std::string Type(const Value& value) const {
    switch (value.kind) {
      case ValueKind::kInt:
        return value.contents ? fmt::format("int {{{}}}", DimsText(*value.contents)) : "int";
      case ValueKind::kFloat:
        return "float";
      case ValueKind::kBool:
        return "bool scalar";
      case ValueKind::kSequence:
        return fmt::format("seq({})", TensorType(value));
      case ValueKind::kTensor:
        break;
    }
    return TensorType(value);
  }

  static std::string TensorType(const Value& value) {
    std::string text{Name(value.dtype)};
    text += value.dims ? "[" + DimsText(*value.dims) + "]" : "[*]";
    if (value.contents) text += " {" + DimsText(*value.contents) + "}";
    return text;
  }

  std::string Declared(ValueId id) const {
    if (static_cast<size_t>(id) >= graph_.values.size()) return Reference(id);
    return fmt::format("{}: {}", Reference(id), Type(graph_.value(id)));
  }

  std::string Typed(const Arg& arg) const { return arg.value() ? Declared(*arg.value()) : ArgText(arg, 0); }

  std::string ArgText(const Arg& arg, int depth) const {
    struct Visitor {
      const Printer& printer;
      int depth;
      std::string operator()(None) const { return "None"; }
      std::string operator()(bool b) const { return b ? "True" : "False"; }
      std::string operator()(int64_t i) const { return std::to_string(i); }
      std::string operator()(double d) const { return FloatText(d); }
      std::string operator()(const std::string& s) const { return Quoted(s); }
      std::string operator()(DType d) const { return std::string(Name(d)); }
      std::string operator()(const ir::Word& w) const { return Word(w.text); }
      std::string operator()(ValueId id) const { return printer.Reference(id); }
      std::string operator()(const std::shared_ptr<const TensorData>& t) const { return t ? TensorText(*t) : "None"; }
      std::string operator()(const ArgList& list) const {
        if (depth > kMaxBlockDepth) return "[...]";
        std::string out = "[";
        for (const Arg& element : list) {
          if (out.size() > 1) out += ", ";
          out += printer.ArgText(element, depth + 1);
        }
        return out + "]";
      }
    };
    return std::visit(Visitor{*this, depth}, arg.v);
  }

  std::string LocationText(const Location& location) const {
    std::string text(ModulePath(location));
    if (!location.file().empty()) {
      if (!text.empty()) text += ' ';
      text += fmt::format("{}:{}", location.file().substr(location.file().rfind('/') + 1), location.line());
    }
    if (text.empty()) return "";
    return "  # " + text;
  }

  void PrintNode(const Node& node, int depth) {
    std::string line(2 * depth, ' ');
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (i) line += ", ";
      line += node.outputs[i] == ValueId::kNone ? "_" : Declared(node.outputs[i]);
    }
    if (!node.outputs.empty()) line += " = ";
    line += node.op.text() + "(";
    bool first = true;
    const auto add = [&](const std::string& text) {
      if (!first) line += ", ";
      first = false;
      line += text;
    };
    const bool named = !node.attributes.empty() && node.attributes[0].value.is_none();  // a call without a schema
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      add((named ? node.attributes[i].name + "=" : "") + ArgText(node.inputs[i], 0));
    }
    for (const Attribute& a : node.attributes) {
      if (!named) add(a.name + "=" + ArgText(a.value, 0));
    }
    AddLine(line + ")" + LocationText(graph_.location(node.location)));
    for (const Block& block : node.blocks) PrintBlock(block, depth + 1);
  }

  void PrintBlock(const Block& block, int depth) {
    const std::string indent(2 * depth, ' ');
    std::string inputs;
    for (const ValueId id : block.inputs) inputs += (inputs.empty() ? "" : ", ") + Declared(id);
    AddLine(fmt::format("{}block({})", indent, inputs));
    PrintNodes(block, depth + 1);
    std::string outputs;
    for (const Arg& arg : block.outputs) outputs += (outputs.empty() ? "" : ", ") + ArgText(arg, 0);
    AddLine(fmt::format("{}yield {}", indent, outputs));
  }

  void PrintNodes(const Block& block, int depth) {
    if (depth > kMaxBlockDepth) {
      AddLine(std::string(2 * depth, ' ') + "...");
      return;
    }
    for (const Node& node : block.nodes) PrintNode(node, depth);
  }

  const Graph& graph_;
  std::string out_;
};

}  // namespace

std::string ToText(const Graph& graph) { return Printer(graph).Print(); }

}  // namespace onnxport::ir
