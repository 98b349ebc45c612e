// Kinds of what `fold` and `loop` carry and collect.
#include <algorithm>
#include <utility>
#include <vector>

#include "codegen/check/evaluator.h"

namespace onnxport::codegen {
namespace {

// After so many a kind that still grows may be anything.
constexpr int kMostRounds = 20;

// A number that a loop carries on or scans is a tensor there.
Kind InLoop(Kind kind) {
  if (kind.unknown() || !kind.May(Kind::kNumber)) return kind;
  Kind tensor = TensorKind({ir::DType::kInt64, ir::DType::kFloat32, ir::DType::kBool});
  return Join(kind.Without(Kind::kNumber), tensor);
}

}  // namespace

void Evaluator::Repeat(const Repetition& repetition, Environment& names) {
  const bool loop = repetition.kind == Repetition::Kind::kLoop;
  for (const Let& let : repetition.init) {
    const Kind first = Evaluate(let.value, names);
    names.DefineValue(let.names[0], loop ? InLoop(first) : first);
  }
  Environment inner = names;
  DefineEach(repetition, names, &inner);
  inner.DefineLets(repetition.lets);
  Carry(repetition, names, &inner);
  // With the outer names: `while` sees what is carried, as it is asked before the iteration's lets exist.
  if (repetition.go_on) Evaluate(repetition.go_on, names);
  for (const Let& let : repetition.collect) {
    const Kind element = Evaluate(let.value, inner);
    names.DefineValue(let.names[0], loop ? InLoop(element) : ListOf(element));
  }
}

void Evaluator::DefineEach(const Repetition& repetition, Environment& names, Environment* inner) {
  if (repetition.kind == Repetition::Kind::kLoop) {
    if (repetition.in && !Evaluate(repetition.in, names).May(Kind::kNumber | Kind::kTensor | Kind::kNone))
      Issue(repetition.in->place, "the count of a loop is a number or a tensor");
    // The number of the iteration is known only in a run.
    for (const std::string& name : repetition.each) inner->DefineValue(name, Of(Kind::kSize));
    return;
  }
  const Kind list = Evaluate(repetition.in, names);
  if (!list.May(Kind::kList)) Issue(repetition.in->place, "a fold goes over a list, here is " + ToText(list));
  const Kind element = list.Element();
  for (size_t i = 0; i < repetition.each.size(); ++i)
    inner->DefineValue(repetition.each[i], repetition.each.size() == 1 ? element
                                           : i < element.items.size()  ? element.items[i]
                                                                       : element.Element());
}

// A carried value has its kind before the first round or the kind that a round gives it. Each round may widen the kinds
// of the other carried values, so this repeats until nothing changes.
void Evaluator::Carry(const Repetition& repetition, Environment& names, Environment* inner) {
  bool grew = true;
  for (int round = 0; grew; ++round) {
    std::vector<Kind> after;
    for (const Let& let : repetition.next) after.push_back(Evaluate(let.value, *inner));
    grew = false;
    for (size_t i = 0; i < after.size(); ++i) {
      const std::string& name = repetition.next[i].names[0];
      const Kind before = names.Find(name)->kind;
      if (repetition.kind == Repetition::Kind::kLoop) after[i] = InLoop(after[i]);
      const Kind either =
          round < kMostRounds ? Join(before, after[i]) : AnyKind();  // of lists in lists there is no end
      if (Same(either, before)) continue;
      grew = true;
      names.DefineValue(name, either);
      inner->DefineValue(name, either);
    }
    // The lets of an iteration depend on what is carried, which has just grown.
    inner->Forget();
  }
}

}  // namespace onnxport::codegen
