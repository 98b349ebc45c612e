// Inputs of random values, the same on every machine.
#ifndef ONNXPORT_RUNTIME_VERIFY_INPUTS_RANDOM_INPUT_H_
#define ONNXPORT_RUNTIME_VERIFY_INPUTS_RANDOM_INPUT_H_

#include <map>
#include <random>
#include <string>
#include <vector>

#include "runtime/verify/inputs/axes.h"
#include "runtime/verify/inputs/ports.h"
#include "runtime/verify/ort/protocol.h"

namespace onnxport::verify {

// Both inclusive.
struct ValueRange {
  double low;
  double high;
};

// "ids=0,30521" -> the range of an input. Throws Error (kUsage) that quotes the text and shows the form.
std::map<std::string, ValueRange> ParseRanges(const std::vector<std::string>& texts);

// Floats from -1 to 1; integers 0 or 1, which are indices into almost any table; bools. A sequence has two elements.
// Throws Error (kUsage) for a dtype that has no numbers.
ort::Tensor RandomInput(const Port& port, const Sizes& sizes, const std::map<std::string, ValueRange>& ranges,
                        std::mt19937_64* random);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_INPUTS_RANDOM_INPUT_H_
