#include "runtime/sources/pt2/replay/loops.h"

#include <algorithm>
#include <utility>

#include "runtime/ir/join.h"
#include "runtime/ir/until_settled.h"
#include "runtime/sources/pt2/replay/tensor_calls.h"

namespace onnxport::pt2 {

using ir::Arg;
using ir::ValueId;
using Args = std::vector<Arg>;

ir::LoopSpec Carrying(const Args& initial) {
  ir::LoopSpec loop;
  for (const Arg& arg : initial) loop.carried.push_back({arg, ValueId::kNone, {}});
  return loop;
}

void SetNext(const Args& next, ir::LoopSpec* round) {
  for (size_t i = 0; i < std::min(next.size(), round->carried.size()); ++i) round->carried[i].next = next[i];
}

Args Loops::ForEach(const ir::Node& call, const Arg& count, const Args& stacks, const Rows& body) {
  if (Vectorizes(stacks, body)) return values_.AtOnce([&] { return body(stacks); });
  return Repeat(call, {.trip_count = count}, [&](const Args&, ir::LoopSpec* round) {
    round->scans = body(ElementsOf(&tracer_, stacks, {round->iteration}));
  });
}

// Within a trial nothing more is tried, because the effort would double with each level.
bool Loops::Vectorizes(const Args& stacks, const Rows& body) {
  bool does = false;
  if (!stacks.empty() && !values_.at_once())
    values_.AtOnce([&] { return does = tracer_.regions().Vectorizes(stacks, body), Args(); });
  return does;
}

Args Loops::Repeat(const ir::Node& call, const ir::LoopSpec& loop, Body body) {
  const auto fail = [&](const char* reason) { return Args(call.outputs.size(), Arg{tracer_.Fail(call.op, reason)}); };
  std::vector<ir::Value> types;
  for (const auto& [initial, inside, next] : loop.carried) {
    const auto number = ir::TypeOfNumber(initial);
    if (!number && !initial.value()) return fail("carries what is neither a tensor nor a number");
    types.push_back(number ? *number : tracer_.TypeOf(*initial.value()));
  }
  std::vector<trace::Region::Write> writes;
  auto results = ir::UntilSettled([&] { return Try(loop, body, &types, &writes); });
  return results ? *std::move(results) : fail("changes its values in a way that does not settle");
}

std::optional<Args> Loops::Try(ir::LoopSpec loop, Body body, std::vector<ir::Value>* types,
                               std::vector<trace::Region::Write>* writes) {
  trace::Regions& regions = tracer_.regions();
  regions.Begin();
  loop.iteration = regions.BlockInput(*ir::TypeOfNumber({int64_t{0}}));
  Args inside;
  for (size_t i = 0; i < loop.carried.size(); ++i) {
    loop.carried[i].inside = regions.BlockInput((*types)[i], loop.carried[i].initial);
    inside.push_back({loop.carried[i].inside});
  }
  regions.CarryWrites(*writes);
  body(inside, &loop);
  trace::Region region = regions.End();

  if (!region.failed && trace::UpdateWrites(region, writes)) return std::nullopt;
  auto results = regions.Loop(std::move(loop), std::move(region), types);
  types->resize(inside.size());
  return results;
}

}  // namespace onnxport::pt2
