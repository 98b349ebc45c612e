// Finds the outcomes of samples: outcomes SAMPLES OUT [OPSET]. OUT gets one line for each sample and format, its fields
// separated by tabs: operator, format, dtype, outcome, number, arguments, detail.
//
// Environment: ORT_RUNNER, ORT_RUNNER_NEW.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "onnxport/export.h"
#include "tests/opinfo/outcome.h"
#include "tests/opinfo/samples.h"

namespace onnxport::opinfo {
namespace {

namespace fs = std::filesystem;

std::string OneLine(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return text;
}

void WriteOutcomes(const fs::path& samples, const fs::path& out, int opset) {
  const fs::path folder = fs::temp_directory_path() / ("opinfo." + std::to_string(::getpid()));
  fs::create_directories(folder);
  SampleReader reader(samples);
  std::ofstream lines(out);
  while (const auto sample = reader.Next()) {
    for (const Archive& archive : sample->archives) {
      const Outcome outcome = Try(*sample, archive, opset, folder);
      lines << sample->op << '\t' << archive.extension << '\t' << sample->dtype << '\t' << OneLine(outcome.name) << '\t'
            << sample->number << '\t' << OneLine(sample->call) << '\t' << OneLine(outcome.detail) << '\n';
    }
  }
  fs::remove_all(folder);
  if (!lines.flush()) throw std::runtime_error("cannot write " + out.string());
}

}  // namespace
}  // namespace onnxport::opinfo

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    std::cerr << "usage: outcomes SAMPLES OUT [OPSET]\n";
    return 2;
  }
  // ONNX Runtime's process inherits it, and fills it with remarks on schemas.
  const int standard_error = ::dup(STDERR_FILENO);
  if (std::freopen("/dev/null", "w", stderr) == nullptr) return 1;
  try {
    onnxport::opinfo::WriteOutcomes(argv[1], argv[2], argc == 4 ? std::atoi(argv[3]) : onnxport::kDefaultOpset);
  } catch (const std::exception& error) {
    ::dup2(standard_error, STDERR_FILENO);
    std::cerr << "outcomes: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
