#include "runtime/model/serializer/node_metadata.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "runtime/base/text.h"
#include "runtime/model/serializer/call_text.h"
#include "runtime/model/serializer/wire.h"

namespace onnxport::serializer {
namespace {

// Field numbers of onnx.proto.
constexpr int kNodeDocString = 6;
constexpr int kNodeMetadata = 9;
constexpr int kEntryKey = 1;
constexpr int kEntryValue = 2;

void Add(std::string_view key, std::string value, std::string* fields) {
  value = Utf8(std::move(value));
  AppendFieldHeader(kNodeMetadata, FieldSize(key) + FieldSize(value), fields);
  AppendField(kEntryKey, key, fields);
  AppendField(kEntryValue, value, fields);
}

// The location has the line only.
std::string LineText(const ir::Location& at) {
  if (at.file().empty()) return "";
  std::string text = fmt::format("File \"{}\", line {}", at.file(), at.line());
  if (!at.code().empty()) text += "\n    " + at.code();
  return text;
}

}  // namespace

// Protobuf's strings are UTF-8; what a file holds may be anything.
std::string Utf8(std::string text) {
  if (IsUtf8(text)) return text;
  for (char& c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return text;
}

NodeMetadata::NodeMetadata(const ir::Graph& source, const ir::Locations& locations, int ir_version)
    : source_(source),
      locations_(locations),
      properties_(ir_version >= kIrVersionWithNodeMetadata),
      calls_(source.locations.size()),
      users_(source.values.size()),
      last_user_(source.values.size()) {
  Note(source.body);
}

void NodeMetadata::Note(const ir::Block& block) {
  for (const ir::Node& call : block.nodes) {
    for (const ir::Arg& input : call.inputs) Use(input, &call);
    if (call.location != ir::LocationId::kNone) {
      const ir::Node*& noted = calls_[static_cast<size_t>(call.location)];
      if (noted == nullptr) noted = &call;
    }
    for (const ir::Block& inner : call.blocks) Note(inner);
  }
  // Stands for the `output` node of torch.fx, which counts as one user however many outputs take a value.
  static const ir::Node kReturn;
  for (const ir::Arg& output : block.outputs) Use(output, &kReturn);
}

void NodeMetadata::Use(const ir::Arg& arg, const ir::Node* by) {
  if (const ir::ArgList* list = arg.list()) {
    for (const ir::Arg& element : *list) Use(element, by);
  } else if (const ir::ValueId* value = arg.value(); value != nullptr && *value != ir::ValueId::kNone) {
    const auto i = static_cast<size_t>(*value);
    // `x + x` has one user, as in torch.fx. The calls come one after another, so to remember the last user is enough to
    // count each once.
    if (std::exchange(last_user_[i], by) != by) ++users_[i];
  }
}

const NodeMetadata::Scope& NodeMetadata::ScopeOf(const ir::ModuleCall* module) {
  const auto [found, is_new] = scopes_.try_emplace(module);
  // An unordered_map moves no element when it grows, so the recursion below leaves the reference valid.
  Scope& scope = found->second;  // stays where it is
  if (is_new && module != nullptr) {
    scope = ScopeOf(module->caller.get());
    // Modules around the function: counted, and left out of all three texts.
    if (++scope.depth <= hidden_) return scope;
    const std::string path = PathWithin(module->path);
    scope.space += fmt::format("{}{}{}/", path, module->type.empty() ? "" : ": ", module->type);
    scope.classes += PythonText(module->type) + ", ";
    scope.paths += PythonText(path) + ", ";
  }
  return scope;
}

void NodeMetadata::EnterFunction(const ir::ModuleCall& module) {
  outer_path_ = module.path;
  hidden_ = 0;
  for (const ir::ModuleCall* at = module.caller.get(); at != nullptr; at = at->caller.get()) ++hidden_;
  scopes_.clear();
}

// "self.query" of "layer.0.self.query"; what is not within is named in full.
std::string NodeMetadata::PathWithin(const std::string& path) const {
  if (outer_path_.empty() || !path.starts_with(outer_path_)) return path;
  if (path.size() == outer_path_.size()) return "";
  return path[outer_path_.size()] == '.' ? path.substr(outer_path_.size() + 1) : path;
}

const std::string& NodeMetadata::TraceOf(const ir::Location& at) {
  const auto [found, is_new] = traces_.try_emplace(at.at.get());
  if (is_new) found->second = Utf8(at.trace().empty() ? LineText(at) : at.trace());
  return found->second;
}

void NodeMetadata::AppendFieldsOf(ir::LocationId location, std::string* fields) {
  if (location == ir::LocationId::kNone) return;
  const auto i = static_cast<size_t>(location);
  if (i < source_.locations.size()) {
    AppendFieldsOfCall(location, fields);
  } else {
    AppendFieldsOfModule(*locations_[i]->module, fields);
  }
}

void NodeMetadata::AppendFieldsOfModule(const ir::ModuleCall& module, std::string* fields) {
  if (!properties_) {
    return AppendField(kNodeDocString, Utf8(fmt::format("{}: {}", PathWithin(module.path), module.type)), fields);
  }
  const Scope& scope = ScopeOf(&module);
  // A module is the last of its own scope, so the "/" or ", " behind it goes; behind the scope of a call comes the
  // call.
  const auto without_end = [](const std::string& text, size_t count) { return text.substr(0, text.size() - count); };
  Add("namespace", without_end(scope.space, 1), fields);
  Add("pkg.torch.onnx.class_hierarchy", fmt::format("[{}]", without_end(scope.classes, 2)), fields);
  Add("pkg.torch.onnx.name_scopes", fmt::format("[{}]", without_end(scope.paths, 2)), fields);
}

void NodeMetadata::AppendFieldsOfCall(ir::LocationId location, std::string* fields) {
  const ir::Location& at = source_.location(location);
  const ir::Node* call = calls_[static_cast<size_t>(location)];
  const std::string& trace = TraceOf(at);
  std::string text;
  std::string_view name = at.op_name;
  if (call != nullptr) {
    const ir::ValueId result = call->outputs.empty() ? ir::ValueId::kNone : call->outputs[0];
    if (name.empty() && result != ir::ValueId::kNone) name = source_.value(result).name;
    if (name.starts_with('%')) name.remove_prefix(1);  // a value of a trace
    const int users = result == ir::ValueId::kNone ? 0 : users_[static_cast<size_t>(result)];
    text = CallText(source_, *call, name, users);
  }
  if (!properties_) {
    if (!text.empty() && !trace.empty()) text += '\n';
    text += trace;
    if (!text.empty()) AppendField(kNodeDocString, Utf8(std::move(text)), fields);
    return;
  }
  if (call != nullptr) {
    const Scope& scope = ScopeOf(at.module.get());
    const std::string target = TargetText(call->op);
    Add("namespace", fmt::format("{}{}: {}", scope.space, name, target), fields);
    Add("pkg.torch.onnx.class_hierarchy", fmt::format("[{}{}]", scope.classes, PythonText(target)), fields);
    Add("pkg.torch.onnx.name_scopes", fmt::format("[{}{}]", scope.paths, PythonText(name)), fields);
    Add("pkg.torch.onnx.fx_node", std::move(text), fields);
  }
  if (!trace.empty()) Add("pkg.torch.onnx.stack_trace", trace, fields);
}

}  // namespace onnxport::serializer
