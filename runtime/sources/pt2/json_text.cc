#include "runtime/sources/pt2/json_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "runtime/base/error.h"

namespace onnxport::pt2 {
namespace {

constexpr size_t kMaxText = size_t{1} << 30;

constexpr uint64_t Eight(uint64_t byte) { return byte * 0x0101010101010101; }

// Returns how many of eight bytes are plain, from the first on.
size_t PlainOfEight(const char* text) {
  uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  if constexpr (std::endian::native == std::endian::big)
    word = __builtin_bswap64(word);  // the first byte is the lowest
  // The high bit of a byte is set if the byte is below 32, a quote or a backslash (0 after the xor, below 1), or not
  // ASCII. A borrow may set it in bytes after a special one, but never in those before it.
  const uint64_t special =
      (word - Eight(0x20)) | ((word ^ Eight('"')) - Eight(1)) | ((word ^ Eight('\\')) - Eight(1)) | word;
  return static_cast<size_t>(std::countr_zero(special & Eight(0x80))) / 8;
}

bool IsPlain(char c) { return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\'; }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsOfNumber(char c) { return IsDigit(c) || c == '-' || c == '.' || c == 'e' || c == 'E' || c == '+'; }

// Returns the length of the JSON number at the begin of the text; 0 if there is none.
size_t NumberIn(std::string_view text) {
  size_t at = 0;
  const auto is = [&](auto... chars) { return at < text.size() && ((text[at] == chars) || ...); };
  const auto skip_digits = [&] {
    const size_t first = at;
    while (at < text.size() && IsDigit(text[at])) ++at;
    return at != first;
  };
  if (is('-')) ++at;
  if (is('0')) {
    ++at;
  } else if (!skip_digits()) {
    return 0;
  }
  if (is('.')) {
    const size_t point = at++;
    if (!skip_digits()) return point;
  }
  if (is('e', 'E')) {
    const size_t exponent = at++;
    if (is('-', '+')) ++at;
    if (!skip_digits()) return exponent;
  }
  return at;
}

// The place of its first digit that is not 0, counted from the point to the left: 3 for 123, -1 for 0.01.
int64_t Magnitude(std::string_view number) {
  if (number.starts_with('-')) number.remove_prefix(1);
  const size_t exponent = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, exponent);
  const auto point = static_cast<int64_t>(std::min(digits.find('.'), digits.size()));
  const size_t first_digit = digits.find_first_not_of("0.");
  if (first_digit == std::string_view::npos) return 0;
  const auto first = static_cast<int64_t>(first_digit);
  int64_t tens = 0;
  number.remove_prefix(std::min(exponent + 1, number.size()));
  if (number.starts_with('+')) number.remove_prefix(1);
  const auto code = std::from_chars(number.data(), number.data() + number.size(), tens).ec;
  // No text has as many digits, and adding a place cannot overflow.
  constexpr int64_t kMost = INT64_MAX / 2;
  if (code == std::errc::result_out_of_range) tens = number.starts_with('-') ? -kMost : kMost;
  tens = std::clamp(tens, -kMost, kMost);
  return (first < point ? point - first : point + 1 - first) + tens;
}

}  // namespace

bool JsonText::Fill() {
  before_ += static_cast<size_t>(end_ - begin_);
  const std::string_view block = next_();
  begin_ = at_ = block.data();
  end_ = begin_ + block.size();
  return !block.empty();
}

void JsonText::Fail(size_t behind) const {
  // Counted from 1.
  const size_t at = before_ + static_cast<size_t>(at_ - begin_) + behind;
  throw Error(ErrorKind::kBadInput, "no valid JSON at byte " + std::to_string(at + 1));
}

void JsonText::Word(std::string_view word) {
  for (const char c : word) {
    if (Peek() != c) Fail();
    Skip();
  }
}

std::string_view JsonText::Number() {
  const char* stop = at_;
  while (stop != end_ && IsOfNumber(*stop)) ++stop;
  std::string_view number(at_, static_cast<size_t>(stop - at_));
  if (stop == end_) {
    kept_.clear();
    while (!at_end() && IsOfNumber(*at_)) {
      Keep({at_, 1});
      Skip();
    }
    number = kept_;
    if (number.empty() || NumberIn(number) != number.size()) Fail();
    return number;
  }
  if (const size_t valid = NumberIn(number); valid != number.size() || number.empty()) Fail(valid);
  at_ = stop;
  return number;
}

std::string_view JsonText::Plain() const {
  const char* stop = at_;
  size_t plain = 8;
  for (; plain == 8 && end_ - stop >= 8; stop += plain) plain = PlainOfEight(stop);
  while (plain == 8 && stop != end_ && IsPlain(*stop)) ++stop;
  return {at_, static_cast<size_t>(stop - at_)};
}

std::string_view JsonText::Text() {
  Skip();
  const std::string_view text = Plain();
  const char* const stop = text.data() + text.size();
  if (stop == end_ || *stop != '"') return LongText();
  at_ = stop + 1;
  return text;
}

// Reads a text with escapes, with characters of several bytes, or in several blocks.
std::string_view JsonText::LongText() {
  kept_.clear();
  for (char c = Peek(); c != '"'; c = Peek()) {
    if (c == '\\') {
      Escape();
    } else if (static_cast<signed char>(c) < 0) {
      Encoded();
    } else {
      const std::string_view plain = Plain();
      if (plain.empty()) Fail();  // a control character, or the end
      Keep(plain);
      at_ += plain.size();
    }
  }
  Skip();
  return kept_;
}

void JsonText::Keep(std::string_view text) {
  if (text.size() > kMaxText - kept_.size()) throw Error(ErrorKind::kBadInput, "a value too large");
  kept_.append(text);
}

void JsonText::Escape() {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
  Skip();
  const char name = Peek();
  if (const size_t known = kNames.find(name); known != std::string_view::npos) {
    Skip();
    return Keep(kMeant.substr(known, 1));
  }
  if (name != 'u') Fail();
  Skip();
  unsigned code = Hexadecimal();
  if (code >= 0xdc00 && code <= 0xdfff)
    throw Error(ErrorKind::kBadInput, "no valid JSON: an escape that is half of a surrogate pair");
  if (code >= 0xd800 && code <= 0xdbff) {
    Word("\\u");
    const unsigned low = Hexadecimal();
    if (low < 0xdc00 || low > 0xdfff) Fail();
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  const auto byte = [](unsigned bits) { return static_cast<char>(bits); };
  const auto next = [&](unsigned shift) { return byte(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) return Keep(std::string{byte(code)});
  if (code < 0x800) return Keep(std::string{byte(0xc0 | code >> 6), next(0)});
  if (code < 0x10000) return Keep(std::string{byte(0xe0 | code >> 12), next(6), next(0)});
  Keep(std::string{byte(0xf0 | code >> 18), next(12), next(6), next(0)});
}

unsigned JsonText::Hexadecimal() {
  unsigned code = 0;
  for (int i = 0; i < 4; ++i) {
    const char digit = Peek();
    unsigned value = 0;
    if (std::from_chars(&digit, &digit + 1, value, 16).ec != std::errc()) Fail();
    code = code << 4 | value;
    Skip();
  }
  return code;
}

// Reads a character of several bytes, and refuses invalid UTF-8. After some first bytes of three or four, not all
// continuations are valid. Some would be an overlong form, half of a surrogate pair, or beyond the last character.
void JsonText::Encoded() {
  const auto first = static_cast<unsigned char>(Peek());
  if (first < 0xc2 || first > 0xf4) Fail();
  const int more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
  unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  Keep({at_, 1});
  Skip();
  for (int i = 0; i < more; ++i) {
    const auto byte = static_cast<unsigned char>(Peek());
    if (byte < least || byte > most) Fail();
    least = 0x80;
    most = 0xbf;
    Keep({at_, 1});
    Skip();
  }
}

std::optional<double> NearestDouble(std::string_view number) {
  double value = 0;
  const auto code = std::from_chars(number.data(), number.data() + number.size(), value).ec;
  if (code != std::errc::result_out_of_range) return value;
  // It does not say on which side.
  if (Magnitude(number) > 0) return std::nullopt;
  return number.starts_with('-') ? -0.0 : 0.0;
}

}  // namespace onnxport::pt2
