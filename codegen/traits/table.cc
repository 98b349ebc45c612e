#include "codegen/traits/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "codegen/traits/words.h"

namespace onnxport::codegen {
namespace {

using op_traits::Operand;
using op_traits::OpTraits;

// The rows are read by runtime/aten/op_traits.cc; templates/op_traits.cc.tpl is what surrounds them.
std::string OperandText(const Operand& operand) {
  std::string text = fmt::format("{{{}, Kind::{}", operand.position, NameOf(kOperandWords, operand.kind));
  const bool number = operand.kind == Operand::Kind::kNumber;
  // Fields with their defaults at the end are left out; before a number all are written, as initializers go by their
  // order.
  if (operand.a >= 0 || number) text += fmt::format(", {}", operand.a);
  if (operand.b >= 0 || number) text += fmt::format(", {}", operand.b);
  return text + (number ? fmt::format(", {}}}", operand.number) : "}");
}

class TableWriter {
 public:
  // The name of a constant for the call; calls that are the same share it.
  std::string Call(const ResolvedCall& call) {
    std::string operands;
    for (const Operand& operand : call.operands) operands += (operands.empty() ? "" : ", ") + OperandText(operand);
    const std::string key = call.op + "(" + operands;
    const auto known = std::ranges::find(keys_, key);
    const auto number = known - keys_.begin();
    if (known == keys_.end()) {
      keys_.push_back(key);
      if (!operands.empty()) calls_ += fmt::format("constexpr Operand kOperands{}[] = {{{}}};\n", number, operands);
      calls_ += fmt::format("constexpr Call kCall{} = {{\"{}\", {}}};\n", number, call.op,
                            operands.empty() ? "{}" : fmt::format("kOperands{}", number));
    }
    return fmt::format("kCall{}", number);
  }

  // Only what differs from the default: `{.op = "aten::view", .alias = Alias::kReshaped},`. The order must be that of
  // the struct's fields, or designated initializers do not compile.
  std::string Row(const ResolvedTraits& one) {
    const OpTraits& row = one.traits;
    std::string text = fmt::format("{{.op = \"{}\"", one.op);
    if (row.alias != op_traits::Alias::kUnknown)
      text += fmt::format(", .alias = Alias::{}", NameOf(kAliasWords, row.alias));
    if (row.axes[0] >= 0)
      text += fmt::format(", .axes = {{{}, {}, {}, {}}}", row.axes[0], row.axes[1], row.axes[2], row.axes[3]);
    if (row.copies != op_traits::Copies::kNever)
      text += fmt::format(", .copies = Copies::{}", NameOf(kCopiesWords, row.copies));
    if (row.layout != op_traits::Layout::kUnstated)
      text += fmt::format(", .layout = Layout::{}", NameOf(kLayoutWords, row.layout));
    if (row.writes_nothing) text += ", .writes_nothing = true";
    if (row.writes_when >= 0) text += fmt::format(", .writes_when = {}", row.writes_when);
    if (row.quantized != op_traits::Quantized::kUnsupported)
      text += fmt::format(", .quantized = Quantized::{}", NameOf(kQuantizedWords, row.quantized));
    if (row.quantized == op_traits::Quantized::kGrid)
      text += fmt::format(", .grid = {{{}, {}, {}}}", row.grid.scale, row.grid.quint8_zero_point,
                          row.grid.qint8_zero_point);
    if (one.write_back) text += fmt::format(", .write_back = &{}", Call(*one.write_back));
    if (one.read_one) text += fmt::format(", .read_one = &{}", Call(*one.read_one));
    if (one.functional) text += fmt::format(", .functional = &{}", Call(*one.functional));
    return text + "},\n";
  }

  const std::string& calls() const { return calls_; }

 private:
  std::vector<std::string> keys_;
  std::string calls_;
};

}  // namespace

std::string TraitsTable(std::vector<ResolvedTraits> traits, Templates* templates, std::string_view owner) {
  // The runtime looks rows up by halving.
  std::ranges::sort(traits, {}, &ResolvedTraits::op);
  TableWriter writer;
  std::string rows;
  for (const ResolvedTraits& one : traits) rows += writer.Row(one);
  return templates->Fill("op_traits.cc", {{"calls", writer.calls()},
                                          {"rows", rows},
                                          {"count", fmt::format("{}", traits.size())},
                                          {"owner", std::string(owner)}});
}

}  // namespace onnxport::codegen
