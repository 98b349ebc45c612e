#include "runtime/sources/pt2/json_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <new>

#include "runtime/base/error.h"
#include "runtime/base/memory_budget.h"

namespace onnxport::pt2 {
namespace {

constexpr size_t kMaxText = size_t{1} << 31;
constexpr size_t kMaxRun = size_t{1} << 20;

constexpr uint64_t Eight(uint64_t byte) { return byte * 0x0101010101010101; }

// How many of eight bytes are plain, from the first on.
size_t PlainOfEight(const char* text) {
  uint64_t word = 0;
  std::memcpy(&word, text, sizeof word);
  if constexpr (std::endian::native == std::endian::big)
    word = __builtin_bswap64(word);  // the first byte is the lowest
  // The high bit of a byte is set where that byte is below 32, is a quote or a backslash (0 after the xor, below 1), or
  // is not ASCII. A borrow can set it in bytes behind a special one, never in those before it.
  const uint64_t special =
      (word - Eight(0x20)) | ((word ^ Eight('"')) - Eight(1)) | ((word ^ Eight('\\')) - Eight(1)) | word;
  return static_cast<size_t>(std::countr_zero(special & Eight(0x80))) / 8;
}

bool IsPlain(char c) { return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\'; }

}  // namespace

std::string_view TextStream::Plain() const {
  const char* const end = at_ + std::min(static_cast<size_t>(end_ - at_), kMaxRun);
  const char* stop = at_;
  size_t plain = 8;
  for (; plain == 8 && end - stop >= 8; stop += plain) plain = PlainOfEight(stop);
  while (plain == 8 && stop != end && IsPlain(*stop)) ++stop;
  return {at_, static_cast<size_t>(stop - at_)};
}

void TextStream::Fill() {
  before_ += static_cast<size_t>(end_ - begin_);
  const std::string_view block = (*next_)();
  begin_ = at_ = block.data();
  end_ = begin_ + block.size();
}

// RapidJSON asks for the second half of a pair after the first, and takes a second one by itself.
void CheckedText::CheckCodepoint(unsigned codepoint) {
  if (codepoint < 0xd800 || codepoint > 0xdfff) return;
  throw Error(ErrorKind::kBadInput, "no valid JSON: an escape that is half of a surrogate pair");
}

std::optional<double> NearestDouble(std::string_view text) {
  double value = 0;
  const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc::result_out_of_range) return value;
  // It does not say on which side. An integer part that is too large RapidJSON has refused.
  const size_t exponent = text.find_first_of("eE");
  const bool is_small = exponent == std::string_view::npos || text[exponent + 1] == '-';
  if (!is_small) return std::nullopt;
  return text[0] == '-' ? -0.0 : 0.0;
}

namespace {

// Free is not told how much it frees: that stands before the memory.
constexpr size_t kHeader = alignof(std::max_align_t);
static_assert(kHeader >= sizeof(size_t));

}  // namespace

void* TextMemory::Realloc(void* memory, size_t old_size, size_t size) {
  if (size == 0) {
    Free(memory);
    return nullptr;
  }
  if (size > kMaxText) throw Error(ErrorKind::kBadInput, "a value too large");
  MemoryBudget::Take(size);
  auto* const made = static_cast<char*>(std::malloc(kHeader + size));
  if (made == nullptr) {
    MemoryBudget::Give(size);
    throw std::bad_alloc();
  }
  std::memcpy(made, &size, sizeof size);
  if (memory != nullptr) std::memcpy(made + kHeader, memory, std::min(old_size, size));
  Free(memory);
  return made + kHeader;
}

void TextMemory::Free(void* memory) {
  if (memory == nullptr) return;
  char* const made = static_cast<char*>(memory) - kHeader;
  size_t size = 0;
  std::memcpy(&size, made, sizeof size);
  MemoryBudget::Give(size);
  std::free(made);
}

}  // namespace onnxport::pt2
