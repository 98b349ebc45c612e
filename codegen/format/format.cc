#include "codegen/format/format.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/format/comments.h"
#include "codegen/format/expression_pieces.h"
#include "codegen/format/layout.h"
#include "codegen/format/printer.h"
#include "codegen/format/same_spec.h"
#include "codegen/format/schema_comment.h"
#include "codegen/format/test_pieces.h"
#include "codegen/load/load.h"
#include "codegen/load/yaml.h"
#include "codegen/model/clauses.h"
#include "fmt/format.h"

namespace onnxport::codegen {
namespace {

bool IsFlowWord(const std::string& text) {
  return !NeedsQuotes(text) && text.find_first_of(",[]{}:\n") == std::string::npos;
}

bool IsIdentifierText(const YamlNode& node) {
  return node.kind == YamlKind::kText && !node.text.text().empty() &&
         node.text.text().find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
             std::string::npos;
}

// `{of: [self, other], kind: float}`; empty when some text in it is more than a word.
std::string FlowText(const YamlNode& node) {
  if (node.kind == YamlKind::kText) return IsFlowWord(node.text.text()) ? node.text.text() : "";
  std::string inner;
  for (size_t i = 0; i < node.items.size(); ++i) {
    const std::string item = FlowText(node.items[i]);
    if (item.empty()) return "";
    inner += i > 0 ? ", " : "";
    inner += node.kind == YamlKind::kMap ? node.keys[i].text.text() + ": " + item : item;
  }
  return node.kind == YamlKind::kMap ? "{" + inner + "}" : "[" + inner + "]";
}

std::string PlainOrQuoted(const std::string& text) { return NeedsQuotes(text) ? Quoted(text) : text; }

// `{n: 2, how: '"sum"'}`: constants in one line.
std::string ConstantsText(const YamlNode& node) {
  std::string inner;
  for (size_t i = 0; i < node.items.size(); ++i) {
    const std::string value = Flat(ExpressionPieces(node.items[i].text.text()));
    inner += (i > 0 ? ", " : "") + node.keys[i].text.text() + ": " + (IsFlowWord(value) ? value : Quoted(value));
  }
  return "{" + inner + "}";
}

Pieces ExpressionOf(const YamlNode& node) { return ExpressionPieces(node.text.text()); }

// `a, b, c` of short words as pieces that may be broken after commas.
Piece ListPiece(const std::vector<std::string>& words) {
  Piece list{.text = "[", .space = true, .after = Break::kNone, .inner = {}, .close = "]"};
  for (size_t i = 0; i < words.size(); ++i)
    list.inner.push_back({.text = words[i] + (i + 1 < words.size() ? "," : ""),
                          .space = true,
                          .after = Break::kComma,
                          .inner = {},
                          .close = {}});
  return list;
}

// Walks the YAML tree and not the SpecFile, as comments and the split into keys belong to the tree. Only tests are
// written from what the loader made of them.
class Formatter {
 public:
  Formatter(const SpecFile& spec, Comments comments) : printer_(std::move(comments)) {
    for (const OpEntry& entry : spec.ops) entries_[entry.place.line] = &entry;
  }

  std::string File(const YamlNode& root) {
    Map(root, kOfFile, 0, false);
    return printer_.Take();
  }

  int UntakenComment() const { return printer_.UntakenComment(); }

 private:
  static size_t IndexOf(const YamlNode& map, std::string_view key) {
    const auto found = std::ranges::find_if(map.keys, [&](const YamlNode& node) { return node.text.text() == key; });
    return found - map.keys.begin();
  }

  // An entry or a definition.
  void Item(const YamlNode& node, bool first) {
    if (!first) printer_.Blank();
    printer_.CommentsAbove(node.place.line, 0);
    const auto entry = entries_.find(node.place.line);
    entry_ = entry == entries_.end() || IndexOf(node, "op") == node.keys.size() ? nullptr : entry->second;
    if (entry_ != nullptr)
      for (const std::string& line : SchemaComment(entry_->names)) printer_.CommentBlock(0, {line});
    const bool is_entry = IndexOf(node, "op") < node.keys.size();  // it may have a `def`, too
    Map(node, is_entry ? kOfEntry : IndexOf(node, "def") < node.keys.size() ? kOfDefinition : kOfSchema, 0, true);
  }

  // The keys of a map in their order; as an item of a list the first one after a dash.
  void Map(const YamlNode& map, Owner owner, int indent, bool as_item) {
    bool dash = as_item;
    size_t written = 0;
    for (const Clause& clause : kClauses) {
      const size_t i = (clause.owners & owner) ? IndexOf(map, clause.key) : map.keys.size();
      if (i == map.keys.size()) continue;
      ++written;
      const int key_indent = as_item ? indent + 2 : indent;
      const int line = map.keys[i].place.line;
      if (dash) printer_.CommentsAbove(line, indent);
      Value({.indent = dash ? indent : key_indent,
             .text = fmt::format("{}{}:", dash ? "- " : "", clause.key),
             .line = line},
            clause, map.items[i], key_indent);
      dash = false;
    }
    if (written != map.keys.size()) throw std::logic_error("the formatter leaves out a key");
  }

  void Value(const Lead& lead, const Clause& clause, const YamlNode& node, int indent) {
    switch (clause.form) {
      case Form::kVersion:
      case Form::kName:
      case Form::kNumber:
      case Form::kTrue:
      case Form::kPromoteKind:
      case Form::kDType:
      case Form::kNodeName:
        return printer_.Plain(lead, node.text.text());
      case Form::kSentence:
        return printer_.Value(lead, SentencePieces(node.text.text()));
      case Form::kResults:
      case Form::kNamed:
        return Results(lead, node, indent);
      case Form::kItems:
        return Items(lead, node);
      case Form::kCases:
        return Cases(lead, kOfCase, node, indent);
      case Form::kValueCases:
        return Cases(lead, kOfValueCase, node, indent);
      case Form::kFold:
        return Block(lead, kOfFold, node, indent);
      case Form::kLoop:
        return Block(lead, kOfLoop, node, indent);
      case Form::kLibraries:
      case Form::kPromote:
      case Form::kComputeIn:
      case Form::kArguments:
      case Form::kTypes:
        return Flow(lead, node, indent);
      case Form::kOperators:
        return Operators(lead, node, indent);
      case Form::kLets:
      case Form::kRefinements:
      case Form::kSignatures:
        return Values(lead, node, indent);
      case Form::kTests:
        return Tests(lead, node, indent);
      case Form::kNodeTypes:
        return Words(lead, node, indent);
      case Form::kExpression:
      case Form::kSignature:
      case Form::kTrait:
      // These stand in the values of others.
      case Form::kConstants:
      case Form::kRefinement:
      case Form::kDefined:
      case Form::kValue:
        return printer_.Value(lead, ExpressionOf(node));
    }
  }

  void Items(const Lead& lead, const YamlNode& node) {
    printer_.Blank();
    printer_.Open(lead);
    for (const YamlNode& item : node.items) Item(item, &item == &node.items[0]);
  }

  void Block(const Lead& lead, Owner owner, const YamlNode& node, int indent) {
    printer_.Open(lead);
    Map(node, owner, indent + 2, false);
  }

  void Results(const Lead& lead, const YamlNode& node, int indent) {
    if (node.kind == YamlKind::kMap) return Values(lead, node, indent);
    if (node.kind != YamlKind::kList) return printer_.Value(lead, ExpressionOf(node));
    // `emit: [y, h]` on one line; results that are computed stand one below the other.
    if (std::ranges::all_of(node.items, IsIdentifierText)) return printer_.Plain(lead, FlowText(node));
    printer_.Open(lead);
    for (const YamlNode& item : node.items)
      printer_.Value({.indent = indent + 2, .text = "-", .line = item.place.line}, ExpressionOf(item));
  }

  void Flow(const Lead& lead, const YamlNode& node, int indent) {
    const std::string text = FlowText(node);
    if (!text.empty() && lead.indent + lead.text.size() + 1 + text.size() <= kMaxColumns)
      return printer_.Plain(lead, text);
    if (node.kind == YamlKind::kList) return List(lead, node);
    printer_.Open(lead);
    for (size_t i = 0; i < node.keys.size(); ++i) {
      const Lead item{.indent = indent + 2, .text = node.keys[i].text.text() + ":", .line = node.keys[i].place.line};
      const std::string value = FlowText(node.items[i]);
      if (value.empty() || node.items[i].kind == YamlKind::kText)
        printer_.Value(item, SentencePieces(node.items[i].text.text()));
      else
        printer_.Plain(item, value);
    }
  }

  // Names with their values: of a let, of arguments, of definitions.
  void Values(const Lead& lead, const YamlNode& node, int indent) {
    printer_.Open(lead);
    const auto has = [](const YamlNode& map, std::string_view key) { return IndexOf(map, key) < map.keys.size(); };
    for (size_t i = 0; i < node.keys.size(); ++i) {
      const YamlNode& value = node.items[i];
      const Lead item{.indent = indent + 2,
                      .text = Flat(ExpressionPieces(node.keys[i].text.text())) + ":",
                      .line = node.keys[i].place.line};
      // A choice of values, or what a definition of an entry is made of; any other map is a dict of arguments.
      const bool is_block = value.kind == YamlKind::kMap && (has(value, "cases") || has(value, "emit"));
      if (value.kind != YamlKind::kMap) {
        printer_.Value(item, ExpressionOf(value));
      } else if (is_block) {
        printer_.Open(item);
        Map(value, kOfLocalDefinition, indent + 4, false);
      } else {
        Values(item, value, indent + 2);
      }
    }
  }

  void Cases(const Lead& lead, Owner owner, const YamlNode& node, int indent) {
    printer_.Open(lead);
    for (const YamlNode& item : node.items) Map(item, owner, indent + 2, true);
  }

  void Operators(const Lead& lead, const YamlNode& node, int indent) {
    if (node.kind == YamlKind::kText) return printer_.Plain(lead, node.text.text());
    if (node.kind == YamlKind::kMap) {
      printer_.Open(lead);
      for (size_t i = 0; i < node.keys.size(); ++i)
        printer_.Plain({.indent = indent + 2, .text = node.keys[i].text.text() + ":", .line = node.keys[i].place.line},
                       ConstantsText(node.items[i]));
      return;
    }
    List(lead, node);
  }

  // Words, in as many lines as they need.
  void List(const Lead& lead, const YamlNode& node) {
    std::vector<std::string> names;
    for (const YamlNode& item : node.items) names.push_back(item.text.text());
    const int column = lead.indent + static_cast<int>(lead.text.size()) + 1;
    printer_.Plain(lead, Layout(Pieces{ListPiece(names)}, column, column, 0));
  }

  // Names with their types: of a schema.
  void Words(const Lead& lead, const YamlNode& node, int indent) {
    printer_.Open(lead);
    for (size_t i = 0; i < node.keys.size(); ++i)
      printer_.Plain({.indent = indent + 2, .text = node.keys[i].text.text() + ":", .line = node.keys[i].place.line},
                     PlainOrQuoted(node.items[i].text.text()));
  }

  void Tests(const Lead& lead, const YamlNode& node, int indent) {
    printer_.Open(lead);
    for (size_t i = 0; i < node.items.size(); ++i)
      printer_.Value({.indent = indent + 2, .text = "-", .line = node.items[i].place.line},
                     TestPieces(entry_->tests[i], *entry_));
  }

  Printer printer_;
  std::map<int, const OpEntry*> entries_;  // by line
  const OpEntry* entry_ = nullptr;         // that is being written
};

}  // namespace

std::optional<std::string> FormatSpec(const std::string& path, const std::string& text, Diagnostics* diagnostics) {
  // Loaded as well as read as a tree: the tree is what is written, but only of a file that the loader takes.
  const int errors = diagnostics->error_count();
  const auto spec = LoadSpecFile(path, text, diagnostics);
  const auto root = ReadYaml(std::make_shared<const SourceFile>(SourceFile{path, text}), diagnostics);
  if (!spec || !root || diagnostics->error_count() > errors) return std::nullopt;
  Formatter formatter(*spec, Comments(text, *root));
  std::string formatted = formatter.File(*root);
  const Place file{std::make_shared<const SourceFile>(SourceFile{path, text}), 0, 0};
  if (const int line = formatter.UntakenComment(); line > 0) {
    diagnostics->Error({file.file, line, 1}, "the comment before or on this line has no place in the formatted file");
    return std::nullopt;
  }
  // The proof of each run: what was written is loaded again and compared. A mistake of the formatter is an error and
  // not a changed spec.
  Diagnostics again;
  const auto reread = LoadSpecFile(path, formatted, &again);
  const std::string difference = reread ? Difference(*spec, *reread) : again.ToText();
  if (!difference.empty()) {
    diagnostics->Error(file, "formatting would change the meaning; a mistake of the formatter: " + difference);
    return std::nullopt;
  }
  return formatted;
}

}  // namespace onnxport::codegen
