// No spec refuses a call because a runtime lacks a kernel: the model is right, and another runtime has it.
#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codegen/load/libraries.h"
#include "codegen/load/load.h"
#include "codegen/model/expr.h"
#include "codegen/model/spec.h"
#include "codegen/source/diagnostics.h"
#include "codegen/source/files.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::reasons_test {
namespace {

// In lower case.
constexpr std::array<std::string_view, 6> kOfRuntimes = {"onnx runtime", "onnxruntime", " ort ",
                                                         "no kernel",    "has kernel",  "a kernel"};

struct Reason {
  Place place;
  std::string text;
};

class Reasons {
 public:
  std::vector<Reason> found;

  void Spec(const SpecFile& spec) {
    for (const Def& def : spec.defs) In(def);
    for (const OpEntry& entry : spec.ops) {
      Walk(entry.require);
      for (const Def& def : entry.defs) In(def);
      In(entry);
    }
  }

 private:
  void OneCase(const Case& one) {
    if (one.body.kind == Body::Kind::kRefuse) found.push_back({one.body.place, one.body.text});
    Walk(one.when);
    Lets(one.lets);
    for (const ExprPtr& result : one.body.emit) Walk(result);
  }

  void Repeated(const Repetition& repetition) {
    Walk(repetition.in);
    Walk(repetition.go_on);
    for (const auto* lets : {&repetition.init, &repetition.lets, &repetition.next, &repetition.collect}) Lets(*lets);
  }

  void In(const Block& block) {
    Lets(block.lets);
    if (block.repetition) Repeated(*block.repetition);
    for (const Case& one : block.cases) OneCase(one);
  }

  void Lets(const std::vector<Let>& lets) {
    for (const Let& let : lets) Walk(let.value);
  }

  void Walk(const ExprPtr& expr) {
    if (expr == nullptr) return;
    if (expr->kind == ExprKind::kBuiltin && expr->builtin == Builtin::kRefuse) Texts(*expr);
    for (const ExprPtr& operand : expr->operands) Walk(operand);
    for (const auto& [name, value] : expr->named) Walk(value);
  }

  void Texts(const Expr& refusal) {
    for (const ExprPtr& operand : refusal.operands) {
      if (operand->kind == ExprKind::kString) found.push_back({refusal.place, operand->text});
    }
  }
};

bool BlamesARuntime(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::any_of(kOfRuntimes,
                             [&](std::string_view words) { return text.find(words) != std::string::npos; });
}

SpecFile Load(const std::string& path, std::string text, const Libraries* libraries) {
  Diagnostics diagnostics;
  auto spec = LoadSpecFile(path, std::move(text), &diagnostics, libraries);
  EXPECT_EQ(diagnostics.ToText(), "");
  return spec.value_or(SpecFile());
}

TEST(Reasons, AreFoundWhereverTheyStand) {
  Reasons reasons;
  reasons.Spec(
      Load("spec/aten/a.yaml",
           "spec: 1\nfamily: a\nops:\n- def: d(x)\n  emit: x if opset > 9 else refuse(\"ONNX Runtime lacks it\")\n"
           "- op: aten::foo\n  let: {y: 'd(self) if opset > 8 else refuse(\"it has no kernel\")'}\n  cases:\n"
           "    - {when: opset > 7, emit: y}\n    - {refuse: too old}\n",
           nullptr));
  std::string texts;
  for (const Reason& reason : reasons.found) texts += reason.text + (BlamesARuntime(reason.text) ? "!\n" : "\n");
  EXPECT_EQ(texts, "ONNX Runtime lacks it!\nit has no kernel!\ntoo old\n");
}

TEST(Reasons, NameNoKernelOfARuntime) {
  Diagnostics diagnostics;
  const Libraries libraries = ReadLibraries(LibraryFiles("."), &diagnostics);
  Reasons reasons;
  for (const std::string& path : SpecPaths(".")) reasons.Spec(Load(path, ReadFile(path), &libraries));
  EXPECT_GT(reasons.found.size(), 100U);
  for (const Reason& reason : reasons.found)
    EXPECT_FALSE(BlamesARuntime(reason.text)) << LineText(reason.place) << ": " << reason.text;
}

}  // namespace
}  // namespace onnxport::codegen::reasons_test
