#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REFUSED_OPERATORS_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REFUSED_OPERATORS_H_

#include <string>
#include <string_view>

namespace onnxport::pt2 {

// Says why a higher-order operator of torch.export is not exported, and what would work instead.
std::string WhyRefused(std::string_view op);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_REPLAY_REFUSED_OPERATORS_H_
