#include "codegen/load/repetition.h"

#include <string>
#include <utility>

#include "codegen/load/body.h"
#include "codegen/load/expression.h"
#include "codegen/model/clauses.h"

namespace onnxport::codegen {
namespace {

void ReadEach(const YamlNode& node, Repetition* repetition, Diagnostics* diagnostics) {
  const PlacedText* text = ReadText(node, "`each`", diagnostics);
  if (auto parsed = text ? ParseEach(*text, diagnostics) : std::nullopt) {
    repetition->each = std::move(parsed->targets);
    repetition->in = std::move(parsed->in);
  }
}

Repetition ReadFold(const YamlNode& node, Diagnostics* diagnostics) {
  const Fields fields(node, kOfFold, diagnostics);
  Repetition fold;
  fold.place = node.place;
  if (const YamlNode* each = fields.Require("each")) ReadEach(*each, &fold, diagnostics);
  // `carry` and `scan` of a loop, `init` and `collect` of a fold go into the same members: one is unrolled, the other
  // becomes a node, and the rest of the generator asks `kind` only where that matters.
  fold.init = LetsAt(fields, "init", diagnostics);
  fold.lets = LetsAt(fields, "let", diagnostics);
  fold.next = LetsAt(fields, "next", diagnostics);
  fold.collect = LetsAt(fields, "collect", diagnostics);
  if (node.kind == YamlKind::kMap && !fields.Find("next") && !fields.Find("collect")) {
    diagnostics->Error(node.place, "`fold` needs `next` or `collect`");
  }
  return fold;
}

Repetition ReadLoop(const YamlNode& node, Diagnostics* diagnostics) {
  const Fields fields(node, kOfLoop, diagnostics);
  Repetition loop;
  loop.kind = Repetition::Kind::kLoop;
  loop.place = node.place;
  if (const YamlNode* each = fields.Find("each")) ReadEach(*each, &loop, diagnostics);
  if (loop.each.size() > 1) {
    diagnostics->Error(node.place, "`each` of a loop names one thing, the number of the iteration: `i in count`");
  }
  if (const YamlNode* go_on = fields.Find("while")) loop.go_on = ReadExpression(*go_on, "`while`", diagnostics);
  loop.init = LetsAt(fields, "carry", diagnostics);
  loop.lets = LetsAt(fields, "let", diagnostics);
  loop.next = LetsAt(fields, "next", diagnostics);
  loop.collect = LetsAt(fields, "scan", diagnostics);
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
