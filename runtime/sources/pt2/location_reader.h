// Reads the locations of the calls of a program.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_LOCATION_READER_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_LOCATION_READER_H_

#include <memory>
#include <string>
#include <string_view>

#include "runtime/base/text_map.h"
#include "runtime/ir/location.h"
#include "runtime/sources/pt2/json.h"

namespace onnxport::pt2 {

// Calls of one line share its trace, and calls of one module share its stack, because a program has few of each.
class LocationReader {
 public:
  // Returns the location of a node: its innermost frame outside PyTorch, and its modules.
  ir::Location Read(const Json& node);

 private:
  // Returns the innermost frame of the trace outside PyTorch.
  const std::shared_ptr<const ir::SourceLine>& LineOf(std::string_view trace);
  const std::shared_ptr<const ir::ModuleCall>& Modules(std::string_view stack);

  TextMap<std::shared_ptr<const ir::SourceLine>> lines_;
  TextMap<std::shared_ptr<const ir::ModuleCall>> stacks_;
};

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_LOCATION_READER_H_
