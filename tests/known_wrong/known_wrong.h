// Lists of what is excused, each line below its reason:
//
//   # A comment.
//   ONNX Runtime: TopK of float16 is computed in float32
//     aten::sort f32
//     aten::topk f32 f64
//
// The reason of a wrong result begins with the program at fault. "ONNX Runtime: " means that the model is right by
// ONNX. "ONNX: " means that ONNX cannot say what PyTorch does. "PyTorch: " means that its kernel deviates from its
// documentation. None is ours: that would be mended.
#ifndef ONNXPORT_TESTS_KNOWN_WRONG_KNOWN_WRONG_H_
#define ONNXPORT_TESTS_KNOWN_WRONG_KNOWN_WRONG_H_

#include <istream>
#include <string>
#include <vector>

namespace onnxport {

struct Excused {
  std::string reason;
  std::string line;  // one below it, without the spaces before it
};

// In the order of the file. Throws std::exception on a line without a reason.
std::vector<Excused> ReadExcused(std::istream& in);

struct KnownWrong {
  std::string reason;
  std::vector<std::string> words;  // of the line
};

// The same of wrong results. Throws std::exception also on a reason that names nobody at fault.
std::vector<KnownWrong> ReadKnownWrong(std::istream& in);

}  // namespace onnxport

#endif  // ONNXPORT_TESTS_KNOWN_WRONG_KNOWN_WRONG_H_
