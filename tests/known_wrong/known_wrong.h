// Lists of results that are known to be wrong, each with the reason:
//
//   # A comment.
//   ONNX Runtime: TopK of an empty tensor divides by 0
//     aten::sort f32
//     aten::topk f32 f64
//
// A reason begins with who is at fault: "ONNX Runtime: " (the model is right by ONNX), "ONNX: " (it cannot say what
// PyTorch does) or "PyTorch: " (its kernel deviates from what it documents). None is ours: that would be mended.
#ifndef ONNXPORT_TESTS_KNOWN_WRONG_KNOWN_WRONG_H_
#define ONNXPORT_TESTS_KNOWN_WRONG_KNOWN_WRONG_H_

#include <istream>
#include <string>
#include <vector>

namespace onnxport {

struct KnownWrong {
  std::string reason;
  std::vector<std::string> words;  // of one line below it
};

// In the order of the file. Throws std::exception on a reason without an owner, or a line without a reason.
std::vector<KnownWrong> ReadKnownWrong(std::istream& in);

}  // namespace onnxport

#endif  // ONNXPORT_TESTS_KNOWN_WRONG_KNOWN_WRONG_H_
