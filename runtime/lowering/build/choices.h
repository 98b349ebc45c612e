#ifndef ONNXPORT_RUNTIME_LOWERING_BUILD_CHOICES_H_
#define ONNXPORT_RUNTIME_LOWERING_BUILD_CHOICES_H_

#include <functional>
#include <set>
#include <string>

namespace onnxport::lowering {

// Choices of the caller of an export that specs can query.
struct Choices {
  bool training = false;                       // `keeps_training()`
  std::set<std::string, std::less<>> domains;  // `domain("com.microsoft")`
  std::set<std::string, std::less<>> kept;     // `keeps("Attention")`
};

}  // namespace onnxport::lowering

#endif  // ONNXPORT_RUNTIME_LOWERING_BUILD_CHOICES_H_
