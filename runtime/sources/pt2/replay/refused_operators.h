#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REFUSED_OPERATORS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REFUSED_OPERATORS_H_

#include <string>
#include <string_view>

namespace onnxport::pt2 {

// For a higher-order operator of torch.export that is not exported: why, and what would work.
std::string WhyRefused(std::string_view op);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REFUSED_OPERATORS_H_
