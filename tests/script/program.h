// The programs of one theme as make_programs.py wrote them, and what is expected of each.
#ifndef ONNXPORT_TESTS_SCRIPT_PROGRAM_H_
#define ONNXPORT_TESTS_SCRIPT_PROGRAM_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runtime/verify/ort/protocol.h"

namespace onnxport::script {

// One call of the model: tensors and sequences in the order of its inputs and outputs.
struct Call {
  std::vector<ort::Tensor> inputs;
  std::vector<ort::Tensor> outputs;
};

// The fields are described in program.py.
struct Program {
  std::string name;
  std::string archive;
  std::vector<std::string> inputs;
  int since = 0;
  std::vector<int> opsets;
  std::vector<std::string> has;
  std::vector<std::string> has_not;
  std::vector<std::string> weights;
  std::vector<std::string> outputs;
  std::vector<std::string> remarks;
  std::vector<std::string> remarks_not;
  std::vector<std::string> refused;
  std::string kind;
  double tolerance = 0;
  std::string method;
  bool trust = false;
  bool complex_as_real = false;
  std::optional<std::vector<std::string>> fixed_axes;
  std::vector<Call> calls;
};

// Throws std::exception when the folder is not what make_programs.py writes.
std::vector<Program> ReadPrograms(const std::filesystem::path& folder);

}  // namespace onnxport::script

#endif  // ONNXPORT_TESTS_SCRIPT_PROGRAM_H_
