// Lists of tensors whose length is known only at run time: ONNX sequences.
#include <fmt/format.h>

#include "runtime/lowering/build/emitter.h"
#include "runtime/lowering/build/tensor.h"
#include "runtime/lowering/host/host_rules.h"

namespace onnxport::lowering {
namespace {

constexpr int kSequenceOpset = 11;
constexpr int kLoopSequencesOpset = 13;  // a Loop carries sequences

void NeedOpset(const Host& h, int opset, const char* what) {
  if (h.context.opset() < opset) {
    throw Refusal(Code::kNotAtThisOpset, fmt::format("{} needs opset {}, not {}", what, opset, h.context.opset()));
  }
}

constexpr const char* kLists = "a list of tensors whose length is known only at run time";

// Converts the list to a sequence.
Val Sequence(const Host& h, const Val& list) {
  NeedOpset(h, kSequenceOpset, kLists);
  if (is_sequence(list)) return list;
  if (list.AsList().empty()) throw Refusal("an empty list whose elements' type is not known");
  return h.context.op("SequenceConstruct", {Splat(list)});
}

// Converts an element to a tensor of the sequence's dtype. A number of the program may be a host value.
Val Element(const Host& h, const Val& sequence, const Val& value) {
  const Val wanted = dtype(sequence);
  if (value.is_tensor() && dtype(value) == wanted) return value;
  if (value.is_tensor() && !value.AsTensor().emitter->facts().IsNumber(value.AsTensor().id)) {
    throw Refusal(
        fmt::format("{} in a list of {} tensors; ONNX sequences have one dtype", value.ToString(), wanted.ToString()));
  }
  return h.context.constant(value, wanted);
}

Val Construct(const Host& h) { return Sequence(h, h.a()); }

// Makes an empty sequence for elements of this dtype and, if the list of sizes (-1: unknown) is given, of this shape.
Val Empty(const Host& h) {
  NeedOpset(h, kSequenceOpset, kLists);
  const Val empty = h.context.op("SequenceEmpty", {}, {{"dtype", static_cast<int64_t>(h.a().AsDType())}});
  if (h.args.size() < 2) return empty;
  ir::Value stated;
  stated.dims = ir::Dims{};
  for (const Val& size : h.b().AsList()) stated.dims->push_back(size.AsInt() < 0 ? ir::Dim() : ir::Dim(size.AsInt()));
  h.context.emitter().Refine(empty.AsTensor().id, stated);
  return empty;
}

Val EmptyLike(const Host& h, const Val& list) {
  const ir::Value type = h.context.emitter().value(list.AsTensor().id);
  const Val empty = h.context.op("SequenceEmpty", {}, {{"dtype", static_cast<int64_t>(type.dtype)}});
  h.context.emitter().Refine(empty.AsTensor().id, type);
  return empty;
}

Val Length(const Host& h) {
  if (h.a().is_list()) return len(h.a());
  return h.context.op("SequenceLength", {h.a()});
}

Val At(const Host& h) { return h.context.op("SequenceAt", {Sequence(h, h.a()), h.b()}); }

Val Append(const Host& h) {
  const Val sequence = Sequence(h, h.a());
  return h.context.op("SequenceInsert", {sequence, Element(h, sequence, h.b())});
}

Val Insert(const Host& h) {
  const Val sequence = Sequence(h, h.a());
  return h.context.op("SequenceInsert", {sequence, Element(h, sequence, h.b()), h.At(2)});
}

Val Erase(const Host& h) { return h.context.op("SequenceErase", {Sequence(h, h.a()), h.b()}); }

Val Concatenate(const Host& h) {
  Val joined = Sequence(h, h.a());
  if (h.b().is_list()) {
    for (const Val& element : h.b().AsList())
      joined = h.context.op("SequenceInsert", {joined, Element(h, joined, element)});
    return joined;
  }
  NeedOpset(h, kLoopSequencesOpset, "joining two lists of tensors whose lengths are known only at run time");
  const Val& more = h.b();
  return h.context.loop(h.context.op("SequenceLength", {more}), {joined}, {},
                        [&](const Val& i, const Vals& carried) -> Context::LoopStep {
                          const Val element = h.context.op("SequenceAt", {more, i});
                          return {{h.context.op("SequenceInsert", {carried[0], element})}, {}};
                        })[0];
}

// list[start:end:step]
Val Slice(const Host& h) {
  NeedOpset(h, kLoopSequencesOpset, "a part of a list of tensors whose length is known only at run time");
  const Val list = Sequence(h, h.a());
  // ONNX cannot slice a sequence. So the indices are sliced, as a tensor of numbers, and their elements are put into a
  // new sequence.
  const Val all = h.context.op("Range", {Val(0), h.context.op("SequenceLength", {list}), Val(1)});
  const Val places =
      h.context.op("Slice", {all, Val(Vals{h.b()}), Val(Vals{h.At(2)}), Val(Vals{0}), Val(Vals{h.At(3)})});
  const Val empty = EmptyLike(h, list);
  return h.context.loop(dim(places, 0), {empty}, {}, [&](const Val& i, const Vals& carried) -> Context::LoopStep {
    const Val element = h.context.op("SequenceAt", {list, h.context.op("Gather", {places, i})});
    return {{h.context.op("SequenceInsert", {carried[0], element})}, {}};
  })[0];
}

Val Reverse(const Host& h) {
  NeedOpset(h, kLoopSequencesOpset, "reversing a list of tensors whose length is known only at run time");
  const Val list = Sequence(h, h.a());
  const Val empty = EmptyLike(h, list);
  return h.context.loop(h.context.op("SequenceLength", {list}), {empty}, {},
                        [&](const Val& i, const Vals& carried) -> Context::LoopStep {
                          const Val element = h.context.op("SequenceAt", {list, i});
                          // Each is inserted before the others: the last comes first.
                          return {{h.context.op("SequenceInsert", {carried[0], element, Val(0)})}, {}};
                        })[0];
}

// The elements along the first axis.
Val Split(const Host& h) {
  NeedOpset(h, kSequenceOpset, kLists);
  return h.context.op("SplitToSequence", {h.a()}, {{"axis", 0}, {"keepdims", 0}});
}

}  // namespace

std::span<const HostRule> SequenceRules() {
  using I = ir::Instruction;
  static constexpr HostRule kRules[] = {
      {I::kSequenceReverse, Reverse},    {I::kSequenceAppend, Append},       {I::kSequenceAt, At},
      {I::kSequenceConcat, Concatenate}, {I::kSequenceConstruct, Construct}, {I::kSequenceEmpty, Empty},
      {I::kSequenceErase, Erase},        {I::kSequenceInsert, Insert},       {I::kSequenceLength, Length},
      {I::kSequenceSlice, Slice},        {I::kSequenceSplit, Split},
  };
  return kRules;
}

}  // namespace onnxport::lowering
