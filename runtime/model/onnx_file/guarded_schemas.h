// ONNX's operators with inference that looks first. ONNX's own functions take what a node says on trust: one that its
// authors did not think of runs without end, takes gigabytes, or ends the process.
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

// An Error on its way through ONNX, which catches exceptions of the standard library and goes on.
struct Stopped {
  std::exception_ptr error;
};

// The same of a model that is beyond a limit of its own.
struct TooLarge {
  std::string text;
};

// Each node that is inferred is asked for here, those of functions at each call. So time, memory and the number of
// nodes are looked at here. Throws Stopped or TooLarge.
class GuardedSchemas : public onnx::ISchemaRegistry {
 public:
  explicit GuardedSchemas(int64_t most_nodes) : most_nodes_(most_nodes) {}
  const onnx::OpSchema* GetSchema(const std::string& op, int version, const std::string& domain) const override;

 private:
  int64_t most_nodes_;
  mutable int64_t nodes_ = 0;
  mutable Charge results_;  // what is known of them
  mutable std::map<const onnx::OpSchema*, std::unique_ptr<const onnx::OpSchema>> guarded_;
};

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_GUARDED_SCHEMAS_H_
