#include "runtime/sources/torchscript/syntax/literals.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <system_error>
#include <utility>

namespace onnxport::torchscript {
namespace {

constexpr std::string_view kEscapes = "a\ab\bf\fn\nr\rt\tv\v\\\\''\"\"";  // letter, byte

Expr Float(double value) {
  Expr number;
  number.kind = ExprKind::kFloat;
  number.number = value;
  return number;
}

std::optional<Expr> ReadInt(std::string_view text, bool negative) {
  uint64_t magnitude = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), magnitude);
  // A negative number may be larger by 1: -2**63 is an int64, 2**63 is not.
  const uint64_t limit = static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) + (negative ? 1 : 0);
  if (code != std::errc() || stop != text.data() + text.size() || magnitude > limit) return std::nullopt;
  Expr number;
  number.kind = ExprKind::kInt;
  number.integer = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  return number;
}

// Out of range it returns strtod's result: infinity, or zero for a number that is too small.
std::optional<Expr> ReadFloat(std::string_view text, bool negative) {
  double value = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (stop != text.data() + text.size() || code == std::errc::invalid_argument) return std::nullopt;
  // from_chars leaves `value` unchanged here, and does not say if it is too large or too small.
  if (code == std::errc::result_out_of_range) {
    const bool small = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
    value = small ? 0 : std::numeric_limits<double>::infinity();
  }
  return Float(negative ? -value : value);
}

// `1.+2.j`, `2.j`
std::optional<Expr> ReadComplex(std::string_view text, bool negative) {
  text.remove_suffix(1);
  size_t split = text.find_last_of("+-");
  // The last sign may be that of an exponent, as in `1.+2e-05j`.
  if (split != std::string_view::npos && split > 0 && (text[split - 1] == 'e' || text[split - 1] == 'E'))
    split = text.find_last_of("+-", split - 1);
  const bool has_real = split != std::string_view::npos;
  std::optional<Expr> real = has_real ? ReadFloat(text.substr(0, split), negative) : Float(0);
  const bool is_minus = has_real ? text[split] == '-' : negative;
  std::optional<Expr> imaginary = ReadFloat(has_real ? text.substr(split + 1) : text, is_minus);
  if (!real || !imaginary) return std::nullopt;
  // Python's `complex(1., 2.)`, so that the tree needs no special kind for complex numbers.
  Expr call, name;
  name.kind = ExprKind::kName;
  name.text = "complex";
  call.kind = ExprKind::kCall;
  call.operands.push_back(std::move(name));
  call.operands.push_back(*std::move(real));
  call.operands.push_back(*std::move(imaginary));
  return call;
}

bool IsOctal(char c) { return c >= '0' && c <= '7'; }

// After the backslash: octal of up to three digits, `xHH`.
std::optional<char> ReadCode(std::string_view text, size_t* position) {
  const bool is_hex = text[*position] == 'x';
  if (!is_hex && !IsOctal(text[*position])) return std::nullopt;
  const size_t begin = *position + (is_hex ? 1 : 0);
  size_t end = begin;
  const size_t most = begin + (is_hex ? 2 : 3);
  while (end < text.size() && end < most &&
         (is_hex ? std::isxdigit(static_cast<unsigned char>(text[end])) != 0 : IsOctal(text[end]))) {
    ++end;
  }
  unsigned code = 0;
  std::from_chars(text.data() + begin, text.data() + end, code, is_hex ? 16 : 8);
  // `\777` is more than a byte.
  if (end == begin || (is_hex && end != most) || code > 0xff) return std::nullopt;
  *position = end;
  return static_cast<char>(code);
}

}  // namespace

std::optional<Expr> ReadNumber(std::string_view text, bool negative) {
  if (text.ends_with('j')) return ReadComplex(text, negative);
  // A point or an exponent means a float; the other letters are those of inf and nan.
  return text.find_first_of(".eEinf") == std::string_view::npos ? ReadInt(text, negative) : ReadFloat(text, negative);
}

std::optional<std::string> ReadString(std::string_view quoted) {
  const std::string_view text = quoted.substr(1, quoted.size() - 2);
  std::string value;
  for (size_t i = 0; i < text.size();) {
    if (text[i] != '\\') {
      value += text[i++];
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    const size_t escape = kEscapes.find(text[i]);
    // Letters are at even places, and their bytes at odd ones. An `\a` (7) in the text must not be mistaken for a
    // letter.
    if (escape != std::string_view::npos && escape % 2 == 0) {
      value += kEscapes[escape + 1];
      ++i;
      continue;
    }
    const std::optional<char> code = ReadCode(text, &i);
    if (!code) return std::nullopt;
    value += *code;
  }
  return value;
}

std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const size_t escape = c == '\'' ? std::string_view::npos : kEscapes.rfind(c);
    if (escape != std::string_view::npos && escape % 2 == 1) {
      quoted += {'\\', kEscapes[escape - 1]};
    } else if (c >= ' ' && c < '\x7f') {
      quoted += c;
    } else {
      // Always three digits: \1 before a `2` in the text would be read as \12.
      const auto byte = static_cast<unsigned char>(c);
      quoted += {'\\', static_cast<char>('0' + byte / 64), static_cast<char>('0' + byte / 8 % 8),
                 static_cast<char>('0' + byte % 8)};
    }
  }
  return quoted + '"';
}

std::string FloatText(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 64> buffer{};
  const auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), end);
  // The shortest text that reads back as the same double. `3` would read back as an int.
  if (text.find_first_of(".e") == std::string::npos) text += '.';
  return text;
}

bool IsIdentifier(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && is_letter(text[0]) && std::all_of(text.begin(), text.end(), is_part);
}

}  // namespace onnxport::torchscript
