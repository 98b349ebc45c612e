// ONNX's operators with inference functions that check a node first. ONNX's own functions trust the node. A hostile one
// makes them run for ever, take gigabytes, or crash.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_GUARDED_SCHEMAS_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_GUARDED_SCHEMAS_H_

#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <string>

#include "onnx/defs/schema.h"
#include "runtime/base/memory_budget.h"

namespace onnxport::onnx_file {

// Wraps an Error to get it through ONNX, which catches exceptions of the standard library and goes on.
struct Stopped {
  std::exception_ptr error;
};

// The same for a model that exceeds a limit.
struct TooLarge {
  std::string text;
};

// ONNX asks it for the schema of each node to infer, and again at each call of a function. So it checks time, memory
// and the number of nodes. Throws Stopped or TooLarge.
class GuardedSchemas : public onnx::ISchemaRegistry {
 public:
  explicit GuardedSchemas(int64_t most_nodes) : most_nodes_(most_nodes) {}
  const onnx::OpSchema* GetSchema(const std::string& op, int version, const std::string& domain) const override;

 private:
  int64_t most_nodes_;
  mutable int64_t nodes_ = 0;
  mutable Charge results_;  // memory for inferred types
  mutable std::map<const onnx::OpSchema*, std::unique_ptr<const onnx::OpSchema>> guarded_;
};

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_GUARDED_SCHEMAS_H_
