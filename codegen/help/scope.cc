// The names that an expression of an entry may use, in the order in which a reader meets them. They are taken from the
// YAML tree, not from a loaded entry: while somebody writes, an entry is rarely whole enough to be loaded.
#include "codegen/help/scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "codegen/load/placed_text.h"
#include "codegen/model/result_names.h"
#include "runtime/aten/aten_schema.h"

namespace onnxport::codegen {
namespace {

constexpr size_t kShownText = 70;

const YamlNode* ItemOf(const YamlNode& map, std::string_view key) {
  for (size_t i = 0; i < map.keys.size(); ++i)
    if (map.keys[i].text.text() == key) return &map.items[i];
  return nullptr;
}

// The beginning of a value, on one line.
std::string ShownText(const YamlNode& value) {
  if (value.kind != YamlKind::kText) return value.kind == YamlKind::kMap ? "a map" : "";
  const std::string& text = value.text.text();
  return text.size() <= kShownText ? "`" + text + "`" : "`" + text.substr(0, kShownText) + " ...`";
}

class NameCollector {
 public:
  explicit NameCollector(int line) : line_(line) {}

  void Collect(const YamlNode& item) {
    // In this order: of two names that are the same, the first is the one that is explained.
    AddArguments(item);
    AddConstants(item);
    AddParameters(item, "def");
    AddLets(item, "let", "let");
    AddFunctions(item);
    for (const char* word : {"fold", "loop"})
      if (const YamlNode* repetition = ItemOf(item, word)) AddRepetition(*repetition, word);
    if (const YamlNode* cases = ItemOf(item, "cases")) AddCase(*cases, EndOf(item, "cases"));
    if (const YamlNode* map = ItemOf(item, "map")) AddTargets(*map, "element of the map");
  }

  std::vector<ScopeName> Take() { return std::move(names_); }

 private:
  void Add(std::string name, std::string what, bool is_function = false, bool is_argument = false) {
    names_.push_back({std::move(name), std::move(what), is_function, is_argument});
  }

  // Overloads of one entry mostly agree on an argument: those that do are named together.
  void AddArguments(const YamlNode& item) {
    std::vector<std::pair<std::string, std::string>> order;  // name, text
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> owners;
    for (const std::string& name : OperatorsOf(item)) {
      const ir::AtenSchema* schema = ir::FindAtenSchema(name);
      if (schema == nullptr) continue;
      for (const ir::AtenArgument& argument : schema->arguments) {
        const std::pair key(argument.name, argument.type.text + " " + argument.name);
        if (!owners.contains(key)) order.push_back(key);
        owners[key].push_back(name);
      }
    }
    for (const auto& key : order)
      Add(key.first, fmt::format("argument `{}` of {}", key.second, fmt::join(owners[key], ", ")), false, true);
  }

  void AddConstants(const YamlNode& item) {
    const YamlNode* op = ItemOf(item, "op");
    if (op == nullptr || op->kind != YamlKind::kMap || op->items.empty()) return;
    for (const YamlNode& name : op->items[0].keys) Add(name.text.text(), "constant of each of the operators");
  }

  // Adds a and b of `name(a, b)`.
  void AddParameters(const YamlNode& item, std::string_view key) {
    const YamlNode* signature = ItemOf(item, key);
    if (signature == nullptr || signature->kind != YamlKind::kText) return;
    AddParametersOf(signature->text.text());
  }

  void AddParametersOf(const std::string& signature) {
    const size_t open = signature.find('(');
    if (open == std::string::npos) return;
    const std::string function = signature.substr(0, open);
    const PlacedText inside(signature.substr(open + 1, signature.find(')') - open - 1), Place{});
    for (const PlacedText& parameter : Split(inside, ','))
      if (!parameter.text().empty()) Add(parameter.text(), fmt::format("parameter of {}", function));
  }

  void AddLets(const YamlNode& map, std::string_view key, std::string_view what) {
    const YamlNode* lets = ItemOf(map, key);
    if (lets == nullptr || lets->kind != YamlKind::kMap) return;
    for (size_t i = 0; i < lets->keys.size(); ++i) {
      const std::string text = ShownText(lets->items[i]);
      for (const PlacedText& name : Split(lets->keys[i].text, ','))
        Add(name.text(),
            fmt::format("{} at line {}{}{}", what, lets->keys[i].place.line, text.empty() ? "" : ": ", text));
    }
  }

  void AddFunctions(const YamlNode& item) {
    // In an entry `def` is a map of its own definitions; in a definition it is its signature, a text, which
    // AddParameters reads.
    const YamlNode* functions = ItemOf(item, "def");
    if (functions == nullptr || functions->kind != YamlKind::kMap) return;
    for (size_t i = 0; i < functions->keys.size(); ++i) {
      const std::string& signature = functions->keys[i].text.text();
      const int line = functions->keys[i].place.line;
      Add(signature.substr(0, signature.find('(')), fmt::format("definition `{}` at line {}", signature, line), true);
      // Parameters are known within their definition only.
      if (Contains(functions->keys, i, EndOf(item, "def"))) AddParametersOf(signature);
    }
  }

  void AddRepetition(const YamlNode& repetition, const std::string& word) {
    if (const YamlNode* each = ItemOf(repetition, "each")) AddTargets(*each, "`each` of the " + word);
    for (const char* key : {"init", "carry", "let", "collect", "scan"})
      AddLets(repetition, key, fmt::format("`{}` of the {}", key, word));
  }

  // `a, b in list`
  void AddTargets(const YamlNode& each, const std::string& what) {
    if (each.kind != YamlKind::kText) return;
    const std::string targets = each.text.text().substr(0, each.text.text().find(" in "));
    for (const PlacedText& name : Split(PlacedText(targets, Place{}), ',')) Add(name.text(), what);
  }

  void AddCase(const YamlNode& cases, int end) {
    if (cases.kind != YamlKind::kList) return;
    for (size_t i = 0; i < cases.items.size(); ++i) {
      if (!Contains(cases.items, i, end)) continue;
      AddLets(cases.items[i], "let", "let");
      if (const YamlNode* map = ItemOf(cases.items[i], "map")) AddTargets(*map, "element of the map");
    }
  }

  // Nodes say where they begin: one ends where the next begins. The line of the key that follows another:
  static int EndOf(const YamlNode& item, std::string_view key) {
    for (size_t i = 0; i + 1 < item.keys.size(); ++i)
      if (item.keys[i].text.text() == key) return item.keys[i + 1].place.line;
    return std::numeric_limits<int>::max();
  }
  bool Contains(const std::vector<YamlNode>& nodes, size_t i, int end) const {
    const int next = i + 1 < nodes.size() ? nodes[i + 1].place.line : end;
    return line_ >= nodes[i].place.line && line_ < next;
  }

  int line_;
  std::vector<ScopeName> names_;
};

// "Half the size." of the comment lines directly above one.
std::string CommentAbove(const std::vector<Line>& lines, size_t line) {
  std::string comment;
  while (line > 0 && lines[line - 1].text.starts_with('#') && !lines[line - 1].text.starts_with("#:")) {
    const std::string& text = lines[--line].text;
    comment = text.substr(std::min(text.size(), text.find_first_not_of("# "))) + (comment.empty() ? "" : " ") + comment;
  }
  return comment;
}

// Definitions know the text that they stand in.
std::string TextOfLibrary(const SpecFile& library) {
  return library.defs.empty() ? "" : library.defs[0].place.file->text;
}

}  // namespace

std::vector<ScopeName> NamesOf(const YamlNode& item, int line) {
  NameCollector collector(line);
  collector.Collect(item);
  return collector.Take();
}

std::vector<ScopeName> DefinitionsOf(const std::string& path, const std::vector<Line>& lines) {
  std::vector<ScopeName> names;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].dash < 0 || lines[i].key != "def") continue;
    const std::string signature(lines[i].Value());
    const std::string comment = CommentAbove(lines, i);
    names.push_back(
        {signature.substr(0, signature.find('(')),
         fmt::format("definition `{}` at {}:{}{}{}", signature, path, i + 1, comment.empty() ? "" : ": ", comment),
         true});
  }
  return names;
}

std::vector<ScopeName> DefinitionsOf(const SpecFile& library) {
  return DefinitionsOf(library.path, LinesOf(TextOfLibrary(library)));
}

std::string AboutLibrary(const SpecFile& library) {
  const std::vector<Line> lines = LinesOf(TextOfLibrary(library));
  const auto end = std::ranges::find_if_not(lines, [](const Line& line) { return line.text.starts_with('#'); });
  const std::string comment = CommentAbove(lines, static_cast<size_t>(end - lines.begin()));
  return fmt::format("library {}{}{}", library.path, comment.empty() ? "" : ": ", comment);
}

std::vector<std::string> OperatorsOf(const YamlNode& item) {
  std::vector<std::string> operators;
  const YamlNode* op = ItemOf(item, "op");
  if (op == nullptr) return operators;
  if (op->kind == YamlKind::kText) operators.push_back(op->text.text());
  for (const YamlNode& name : op->kind == YamlKind::kMap ? op->keys : op->items)
    if (name.kind == YamlKind::kText) operators.push_back(name.text.text());
  return operators;
}

std::vector<ResultHelp> ResultsOf(const std::vector<std::string>& operators) {
  std::vector<ResultHelp> results;
  for (const std::string& name : operators) {
    const ir::AtenSchema* schema = ir::FindAtenSchema(name);
    for (size_t i = 0; schema != nullptr && i < schema->results.size(); ++i) {
      const std::string result = ResultName(*schema, i);
      results.push_back({result, fmt::format("result `{} {}` of {}", schema->results[i].type.text, result, name)});
    }
  }
  return results;
}

const ScopeName* FindName(const std::vector<ScopeName>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name, &ScopeName::name);
  return found == names.end() ? nullptr : &*found;
}

}  // namespace onnxport::codegen
