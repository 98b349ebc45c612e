#include "runtime/model/passes/graph/argument_key.h"

#include <array>
#include <bit>
#include <charconv>
#include <span>

namespace onnxport::passes {
namespace {

// Larger constants are compared by identity.
constexpr int64_t kMostBytes = 4096;

}  // namespace

// `i3;i12;` for 3 and 12: tag and end separate neighbours. A text has its length before it ("s5;hello"), so it cannot
// look like two arguments. The text is only compared, never parsed.
void ArgumentKey::Number(char tag, int64_t number) {
  std::array<char, 22> digits;  // of any number, with its sign
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text_ += tag;
  text_.append(digits.data(), end);
  text_ += ';';
}

void ArgumentKey::Text(char tag, std::string_view text) {
  Number(tag, static_cast<int64_t>(text.size()));
  text_ += text;
}

void ArgumentKey::Write(const ir::Arg& arg) {
  std::visit([this](const auto& value) { Value(value); }, arg.v);
}

// By its bits: -0.0 differs from 0.0, and a NaN equals itself.
void ArgumentKey::Value(double value) { Number('f', std::bit_cast<int64_t>(value)); }

void ArgumentKey::Value(const ir::ArgList& list) {
  Number('l', static_cast<int64_t>(list.size()));
  for (const ir::Arg& element : list) Write(element);
}

void ArgumentKey::Value(const std::shared_ptr<const ir::TensorData>& data) {
  Number('t', static_cast<int64_t>(data->dtype));
  int64_t count = ir::ByteSize(data->dtype);
  for (const int64_t dim : data->shape) {
    Number('d', dim);
    if (__builtin_mul_overflow(count, dim, &count)) count = kMostBytes + 1;
  }
  // An address differs from run to run. That is harmless, because keys are only compared for equality; they must not be
  // sorted.
  if (count > kMostBytes) return Number('p', reinterpret_cast<intptr_t>(data->bytes.get()));
  const std::string bytes = ir::BytesOf(*data->bytes);
  Text('b', bytes);
}

}  // namespace onnxport::passes
