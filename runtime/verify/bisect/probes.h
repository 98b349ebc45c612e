// The results of a model's nodes, beside its outputs.
#ifndef ONNXPORT_RUNTIME_VERIFY_BISECT_PROBES_H_
#define ONNXPORT_RUNTIME_VERIFY_BISECT_PROBES_H_

#include <map>
#include <string>
#include <vector>

#include "runtime/verify/ort/client.h"
#include "runtime/verify/ort/protocol.h"

namespace onnxport::verify {

// The result of a node, and the call of the program that the node was made of, by its own account.
struct Probe {
  std::string node;
  ort::Tensor value;
};

// Runs the model at `path` with every value of its main graph as an output, and sorts them by call: "conv2d_1". A model
// whose weights lie in another file is written beside it for that while. Throws CannotCompare, and Error
// (kCannotWrite).
std::map<std::string, std::vector<Probe>> RunWithProbes(const std::string& path, const std::vector<ort::Tensor>& inputs,
                                                        ort::Client* client);

}  // namespace onnxport::verify

#endif  // ONNXPORT_RUNTIME_VERIFY_BISECT_PROBES_H_
