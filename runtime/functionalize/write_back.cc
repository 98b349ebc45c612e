#include "runtime/functionalize/write_back.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/ir/aten_schema.h"

namespace onnxport::functionalize {
namespace {

using ir::Arg;
using ir::ArgList;
using ir::ValueId;

// How the base is made again from a changed view.
enum class Back {
  kSame,         // the view has the base's shape and contents
  kReshape,      // the same elements in the same order
  kSelfInverse,  // the same call again
  kPermute,
  kMoveDim,
  kExpand,
  kUnsqueeze,
  kSlice,
  kSelect,
  kNarrow,
  kDiagonal,
  kAsStrided,
  kSplit,
  kUnbind,
};

struct Rule {
  std::string_view op;  // without overload
  Back back;
};
constexpr Rule kRules[] = {
    {"aten::_reshape_alias", Back::kReshape},
    {"aten::_unsafe_view", Back::kReshape},
    {"aten::adjoint", Back::kSelfInverse},
    {"aten::alias", Back::kSame},
    {"aten::alpha_dropout", Back::kSame},
    {"aten::as_strided", Back::kAsStrided},
    {"aten::broadcast_to", Back::kExpand},
    {"aten::chunk", Back::kSplit},
    {"aten::conj", Back::kSame},
    {"aten::contiguous", Back::kSame},
    {"aten::detach", Back::kSame},
    {"aten::detach_", Back::kSame},
    {"aten::diagonal", Back::kDiagonal},
    {"aten::dropout", Back::kSame},
    {"aten::expand", Back::kExpand},
    {"aten::expand_as", Back::kExpand},
    {"aten::feature_alpha_dropout", Back::kSame},
    {"aten::feature_dropout", Back::kSame},
    {"aten::flatten", Back::kReshape},
    {"aten::lift", Back::kSame},
    {"aten::lift_fresh", Back::kSame},
    {"aten::mH", Back::kSelfInverse},
    {"aten::mT", Back::kSelfInverse},
    {"aten::movedim", Back::kMoveDim},
    {"aten::moveaxis", Back::kMoveDim},
    {"aten::narrow", Back::kNarrow},
    {"aten::numpy_T", Back::kSelfInverse},
    {"aten::permute", Back::kPermute},
    {"aten::positive", Back::kSame},
    {"aten::ravel", Back::kReshape},
    {"aten::real", Back::kSame},
    {"aten::requires_grad_", Back::kSame},
    {"aten::reshape", Back::kReshape},
    {"aten::reshape_as", Back::kReshape},
    {"aten::resolve_conj", Back::kSame},
    {"aten::resolve_neg", Back::kSame},
    {"aten::select", Back::kSelect},
    {"aten::slice", Back::kSlice},
    {"aten::split", Back::kSplit},
    {"aten::split_with_sizes", Back::kSplit},
    {"aten::squeeze", Back::kReshape},
    {"aten::swapaxes", Back::kSelfInverse},
    {"aten::swapdims", Back::kSelfInverse},
    {"aten::t", Back::kSelfInverse},
    {"aten::tensor_split", Back::kSplit},
    {"aten::to", Back::kSame},
    {"aten::transpose", Back::kSelfInverse},
    {"aten::type_as", Back::kSame},
    {"aten::unbind", Back::kUnbind},
    {"aten::unflatten", Back::kReshape},
    {"aten::unsafe_chunk", Back::kSplit},
    {"aten::unsafe_split", Back::kSplit},
    {"aten::unsafe_split_with_sizes", Back::kSplit},
    {"aten::unsqueeze", Back::kUnsqueeze},
    {"aten::view", Back::kReshape},
    {"aten::view_as", Back::kReshape},
};

const Rule* FindRule(std::string_view base_name) {
  const auto found =
      std::find_if(std::begin(kRules), std::end(kRules), [&](const Rule& r) { return r.op == base_name; });
  return found != std::end(kRules) ? found : nullptr;
}

const Arg* ArgumentOf(const ir::Node& node, const ir::AtenSchema& schema, std::string_view name) {
  const int position = schema.FindArgument(name);
  return position < 0 || static_cast<size_t>(position) >= node.inputs.size()
             ? nullptr
             : &node.inputs[static_cast<size_t>(position)];
}

}  // namespace

bool KeepsOrder(const std::string& op) {
  const ir::AtenSchema* schema = ir::FindAtenSchema(op);
  const Rule* rule = schema == nullptr ? nullptr : FindRule(schema->base_name());
  return rule != nullptr &&
         (rule->back == Back::kSame || rule->back == Back::kReshape || rule->back == Back::kUnsqueeze);
}

namespace {

// One write-back; every function returns nothing and says why when it cannot.
class Writer {
 public:
  Writer(Builder* builder, const ir::Node& node, size_t output, ValueId base, ValueId part, std::string* why_not)
      : builder_(builder), node_(node), output_(output), base_(base), part_(part), why_not_(why_not) {}

  std::optional<ValueId> Write() {
    const ir::AtenSchema* schema = ir::FindAtenSchema(node_.op);
    const Rule* rule = schema == nullptr ? nullptr : FindRule(schema->base_name());
    if (rule == nullptr) return No("a write through " + node_.op + " is not supported");
    schema_ = schema;
    switch (rule->back) {
      case Back::kSame:
        return Value(base_).dtype == Value(part_).dtype ? std::optional(part_)
                                                        : No("the view has another dtype than its base");
      case Back::kReshape:
        return Reshape();
      case Back::kSelfInverse:
        return SelfInverse();
      case Back::kPermute:
        return Permute();
      case Back::kMoveDim:
        return MoveDim();
      case Back::kExpand:
        if (SameShape(Value(base_), Value(part_))) return part_;
        return No("a write to an expanded tensor: several of its elements are one in memory");
      case Back::kUnsqueeze:
        return builder_->Call("aten::squeeze.dim", {{"self", {part_}}, {"dim", Named("dim")}}, base_);
      case Back::kSlice:
        return builder_->Call("aten::slice_scatter",
                              {{"self", {base_}},
                               {"src", {part_}},
                               {"dim", Named("dim")},
                               {"start", Named("start")},
                               {"end", Named("end")},
                               {"step", Named("step")}},
                              base_);
      case Back::kSelect:
        return builder_->Call("aten::select_scatter",
                              {{"self", {base_}}, {"src", {part_}}, {"dim", Named("dim")}, {"index", Named("index")}},
                              base_);
      case Back::kNarrow:
        return Narrow();
      case Back::kDiagonal:
        return builder_->Call("aten::diagonal_scatter",
                              {{"self", {base_}},
                               {"src", {part_}},
                               {"offset", Named("offset")},
                               {"dim1", Named("dim1")},
                               {"dim2", Named("dim2")}},
                              base_);
      case Back::kAsStrided:
        return AsStrided();
      case Back::kSplit:
        return Split();
      case Back::kUnbind:
        return builder_->Call(
            "aten::select_scatter",
            {{"self", {base_}}, {"src", {part_}}, {"dim", Named("dim")}, {"index", {static_cast<int64_t>(output_)}}},
            base_);
    }
    return No("a write through " + node_.op + " is not supported");
  }

 private:
  const ir::Value& Value(ValueId id) const { return builder_->graph().value(id); }

  std::optional<ValueId> No(std::string why) {
    *why_not_ = std::move(why);
    return std::nullopt;
  }

  Arg Named(std::string_view name) const {
    const Arg* arg = ArgumentOf(node_, *schema_, name);
    return arg == nullptr ? Arg() : *arg;
  }

  std::optional<int64_t> Number(std::string_view name) const {
    const Arg arg = Named(name);
    const int64_t* number = std::get_if<int64_t>(&arg.v);
    return number == nullptr ? std::nullopt : std::optional(*number);
  }

  std::optional<int64_t> Rank() const {
    return Value(base_).dims ? std::optional(static_cast<int64_t>(Value(base_).dims->size())) : std::nullopt;
  }

  std::optional<ValueId> Reshape() {
    if (Value(base_).dtype != Value(part_).dtype) return No("the view reads the same bytes as another dtype");
    if (SameShape(Value(base_), Value(part_))) return part_;
    if (!Value(base_).dims) return No("the base's rank is not known");
    const Arg sizes = builder_->Sizes(base_, true);
    return builder_->Call("aten::reshape", {{"self", {part_}}, {"shape", sizes}}, base_);
  }

  // The view's call with the part in place of the base.
  std::optional<ValueId> SelfInverse() {
    ir::Node call = node_;
    for (Arg& input : call.inputs) {
      if (input.value() != nullptr) {
        input = {part_};
        break;
      }
    }
    call.location = builder_->location();
    call.outputs = {builder_->Like(base_)};
    builder_->Append(&call);
    return call.outputs[0];
  }

  std::optional<ValueId> Permute() {
    const Arg dims = Named("dims");
    const ArgList* list = dims.list();
    if (list == nullptr) return No("its axes are not known");
    ArgList inverse(list->size());
    for (size_t i = 0; i < list->size(); ++i) {
      const int64_t* axis = std::get_if<int64_t>(&(*list)[i].v);
      if (axis == nullptr) return No("its axes are not known");
      const int64_t from_front = *axis < 0 ? *axis + static_cast<int64_t>(list->size()) : *axis;
      if (from_front < 0 || from_front >= static_cast<int64_t>(list->size())) return No("an axis is out of range");
      inverse[static_cast<size_t>(from_front)] = {static_cast<int64_t>(i)};
    }
    return builder_->Call("aten::permute", {{"self", {part_}}, {"dims", {std::move(inverse)}}}, base_);
  }

  std::optional<ValueId> MoveDim() {
    return builder_->Call(
        node_.op, {{"self", {part_}}, {"source", Named("destination")}, {"destination", Named("source")}}, base_);
  }

  std::optional<ValueId> Narrow() {
    constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
    const auto start = Number("start");
    const auto length = Number("length");
    if (start && length) {
      const bool to_end = *start < 0 && *start + *length == 0;
      return WriteSlice(base_, part_, {*start}, {to_end ? kEnd : *start + *length});
    }
    if (!builder_->makes_results()) return No("the narrowed range is not known");
    // The end as a number may count from another side than the start: first all that follows the start.
    ir::Node rest;
    rest.op = "aten::slice.Tensor";
    rest.location = builder_->location();
    rest.inputs = {{base_}, Named("dim"), Named("start"), {kEnd}, {int64_t{1}}};
    builder_->Append(&rest);
    const ValueId written = WriteSlice(rest.outputs[0], part_, {int64_t{0}}, Named("length"));
    return WriteSlice(base_, written, Named("start"), {kEnd});
  }

  ValueId WriteSlice(ValueId base, ValueId part, const Arg& start, const Arg& end) {
    return builder_->Call("aten::slice_scatter",
                          {{"self", {base}}, {"src", {part}}, {"dim", Named("dim")}, {"start", start}, {"end", end}},
                          base);
  }

  std::optional<ValueId> AsStrided() {
    return builder_->Call("aten::as_strided_scatter",
                          {{"self", {base_}},
                           {"src", {part_}},
                           {"size", Named("size")},
                           {"stride", Named("stride")},
                           {"storage_offset", Named("storage_offset")}},
                          base_);
  }

  // Result i of a split: [sum of the sizes before it, + its own).
  std::optional<ValueId> Split() {
    const auto rank = Rank();
    auto dim = Number("dim");
    if (!rank || !dim) return No("the split axis is not known");
    if (*dim < 0) *dim += *rank;
    if (*dim < 0 || *dim >= *rank) return No("the split axis is out of range");
    const auto step = Number("split_size");
    int64_t start = 0;
    std::optional<int64_t> end;
    for (size_t i = 0; i <= output_; ++i) {
      if (node_.outputs[i] == ValueId::kNone) return No("a piece of the split is missing");
      const ir::Value& piece = Value(node_.outputs[i]);
      const bool known = piece.dims && static_cast<size_t>(*dim) < piece.dims->size();
      const ir::Dim size = known ? (*piece.dims)[static_cast<size_t>(*dim)] : ir::Dim();
      const bool last = i + 1 == node_.outputs.size();
      if (i > 0) start = *end;
      if (size.is_number()) {
        end = start + size.number();
      } else if (step && !last) {
        end = start + *step;
      } else if (last) {
        end = std::numeric_limits<int64_t>::max();
      } else {
        return No("the sizes of the pieces are not known");
      }
    }
    return builder_->Call("aten::slice_scatter",
                          {{"self", {base_}}, {"src", {part_}}, {"dim", {*dim}}, {"start", {start}}, {"end", {*end}}},
                          base_);
  }

  Builder* builder_;
  const ir::Node& node_;
  size_t output_;
  ValueId base_;
  ValueId part_;
  std::string* why_not_;
  const ir::AtenSchema* schema_ = nullptr;
};

}  // namespace

std::optional<ValueId> WriteBack(Builder* builder, const ir::Node& node, size_t output, ValueId base, ValueId part,
                                 std::string* why_not) {
  return Writer(builder, node, output, base, part, why_not).Write();
}

}  // namespace onnxport::functionalize
