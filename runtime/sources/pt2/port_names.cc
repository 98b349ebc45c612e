#include "runtime/sources/pt2/port_names.h"

#include "runtime/sources/pt2/json.h"

namespace onnxport::pt2 {
namespace {

using Names = std::vector<std::string>;

constexpr size_t kMaxName = 200;

// The keys that an array of the context has for `count` children; empty if there are none.
Names KeysIn(const Json& array, size_t count) {
  Names keys;
  for (const Json& key : array.Items()) {
    if (key.kind() == Json::Kind::kText) keys.emplace_back(key.AsText());
    if (key.kind() == Json::Kind::kInt) keys.push_back(std::to_string(key.AsInt()));
  }
  return keys.size() == count && array.Items().size() == count ? keys : Names();
}

// Keys of a dict, or fields of a namedtuple or a data class; indices for other containers.
Names ChildNames(const Json& spec, size_t count, const TupleFields& fields) {
  Names names;
  const auto type = spec.Find("type");
  const auto context = spec.Find("context");
  const bool has_context = context && context->kind() == Json::Kind::kText;
  // The class of a namedtuple is in the type, or is its context.
  for (const auto& name : {type, has_context ? context : std::nullopt}) {
    const auto found = name ? fields.find(name->AsText()) : fields.end();
    if (found != fields.end() && found->second.size() == count) return found->second;
  }
  if (has_context && context->AsText().starts_with('[')) {
    const JsonTree tree = JsonTree::Parse(context->AsText());
    const Json root = tree.root();
    if (root.kind() == Json::Kind::kArray) {
      names = KeysIn(root, count);
      // [[names], [names of None]] and [default factory, [keys]].
      for (const Json& inner : root.Items()) {
        if (names.empty() && inner.kind() == Json::Kind::kArray) names = KeysIn(inner, count);
      }
    }
  }
  for (size_t i = names.size(); i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

std::string Join(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

bool IsLeaf(const Json& spec) { return !spec.Find("type").has_value(); }

// The JSON reader limits the depth.
void AddLeaves(const Json& spec, const std::string& name, const TupleFields& fields, Names* names) {
  if (IsLeaf(spec)) {
    std::string clean = name.substr(0, kMaxName);
    for (char& c : clean) {
      if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f) c = '_';
    }
    return names->push_back(std::move(clean));
  }
  const JsonRange children = spec["children_spec"].Elements();
  const Names child_names = ChildNames(spec, children.size(), fields);
  size_t i = 0;
  for (const Json& child : children) AddLeaves(child, Join(name, child_names[i++]), fields, names);
}

// [version, spec]
Json Root(const JsonTree& tree) {
  const JsonRange parts = tree.root().Elements();
  if (parts.size() != 2) tree.root().Fail("a version and a tree expected");
  return parts[1];
}

}  // namespace

Names InputNames(std::string_view text, const Names& argument_names, const TupleFields& fields) {
  const JsonTree tree = JsonTree::Parse(text);
  const Json spec = Root(tree);
  if (IsLeaf(spec)) return {};
  const JsonRange children = spec["children_spec"].Elements();
  if (children.size() != 2 || IsLeaf(children[0]) || IsLeaf(children[1])) return {};
  const JsonRange args = children[0]["children_spec"].Elements();
  // The first names are those of positional arguments. Each is the root of its leaves: `past.0.key`. Keyword arguments
  // are a dict whose keys are the names.
  if (args.size() > argument_names.size()) return {};
  Names names;
  size_t i = 0;
  for (const Json& arg : args) AddLeaves(arg, argument_names[i++], fields, &names);
  AddLeaves(children[1], "", fields, &names);
  return names;
}

Names OutputNames(std::string_view text, const TupleFields& fields) {
  const JsonTree tree = JsonTree::Parse(text);
  const Json spec = Root(tree);
  if (IsLeaf(spec)) return {"output"};
  const JsonRange children = spec["children_spec"].Elements();
  const Names keys = ChildNames(spec, children.size(), fields);
  Names names;
  size_t i = 0;
  for (const Json& child : children) {
    const bool counted = keys[i] == std::to_string(i);
    AddLeaves(child, counted ? "output_" + keys[i] : keys[i], fields, &names);
    ++i;
  }
  return names;
}

}  // namespace onnxport::pt2
