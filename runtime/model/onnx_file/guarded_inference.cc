#include "runtime/model/onnx_file/guarded_inference.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string>
#include <unordered_map>
#include <vector>

#include "onnx/shape_inference/implementation.h"
#include "runtime/base/error.h"
#include "runtime/model/onnx_file/guarded_schemas.h"

namespace onnxport::onnx_file {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

// The nesting of function calls and subgraphs. Each level takes a few KiB of the stack.
constexpr int kMostNested = 100;

// How deep functions call each other.
class Levels {
 public:
  explicit Levels(const onnx::ModelProto& model) {
    for (const onnx::FunctionProto& function : model.functions()) {
      functions_.try_emplace(Key(function.domain(), function.name(), function.overload()), Function{&function});
    }
  }

  // Returns the depth of the calls in these nodes; `above` is the depth of the nodes. Throws TooLarge beyond the limit,
  // and so for a cycle.
  int Below(const Nodes& nodes, int above) {
    if (above > kMostNested) {
      throw TooLarge{fmt::format("its functions and graphs lie more than {} deep", kMostNested)};
    }
    int levels = 0;
    for (const onnx::NodeProto& node : nodes) {
      const auto called = functions_.find(Key(node.domain(), node.op_type(), node.overload()));
      if (called != functions_.end()) levels = std::max(levels, 1 + Below(&called->second, above + 1));
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.has_g()) levels = std::max(levels, 1 + Below(attribute.g().node(), above + 1));
      }
    }
    return levels;
  }

 private:
  struct Function {
    const onnx::FunctionProto* proto;
    int levels = -1;  // below it; -1: not known
  };

  static std::string Key(const std::string& domain, const std::string& name, const std::string& overload) {
    return domain + ":" + name + ":" + overload;
  }

  // Visits a function again only if its levels would be too deep from here.
  int Below(Function* function, int above) {
    if (function->levels < 0 || above + function->levels > kMostNested) {
      function->levels = Below(function->proto->node(), above);
    }
    return function->levels;
  }

  std::unordered_map<std::string, Function> functions_;
};

}  // namespace

void InferShapes(onnx::ModelProto* model, const std::string& file, const onnx::ShapeInferenceOptions& options,
                 int64_t most_nodes) {
  try {
    Levels(*model).Below(model->graph().node(), 0);
    const GuardedSchemas schemas(most_nodes);
    onnx::shape_inference::InferShapes(*model, &schemas, options);
  } catch (const Stopped& stopped) {
    std::rethrow_exception(stopped.error);
  } catch (const TooLarge& reason) {
    throw Error(Code::kBadOnnxFile, file + ": " + reason.text);
  }
}

}  // namespace onnxport::onnx_file
