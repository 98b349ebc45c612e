// The kinds of values of the spec language.
#ifndef ONNXPORT_RUNTIME_LOWERING_DSL_KINDS_H_
#define ONNXPORT_RUNTIME_LOWERING_DSL_KINDS_H_

#include <cstdint>

namespace onnxport::lowering::kinds {

// One bit each, for sets.
enum Bit : uint16_t {
  kNone = 1,
  kBool = 2,
  kInt = 4,
  kFloat = 8,
  kText = 16,  // also a device, a layout, a memory format
  kDType = 32,
  kTensor = 64,
  kSize = 128,  // a size that is unknown while exporting: a 0-d int64 tensor that counts as an int
  kList = 256,
  kOther = 512,  // a kind that the language cannot use, such as a generator

  kHostNumber = kBool | kInt | kFloat,
  kNumber = kHostNumber | kSize,
  kValue = kNumber | kTensor,
  kAnything = 1023,
};

}  // namespace onnxport::lowering::kinds

#endif  // ONNXPORT_RUNTIME_LOWERING_DSL_KINDS_H_
