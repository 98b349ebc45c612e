#include "runtime/pt2/replay/unused.h"

#include <algorithm>
#include <vector>

#include "runtime/aten/aten_schema.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using ir::ValueId;

class Uses {
 public:
  explicit Uses(size_t values) : used_(values) {}

  void Add(const std::vector<Arg>& args) {
    for (const Arg& arg : args) {
      if (const ValueId* id = arg.value()) used_[static_cast<size_t>(*id)] = true;
      if (arg.list() != nullptr) Add(*arg.list());
    }
  }
  // What its blocks take from outside, too.
  void Add(const ir::Node& call) {
    Add(call.inputs);
    for (const ir::Block& block : call.blocks) {
      for (const ir::Node& inner : block.nodes) Add(inner);
      Add(block.outputs);
    }
  }
  bool Any(const ir::Node& call) const {
    return std::ranges::any_of(call.outputs,
                               [&](ValueId id) { return id != ValueId::kNone && used_[static_cast<size_t>(id)]; });
  }

 private:
  std::vector<bool> used_;
};

// Whether it is made for its results alone: not an assertion, which has none.
bool IsForResults(const ir::Node& call) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(call.op);
  return schema != nullptr && !schema->mutates() && !call.outputs.empty();
}

}  // namespace

std::unordered_set<const ir::Node*> UnusedCalls(const ir::Graph& program) {
  std::unordered_set<const ir::Node*> unused;
  Uses uses(program.values.size());
  for (const ir::Port& output : program.outputs) uses.Add(std::vector<Arg>{output.value});
  const std::vector<ir::Node>& calls = program.body.nodes;
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    if (IsForResults(*call) && !uses.Any(*call)) {
      unused.insert(&*call);
    } else {
      uses.Add(*call);
    }
  }
  return unused;
}

}  // namespace onnxport::pt2
