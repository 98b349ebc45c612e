#include "codegen/load/repetition.h"

#include <string>
#include <utility>

#include "codegen/load/expression.h"
#include "codegen/load/fields.h"

namespace onnxport::codegen {
namespace {

void ReadEach(const YamlNode& node, std::vector<std::string>* each, ExprPtr* in, Diagnostics* diagnostics) {
  const PlacedText* text = ReadText(node, "`each`", diagnostics);
  if (auto parsed = text ? ParseEach(*text, diagnostics) : std::nullopt) {
    *each = std::move(parsed->targets);
    *in = std::move(parsed->in);
  }
}

// `carry` and `scan` of a loop go into the same members as `init` and `collect` of a fold. A fold is unrolled and a
// loop becomes a node, but most of the generator need not ask for `kind`.
Repetition ReadKeys(const Fields& fields, Repetition::Kind kind, const Place& place, Diagnostics* diagnostics) {
  Repetition repetition;
  repetition.kind = kind;
  repetition.place = place;
  ReadClauses(fields, &repetition,
              Overloaded{[&](const YamlNode& node, const Clause&, std::vector<std::string>& each, ExprPtr& in) {
                           ReadEach(node, &each, &in, diagnostics);
                         },
                         [&](const YamlNode& node, const Clause& clause, auto& part) {
                           ReadClause(node, clause, part, diagnostics);
                         }});
  return repetition;
}

Repetition ReadFold(const YamlNode& node, Diagnostics* diagnostics) {
  const Fields fields(node, kOfFold, diagnostics);
  Repetition fold = ReadKeys(fields, Repetition::Kind::kFold, node.place, diagnostics);
  if (node.kind == YamlKind::kMap && !fields.Find("next") && !fields.Find("collect")) {
    diagnostics->Error(node.place, "`fold` needs `next` or `collect`");
  }
  return fold;
}

Repetition ReadLoop(const YamlNode& node, Diagnostics* diagnostics) {
  const Fields fields(node, kOfLoop, diagnostics);
  Repetition loop = ReadKeys(fields, Repetition::Kind::kLoop, node.place, diagnostics);
  if (loop.each.size() > 1) {
    diagnostics->Error(node.place, "`each` of a loop names one thing, the number of the iteration: `i in count`");
  }
  if (node.kind != YamlKind::kMap) return loop;
  // Without a count and without a condition it would never end.
  if (!fields.Find("each") && !fields.Find("while"))
    diagnostics->Error(node.place, "`loop` needs `each: i in count`, or `while`");
  if (!fields.Find("next") && !fields.Find("scan")) diagnostics->Error(node.place, "`loop` needs `next` or `scan`");
  return loop;
}

}  // namespace

std::optional<Repetition> ReadRepetition(const Fields& fields, Diagnostics* diagnostics) {
  const YamlNode* fold = fields.Find("fold");
  const YamlNode* loop = fields.Find("loop");
  if (fold && loop) diagnostics->Error(loop->place, "`loop` beside `fold`: one of them");
  if (loop) return ReadLoop(*loop, diagnostics);
  return fold ? std::optional(ReadFold(*fold, diagnostics)) : std::nullopt;
}

}  // namespace onnxport::codegen
