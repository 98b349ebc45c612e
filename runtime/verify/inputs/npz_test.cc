#include "runtime/verify/inputs/npz.h"

#include <gtest/gtest.h>

#include "runtime/base/error.h"

namespace onnxport::verify {
namespace {

std::string Npy(const std::string& header, const std::string& contents) {
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header + contents;
}

TEST(ParseNpy, ReadsTypeShapeAndBytes) {
  const struct {
    const char* descr;
    const char* shape;
    size_t bytes;
    ir::DType dtype;
    std::vector<int64_t> sizes;
  } cases[] = {
      {"<f4", "(2, 3)", 24, ir::DType::kFloat32, {2, 3}},
      {"<i8", "(3,)", 24, ir::DType::kInt64, {3}},
      {"|b1", "()", 1, ir::DType::kBool, {}},
      {"<f2", "(0, 5)", 0, ir::DType::kFloat16, {0, 5}},
      {"<c16", "(1,)", 16, ir::DType::kComplex128, {1}},
  };
  for (const auto& test : cases) {
    const std::string header =
        std::string("{'descr': '") + test.descr + "', 'fortran_order': False, 'shape': " + test.shape + ", }  \n";
    const ort::Tensor tensor = ParseNpy(Npy(header, std::string(test.bytes, '\7')));
    EXPECT_EQ(tensor.dtype, test.dtype) << header;
    EXPECT_EQ(tensor.shape, test.sizes) << header;
    EXPECT_EQ(tensor.bytes, std::string(test.bytes, '\7')) << header;
  }
}

TEST(ParseNpy, RefusesWhatItWouldMisread) {
  const auto header = [](const std::string& descr, const std::string& order, const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  };
  const struct {
    const char* what;
    std::string bytes;
  } cases[] = {
      {"no array", "PK\3\4 and more bytes"},
      {"big-endian", Npy(header("'>f4'", "False", "(1,)"), "1234")},
      {"column-major", Npy(header("'<f4'", "True", "(1, 2)"), "12345678")},
      {"texts", Npy(header("'<U3'", "False", "(1,)"), "123456789012")},
      {"structures", Npy(header("[('a', '<f4')]", "False", "(1,)"), "1234")},
      {"too few bytes", Npy(header("'<f4'", "False", "(2,)"), "1234")},
      {"a size beyond all", Npy(header("'<f4'", "False", "(4611686018427387905,)"), "1234")},
      {"no shape", Npy("{'descr': '<f4', 'fortran_order': False, }", "1234")},
      {"a header that ends", Npy(header("'<f4'", "False", "(1,)"), "").substr(0, 20)},
  };
  for (const auto& [what, bytes] : cases) EXPECT_THROW(ParseNpy(bytes), Error) << what;
}

}  // namespace
}  // namespace onnxport::verify
