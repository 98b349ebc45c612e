#ifndef ONNXPORT_RUNTIME_VERIFY_BISECT_BISECT_H_
#define ONNXPORT_RUNTIME_VERIFY_BISECT_BISECT_H_

#include <cstddef>
#include <string>
#include <vector>

#include "runtime/verify/ort/client.h"
#include "runtime/verify/ort/protocol.h"
#include "runtime/verify/program/reference.h"
#include "runtime/verify/report/tolerances.h"

namespace onnxport::verify {

struct WrongRun {
  std::string model;
  std::vector<ort::Tensor> inputs;
  std::vector<size_t> outputs;  // those that differ, in the program's order
};

// Runs model and program once more, and compares each call of the program with the results of the model's nodes for
// that call. One of them must be equal. Says with which call each wrong output begins. Throws as they do.
std::string Bisect(const WrongRun& run, const GivenTolerances& tolerances, StepwiseReference* reference,
                   ort::Client* client);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_BISECT_BISECT_H_
