#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/ir/dtype.h"
#include "runtime/ir/half.h"
#include "runtime/verify/report/report.h"

namespace onnxport::verify {
namespace {

template <typename T>
void Append(T value, std::string* bytes) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void Append(const std::string& value, ir::DType dtype, std::string* bytes) {
  switch (dtype) {
    case ir::DType::kFloat64:
      return Append(std::stod(value), bytes);
    case ir::DType::kFloat32:
      return Append(std::stof(value), bytes);
    case ir::DType::kFloat16:
      return Append(ir::Float16Bits(std::stod(value)), bytes);
    case ir::DType::kBFloat16:
      return Append(ir::BFloat16Bits(std::stod(value)), bytes);
    case ir::DType::kInt64:
      return Append(int64_t{std::stoll(value)}, bytes);
    case ir::DType::kInt32:
      return Append(std::stoi(value), bytes);
    case ir::DType::kUInt8:
    case ir::DType::kBool:
      return Append(static_cast<uint8_t>(std::stoi(value)), bytes);
    default:
      throw std::runtime_error("verdicts.txt: a type that the test does not make");
  }
}

std::vector<std::string> Parts(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

// "1,2.5"; "-" is no value.
ort::Tensor Read(const std::string& values, ir::DType dtype) {
  ort::Tensor tensor{.name = "y", .dtype = dtype, .shape = {0}, .bytes = ""};
  if (values == "-") return tensor;
  for (const std::string& value : Parts(values)) {
    ++tensor.shape[0];
    Append(value, dtype, &tensor.bytes);
  }
  return tensor;
}

// "rtol=0.1,atol=0"
GivenTolerances ReadGiven(const std::string& text) {
  GivenTolerances given;
  for (const std::string& part : Parts(text))
    (part[0] == 'r' ? given.relative : given.absolute) = std::stod(part.substr(5));
  return given;
}

TEST(Judge, SaysWhatTheTableSays) {
  std::ifstream file("runtime/verify/report/verdicts.txt");
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string verdict, type, expected, actual, given;
    words >> verdict >> type >> expected >> actual >> given;
    const ir::DType dtype = ir::ParseDType(type).value();
    const Verdict found = Judge(Read(actual, dtype), Read(expected, dtype), ReadGiven(given));
    EXPECT_EQ(found.agrees ? "agrees" : "differs", verdict) << line << "\n" << found.text;
    ++rows;
  }
  EXPECT_GT(rows, 40);
}

}  // namespace
}  // namespace onnxport::verify
