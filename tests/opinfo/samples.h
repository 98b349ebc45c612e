// Samples of PyTorch's operator database as make_samples.py wrote them.
//
// A record is a line of JSON and the bytes of its parts, in order: each archive, each input, each output. The line:
//
//   op, dtype, sample   which one: operator variant, short name of the dtype, number within these two
//   call                its arguments as text
//   archives            extension of each, and why there is none, where its size is 0
//   inputs, outputs     dtype and shape of each
//   values              of each output, whether its values are the same in every run; else dtype and shape hold only
//   sizes               bytes of each part
#ifndef ONNXPORT_TESTS_OPINFO_SAMPLES_H_
#define ONNXPORT_TESTS_OPINFO_SAMPLES_H_

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "runtime/verify/ort/protocol.h"

namespace onnxport::opinfo {

struct Archive {
  std::string extension;  // "pt2", "decomposed.pt2" or "pt"
  std::string bytes;      // empty: PyTorch made none
  std::string why;        // there is none
};

struct Sample {
  std::string op;
  std::string dtype;
  int number = 0;
  std::string call;
  std::vector<Archive> archives;
  std::vector<ort::Tensor> inputs;
  std::vector<ort::Tensor> outputs;
  std::vector<bool> values;  // of each output
};

// Throws std::exception when the file is not what make_samples.py writes.
class SampleReader {
 public:
  explicit SampleReader(const std::filesystem::path& path);

  // Nothing at the end.
  std::optional<Sample> Next();

 private:
  std::string Bytes(size_t size);

  std::ifstream in_;
};

}  // namespace onnxport::opinfo

#endif  // ONNXPORT_TESTS_OPINFO_SAMPLES_H_
