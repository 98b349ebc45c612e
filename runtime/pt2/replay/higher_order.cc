// The higher-order operators that torch.export writes: calls with blocks, which become If and Loop or are made in line.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "runtime/ir/join.h"
#include "runtime/pt2/op_name.h"
#include "runtime/pt2/replay/operands.h"
#include "runtime/pt2/replay/player.h"
#include "runtime/pt2/replay/refused_operators.h"

namespace onnxport::pt2 {
namespace {

using ir::Arg;
using ir::ValueId;
using Args = std::vector<Arg>;

constexpr int kMaxRounds = 16;  // types only widen, so few are needed

ir::Value NumberType() { return *ir::TypeOfNumber({int64_t{0}}); }

// Without what is known of the value.
ir::Value Plain(ir::Value type) {
  type.contents.reset();
  return type;
}

}  // namespace

Args Player::PlayHigherOrder(const ir::Node& call) {
  struct Form {
    std::string_view op;
    size_t graphs;
    size_t lists;  // of operands; 0: they stand alone
    Args (Player::*play)(const ir::Node& call);
  };
  static constexpr Form kForms[] = {
      {"higher_order::associative_scan", 1, 2, &Player::PlayAssociativeScan},
      {"higher_order::cond", 2, 1, &Player::PlayCond},
      {"higher_order::hints_wrapper", 1, 0, &Player::PlayBody},
      {"higher_order::invoke_quant", 1, 0, &Player::PlayBody},
      {"higher_order::invoke_subgraph", 1, 0, &Player::PlayBody},
      {"higher_order::map_impl", 1, 2, &Player::PlayMap},
      {"higher_order::print", 0, 0, &Player::PlayPrint},
      {"higher_order::run_const_graph", 1, 0, &Player::PlayBody},
      {"higher_order::scan", 1, 3, &Player::PlayScan},
      {"higher_order::strict_mode", 1, 0, &Player::PlayBody},
      {"higher_order::tag_activation_checkpoint", 1, 0, &Player::PlayBody},
      {"higher_order::while_loop", 2, 2, &Player::PlayWhile},
      {"higher_order::with_effects", 0, 0, &Player::PlayEffects},
      {"higher_order::wrap", 1, 0, &Player::PlayBody},
      {"higher_order::wrap_activation_checkpoint", 1, 0, &Player::PlayBody},
      {"higher_order::wrap_with_autocast", 1, 0, &Player::PlayWithAutocast},
      {"higher_order::wrap_with_set_grad_enabled", 1, 0, &Player::PlayBody},
  };
  const auto form = std::ranges::find(kForms, call.op.text(), &Form::op);
  if (form == std::end(kForms)) return Fail(call, WhyRefused(call.op));
  const Args operands = OperandsOf(call);
  const auto is_list = [](const Arg& arg) { return arg.list() != nullptr; };
  const bool lists = form->lists == 0 || (operands.size() == form->lists && std::ranges::all_of(operands, is_list));
  if (call.blocks.size() != form->graphs || !lists) return Fail(call, "has other arguments than those known here");

  Args results = (this->*form->play)(call);
  if (results.size() != call.outputs.size()) return Fail(call, "has a graph with another number of results");
  for (size_t i = 0; i < results.size(); ++i) {
    const ValueId id = call.outputs[i];
    if (id != ValueId::kNone && results[i].value() && !at_once_)
      tracer_.HoldTo(call.op, program_.value(id), *results[i].value());
  }
  return results;
}

Args Player::Fail(const ir::Node& call, const std::string& reason) {
  return Args(call.outputs.size(), Arg{tracer_.Fail(call.op, reason)});
}

Args Player::Play(const ir::Block& block, const Args& inputs) {
  const ir::LocationId here = tracer_.location();
  for (size_t i = 0; i < block.inputs.size(); ++i) {
    if (block.inputs[i] == ValueId::kNone) continue;
    ArgOf(block.inputs[i]) =
        i < inputs.size() ? inputs[i] : Arg{tracer_.Fail("", "a graph takes more values than it is given")};
  }
  Play(CallsOf(block));
  tracer_.SetLocation(here);
  return Present(block.outputs);
}

// ---- the operators ----

Args Player::PlayBody(const ir::Node& call) {
  return Play(call.blocks[0], Present(FirstOf(OperandsOf(call), call.blocks[0].inputs.size())));
}

// (device, dtype, enabled, cache, graph, operands)
Args Player::PlayWithAutocast(const ir::Node& call) {
  const bool* enabled = call.inputs.size() > 2 ? std::get_if<bool>(&call.inputs[2].v) : nullptr;
  if (enabled == nullptr) return Fail(call, "has other arguments than those known here");
  const bool before = std::exchange(autocast_, *enabled);
  Args results = PlayBody(call);
  autocast_ = before;
  return results;
}

Args Player::PlayPrint(const ir::Node& call) {
  tracer_.Remark("what the program prints is left out");
  return Args(call.outputs.size());
}

// Calls in a row: each takes a token from the one before. The operator stands among the arguments, as a word.
Args Player::PlayEffects(const ir::Node& call) {
  for (const Arg& arg : call.inputs) {
    const ir::Word* word = std::get_if<ir::Word>(&arg.v);
    const ir::Operator op = word != nullptr ? OperatorOf(word->text) : ir::Operator();
    if (op == "higher_order::print") return PlayPrint(call);
    if (IsAssertion(op)) return Args(call.outputs.size());
  }
  return Fail(call, WhyRefused(call.op));
}

Args Player::PlayCond(const ir::Node& call) {
  const Args operands = Present(*OperandsOf(call)[0].list());
  const Arg condition = AsCondition(Present(call.inputs[0]));
  if (const bool* known = std::get_if<bool>(&condition.v)) return Play(call.blocks[*known ? 0 : 1], operands);
  if (condition.value() == nullptr) return Fail(call, "has a condition that is no bool");
  std::array<trace::Piece, 2> pieces;
  std::array<Args, 2> ends;
  for (size_t side = 0; side < pieces.size(); ++side) {
    tracer_.Begin();
    ends[side] = Play(call.blocks[side], operands);
    pieces[side] = tracer_.End();
  }
  if (ends[0].size() != ends[1].size()) return Fail(call, "has graphs with different numbers of results");
  std::vector<std::pair<Arg, Arg>> pairs;
  for (size_t i = 0; i < ends[0].size(); ++i) pairs.emplace_back(ends[0][i], ends[1][i]);
  return tracer_.If(*condition.value(), std::move(pieces[0]), std::move(pieces[1]), pairs);
}

Args Player::PlayWhile(const ir::Node& call) {
  const Args lists = OperandsOf(call);
  const Args captured = Present(*lists[1].list());
  const auto goes_on = [&](const Args& carried) {
    const Args results = Play(call.blocks[0], Concat(carried, captured));
    return AsCondition(results.size() == 1 ? results[0] : Arg());
  };
  Loop loop{.initial = Present(*lists[0].list()), .trip_count = {}, .condition = {}, .body = {}};
  loop.condition = goes_on(loop.initial);
  loop.body = [&](ValueId, const Args& carried) {
    Loop::Round round{.next = Play(call.blocks[1], Concat(carried, captured))};
    round.condition = goes_on(round.next);
    return round;
  };
  return PlayLoop(call, loop);
}

Args Player::PlayScan(const ir::Node& call) {
  const Args lists = OperandsOf(call);
  const Args xs = Present(*lists[1].list());
  const Args captured = Present(*lists[2].list());
  Loop loop{.initial = Present(*lists[0].list()), .trip_count = Iterations(xs), .condition = {}, .body = {}};
  loop.body = [&](ValueId iteration, const Args& carried) {
    Loop::Round round{.next = Play(call.blocks[0], Concat(Concat(carried, ElementsOf(xs, {iteration})), captured))};
    const auto first = round.next.begin() + static_cast<std::ptrdiff_t>(std::min(carried.size(), round.next.size()));
    round.scans.assign(first, round.next.end());
    round.next.erase(first, round.next.end());
    return round;
  };
  return PlayLoop(call, loop);
}

Args Player::PlayMap(const ir::Node& call) {
  const Args lists = OperandsOf(call);
  const Args xs = Present(*lists[0].list());
  const Args captured = Present(*lists[1].list());
  return PlayRows(call, Iterations(xs), xs,
                  [&](const Args& elements) { return Play(call.blocks[0], Concat(elements, captured)); });
}

// ---- loops ----

Args Player::PlayRows(const ir::Node& call, const Arg& count, const Args& stacks, const trace::Tracer::Body& body) {
  if (Vectorizes(stacks, body)) return PlayAtOnce([&] { return body(stacks); });
  Loop loop{.initial = {}, .trip_count = count, .condition = {}, .body = {}};
  loop.body = [&](ValueId iteration, const Args&) {
    return Loop::Round{.next = {}, .scans = body(ElementsOf(stacks, {iteration}))};
  };
  return PlayLoop(call, loop);
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

Args Player::PlayLoop(const ir::Node& call, const Loop& loop) {
  std::vector<ir::Value> types;
  for (const Arg& arg : loop.initial) {
    const auto number = ir::TypeOfNumber(arg);
    if (!number && !arg.value()) return Fail(call, "carries what is neither a tensor nor a number");
    types.push_back(Plain(number ? *number : tracer_.TypeOf(*arg.value())));
  }
  std::vector<trace::Piece::Write> writes;
  for (int round = 0; round < kMaxRounds; ++round) {
    if (auto results = TryLoop(loop, &types, &writes)) return std::move(*results);
  }
  return Fail(call, "changes its values in a way that does not settle");
}

std::optional<Args> Player::TryLoop(const Loop& loop, std::vector<ir::Value>* types,
                                    std::vector<trace::Piece::Write>* writes) {
  tracer_.Begin();
  trace::Tracer::LoopSpec spec{.trip_count = loop.trip_count, .condition = loop.condition};
  spec.iteration = tracer_.BlockInput(Plain(NumberType()));
  Args carried;
  for (size_t i = 0; i < loop.initial.size(); ++i) {
    carried.push_back({tracer_.BlockInput((*types)[i], loop.initial[i])});
  }
  tracer_.CarryWrites(*writes);
  Loop::Round round = loop.body(spec.iteration, carried);
  round.next.resize(carried.size());
  for (size_t i = 0; i < carried.size(); ++i) {
    spec.carried.push_back({loop.initial[i], *carried[i].value(), round.next[i]});
  }
  spec.next_condition = std::move(round.condition);
  spec.scans = std::move(round.scans);
  trace::Piece piece = tracer_.End();

  const auto is_new = [](const trace::Piece::Write& write) { return !write.kept; };
  std::vector<trace::Piece::Write> written;
  std::ranges::copy_if(piece.writes, std::back_inserter(written), is_new);
  const auto same = [](const trace::Piece::Write& a, const trace::Piece::Write& b) { return a.base == b.base; };
  if (!piece.failed && !std::ranges::is_permutation(written, *writes, same)) {
    *writes = std::move(written);
    return std::nullopt;
  }
  auto results = tracer_.Loop(std::move(spec), std::move(piece), types);
  types->resize(carried.size());
  return results;
}

Arg Player::CallOne(const ir::Operator& op, Args args) {
  const Args results = tracer_.Call(op, std::move(args));
  return results.size() == 1 ? results[0] : Arg();
}

Arg Player::AsCondition(Arg arg) {
  const bool tensor = arg.value() != nullptr && tracer_.TypeOf(*arg.value()).kind == ir::ValueKind::kTensor;
  return tensor ? CallOne("aten::item", {std::move(arg)}) : arg;
}

Arg Player::Iterations(const Args& tensors) {
  if (tensors.empty()) return {tracer_.Fail("", "a loop over no tensor")};
  return CallOne("aten::sym_size.int", {tensors[0], {int64_t{0}}});
}

Args Player::Range(const Args& tensors, int64_t start, int64_t end, int64_t step) {
  Args ranges;
  for (const Arg& tensor : tensors) {
    ranges.push_back(CallOne("aten::slice.Tensor", {tensor, {int64_t{0}}, {start}, {end}, {step}}));
  }
  return ranges;
}

Args Player::ElementsOf(const Args& tensors, const Arg& index) {
  Args elements;
  for (const Arg& tensor : tensors) {
    elements.push_back(CallOne("aten::select.int", {tensor, {int64_t{0}}, index}));
  }
  return elements;
}

}  // namespace onnxport::pt2
