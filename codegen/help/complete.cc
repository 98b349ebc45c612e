// Lists the words that may stand at a place. It may offer too much, never too little: whoever writes will pick a name
// that fits, and the check says if it did not.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "codegen/help/help.h"
#include "codegen/help/place.h"
#include "codegen/help/schemas.h"
#include "codegen/help/usage.h"
#include "codegen/help/words.h"
#include "codegen/load/names.h"
#include "codegen/model/onnx_ops.h"
#include "runtime/aten/aten_schema.h"
#include "runtime/aten/aten_schema_table.h"
#include "runtime/lowering/dsl/builtin_table.h"
#include "runtime/lowering/types/node_schema.h"

namespace onnxport::codegen {
namespace {

// Words of an expression that are no names.
constexpr auto kExpressionWords = std::to_array<std::string_view>(
    {"None", "True", "False", "inf", "nan", "pi", "opset", "and", "or", "not", "in", "if", "else", "for"});

class Completer {
 public:
  Completer(const PlaceInSpec& place, const Libraries& libraries) : place_(place), libraries_(libraries) {}

  std::vector<Completion> Complete() {
    if (!place_.spot) return {};
    // The kinds of places, the narrowest first: a key of the language, a name that a spec gives, an expression, and
    // values with words of their own.
    if (place_.AtKeyOfLanguage()) {
      Keys();
    } else if (place_.AtKey()) {
      NamesOfMap();
    } else if (place_.InExpression()) {
      Expression();
    } else {
      Value();
    }
    return std::move(completions_);
  }

 private:
  void Add(std::string_view name, std::string what) {
    // The first of a name wins: a let hides a function of the same name, and Expression adds them in that order.
    if (!name.starts_with(place_.cursor.prefix) || !seen_.insert(std::string(name)).second) return;
    completions_.push_back({std::string(name), std::move(what)});
  }
  void AddWords(const WordList& words) {
    for (const WordHelp& word : words) Add(word.word, fmt::format("`{}`: {}", word.form, word.doc));
  }

  void Keys() {
    for (const KeyInfo& key : KeysOf(place_.spot->inside.owner))
      if (!HasSibling(key.key)) Add(key.key, std::string(key.doc));
  }

  bool HasSibling(std::string_view key) const { return std::ranges::count(place_.cursor.siblings, key) > 0; }

  // Names that a spec gives are its own; those of `args`, `op` and `emit` exist already.
  void NamesOfMap() {
    if (place_.spot->form == Form::kRefinements) Arguments(/*but_siblings=*/true);
    if (place_.spot->form == Form::kOperators) Operators();
    if (place_.spot->form == Form::kResults) Results();
    const std::string_view key = place_.spot->key->key;
    if (key != "next") return;
    for (const ScopeName& name : place_.names)
      if (name.what.starts_with("`init`") || name.what.starts_with("`carry`")) Add(name.name, name.what);
  }

  void Arguments(bool but_siblings = false) {
    for (const ScopeName& name : place_.names)
      if (name.is_argument && !(but_siblings && HasSibling(name.name))) Add(name.name, name.what);
  }

  void Results() {
    for (const ResultHelp& result : ResultsOf(place_.operators))
      if (!HasSibling(result.name)) Add(result.name, result.what);
  }

  // Forms that write have no entry: they are rewritten before.
  void Operators() {
    for (const ir::AtenSchemaTable& table : ir::AtenSchemaTables::All())
      for (std::string_view text = table.text; !text.empty(); text.remove_prefix(text.find('\n') + 1)) {
        const std::string_view line = text.substr(0, text.find('\n'));
        const std::string_view name = line.substr(0, line.find('('));
        if (line.find('!') == std::string_view::npos && name.starts_with(place_.cursor.prefix))
          Add(name, std::string(line));
      }
  }

  void Expression() {
    if (place_.spot->form == Form::kRefinement) AddWords(RefinementWords());
    if (const std::string call = OpenCall(place_.cursor.before); !call.empty())
      for (const OnnxArgument& argument : OnnxArguments(call)) Add(argument.name, argument.what);
    for (const ScopeName& name : place_.names) Add(name.name, name.what);
    // A refinement is about one argument: it calls nothing.
    if (place_.spot->form == Form::kRefinement) return;
    for (const lowering::BuiltinInfo& builtin : lowering::kBuiltins)
      Add(builtin.name, fmt::format("function `{}`: {}", Usage(builtin), builtin.doc));
    Nodes();
    DTypes();
    for (const std::string_view word : kExpressionWords) Add(word, IsKeyword(word) ? "as in Python" : "constant");
  }

  void Nodes() {
    for (const std::string& op : OpNames()) Add(op, fmt::format("ONNX operator, from opset {}", FormsOf(op)[0]->since));
    for (const lowering::NodeSchemaTable& table : lowering::NodeSchemaTables::All())
      for (const lowering::NodeSchema& schema : table.schemas())
        Add(schema.name, fmt::format("node that {} declares", schema.place));
  }

  void DTypes() {
    for (const std::string_view name : DTypeWords()) Add(name, "dtype");
  }

  void Value() {
    switch (place_.spot->form) {
      case Form::kOperators:
        return Operators();
      case Form::kTrait:
        AddWords(TraitWords(place_.spot->key->key));
        if (!OpenCall(place_.cursor.before).empty()) AddWords(TraitOperands()), Arguments();
        return;
      case Form::kArguments:
        return Arguments();
      case Form::kPromoteKind:
        return AddWords(PromoteKinds());
      case Form::kDType:
        return DTypes();
      case Form::kTrue:
        return Add("true", "the only value");
      case Form::kTests:
        return Tests();
      case Form::kLibraries:
        for (const SpecFile& library : libraries_.all()) Add(library.family, AboutLibrary(library));
        return;
      default:
        return;
    }
  }

  // `softmax(f32[2,3], dim=1) with opset=[9]`
  void Tests() {
    // Behind `with` there are options of the test, before it the call: its arguments, or first its name.
    if (place_.cursor.before.find(" with ") != std::string::npos) return AddWords(TestWords());
    if (!OpenCall(place_.cursor.before).empty()) return Arguments();
    for (const std::string& name : place_.operators) {
      const std::string word = name.substr(name.find("::") + 2);
      Add(word.substr(0, word.find('.')), "calls every overload of the entry that takes the arguments");
      Add(word, fmt::format("calls {}", name));
    }
    Add("each", "calls every operator of the entry");
    Add("with", "what is no argument follows: opset, tol ...");
  }

  const PlaceInSpec& place_;
  const Libraries& libraries_;
  std::vector<Completion> completions_;
  std::set<std::string> seen_;
};

}  // namespace

std::vector<Completion> Complete(const SpecText& spec, const Libraries& libraries, int line, int column) {
  return Completer(FindPlace(spec, libraries, line, column), libraries).Complete();
}

}  // namespace onnxport::codegen
