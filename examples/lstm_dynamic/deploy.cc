// Runs the model of convert.cc in ONNX Runtime and compares it with what the network gave: deploy FOLDER.
#include <onnxruntime_cxx_api.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int64_t kFeatures = 6;
constexpr int64_t kStates = 4;  // two layers, two directions
constexpr int64_t kHidden = 8;

std::vector<float> Read(std::ifstream& file, int64_t count) {
  std::vector<float> numbers(static_cast<size_t>(count));
  file.read(reinterpret_cast<char*>(numbers.data()), static_cast<std::streamsize>(numbers.size() * sizeof(float)));
  return numbers;
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
  const auto memory = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
  const std::array<const char*, 1> inputs = {"sequences"};
  const std::array<const char*, 2> outputs = {"scores", "state"};

  std::ifstream answers(folder + "/answers.bin", std::ios::binary);
  double worst = 0;
  int runs = 0;
  for (std::array<int64_t, 2> sizes; answers.read(reinterpret_cast<char*>(sizes.data()), sizeof(sizes)); ++runs) {
    const auto [batch, length] = sizes;
    std::vector<float> sequences = Read(answers, batch * length * kFeatures);
    const std::array<std::vector<float>, 2> expected = {Read(answers, batch), Read(answers, kStates * batch * kHidden)};
    const std::array<int64_t, 3> shape = {batch, length, kFeatures};
    const Ort::Value input =
        Ort::Value::CreateTensor<float>(memory, sequences.data(), sequences.size(), shape.data(), shape.size());
    const auto results = session.Run(Ort::RunOptions(), inputs.data(), &input, 1, outputs.data(), outputs.size());
    for (size_t k = 0; k < expected.size(); ++k) {
      const size_t count = results[k].GetTensorTypeAndShapeInfo().GetElementCount();
      if (count != expected[k].size()) return std::cerr << outputs[k] << " has " << count << " elements\n", 1;
      const float* got = results[k].GetTensorData<float>();
      for (size_t i = 0; i < count; ++i) worst = std::max<double>(worst, std::abs(got[i] - expected[k][i]));
    }
  }
  std::cout << runs << " runs, at most " << worst << " off\n";
  return runs == 3 && worst < 1e-5 ? 0 : 1;
}
