#include "runtime/trace/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/ir/location.h"
#include "runtime/lowering/dsl/dispatch.h"
#include "runtime/trace/report.h"

namespace onnxport::trace {
namespace {

// A walk with the known state of the program.
using WalkAt = std::function<std::unique_ptr<Tracer>(int opset)>;

// A survey walks up to twenty times. Its time limit is this plus twice the time of the failed walk. So the walk at the
// last opset, which tells most, fits in.
constexpr std::chrono::seconds kLeastForSurvey(10);

// One failure at different opsets: the reason may differ.
using Key = std::tuple<std::string, std::string, int, std::string, std::string>;

Key KeyOf(const record::Failure& failure, const ir::Location& at) {
  return {failure.op, at.file(), at.line(), std::string(ModulePath(at)), at.op_name};
}

std::set<Key> KeysOf(const Tracer& tracer) {
  std::set<Key> keys;
  for (const record::Failure& failure : tracer.findings().failures()) {
    keys.insert(KeyOf(failure, tracer.source().location(failure.location)));
  }
  return keys;
}

// Finds the failures at other opsets, also those behind the first ones. A call that uses the result of a failed one is
// not made, so it fails at the first later opset at which the earlier call works.
class OpsetSurvey {
 public:
  OpsetSurvey(const Tracer& tracer, ir::Graph source)
      : source_(std::move(source)), failures_(tracer.findings().failures()) {
    for (const record::Failure& failure : failures_)
      keys_.push_back(KeyOf(failure, source_.location(failure.location)));
    works_at_.resize(failures_.size());
  }

  // Fills in the lowest later opset for each failure; 0 means none. It tries the last opset first, because that may
  // show that there is nothing to find. When the time is over, the last opset stands for those that were not tried. It
  // must not throw a deadline error then, because the failures are already known.
  void Look(const WalkAt& walk, int opset, Interruption::Clock::duration most) {
    const int last = lowering::SupportedOpsets().last;
    if (opset >= last) return;
    const Interruption limit(most);
    const auto within_limits = [](const auto& look) {
      try {
        look();
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::kDeadline && error.kind() != ErrorKind::kMemoryBudget) throw;
      }
    };
    std::unique_ptr<Tracer> newest;
    within_limits([&] { newest = walk(last); });
    if (newest == nullptr) return;
    const std::set<Key> never = KeysOf(*newest);
    within_limits([&] { LookBetween(walk, opset, last, never); });
    Add(*newest);
    Mark(never, last);
  }

  Report Take(ErrorKind kind, int opset) const { return ReportOf(kind, source_, failures_, works_at_, opset); }

 private:
  void LookBetween(const WalkAt& walk, int opset, int last, const std::set<Key>& never) {
    for (int later = opset + 1; later < last; ++later) {
      const std::unique_ptr<Tracer> tracer = walk(later);
      const std::set<Key> failing = KeysOf(*tracer);
      Add(*tracer);
      Mark(failing, later);
      if (std::ranges::includes(never, failing)) break;
    }
  }

  void Add(const Tracer& tracer) {
    const std::set<Key> known(keys_.begin(), keys_.end());
    for (const record::Failure& failure : tracer.findings().failures()) {
      const ir::Location& at = tracer.source().location(failure.location);
      if (known.contains(KeyOf(failure, at))) continue;
      keys_.push_back(KeyOf(failure, at));
      failures_.push_back({source_.AddLocation(at), failure.op, failure.reason});
      works_at_.push_back(0);
    }
  }

  void Mark(const std::set<Key>& failing, int opset) {
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (failing.contains(keys_[i])) {
        works_at_[i] = 0;
      } else if (works_at_[i] == 0) {
        works_at_[i] = opset;
      }
    }
  }

  ir::Graph source_;
  std::vector<record::Failure> failures_;
  std::vector<Key> keys_;
  std::vector<int> works_at_;
};

}  // namespace

Traced Trace(const Walk& walk, int opset, TraceOptions options) {
  const lowering::OpsetRange range = lowering::SupportedOpsets();
  if (opset < range.first || opset > range.last) {
    throw Error(Code::kOpsetIsNotSupported,
                fmt::format("opset {} is not supported; {} to {} are", opset, range.first, range.last));
  }
  const auto start = Interruption::Clock::now();
  ProgramState state{.kept = options.keep_state};
  const WalkAt walk_at = [&](int at) {
    std::unique_ptr<Tracer> tracer = walk(at, state);
    tracer->EndState();
    return tracer;
  };
  std::unique_ptr<Tracer> tracer = walk_at(opset);
  // Written tensors are known only after the last call. If their numbers are no constants any more, the program may
  // take another branch and write to more tensors. So repeat until there are no more. Each round adds a weight.
  while (state.kept && !tracer->kept_state().more().empty()) {
    state.inputs.insert(tracer->kept_state().more().begin(), tracer->kept_state().more().end());
    tracer = nullptr;  // frees its memory before the next one needs as much
    tracer = walk_at(opset);
  }
  if (!tracer->findings().failures().empty()) {
    const ErrorKind kind = tracer->contradicted() ? ErrorKind::kBadInput : ErrorKind::kCannotExport;
    OpsetSurvey found(*tracer, tracer->source());
    const auto most = kLeastForSurvey + 2 * (Interruption::Clock::now() - start);
    if (options.survey == Survey::kLaterOpsets) found.Look(walk_at, opset, most);
    throw Error(found.Take(kind, opset));
  }
  Traced traced{.source = {},
                .onnx = tracer->TakeGraph(),
                .remarks = tracer->findings().remarks(),
                .state = tracer->kept_state().pairs()};
  traced.source = tracer->TakeSource();
  return traced;
}

}  // namespace onnxport::trace
