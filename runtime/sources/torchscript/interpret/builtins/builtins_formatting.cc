// Values as texts: bytes, as LibTorch's interpreter has them. A text with a part known only at run time can be joined
// and printed, and decides nothing.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace formatting {
namespace {

// Looked at before the text grows: few arguments that are long make a text that no memory holds.
void CheckLength(size_t length) {
  if (length > kMaxTextBytes)
    throw Refusal(onnxport::Code::kValueIsTooLarge, "the text is longer than a million bytes");
}

void Append(std::string_view more, std::string* text) {
  CheckLength(text->size() + more.size());
  *text += more;
}

// `{}` one after the other; LibTorch knows no other form.
std::optional<Value> Format(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const std::string& format = call.Text(0);
  std::string text;
  size_t used = 1, begin = 0;
  for (size_t at = format.find("{}"); at != std::string::npos; at = format.find("{}", begin)) {
    if (used >= call.size()) throw Refusal::Raised("too few arguments for the format \"" + format + "\"");
    Append(std::string_view(format).substr(begin, at - begin), &text);
    Append(Str(call.At(used++)), &text);
    begin = at + 2;
  }
  Append(std::string_view(format).substr(begin), &text);
  return Value{std::move(text)};
}

std::string Percent(char kind, const Value& value) {
  if (kind == 's' || !IsKnownNumber(value)) return Str(value);
  char text[400];
  switch (kind) {
    case 'd':
    case 'i':
      return value.As<double>() == nullptr ? Str(value) : fmt::format("{:.0f}", std::trunc(AsDouble(value)));
    case 'e':
      return {text, static_cast<size_t>(std::snprintf(text, sizeof(text), "%e", AsDouble(value)))};
    case 'E':
      return {text, static_cast<size_t>(std::snprintf(text, sizeof(text), "%E", AsDouble(value)))};
    default:
      return {text, static_cast<size_t>(std::snprintf(text, sizeof(text), "%f", AsDouble(value)))};
  }
}

// `%s`, `%d`, `%i`, `%f`, `%e`, without widths.
std::optional<Value> PercentFormat(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const auto* tuple = call.As<TuplePtr>(1);
  ValueList values = tuple != nullptr ? (*tuple)->items : ValueList(call.args.begin() + 1, call.args.end());
  const std::string& format = call.Text(0);
  std::string text;
  size_t used = 0;
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      text += format[i];
      continue;
    }
    const char kind = ++i < format.size() ? format[i] : '\0';
    if (kind == '%') {
      text += '%';
      continue;
    }
    if (std::string_view("sdifFeE").find(kind) == std::string_view::npos) {
      throw Refusal("a `%` format other than s, d, i, f and e without widths");
    }
    if (used >= values.size()) throw Refusal::Raised("too few arguments for the format \"" + format + "\"");
    Append(Percent(kind, values[used++]), &text);
  }
  return Value{std::move(text)};
}

std::optional<Value> StrOf(const CallSite& call) { return Value{Str(call.At(0))}; }

std::optional<Value> Concatenate(const CallSite& call) {
  const auto* text = call.As<Text>(0);
  const auto* more = call.As<Text>(1);
  if (text == nullptr || more == nullptr) return std::nullopt;
  CheckLength(text->size() + more->size());
  return Value{text->Plus(*more)};
}

std::optional<Value> Join(const CallSite& call) {
  const CellPtr* list = AsList(call.At(1));
  if (!IsText(call) || list == nullptr || (*list)->is_dynamic()) return std::nullopt;
  std::string text;
  for (size_t i = 0; i < (*list)->items.size(); ++i) {
    const auto* item = (*list)->items[i].As<std::string>();
    if (item == nullptr) throw Refusal("join() takes texts");
    if (i > 0) Append(call.Text(0), &text);
    Append(*item, &text);
  }
  return Value{std::move(text)};
}

std::string Number(int64_t value, int base, const char* prefix) {
  uint64_t magnitude = value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  std::string digits;
  do {
    digits += "0123456789abcdef"[magnitude % base];
    magnitude /= base;
  } while (magnitude != 0);
  std::reverse(digits.begin(), digits.end());
  return (value < 0 ? "-" : "") + std::string(prefix) + digits;
}

std::optional<Value> Hex(const CallSite& call) { return Value{Number(call.Int(0), 16, "0x")}; }
std::optional<Value> Oct(const CallSite& call) { return Value{Number(call.Int(0), 8, "0o")}; }
std::optional<Value> Bin(const CallSite& call) { return Value{Number(call.Int(0), 2, "0b")}; }

std::optional<Value> Chr(const CallSite& call) {
  const int64_t code = call.Int(0);
  if (code < 0 || code > 255) throw Refusal::Raised("chr() takes 0 to 255");
  return Value{std::string(1, static_cast<char>(code))};
}

std::optional<Value> Ord(const CallSite& call) {
  if (KnownText(call).size() != 1) throw Refusal::Raised("ord() takes one character");
  return Value{static_cast<int64_t>(static_cast<unsigned char>(KnownText(call)[0]))};
}

constexpr BuiltinRow kRows[] = {
    {"aten::format", Format}, {"aten::percentFormat", PercentFormat},
    {"aten::str", StrOf},     {"aten::add", Concatenate},
    {"aten::join", Join},     {"aten::hex", Hex},
    {"aten::oct", Oct},       {"aten::bin", Bin},
    {"aten::chr", Chr},       {"aten::ord", Ord},
};

}  // namespace
}  // namespace formatting

std::span<const BuiltinRow> FormattingBuiltins() { return formatting::kRows; }

}  // namespace onnxport::torchscript
