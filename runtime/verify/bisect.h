#ifndef ONNXPORT_RUNTIME_VERIFY_BISECT_H_
#define ONNXPORT_RUNTIME_VERIFY_BISECT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/verify/ort/client.h"
#include "runtime/verify/ort/protocol.h"
#include "runtime/verify/reference.h"
#include "runtime/verify/tolerances.h"

namespace onnxport::verify {

struct WrongRun {
  std::string model;
  std::vector<ort::Tensor> inputs;
  std::vector<size_t> outputs;  // those that differ, in the program's order
};

// Runs model and program once more, compares each call of the program with what the model's nodes of that call give
// (one of them must be equal), and says of each wrong output with which call it begins. Throws as they do.
std::string Bisect(const WrongRun& run, const GivenTolerances& tolerances, StepwiseReference* reference,
                   ort::Client* client);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_BISECT_H_
