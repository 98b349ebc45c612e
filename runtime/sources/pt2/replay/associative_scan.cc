#include "runtime/sources/pt2/replay/associative_scan.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "runtime/sources/pt2/replay/operands.h"
#include "runtime/sources/pt2/replay/tensor_calls.h"

namespace onnxport::pt2 {

using ir::Arg;
using ir::ValueId;
using Args = std::vector<Arg>;

namespace {

// The scanned results of pairs are every second result. Each of the others needs one more element.
Args ScanPairs(trace::Tracer* tracer, const Args& xs, int64_t count, const trace::Regions::Body& combine) {
  if (count < 2) return xs;
  const int64_t pairs = count / 2;
  const int64_t others = count - pairs;
  // In separate statements, because C++ may evaluate arguments in any order.
  const Args firsts = RangeOf(tracer, xs, 0, 2 * pairs, 2);
  const Args seconds = RangeOf(tracer, xs, 1, 2 * pairs, 2);
  const Args every_second = ScanPairs(tracer, combine(Concat(firsts, seconds)), pairs, combine);
  Args rest;
  if (others > 1) {
    const Args before = RangeOf(tracer, every_second, 0, others - 1, 1);
    rest = combine(Concat(before, RangeOf(tracer, xs, 2, count, 2)));
  }
  Args results;
  for (size_t i = 0; i < xs.size(); ++i) {
    Arg other = RangeOf(tracer, {xs[i]}, 0, 1, 1)[0];
    if (others > 1) other = CallOne(tracer, "aten::cat", {{Args{other, rest[i]}}, {int64_t{0}}});
    const Arg first = RangeOf(tracer, {other}, 0, pairs, 1)[0];
    const Arg rows = CallOne(tracer, "aten::stack", {{Args{first, every_second[i]}}, {int64_t{1}}});
    results.push_back(CallOne(tracer, "aten::flatten.using_ints", {rows, {int64_t{0}}, {int64_t{1}}}));
    if (others == pairs) continue;
    const Arg last = RangeOf(tracer, {other}, pairs, others, 1)[0];
    results.back() = CallOne(tracer, "aten::cat", {{Args{results.back(), last}}, {int64_t{0}}});
  }
  return results;
}

Args ScanInOrder(trace::Tracer* tracer, Loops* loops, const ir::Node& call, const Args& xs, const Arg& count,
                 const trace::Regions::Body& combine) {
  const Args initial = ElementsOf(tracer, xs, {int64_t{0}});
  ir::LoopSpec loop = Carrying(initial);
  loop.trip_count = CallOne(tracer, ir::Instruction::kSub, {count, {int64_t{1}}});
  Args rows = loops->Repeat(call, loop, [&](const Args& carried, ir::LoopSpec* round) {
    const Args elements =
        ElementsOf(tracer, xs, CallOne(tracer, ir::Instruction::kAdd, {{round->iteration}, {int64_t{1}}}));
    const Args next = combine(Concat(carried, elements));
    SetNext(next, round);
    round->scans = next;
  });
  for (size_t i = 0; i < xs.size() && rows.size() == 2 * xs.size(); ++i) {
    const Arg first = CallOne(tracer, "aten::unsqueeze", {initial[i], {int64_t{0}}});
    rows[i] = CallOne(tracer, "aten::cat", {{Args{first, rows[xs.size() + i]}}, {int64_t{0}}});
  }
  rows.resize(std::min(rows.size(), xs.size()));
  return rows;
}

}  // namespace

// Combines all pairs at once if the graph can be called so. The number of steps is then twice the logarithm of the
// number of elements. Otherwise it combines one element after another.
Args AssociativeScan(trace::Tracer* tracer, ProgramValues* values, Loops* loops, const ir::Node& call, const Args& xs,
                     const trace::Regions::Body& combine) {
  const Arg count = Iterations(tracer, xs);
  const auto* known = std::get_if<int64_t>(&count.v);
  if (known != nullptr && loops->Vectorizes(Concat(xs, xs), combine)) {
    return values->AtOnce([&] { return ScanPairs(tracer, xs, *known, combine); });
  }
  return ScanInOrder(tracer, loops, call, xs, count, combine);
}

}  // namespace onnxport::pt2
