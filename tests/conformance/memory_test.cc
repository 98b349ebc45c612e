// Checks the runtime's assumptions about memory against LibTorch. Every call that the specs test is made. Its results
// must share memory, and be laid out, as traits and schemas say.
#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <string>
#include <vector>

#include "runtime/aten/op_traits.h"
#include "runtime/trace/functionalize/layouts.h"
#include "runtime/trace/functionalize/views.h"
#include "tests/conformance/case.h"
#include "tests/conformance/eager.h"
#include "tests/conformance/program.h"

namespace onnxport::conformance {
namespace {

using functionalize::Aliasing;
using op_traits::Layout;

std::vector<StatedResult> Stated(const std::vector<EagerResult>& results) {
  std::vector<StatedResult> stated;
  for (const EagerResult& result : results) {
    stated.push_back({.is_list = result.kind == EagerResult::Kind::kTensorList,
                      .is_none = result.kind == EagerResult::Kind::kNone,
                      .tensors = result.tensors});
  }
  return stated;
}

// The mistake; empty if there is none. All arguments are row-major.
std::string Mistake(const Call& call, const std::vector<EagerResult>& results) {
  const ir::AtenSchema& schema = *call.schema;
  const auto argument = functionalize::AliasArgument(schema);
  const ir::Graph graph = MakeGraph(call, Stated(results), Sizes::kKnown);
  // Complex arguments are made before the call, of their parts.
  const ir::Node& node =
      *std::ranges::find_if(graph.body.nodes, [&](const ir::Node& made) { return made.op == schema.name; });
  Aliasing aliasing = Aliasing::kNone;
  if (argument) {
    const ir::ValueId* base = node.inputs[*argument].value();
    if (base != nullptr) aliasing = functionalize::FindAlias(graph, node, schema, graph.value(*base), true);
  }
  const bool may_share = aliasing != Aliasing::kNone || functionalize::MayShareMemory(schema, graph, node.inputs);
  const Layout layout = functionalize::LayoutOf(schema);
  for (const EagerResult& result : results) {
    for (size_t i = 0; i < result.memory.size(); ++i) {
      const auto& [shares, row_major] = result.memory[i];
      const bool empty = result.tensors[i].bytes.empty();
      if (shares && !may_share) return "shares memory, which nothing says";
      if (!shares && aliasing == Aliasing::kView && !empty) return "is said to share memory, and does not";
      const bool said = !shares && (layout == Layout::kContiguous || layout == Layout::kAsInputs);
      if (said && !row_major) return "is said to be row-major, and is not";
    }
  }
  return "";
}

TEST(Memory, IsSharedAndLaidOutAsTheSpecsSay) {
  int calls = 0;
  for (const Family& family : Families()) {
    for (const Case& test : family.cases) {
      if (!test.refuses.empty() || !test.overload.starts_with("aten::")) continue;
      try {
        const Call call = MakeCall(test);
        const std::string mistake = Mistake(call, RunEagerly(std::string(test.overload), call.args, call.tensors));
        ++calls;
        EXPECT_EQ(mistake, "") << test.overload << " (" << test.spec << ")";
      } catch (const std::exception&) {
        // The conformance test says which calls PyTorch refuses.
      }
    }
  }
  EXPECT_GT(calls, 1500);
}

}  // namespace
}  // namespace onnxport::conformance
