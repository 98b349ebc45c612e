// Texts: trimming, padding, large and small letters.
#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"

namespace onnxport::torchscript {
namespace letters {
namespace {

Value Truth(bool value) { return {value}; }

// ---- trimming and padding

template <bool kLeft, bool kRight>
std::optional<Value> Strip(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const std::string& text = KnownText(call);
  const std::string_view letters = call.size() > 1 ? std::string_view(KnownText(call, 1)) : kBlanks;
  std::array<bool, 256> goes = {};  // a table, so that long texts cost no search for each letter
  for (const char letter : letters) goes[static_cast<unsigned char>(letter)] = true;
  const auto stays = [&](char letter) { return !goes[static_cast<unsigned char>(letter)]; };
  const auto begin = kLeft ? std::find_if(text.begin(), text.end(), stays) : text.begin();
  const auto end = kRight ? std::find_if(text.rbegin(), std::make_reverse_iterator(begin), stays).base() : text.end();
  return Value{std::string(begin, end)};
}

enum class Side : uint8_t { kLeft, kRight, kBoth, kZeros };

template <Side kSide>
std::optional<Value> Pad(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const std::string& text = KnownText(call);
  const auto width = static_cast<size_t>(std::clamp<int64_t>(call.Int(1), 0, static_cast<int64_t>(kMaxTextBytes)));
  const std::string fill = kSide == Side::kZeros ? "0" : call.size() > 2 ? KnownText(call, 2) : " ";
  if (fill.size() != 1) throw Refusal::Raised("the fill character must be one character");
  if (text.size() >= width) return Value{text};
  const size_t missing = width - text.size();
  const size_t left = kSide == Side::kLeft ? 0 : kSide == Side::kBoth ? missing / 2 + (missing & width & 1) : missing;
  return Value{std::string(left, fill[0]) + text + std::string(missing - left, fill[0])};
}

std::optional<Value> ExpandTabs(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const auto width = static_cast<size_t>(std::clamp<int64_t>(call.Int(1, 8), 0, 64));
  std::string text;
  size_t column = 0;
  for (const char c : KnownText(call)) {
    if (c == '\t') {
      const size_t blanks = width == 0 ? 0 : width - column % width;
      text.append(blanks, ' ');
      column += blanks;
    } else {
      text += c;
      column = c == '\n' || c == '\r' ? 0 : column + 1;
    }
  }
  return Value{text};
}

// ---- letters, ASCII only

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsAlpha(char c) { return IsUpper(c) || IsLower(c); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsAlnum(char c) { return IsAlpha(c) || IsDigit(c); }
bool IsSpace(char c) { return kBlanks.find(c) != std::string_view::npos; }
bool IsPrintable(char c) { return c >= ' ' && c < '\x7f'; }
char Upper(char c) { return IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c; }
char Lower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
char Swap(char c) { return IsUpper(c) ? Lower(c) : Upper(c); }

template <char (*F)(char)>
std::optional<Value> Map(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  std::string text = KnownText(call);
  std::transform(text.begin(), text.end(), text.begin(), F);
  return Value{text};
}

// Makes the first letter of the text, or of each word, upper case.
template <bool kEachWord>
std::optional<Value> Capitalize(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  std::string text = KnownText(call);
  bool at_start = true;
  for (char& c : text) {
    const bool is_letter = IsAlpha(c);
    c = at_start ? Upper(c) : Lower(c);
    at_start = kEachWord && !is_letter;
  }
  return Value{text};
}

template <bool (*F)(char)>
std::optional<Value> All(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const std::string& text = KnownText(call);
  return Truth((F == IsPrintable || !text.empty()) && std::all_of(text.begin(), text.end(), F));
}

// True if there is no letter of the other case, and at least one of this case.
template <bool (*F)(char), bool (*Other)(char)>
std::optional<Value> HasCase(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const std::string& text = KnownText(call);
  return Truth(std::any_of(text.begin(), text.end(), F) && std::none_of(text.begin(), text.end(), Other));
}

std::optional<Value> IsTitle(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const std::string& text = KnownText(call);
  return Truth(std::any_of(text.begin(), text.end(), IsAlpha) && *Capitalize<true>(call)->As<std::string>() == text);
}

std::optional<Value> IsIdentifierText(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const std::string& text = KnownText(call);
  // LibTorch does not accept an underscore here.
  return Truth(!text.empty() && !IsDigit(text[0]) && std::all_of(text.begin(), text.end(), IsAlnum));
}

constexpr BuiltinRow kRows[] = {
    {"aten::strip", Strip<true, true>},
    {"aten::lstrip", Strip<true, false>},
    {"aten::rstrip", Strip<false, true>},
    {"aten::ljust", Pad<Side::kLeft>},
    {"aten::rjust", Pad<Side::kRight>},
    {"aten::center", Pad<Side::kBoth>},
    {"aten::zfill", Pad<Side::kZeros>},
    {"aten::expandtabs", ExpandTabs},
    {"aten::upper", Map<Upper>},
    {"aten::lower", Map<Lower>},
    {"aten::swapcase", Map<Swap>},
    {"aten::capitalize", Capitalize<false>},
    {"aten::title", Capitalize<true>},
    {"aten::isalnum", All<IsAlnum>},
    {"aten::isalpha", All<IsAlpha>},
    {"aten::isdecimal", All<IsDigit>},
    {"aten::isdigit", All<IsDigit>},
    {"aten::isnumeric", All<IsDigit>},
    {"aten::isspace", All<IsSpace>},
    {"aten::isprintable", All<IsPrintable>},
    {"aten::isupper", HasCase<IsUpper, IsLower>},
    {"aten::islower", HasCase<IsLower, IsUpper>},
    {"aten::istitle", IsTitle},
    {"aten::isidentifier", IsIdentifierText},
};

}  // namespace
}  // namespace letters

std::span<const BuiltinRow> LetterBuiltins() { return letters::kRows; }

}  // namespace onnxport::torchscript
