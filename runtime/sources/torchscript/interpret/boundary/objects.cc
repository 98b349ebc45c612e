#include "runtime/sources/torchscript/interpret/boundary/objects.h"

#include <fmt/format.h>

#include <memory>
#include <utility>
#include <variant>

#include "runtime/sources/torchscript/interpret/boundary/packed_state.h"
#include "runtime/sources/torchscript/interpret/values/refusal.h"
#include "runtime/sources/torchscript/syntax/type.h"

namespace onnxport::torchscript {
namespace {

// Parses "List[int]" in an archive if it is a plain name. That is enough for the element type of an empty list.
Type ElementOf(const std::string& text) {
  if (!text.starts_with("List[") || !text.ends_with(']')) return {};
  const std::string element = text.substr(5, text.size() - 6);
  return element.find('[') == std::string::npos ? Type{element, {}} : Type{};
}

}  // namespace

// Containers are remembered before they are read: a module that contains itself, as `parent` of its child, is one cell.
// kMaxPickleDepth limits the depth.
Value ObjectReader::Read(const PickledPtr& pickled, const std::string& path) {
  if (!pickled) return {None{}};
  if (const auto known = read_.find(pickled.get()); known != read_.end()) return known->second;
  const auto remember = [&](CellPtr cell) {
    read_[pickled.get()] = {cell};
    return cell;
  };
  const auto& v = pickled->v;
  if (const auto* boolean = std::get_if<bool>(&v)) return {*boolean};
  if (const auto* number = std::get_if<int64_t>(&v)) return {*number};
  if (const auto* number = std::get_if<double>(&v)) return {*number};
  if (const auto* text = std::get_if<std::string>(&v)) return {*text};
  if (const auto* device = std::get_if<Pickled::Device>(&v)) return {ir::Word{device->text}};
  if (const auto* value = std::get_if<Pickled::Enum>(&v)) return ReadEnum(*value);
  if (const auto* list = std::get_if<Pickled::List>(&v))
    return ReadList(*list, path, remember(heap_.NewList({}, ElementOf(list->type))));
  if (const auto* dict = std::get_if<Pickled::Dict>(&v)) return ReadDict(*dict, path, remember(heap_.NewDict()));
  if (const auto* object = std::get_if<Pickled::Object>(&v)) return ReadObject(*object, path, pickled.get());
  Value value = {None{}};
  if (const auto* tensor = std::get_if<Pickled::Tensor>(&v)) value = ReadTensor(*tensor, path);
  if (const auto* tuple = std::get_if<Pickled::Tuple>(&v)) value = ReadTuple(*tuple, path);
  read_[pickled.get()] = value;
  return value;
}

Value ObjectReader::ReadList(const Pickled::List& list, const std::string& path, const CellPtr& cell) {
  ValueList items;
  items.reserve(list.items.size());
  for (const PickledPtr& item : list.items) items.push_back(Read(item, Below(path, std::to_string(items.size()))));
  heap_.Edit(cell).items = std::move(items);
  return {cell};
}

Value ObjectReader::ReadDict(const Pickled::Dict& dict, const std::string& path, const CellPtr& cell) {
  ValueList keys;
  ValueList items;
  for (const auto& [key, item] : dict.items) {
    keys.push_back(Read(key, path));
    const auto* name = keys.back().As<std::string>();
    items.push_back(Read(item, Below(path, name ? *name : std::to_string(items.size()))));
  }
  Cell& contents = heap_.Edit(cell);
  contents.keys = std::move(keys);
  contents.items = std::move(items);
  return {cell};
}

Value ObjectReader::ReadTuple(const Pickled::Tuple& tuple, const std::string& path) {
  auto value = MakeOwned<TupleValue>();
  for (const PickledPtr& item : tuple.items)
    value->items.push_back(Read(item, Below(path, std::to_string(value->items.size()))));
  return {TuplePtr(std::move(value))};
}

Value ObjectReader::ReadEnum(const Pickled::Enum& value) {
  const auto found = program_.classes.find(value.type);
  if (found == program_.classes.end()) return {Missing{.reason = fmt::format("there is no enum {}", value.type)}};
  const Value content = Read(value.value, "");
  for (const Field& member : found->second.fields) {
    if (!member.value) continue;
    const Expr& literal = *member.value;
    const auto* integer = content.As<int64_t>();
    const auto* number = content.As<double>();
    const auto* text = content.As<std::string>();
    if ((integer && literal.kind == ExprKind::kInt && literal.integer == *integer) ||
        (number && literal.kind == ExprKind::kFloat && literal.number == *number) ||
        (text && literal.kind == ExprKind::kString && literal.text == *text))
      return {EnumValue{&found->second, member.name, MakeOwned<const Value>(content)}};
  }
  return {Missing{.reason = fmt::format("{} has no member of the pickled value", value.type)}};
}

Value ObjectReader::ReadTensor(const Pickled::Tensor& tensor, const std::string& path) {
  if (!tensor.data) return {Missing{.reason = fmt::format("{} has no data", path)}};
  return weights_.Add(path, tensor);
}

Value ObjectReader::ReadObject(const Pickled::Object& object, const std::string& path, const Pickled* identity) {
  const auto found = program_.classes.find(object.type);
  const Class* type = found == program_.classes.end() ? nullptr : &found->second;
  if (type && type->kind == ClassKind::kNamedTuple && object.state) {
    if (const auto* fields = std::get_if<Pickled::Tuple>(&object.state->v)) {
      auto tuple = MakeOwned<TupleValue>();
      tuple->type = type;
      for (size_t i = 0; i < fields->items.size(); ++i)
        tuple->items.push_back(Read(fields->items[i], Below(path, std::to_string(i))));
      return read_[identity] = {TuplePtr(std::move(tuple))};
    }
  }
  const CellPtr cell = heap_.NewObject(object.type, type);
  heap_.Edit(cell).path = path;
  read_[identity] = {cell};
  if (!object.state) return {cell};
  const Function* set_state = type ? type->FindMethod("__setstate__") : nullptr;
  if (set_state) {
    SetState(cell, *set_state, object.state);
  } else if (const auto* state = std::get_if<Pickled::Dict>(&object.state->v)) {
    SetAttributes(cell, *state);
  } else {
    heap_.Edit(cell).attributes["state"] = Read(object.state, path);  // for C++ classes, see UnpackState
  }
  if (!type || !type->FindMethod("__setstate__")) UnpackState(cell, weights_, &heap_);
  return {cell};
}

void ObjectReader::SetAttributes(const CellPtr& cell, const Pickled::Dict& state) {
  const std::string path = cell->path;
  for (const auto& [key, item] : state.items) {
    const Value name = Read(key, path);
    const auto* text = name.As<std::string>();
    if (!text) continue;
    Value value = Read(item, Below(path, *text));
    heap_.Edit(cell).attributes[*text] = std::move(value);
  }
}

// If the method cannot restore the state, using the object is an error.
void ObjectReader::SetState(const CellPtr& cell, const Function& method, const PickledPtr& state) {
  try {
    set_state_(method, {{cell}, Read(state, cell->path)});
  } catch (const Refusal& raised) {
    if (!IsRaised(raised)) throw;
    const std::string reason = fmt::format("{}.__setstate__ fails: {}", cell->type_name, raised.what());
    for (const Field& field : cell->type->fields) {
      if (!cell->attributes.contains(field.name)) heap_.Edit(cell).attributes[field.name] = {Missing{.reason = reason}};
    }
  }
}

}  // namespace onnxport::torchscript
