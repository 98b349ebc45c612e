// associative_scan: what each element and all before it give, combined.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "runtime/sources/pt2/replay/operands.h"
#include "runtime/sources/pt2/replay/player.h"

namespace onnxport::pt2 {

using ir::Arg;
using ir::ValueId;
using Args = std::vector<Arg>;

// All pairs at once where the graph can be called so: the steps are then twice the logarithm of the number of elements.
// Else one after another.
Args Player::PlayAssociativeScan(const ir::Node& call) {
  const Args lists = OperandsOf(call);
  const Args xs = Present(*lists[0].list());
  const Args captured = Present(*lists[1].list());
  const auto combine = [&](const Args& pairs) { return Play(call.blocks[0], Concat(pairs, captured)); };
  const Arg count = Iterations(xs);
  if (const auto* known = std::get_if<int64_t>(&count.v); known != nullptr && Vectorizes(Concat(xs, xs), combine)) {
    return PlayAtOnce([&] { return ScanPairs(xs, *known, combine); });
  }
  return ScanInOrder(call, xs, count, combine);
}

// What pairs give, scanned, is every second result; each of the others lacks one element.
Args Player::ScanPairs(const Args& xs, int64_t count, const trace::Tracer::Body& combine) {
  if (count < 2) return xs;
  const int64_t pairs = count / 2;
  const int64_t others = count - pairs;
  // One after another: C++ may evaluate arguments in any order.
  const Args firsts = Range(xs, 0, 2 * pairs, 2);
  const Args seconds = Range(xs, 1, 2 * pairs, 2);
  const Args every_second = ScanPairs(combine(Concat(firsts, seconds)), pairs, combine);
  Args rest;
  if (others > 1) {
    const Args before = Range(every_second, 0, others - 1, 1);
    rest = combine(Concat(before, Range(xs, 2, count, 2)));
  }
  Args results;
  for (size_t i = 0; i < xs.size(); ++i) {
    Arg other = Range({xs[i]}, 0, 1, 1)[0];
    if (others > 1) other = CallOne("aten::cat", {{Args{other, rest[i]}}, {int64_t{0}}});
    const Arg first = Range({other}, 0, pairs, 1)[0];
    const Arg rows = CallOne("aten::stack", {{Args{first, every_second[i]}}, {int64_t{1}}});
    results.push_back(CallOne("aten::flatten.using_ints", {rows, {int64_t{0}}, {int64_t{1}}}));
    if (others == pairs) continue;
    const Arg last = Range({other}, pairs, others, 1)[0];
    results.back() = CallOne("aten::cat", {{Args{results.back(), last}}, {int64_t{0}}});
  }
  return results;
}

Args Player::ScanInOrder(const ir::Node& call, const Args& xs, const Arg& count, const trace::Tracer::Body& combine) {
  const Args initial = ElementsOf(xs, {int64_t{0}});
  ir::LoopSpec loop = Carrying(initial);
  loop.trip_count = CallOne(ir::Instruction::kSub, {count, {int64_t{1}}});
  Args rows = PlayLoop(call, loop, [&](const Args& carried, ir::LoopSpec* round) {
    const Args elements = ElementsOf(xs, CallOne(ir::Instruction::kAdd, {{round->iteration}, {int64_t{1}}}));
    const Args next = combine(Concat(carried, elements));
    SetNext(next, round);
    round->scans = next;
  });
  for (size_t i = 0; i < xs.size() && rows.size() == 2 * xs.size(); ++i) {
    const Arg first = CallOne("aten::unsqueeze", {initial[i], {int64_t{0}}});
    rows[i] = CallOne("aten::cat", {{Args{first, rows[xs.size() + i]}}, {int64_t{0}}});
  }
  rows.resize(std::min(rows.size(), xs.size()));
  return rows;
}

}  // namespace onnxport::pt2
