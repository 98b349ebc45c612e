#include "runtime/sources/torchscript/interpret/control/pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "runtime/ir/join.h"
#include "runtime/sources/torchscript/interpret/values/leaves.h"

namespace onnxport::torchscript {
namespace {

using Kind = Pattern::Kind;

constexpr int kMaxPatternDepth = 64;  // of containers in containers

bool IsDict(const Value& value) {
  const auto* cell = value.As<CellPtr>();
  return cell && (*cell)->kind == Cell::Kind::kDict;
}

// Members of a container with a fixed shape. Their order is the order of carried places; Widen, Build and ForEach must
// agree on it.
std::vector<const Value*> MembersOf(const Value& value) {
  std::vector<const Value*> members;
  if (const auto* tuple = value.As<TuplePtr>()) {
    for (const Value& item : (*tuple)->items) members.push_back(&item);
  } else if (const auto* cell = value.As<CellPtr>()) {
    for (const Value& item : (*cell)->items) members.push_back(&item);
    for (size_t i = 0; IsDict(value) && i < (*cell)->keys.size(); ++i) members.push_back(&IsPresent(**cell, i));
    for (const auto& [name, item] : (*cell)->attributes) members.push_back(&item);
  }
  return members;
}

bool SameAttributes(const Cell& a, const Cell& b) {
  const auto same_name = [](const auto& x, const auto& y) { return x.first == y.first; };
  return std::ranges::equal(a.attributes, b.attributes, same_name);
}

bool SameShape(const Value& a, const Value& b) {
  const auto* tuple = a.As<TuplePtr>();
  const auto* other_tuple = b.As<TuplePtr>();
  if (tuple && other_tuple)
    return (*tuple)->type == (*other_tuple)->type && (*tuple)->items.size() == (*other_tuple)->items.size();
  const auto* cell = a.As<CellPtr>();
  const auto* other = b.As<CellPtr>();
  if (!cell || !other) return false;
  return (*cell)->kind == (*other)->kind && (*cell)->type_name == (*other)->type_name &&
         (*cell)->items.size() == (*other)->items.size() && !(*cell)->is_dynamic() && !(*other)->is_dynamic() &&
         SameKeys(**cell, **other) && SameAttributes(**cell, **other);
}

const Cell* ListOf(const Value& value) {
  const auto* cell = value.As<CellPtr>();
  return cell && (*cell)->kind == Cell::Kind::kList ? cell->get() : nullptr;
}

// An empty list got one element. A mark shows later if the body does anything else with it.
bool MayBeScan(const Value& before, const Value& after) {
  const Cell* old_list = ListOf(before);
  const Cell* new_list = ListOf(after);
  return old_list->items.empty() && !old_list->is_dynamic() && new_list->items.size() == 1 && !new_list->is_dynamic();
}

Type ElementName(const ir::Value& type) {
  switch (type.kind) {
    case ir::ValueKind::kInt:
      return {"int", {}};
    case ir::ValueKind::kFloat:
      return {"float", {}};
    case ir::ValueKind::kBool:
      return {"bool", {}};
    default:
      return {"Tensor", {}};
  }
}

}  // namespace

void PatternMaker::SetContents(const std::vector<Heap::Change>& changed) {
  contents_.clear();
  for (const Heap::Change& change : changed) contents_.emplace(change.cell.get(), MakeOwned<Cell>(change.after));
}

// By now, containers older than the loop have their contents before the loop again.
Value PatternMaker::Now(const Value& after) const {
  const auto* cell = after.As<CellPtr>();
  const auto found = cell ? contents_.find(cell->get()) : contents_.end();
  return found == contents_.end() ? after : Value{found->second};
}

bool PatternMaker::Fail(const std::string& name, const Value& before, const Value& after) {
  why_ = fmt::format("`{}` is {} before an iteration and {} after it", name, KindOf(before), KindOf(after));
  if (before.is_none()) why_ += "; set it before the loop to what it is later, such as zeros";
  changes_form_ = true;
  return false;
}

bool PatternMaker::WidenType(Pattern* pattern, const ir::Value& type, const std::string& name) {
  if (ir::Fits(type, pattern->type)) return false;
  std::string why_not;
  const auto joined = ir::Join(pattern->type, type, &why_not);
  if (!joined) {
    why_ = fmt::format("`{}` changes its type in the loop: {}", name, why_not);
    return false;
  }
  // The contents in one iteration say nothing about the next.
  pattern->type = *joined;
  pattern->type.contents.reset();
  return true;
}

bool PatternMaker::Widen(Pattern* pattern, const Value& before, const Value& after, const std::string& name) {
  const auto* missing = after.As<Missing>();
  if (missing && missing->reported) {
    why_ = fmt::format("`{}` cannot be computed", name);
    return false;
  }
  // Patterns only become wider: kSame becomes a leaf, members or a list; members become a sequence; a type becomes a
  // wider one. So tracing the body again and again comes to an end.
  switch (pattern->kind) {
    case Kind::kSame:
      return !Same(before, after) && WidenSame(pattern, before, Now(after), name);
    case Kind::kLeaf:
      return WidenLeaf(pattern, after, name);
    case Kind::kMembers:
      return WidenMembers(pattern, before, Now(after), name);
    case Kind::kSequence:
    case Kind::kScan:
      return WidenSequence(pattern, before, Now(after), name);
  }
  return false;
}

bool PatternMaker::WidenSame(Pattern* pattern, const Value& before, const Value& after, const std::string& name) {
  if (IsLeaf(before) && IsLeaf(after)) {
    const auto type = LeafType(before, tracer_);
    const auto other = LeafType(after, tracer_);
    if (!type && !other) return false;
    pattern->kind = Kind::kLeaf;
    pattern->type = type ? *type : *other;
    if (type && other) WidenType(pattern, *other, name);
    return true;
  }
  if (SameShape(before, after)) {
    pattern->kind = Kind::kMembers;
    pattern->members.resize(MembersOf(before).size());
    WidenMembers(pattern, before, after, name);
    return true;
  }
  if (ListOf(before) && ListOf(after)) {
    pattern->kind = MayBeScan(before, after) ? Kind::kScan : Kind::kSequence;
    pattern->scan = heap_.NewSerial();
    return WidenSequence(pattern, before, after, name) || why_.empty();
  }
  return Fail(name, before, after);
}

bool PatternMaker::WidenLeaf(Pattern* pattern, const Value& after, const std::string& name) {
  if (!IsLeaf(after)) return Fail(name, {Tensor{}}, after);
  const auto type = LeafType(after, tracer_);
  return type && WidenType(pattern, *type, name);
}

bool PatternMaker::WidenMembers(Pattern* pattern, const Value& before, const Value& after, const std::string& name) {
  if (!SameShape(before, after)) {
    if (!ListOf(before) || !ListOf(after)) return Fail(name, before, after);
    // A list of fixed length turned out to grow, so its members are not carried any more.
    *pattern = Pattern();
    pattern->kind = Kind::kSequence;
    WidenSequence(pattern, before, after, name);
    return true;
  }
  if (depth_ >= kMaxPatternDepth) {
    why_ = fmt::format("`{}` is nested too deep", name);
    return false;
  }
  const auto old_members = MembersOf(before);
  const auto new_members = MembersOf(after);
  bool changed = false;
  ++depth_;
  for (size_t i = 0; i < old_members.size() && why_.empty(); ++i)
    changed |= Widen(&pattern->members[i], *old_members[i], *new_members[i], fmt::format("{}[{}]", name, i));
  --depth_;
  return changed;
}

bool PatternMaker::WidenSequence(Pattern* pattern, const Value& before, const Value& after, const std::string& name) {
  const Cell* old_list = ListOf(before);
  const Cell* new_list = ListOf(after);
  if (!old_list || !new_list) return Fail(name, before, after);
  bool changed = false;
  // The elements of an ONNX sequence have one type, which all elements before and after must fit.
  for (const Cell* list : {old_list, new_list}) {
    if (pattern->element.name.empty()) pattern->element = list->element;
    std::vector<ir::Value> types;
    if (list->sequence != ir::ValueId::kNone) types.push_back(tracer_.TypeOf(list->sequence));
    if (list->stacked != ir::ValueId::kNone) {
      ir::Value type = tracer_.TypeOf(list->stacked);
      // Rows of a tensor: an element lacks the first axis.
      if (type.dims && !type.dims->empty()) type.dims->erase(type.dims->begin());
      types.push_back(std::move(type));
    }
    for (const Value& item : list->items) {
      const auto type = IsLeaf(item) ? LeafType(item, tracer_) : std::nullopt;
      if (!type) {
        why_ =
            fmt::format("`{}` is a list that changes its length in a loop and holds {}; ONNX has sequences of tensors",
                        name, KindOf(item));
        return false;
      }
      types.push_back(*type);
    }
    for (ir::Value& type : types) {
      const Type element = ElementName(type);
      if (pattern->element.name.empty()) pattern->element = element;
      type.kind = ir::ValueKind::kSequence;
      type.contents.reset();
      if (pattern->type.dtype == ir::DType::kUndefined) {
        pattern->type = type;
        pattern->type.name.clear();
        changed = true;
      } else {
        changed |= WidenType(pattern, type, name);
      }
    }
  }
  return changed;
}

// In the first iteration, and after a loop without iterations, it is the container from before the loop.
Value PatternMaker::Instead(const Value& before, const CellPtr& made) {
  if (const auto* cell = before.As<CellPtr>()) heap_.TieLike(made, *cell);
  return {made};
}

// `members` are its values and, for each key, if it has it.
CellPtr PatternMaker::MakeDict(const Cell& before, ValueList members) {
  const auto middle = members.begin() + static_cast<ptrdiff_t>(before.keys.size());
  const CellPtr dict = heap_.NewDict(before.keys, {members.begin(), middle});
  const bool has_all = std::all_of(middle, members.end(), [](const Value& is) { return Same(is, {true}); });
  if (!before.present.empty() || !has_all) heap_.Edit(dict).present = {middle, members.end()};
  return dict;
}

Value PatternMaker::Build(const Pattern& pattern, const Value& before, const Supplier& leaf) {
  switch (pattern.kind) {
    case Kind::kSame:
      return before;
    case Kind::kLeaf:
      return LeafValue(leaf(pattern, before), tracer_);
    case Kind::kMembers: {
      ValueList members;
      const auto old_members = MembersOf(before);
      for (size_t i = 0; i < old_members.size(); ++i)
        members.push_back(Build(pattern.members[i], *old_members[i], leaf));
      if (const auto* tuple = before.As<TuplePtr>())
        return {MakeOwned<const TupleValue>(TupleValue{std::move(members), (*tuple)->type})};
      const Cell& old_cell = **before.As<CellPtr>();
      if (old_cell.kind == Cell::Kind::kList)
        return Instead(before, heap_.NewList(std::move(members), old_cell.element));
      if (old_cell.kind == Cell::Kind::kDict) return Instead(before, MakeDict(old_cell, std::move(members)));
      const CellPtr object = heap_.NewObject(old_cell.type_name, old_cell.type);
      size_t at = 0;
      for (const auto& [name, value] : old_cell.attributes)
        heap_.Edit(object).attributes[name] = std::move(members[at++]);
      return Instead(before, object);
    }
    case Kind::kSequence:
    case Kind::kScan: {
      const CellPtr list = heap_.NewList({}, pattern.element);
      const ir::Arg made = leaf(pattern, before);
      // Inside the body the list is empty and marked. Reading it would give wrong contents (see Scans).
      if (pattern.kind == Kind::kScan && !made.value()) heap_.Edit(list).scan = pattern.scan;
      if (const auto* id = made.value())
        (pattern.kind == Kind::kScan ? heap_.Edit(list).stacked : heap_.Edit(list).sequence) = *id;
      return Instead(before, list);
    }
  }
  return before;
}

void PatternMaker::ForEach(Pattern* pattern, const Value& before, const Value& after, const Visitor& visit) const {
  if (pattern->kind == Kind::kSame) return;
  const Value now = Now(after);
  if (pattern->kind != Kind::kMembers) return visit(*pattern, before, now);
  const auto old_members = MembersOf(before);
  const auto new_members = MembersOf(now);
  for (size_t i = 0; i < pattern->members.size() && i < new_members.size(); ++i)
    ForEach(&pattern->members[i], *old_members[i], *new_members[i], visit);
}

void PatternMaker::ForEachReplaced(const Pattern& pattern, const Value& before, const Value& after,
                                   const CellVisitor& visit) const {
  if (pattern.kind == Kind::kSame) return;
  const auto* old_cell = before.As<CellPtr>();
  const auto* new_cell = after.As<CellPtr>();
  if (old_cell && new_cell) visit(*old_cell, *new_cell);
  if (pattern.kind != Kind::kMembers) return;
  const Value now = Now(after);
  const auto old_members = MembersOf(before);
  const auto new_members = MembersOf(now);
  for (size_t i = 0; i < pattern.members.size() && i < new_members.size(); ++i)
    ForEachReplaced(pattern.members[i], *old_members[i], *new_members[i], visit);
}

}  // namespace onnxport::torchscript
