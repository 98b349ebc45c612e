// Runs the model of train.cc in ONNX Runtime and compares it with what the network gave: deploy FOLDER.
#include <onnxruntime_cxx_api.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int64_t kSide = 12;
constexpr int64_t kDigits = 10;

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
  const std::array<const char*, 1> inputs = {"images"};
  const std::array<const char*, 1> outputs = {"scores"};

  std::ifstream answers(folder + "/answers.bin", std::ios::binary);
  double worst = 0;
  int batches = 0;
  for (int64_t count = 0; answers.read(reinterpret_cast<char*>(&count), sizeof(count)); ++batches) {
    std::vector<float> images = Read(answers, count * kSide * kSide);
    const std::vector<float> expected = Read(answers, count * kDigits);
    const std::array<int64_t, 4> shape = {count, 1, kSide, kSide};
    const Ort::Value input =
        Ort::Value::CreateTensor<float>(memory, images.data(), images.size(), shape.data(), shape.size());
    const auto results = session.Run(Ort::RunOptions(), inputs.data(), &input, 1, outputs.data(), 1);
    const float* scores = results[0].GetTensorData<float>();
    for (size_t i = 0; i < expected.size(); ++i) worst = std::max<double>(worst, std::abs(scores[i] - expected[i]));
  }
  std::cout << batches << " batches, at most " << worst << " off\n";
  return batches == 3 && worst < 1e-4 ? 0 : 1;
}
