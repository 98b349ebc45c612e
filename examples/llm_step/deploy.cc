// Runs the model of convert.cc in ONNX Runtime and compares it with what the decoder gave: deploy FOLDER.
#include <onnxruntime_cxx_api.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int64_t kTokens = 50;
constexpr int64_t kWidth = 32;
constexpr int64_t kHeads = 4;
constexpr size_t kCaches = 4;  // keys and values of two layers

template <typename T>
std::vector<T> Read(std::ifstream& file, int64_t count) {
  std::vector<T> numbers(static_cast<size_t>(count));
  file.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(numbers.size() * sizeof(T)));
  return numbers;
}

template <typename T>
Ort::Value ValueOf(std::vector<T>& numbers, const std::vector<int64_t>& shape) {
  static const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  return Ort::Value::CreateTensor<T>(memory, numbers.data(), numbers.size(), shape.data(), shape.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: deploy FOLDER\n";
    return 2;
  }
  const std::string folder = argv[1];
  const Ort::Env env;
  Ort::Session session(env, (folder + "/model.onnx").c_str(), Ort::SessionOptions());
  const std::array<const char*, 1 + kCaches> inputs = {"tokens", "keys0", "keys1", "values0", "values1"};
  const std::array<const char*, 1 + kCaches> outputs = {"logits", "new_keys0", "new_keys1", "new_values0",
                                                        "new_values1"};

  std::ifstream answers(folder + "/answers.bin", std::ios::binary);
  double worst = 0;
  int runs = 0;
  for (std::array<int64_t, 3> sizes; answers.read(reinterpret_cast<char*>(sizes.data()), sizeof(sizes)); ++runs) {
    const auto [batch, steps, past] = sizes;
    std::vector<int64_t> tokens = Read<int64_t>(answers, batch * steps);
    std::array<std::vector<float>, kCaches> cache;
    for (std::vector<float>& part : cache) part = Read<float>(answers, batch * past * kWidth);
    std::vector<Ort::Value> given;
    given.push_back(ValueOf(tokens, {batch, steps}));
    for (std::vector<float>& part : cache) given.push_back(ValueOf(part, {batch, kHeads, past, kWidth / kHeads}));
    const auto results =
        session.Run(Ort::RunOptions(), inputs.data(), given.data(), given.size(), outputs.data(), outputs.size());
    for (size_t k = 0; k < outputs.size(); ++k) {
      const int64_t count = k == 0 ? batch * steps * kTokens : batch * (past + steps) * kWidth;
      const std::vector<float> expected = Read<float>(answers, count);
      const size_t elements = results[k].GetTensorTypeAndShapeInfo().GetElementCount();
      if (elements != expected.size()) return std::cerr << outputs[k] << " has " << elements << " elements\n", 1;
      const float* got = results[k].GetTensorData<float>();
      for (size_t i = 0; i < elements; ++i) worst = std::max<double>(worst, std::abs(got[i] - expected[i]));
    }
  }
  std::cout << runs << " runs, at most " << worst << " off\n";
  return runs == 3 && worst < 1e-4 ? 0 : 1;
}
