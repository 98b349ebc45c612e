// Where a wrong output begins.
#ifndef ONNXPORT_RUNTIME_VERIFY_BISECT_FIRST_DIFFERENCE_H_
#define ONNXPORT_RUNTIME_VERIFY_BISECT_FIRST_DIFFERENCE_H_

#include <cstddef>
#include <optional>
#include <vector>

namespace onnxport::verify {

// The result of comparing a step of the program with the model.
enum class Finding { kAgrees, kDiffers, kNotCompared };

struct ComparedStep {
  Finding finding = Finding::kNotCompared;
  std::vector<size_t> takes;  // earlier steps
};

// The first step that differs although nothing that it takes does, of those that `wrong`, a step, is made of by way of
// steps that do not agree. A step that was not compared differs when something that it takes does. Nothing when no step
// before `wrong` differs.
std::optional<size_t> FirstDifference(const std::vector<ComparedStep>& steps, size_t wrong);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_BISECT_FIRST_DIFFERENCE_H_
