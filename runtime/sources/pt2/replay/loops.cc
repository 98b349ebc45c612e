// Loops whose body makes the calls of a program's blocks.
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "runtime/ir/join.h"
#include "runtime/sources/pt2/replay/player.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using ir::ValueId;
using Args = std::vector<Arg>;

constexpr int kMaxRounds = 16;  // types only widen, so few are needed

ir::Value NumberType() { return *ir::TypeOfNumber({int64_t{0}}); }

}  // namespace

Args Player::PlayRows(const ir::Node& call, const Arg& count, const Args& stacks, const trace::Tracer::Body& body) {
  if (Vectorizes(stacks, body)) return PlayAtOnce([&] { return body(stacks); });
  return PlayLoop(call, {.trip_count = count}, [&](const Args&, ir::LoopSpec* round) {
    round->scans = body(ElementsOf(stacks, {round->iteration}));
  });
}

// Within such a trial nothing is tried: the effort would double with each level.
bool Player::Vectorizes(const Args& stacks, const trace::Tracer::Body& body) {
  bool does = false;
  if (!stacks.empty() && !at_once_) PlayAtOnce([&] { return does = tracer_.Vectorizes(stacks, body), Args(); });
  return does;
}

Args Player::PlayAtOnce(const std::function<Args()>& play) {
  const bool before = std::exchange(at_once_, true);
  Args results = play();
  at_once_ = before;
  return results;
}

ir::LoopSpec Player::Carrying(const Args& initial) {
  ir::LoopSpec loop;
  for (const Arg& arg : initial) loop.carried.push_back({arg, ValueId::kNone, {}});
  return loop;
}

void Player::SetNext(const Args& next, ir::LoopSpec* round) {
  for (size_t i = 0; i < std::min(next.size(), round->carried.size()); ++i) round->carried[i].next = next[i];
}

Args Player::PlayLoop(const ir::Node& call, const ir::LoopSpec& loop, const Body& body) {
  std::vector<ir::Value> types;
  for (const auto& [initial, inside, next] : loop.carried) {
    const auto number = ir::TypeOfNumber(initial);
    if (!number && !initial.value()) return Fail(call, "carries what is neither a tensor nor a number");
    types.push_back(number ? *number : tracer_.TypeOf(*initial.value()));
  }
  std::vector<trace::Region::Write> writes;
  for (int round = 0; round < kMaxRounds; ++round) {
    if (auto results = TryLoop(loop, body, &types, &writes)) return std::move(*results);
  }
  return Fail(call, "changes its values in a way that does not settle");
}

std::optional<Args> Player::TryLoop(ir::LoopSpec loop, const Body& body, std::vector<ir::Value>* types,
                                    std::vector<trace::Region::Write>* writes) {
  tracer_.Begin();
  loop.iteration = tracer_.BlockInput(NumberType());
  Args inside;
  for (size_t i = 0; i < loop.carried.size(); ++i) {
    loop.carried[i].inside = tracer_.BlockInput((*types)[i], loop.carried[i].initial);
    inside.push_back({loop.carried[i].inside});
  }
  tracer_.CarryWrites(*writes);
  body(inside, &loop);
  trace::Region region = tracer_.End();

  if (!region.failed && trace::UpdateWrites(region, writes)) return std::nullopt;
  auto results = tracer_.Loop(std::move(loop), std::move(region), types);
  types->resize(inside.size());
  return results;
}

}  // namespace onnxport::pt2
