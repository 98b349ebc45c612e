#include "runtime/verify/inputs/npz.h"

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "runtime/archive/archive.h"
#include "runtime/base/error.h"

namespace onnxport::verify {
namespace {

using ir::DType;

// NumPy's names of types: kind and size. It has no bfloat16.
constexpr std::pair<std::string_view, DType> kTypes[] = {
    {"f2", DType::kFloat16},   {"f4", DType::kFloat32},     {"f8", DType::kFloat64}, {"i1", DType::kInt8},
    {"i2", DType::kInt16},     {"i4", DType::kInt32},       {"i8", DType::kInt64},   {"u1", DType::kUInt8},
    {"u2", DType::kUInt16},    {"u4", DType::kUInt32},      {"u8", DType::kUInt64},  {"b1", DType::kBool},
    {"c8", DType::kComplex64}, {"c16", DType::kComplex128},
};

Error Bad(const std::string& what) { return {ErrorKind::kUsage, "is no array that is read here: " + what}; }

// The text behind `'key': ` in the header, a Python dict of fixed form.
std::string_view After(std::string_view header, std::string_view key) {
  const size_t at = header.find(key);
  if (at == std::string_view::npos) throw Bad("its header has no " + std::string(key));
  std::string_view rest = header.substr(at + key.size());
  while (rest.starts_with(':') || rest.starts_with(' ')) rest.remove_prefix(1);
  return rest;
}

// The header is a text such as {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }. The first letter of `descr`
// is the order of bytes: "<" little, ">" big, "|" where a byte is all.
DType TypeIn(std::string_view header) {
  std::string_view text = After(header, "'descr'");
  if (!text.starts_with('\'')) throw Bad("it holds structures");
  text = text.substr(1, text.find('\'', 1) - 1);
  if (text.starts_with('>')) throw Bad("its bytes are big-endian");
  for (const auto& [name, dtype] : kTypes) {
    if (text.size() > 1 && text.substr(1) == name) return dtype;
  }
  throw Bad("it holds " + std::string(text));
}

std::vector<int64_t> ShapeIn(std::string_view header) {
  std::string_view text = After(header, "'shape'");
  std::vector<int64_t> shape;
  while (!text.empty() && text.front() != ')') {
    int64_t size = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (error != std::errc()) {
      text.remove_prefix(1);  // a parenthesis, a comma, a blank
      continue;
    }
    if (size < 0) throw Bad("a size is negative");
    shape.push_back(size);
    text.remove_prefix(static_cast<size_t>(stop - text.data()));
  }
  return shape;
}

std::optional<uint64_t> BytesOf(const ort::Tensor& tensor) {
  auto bytes = static_cast<uint64_t>(ir::ByteSize(tensor.dtype));
  for (const int64_t size : tensor.shape) {
    if (__builtin_mul_overflow(bytes, static_cast<uint64_t>(size), &bytes)) return std::nullopt;
  }
  return bytes;
}

}  // namespace

ort::Tensor ParseNpy(std::string_view bytes) {
  constexpr std::string_view kMagic("\x93NUMPY", 6);
  if (!bytes.starts_with(kMagic) || bytes.size() < 12) throw Bad("it does not begin as one of NumPy");
  // Version 1 has two bytes for the header's length, versions 2 and 3 four.
  const size_t length_size = bytes[6] == 1 ? 2 : 4;
  size_t length = 0;
  for (size_t i = 0; i < length_size; ++i) length |= static_cast<size_t>(static_cast<uint8_t>(bytes[8 + i])) << 8 * i;
  const size_t begin = 8 + length_size;
  if (length > bytes.size() - begin) throw Bad("it ends in its header");
  const std::string_view header = bytes.substr(begin, length);
  ort::Tensor tensor{.name = {}, .dtype = TypeIn(header), .shape = ShapeIn(header), .bytes = {}};
  // A vector is the same in both orders.
  if (!After(header, "'fortran_order'").starts_with("False") && tensor.shape.size() > 1) {
    throw Bad("it is column-major; save numpy.ascontiguousarray of it");
  }
  tensor.bytes = bytes.substr(begin + length);
  if (BytesOf(tensor) != tensor.bytes.size()) throw Bad("it has another number of bytes than its shape");
  return tensor;
}

std::vector<ort::Tensor> ReadNpz(const std::string& path) {
  const auto archive = archive::Archive::Open(path);
  std::vector<ort::Tensor> tensors;
  for (const auto& record : archive->records()) {
    if (!record.name.ends_with(".npy")) continue;
    const std::string bytes = archive->ReadText(record, std::numeric_limits<int64_t>::max());
    try {
      tensors.push_back(ParseNpy(bytes));
    } catch (const Error& error) {
      throw error.Behind(path + ": " + record.name + " ");
    }
    tensors.back().name = record.name.substr(0, record.name.size() - 4);
  }
  return tensors;
}

}  // namespace onnxport::verify
