#include "runtime/sources/torchscript/interpret/control/joiner.h"

#include <fmt/format.h>

#include <bit>
#include <memory>

#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace {

constexpr int kMaxJoinDepth = 64;       // of containers in containers
constexpr size_t kMostOtherKeys = 256;  // of dicts with different keys: each is compared with each

// Equal for equal arguments.
std::string KeyOf(const ir::Arg& arg) {
  if (const auto* id = arg.value()) return fmt::format("%{}", static_cast<int>(*id));
  if (const auto* boolean = std::get_if<bool>(&arg.v)) return *boolean ? "true" : "false";
  if (const auto* number = std::get_if<int64_t>(&arg.v)) return fmt::format("{}", *number);
  if (const auto* number = std::get_if<double>(&arg.v)) return fmt::format("f{}", std::bit_cast<uint64_t>(*number));
  return "none";
}

bool IsBool(const ir::Arg& arg, bool value) {
  const auto* boolean = std::get_if<bool>(&arg.v);
  return boolean && *boolean == value;
}

}  // namespace

void Joiner::SetContents(const std::vector<CellSides>& changed) {
  for (const CellSides& sides : changed) changed_[sides.cell.get()] = {sides.then, sides.otherwise};
}

const Cell& Joiner::Contents(const CellPtr& cell, bool is_then) const {
  const auto found = changed_.find(cell.get());
  if (found == changed_.end()) return *cell;
  return is_then ? *found->second.first : *found->second.second;
}

// Containers are made again in the second walk, because those of the first have no results.
void Joiner::SetResults(std::vector<ir::Arg> results) {
  results_ = std::move(results);
  has_results_ = true;
  cells_.clear();
  tuples_.clear();
}

Value Joiner::Join(const Value& then, const Value& otherwise, const std::string& name) {
  // A value that is the same on both sides needs no output of the If, and keeps its identity.
  if (Same(then, otherwise)) return then;
  for (const Value* side : {&then, &otherwise}) {
    const auto* missing = side->As<Missing>();
    // A failure is reported once. Values that depend on it cause no new report.
    if (missing && missing->reported) return {*missing};
  }
  if (depth_ > kMaxJoinDepth) return {Missing{.reason = fmt::format("`{}` holds itself", name)}};
  if (--left_ < 0) return {Missing{.reason = fmt::format("`{}` holds too much", name)}};
  const auto* unset_then = then.As<Missing>();
  const auto* unset_otherwise = otherwise.As<Missing>();
  if (IsLeaf(then) && IsLeaf(otherwise)) return JoinLeaves(then, otherwise);

  ++depth_;
  Value joined = {None{}};
  const auto* tuple = then.As<TuplePtr>();
  const auto* other_tuple = otherwise.As<TuplePtr>();
  const auto* cell = then.As<CellPtr>();
  const auto* other_cell = otherwise.As<CellPtr>();
  if (tuple && other_tuple && (*tuple)->items.size() == (*other_tuple)->items.size()) {
    joined = JoinTuples(*tuple, *other_tuple, name);
  } else if (cell && other_cell) {
    joined = JoinCells(*cell, *other_cell, name);
  } else if ((unset_then && unset_then->unset) || (unset_otherwise && unset_otherwise->unset)) {
    joined = unset_then ? JoinUnset(otherwise, false) : JoinUnset(then, true);
  } else if (unset_then || unset_otherwise) {
    joined = {unset_then ? *unset_then : *unset_otherwise};
  } else {
    joined = Torn(fmt::format("`{}` is {} on one side of {} and {} on the other", name, KindOf(then), decided_,
                              KindOf(otherwise)));
  }
  --depth_;
  return joined;
}

Value Joiner::JoinLeaves(const Value& then, const Value& otherwise) {
  // One side never sets the number, so the other side's number can be used.
  if (then.As<Missing>() && IsKnown(otherwise)) return otherwise;
  if (otherwise.As<Missing>() && IsKnown(then)) return then;
  return Choose(LeafArg(then), LeafArg(otherwise));
}

// On the other side it may be anything. But leaves that one side made can only leave it through the If.
Value Joiner::JoinUnset(const Value& value, bool is_then) {
  const Value unset{Missing{.reason = "a value that is never set", .reported = false, .unset = true}};
  if (IsLeaf(value)) return is_then ? JoinLeaves(value, unset) : JoinLeaves(unset, value);
  if (depth_ > kMaxJoinDepth || --left_ < 0) return {Missing{.reason = "a container holds itself, or too much"}};
  ++depth_;
  Value joined = value;
  if (const auto* tuple = value.As<TuplePtr>()) {
    ValueList items;
    for (const Value& item : (*tuple)->items) items.push_back(JoinUnset(item, is_then));
    joined = {MakeOwned<const TupleValue>(TupleValue{std::move(items), (*tuple)->type})};
  } else if (const auto* cell = value.As<CellPtr>(); cell && (*cell)->serial > mark_) {
    joined = JoinUnsetCell(*cell, is_then);
  }
  --depth_;
  return joined;
}

Value Joiner::JoinUnsetCell(const CellPtr& cell, bool is_then) {
  const std::pair<const Cell*, const Cell*> key(is_then ? cell.get() : nullptr, is_then ? nullptr : cell.get());
  if (const auto known = cells_.find(key); known != cells_.end()) return known->second;
  const CellPtr made = heap_.NewList({});
  cells_[key] = {made};
  Cell joined = Contents(cell, is_then);
  joined.serial = made->serial;
  for (Value& item : joined.items) item = JoinUnset(item, is_then);
  for (Value& is_present : joined.present) is_present = JoinUnset(is_present, is_then);
  for (auto& [name, attribute] : joined.attributes) attribute = JoinUnset(attribute, is_then);
  for (ir::ValueId* list : {&joined.sequence, &joined.stacked}) {
    if (*list == ir::ValueId::kNone) continue;
    const ir::Arg chosen = LeafArg(is_then ? Choose({*list}, {ir::None{}}) : Choose({ir::None{}}, {*list}));
    if (chosen.value()) *list = *chosen.value();
  }
  heap_.Edit(made) = std::move(joined);
  heap_.TieLike(made, cell);
  return {made};
}

// `x = True` here and `x = False` there is the condition itself. Equal pairs share one entry, so that names with the
// same value before the `if` still have the same value after it.
Value Joiner::Choose(const ir::Arg& then, const ir::Arg& otherwise) {
  if (condition_ != ir::ValueId::kNone && IsBool(then, true) && IsBool(otherwise, false)) return {Number{condition_}};
  const auto [found, is_new] = index_.try_emplace({KeyOf(then), KeyOf(otherwise)}, pairs_.size());
  if (is_new) pairs_.push_back({then, otherwise});
  return has_results_ ? LeafValue(results_[found->second], tracer_) : Value{None{}};
}

Value Joiner::JoinTuples(const TuplePtr& then, const TuplePtr& otherwise, const std::string& name) {
  // Two variables that share a tuple, or a list, share the joined one, too.
  const auto known = tuples_.find({then.get(), otherwise.get()});
  if (known != tuples_.end()) return known->second;
  auto joined = MakeOwned<TupleValue>();
  joined->type = then->type;
  for (size_t i = 0; i < then->items.size(); ++i)
    joined->items.push_back(Join(then->items[i], otherwise->items[i], fmt::format("{}[{}]", name, i)));
  return tuples_[{then.get(), otherwise.get()}] = {TuplePtr(std::move(joined))};
}

Value Joiner::JoinCells(const CellPtr& then, const CellPtr& otherwise, const std::string& name) {
  const auto known = cells_.find({then.get(), otherwise.get()});
  if (known != cells_.end()) return known->second;
  const CellPtr cell = then->kind == Cell::Kind::kObject ? heap_.NewObject(then->type_name, then->type)
                       : then->kind == Cell::Kind::kDict ? heap_.NewDict()
                                                         : heap_.NewList({}, then->element);
  // It is stored before its contents are joined, because a container may contain itself.
  const std::pair<const Cell*, const Cell*> key(then.get(), otherwise.get());
  cells_[key] = {cell};
  Cell joined = *cell;
  std::string why;
  // A second variable with both containers must get the error, too, not the empty container.
  if (!JoinContents(Contents(then, true), Contents(otherwise, false), name, &joined, &why))
    return cells_[key] = Torn(why);
  heap_.Edit(cell) = std::move(joined);
  heap_.TieLike(cell, then);
  heap_.TieLike(cell, otherwise);
  return {cell};
}

// The keys of both sides, first those of `then`. Returns false if it is not known which of them are equal.
bool Joiner::JoinKeys(const Cell& then, const Cell& otherwise, const std::string& name, Cell* joined) {
  joined->keys = then.keys;
  joined->items.clear();
  joined->present.clear();
  for (const Value& key : otherwise.keys) {
    const std::optional<size_t> place = PlaceOf(key, then);
    if (!place) return false;
    if (*place == then.keys.size()) joined->keys.push_back(key);
  }
  for (const Value& key : joined->keys) {
    const size_t here = PlaceOf(key, then).value_or(then.keys.size());
    const size_t there = PlaceOf(key, otherwise).value_or(otherwise.keys.size());
    const bool is_here = here < then.keys.size();
    const bool is_there = there < otherwise.keys.size();
    const std::string path = fmt::format("{}[{}]", name, joined->items.size());
    if (is_here && is_there) {
      joined->items.push_back(Join(then.items[here], otherwise.items[there], path));
    } else {
      joined->items.push_back(is_here ? JoinUnset(then.items[here], true) : JoinUnset(otherwise.items[there], false));
    }
    joined->present.push_back(Join(is_here ? IsPresent(then, here) : Value{false},
                                   is_there ? IsPresent(otherwise, there) : Value{false}, path));
  }
  return true;
}

bool Joiner::JoinContents(const Cell& then, const Cell& otherwise, const std::string& name, Cell* joined,
                          std::string* why) {
  const auto fail = [&](const std::string& text) {
    *why = fmt::format("`{}` {} on the two sides of {}", name, text, decided_);
    return false;
  };
  if (then.kind != otherwise.kind || then.type_name != otherwise.type_name) return fail("has different types");
  if (then.sequence != otherwise.sequence || then.stacked != otherwise.stacked) {
    // Lists known only at run time can be joined if both are sequences, or both are rows of a tensor.
    const bool sequences = then.sequence != ir::ValueId::kNone && otherwise.sequence != ir::ValueId::kNone;
    const bool stacks = then.stacked != ir::ValueId::kNone && otherwise.stacked != ir::ValueId::kNone;
    if (!sequences && !stacks) return fail("is a list of a length given at run time, and one of a known length,");
    const Value chosen =
        sequences ? Choose({then.sequence}, {otherwise.sequence}) : Choose({then.stacked}, {otherwise.stacked});
    const ir::Arg id = LeafArg(chosen);
    if (id.value()) (sequences ? joined->sequence : joined->stacked) = *id.value();
    return true;
  }
  joined->sequence = then.sequence;
  joined->stacked = then.stacked;
  if (!SameKeys(then, otherwise)) {
    const bool few = then.keys.size() <= kMostOtherKeys && otherwise.keys.size() <= kMostOtherKeys;
    const bool is_joined = allows_other_keys_ && few && JoinKeys(then, otherwise, name, joined);
    return is_joined || fail("has different keys");
  }
  if (then.items.size() != otherwise.items.size())
    return fail(fmt::format("has {} and {} elements", then.items.size(), otherwise.items.size()));
  joined->keys = then.keys;
  joined->items.clear();
  joined->present.clear();
  for (size_t i = 0; i < then.items.size(); ++i)
    joined->items.push_back(Join(then.items[i], otherwise.items[i], fmt::format("{}[{}]", name, i)));
  for (size_t i = 0; i < then.keys.size() && !(then.present.empty() && otherwise.present.empty()); ++i)
    joined->present.push_back(Join(IsPresent(then, i), IsPresent(otherwise, i), name));
  joined->attributes = then.attributes;
  for (const auto& [attribute, value] : otherwise.attributes) {
    const auto found = then.attributes.find(attribute);
    const std::string path = name.empty() ? attribute : name + "." + attribute;
    joined->attributes[attribute] = found == then.attributes.end()
                                        ? Torn(fmt::format("`{}` is set on one side of {} only", path, decided_))
                                        : Join(found->second, value, path);
  }
  for (const auto& [attribute, value] : then.attributes) {
    if (!otherwise.attributes.contains(attribute))
      joined->attributes[attribute] = Torn(fmt::format("`{}` is set on one side of {} only", attribute, decided_));
  }
  return true;
}

}  // namespace onnxport::torchscript
