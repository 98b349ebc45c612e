// Reads the keys and values of YAML maps. Each function reports mistakes at their place.
#ifndef ONNXPORT_CODEGEN_LOAD_FIELDS_H_
#define ONNXPORT_CODEGEN_LOAD_FIELDS_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/load/yaml.h"
#include "codegen/model/clauses.h"
#include "codegen/model/parts.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"

namespace onnxport::codegen {

// The items of a map by key. Reports keys that the owner does not have (codegen/model/clauses.h), together with an
// owner that has them or the nearest key of this owner. Reports missing keys, too.
class Fields {
 public:
  // Reports a node that is not a map; it has no fields.
  Fields(const YamlNode& map, Owner owner, Diagnostics* diagnostics);
  // Null when absent.
  const YamlNode* Find(std::string_view key) const;
  // Returns the key itself, for its place: "`list` beside `emit`" points at `list`.
  const YamlNode* Key(std::string_view key) const;
  // The same, but a missing key is an error.
  const YamlNode* Require(std::string_view key) const;

 private:
  const YamlNode& map_;
  std::string_view what_;
  Diagnostics* diagnostics_;
};

// Describes a node for messages: its text in quotes, "null", "a list" ...
std::string KindText(const YamlNode& node);

// Reads a text on one line that is not empty; null for another value.
const PlacedText* ReadText(const YamlNode& node, std::string_view what, Diagnostics* diagnostics);

// A sentence for messages of the product: one line of printable text without `\`, at most 300 bytes.
std::string ReadSentence(const YamlNode& node, std::string_view what, Diagnostics* diagnostics);

// The largest opset that a file may name. The loader does not know the newest opset; the checks do.
inline constexpr int kLargestOpset = 99;

// Decimal digits only.
std::optional<int> ReadInt(const YamlNode& node, std::string_view what, int min, int max, Diagnostics* diagnostics);

// Reads `true`, the only allowed value; otherwise the key is left out. Returns false after an error.
bool ReadTrue(const YamlNode& node, std::string_view what, Diagnostics* diagnostics);

// Reads a list of anything. A single value counts as a list of one. Empty lists are reported.
std::vector<const YamlNode*> ReadOneOrMore(const YamlNode& node, std::string_view what, Diagnostics* diagnostics);

// Returns the items of a list. Reports another kind, and returns nothing.
std::span<const YamlNode> ReadList(const YamlNode& node, std::string_view what, Diagnostics* diagnostics);

// A text that is an expression. Null after an error.
ExprPtr ReadExpression(const YamlNode& node, std::string_view what, Diagnostics* diagnostics);

// Reads a list of `when: condition` and `value: expr`, whose last item has no `when`. It becomes `a if c else b`. Null
// after an error.
ExprPtr ReadValueCases(const YamlNode& node, Diagnostics* diagnostics);

// A map with the one key `cases`: a list of values with conditions.
bool IsValueCases(const YamlNode& node);

// An expression, or such a map. Null after an error.
ExprPtr ReadValue(const YamlNode& node, std::string_view what, Diagnostics* diagnostics);

// `{name: expr, "a, b": expr}`. Values may be maps of expressions (kDict).
std::vector<Let> ReadLets(const YamlNode& node, std::string_view what, Diagnostics* diagnostics);

// Reads a clause by the type of its member: an opset, a sentence, `true`, an expression, names with values.
void ReadClause(const YamlNode& node, const Clause& clause, std::optional<int>& opset, Diagnostics* diagnostics);
void ReadClause(const YamlNode& node, const Clause& clause, std::string& sentence, Diagnostics* diagnostics);
void ReadClause(const YamlNode& node, const Clause& clause, bool& is_true, Diagnostics* diagnostics);
void ReadClause(const YamlNode& node, const Clause& clause, ExprPtr& expr, Diagnostics* diagnostics);
void ReadClause(const YamlNode& node, const Clause& clause, std::vector<Let>& lets, Diagnostics* diagnostics);

// Calls `read(node, clause, members...)` for each clause of `x` that the map has, in the table's order.
void ReadClauses(const Fields& fields, auto* x, const auto& read) {
  ForEachClause(*x, [&](const Clause& clause, auto... member) {
    if (const YamlNode* node = fields.Find(clause.key)) read(*node, clause, x->*member...);
  });
}

// Combines functions: some clauses are read in their own way, and one function reads all others.
template <typename... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_LOAD_FIELDS_H_
