#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "codegen/help/help.h"
#include "codegen/help/kinds.h"
#include "codegen/help/place.h"
#include "codegen/help/readable.h"
#include "codegen/help/schemas.h"
#include "codegen/help/usage.h"
#include "codegen/help/words.h"
#include "codegen/load/names.h"
#include "runtime/aten/aten_schema.h"
#include "runtime/lowering/dsl/builtin_table.h"

namespace onnxport::codegen {
namespace {

std::string KeyText(const KeyInfo& key) { return fmt::format("key `{}`: {}\n", key.key, key.doc); }

std::string WordText(const WordHelp& word) { return fmt::format("`{}`: {}\n", word.form, word.doc); }

// An operator of PyTorch, or the overloads of its name.
std::string OperatorText(const std::string& name) {
  if (const ir::AtenSchema* schema = ir::FindAtenSchema(name)) return schema->text + "\n";
  std::string text;
  for (const std::string_view overload : ir::OverloadsOf(name)) text += ir::FindAtenSchema(overload)->text + "\n";
  return text;
}

class Explainer {
 public:
  Explainer(const SpecText& spec, const Libraries& libraries, int line, int column)
      : spec_(spec), libraries_(libraries), line_(line), place_(FindPlace(spec, libraries, line, column)) {}

  std::string Text() const {
    const std::string& word = place_.cursor.word;
    if (!place_.spot || word.empty()) return "";
    if (place_.AtKeyOfLanguage()) {
      const auto key = FindKey(place_.spot->inside.owner, word);
      return key ? KeyText(*key) : "";
    }
    if (place_.AtKey() || place_.InExpression()) return InExpression(word);
    return InValue(word);
  }

 private:
  // The name that a spec gives to something, or uses.
  std::string InExpression(const std::string& word) const {
    if (place_.spot->form == Form::kRefinement)
      if (const auto refinement = FindHelp(RefinementWords(), word)) return WordText(*refinement);
    // The same word may be many things, so the language's order decides. Its place comes first: `axes=` is an argument,
    // whatever else is called axes. Names of the entry come next, since they hide functions. Functions come before
    // operators of ONNX, and constants come last.
    if (IsNamedArgument()) return NamedArgument(word);
    if (place_.AtKey() && place_.spot->form == Form::kOperators) return OperatorText(word);
    if (place_.AtKey() && place_.spot->form == Form::kResults) return ResultText(word);
    if (const ScopeName* name = FindName(place_.names, word))
      return fmt::format("{}: {}\n", word, name->what) + (name->is_function ? "" : Kinds(word));
    if (const lowering::BuiltinInfo* builtin = lowering::FindBuiltin(word))
      return fmt::format("function {}: {}\n", Usage(*builtin), builtin->doc);
    if (const std::string schema = OnnxText(word); !schema.empty())
      return fmt::format("ONNX operator {}\n{}", word, schema);
    if (const SpecFile* library = libraries_.Defining(word))
      return fmt::format("{}: defined in {}, which this file does not import\n", word, library->path);
    return Constant(word);
  }

  std::string ResultText(const std::string& word) const {
    std::string text;
    for (const ResultHelp& result : ResultsOf(place_.operators))
      if (result.name == word) text += fmt::format("{}: {}\n", word, result.what);
    return text;
  }

  static std::string Constant(const std::string& word) {
    if (word == "opset") return "opset: the opset of the model, an int\n";
    if (IsDTypeWord(word)) return fmt::format("{}: a dtype\n", word);
    if (ConstantWord(word)) return fmt::format("{}: a constant\n", word);
    return IsKeyword(word) ? fmt::format("{}: as in Python\n", word) : "";
  }

  // `axes=[0]` in a node's arguments or in a definition's.
  bool IsNamedArgument() const {
    const std::string& line = place_.lines[static_cast<size_t>(line_) - 1].text;
    const size_t equals = line.find('=', place_.cursor.word_column - 1 + place_.cursor.word.size());
    return place_.cursor.after_word == '=' && line.compare(equals, 2, "==") != 0 &&
           !OpenCall(place_.cursor.before).empty();
  }

  std::string NamedArgument(const std::string& word) const {
    const std::string call = OpenCall(place_.cursor.before);
    if (const std::string text = OnnxArgumentText(call, word); !text.empty())
      return fmt::format("{}: argument of {}\n{}", word, call, text);
    return fmt::format("{}: argument of {}\n", word, call);
  }

  std::string InValue(const std::string& word) const {
    const Form form = place_.spot->form;
    if (form == Form::kOperators) return OperatorText(word);
    if (form == Form::kLibraries) return Library(word);
    if (form == Form::kTrait) {
      const WordList words = TraitWords(place_.spot->key->key);
      if (const auto found = FindHelp(words, word)) return WordText(*found);
      if (const auto found = FindHelp(TraitOperands(), word)) return WordText(*found);
    }
    if (form == Form::kTests)
      if (const auto found = FindHelp(TestWords(), word)) return WordText(*found);
    if (form == Form::kPromoteKind)
      if (const auto found = FindHelp(PromoteKinds(), word)) return WordText(*found);
    if (const ScopeName* name = FindName(place_.names, word)) return fmt::format("{}: {}\n", word, name->what);
    if (form == Form::kDType) return Constant(word);
    return place_.spot->key ? KeyText(*place_.spot->key) : "";
  }

  std::string Library(const std::string& word) const {
    const SpecFile* library = libraries_.Find(word);
    return library == nullptr ? "" : fmt::format("{}: {}\n", word, AboutLibrary(*library));
  }

  std::string Kinds(const std::string& word) const {
    const auto file = LoadReadable(spec_.path, place_.lines, libraries_);
    if (!file || !place_.cursor.item) return "";
    // A name that is given here has no kind at this place: those of its uses.
    const int column = place_.AtKey() ? 0 : static_cast<int>(place_.cursor.word_column);
    return KindsOf(*file, *place_.cursor.item, word, line_, column);
  }

  const SpecText& spec_;
  const Libraries& libraries_;
  int line_;
  PlaceInSpec place_;
};

}  // namespace

std::string Explain(const SpecText& spec, const Libraries& libraries, int line, int column) {
  return Explainer(spec, libraries, line, column).Text();
}

}  // namespace onnxport::codegen
