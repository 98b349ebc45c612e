// Calls that are wrong on purpose. A call that PyTorch refuses must be refused here, too, or fail when the model runs:
// it never gives a value. For each operator, taken.txt lists the outcomes of its calls. For calls that give a value all
// the same, it lists PyTorch's message and the reason (taken_reasons.txt; taken_test.cc).
//
// ONNXPORT_ONE_OF: how many of them are run, chosen by a hash: every N-th. ONNXPORT_UPDATE_EXPECTED (the workspace):
// taken.txt is written; its numbers are those of every 50th, as is what the sweep runs.
#include "tests/arguments/mistakes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/model/passes/passes.h"
#include "runtime/sources/pt2/replay/replay.h"
#include "runtime/verify/ort/client.h"
#include "tests/arguments/run.h"
#include "tests/arguments/sample.h"
#include "tests/arguments/taken.h"
#include "tests/conformance/case.h"
#include "tests/conformance/cell.h"
#include "tests/conformance/difference.h"
#include "tests/conformance/eager.h"
#include "tests/conformance/model_bytes.h"
#include "tests/conformance/program.h"
#include "tests/conformance/suite_name.h"
#include "tests/conformance/variation.h"
#include "tests/ort/client.h"
#include "tests/ort/missing_kernel.h"

namespace onnxport::arguments {
namespace {

using conformance::Call;
using conformance::Case;
using conformance::DType;
using conformance::Sizes;
using conformance::StatedResult;

constexpr int kOneOfSweep = 50;
constexpr int kMostSeconds = 5;  // for a model to run
const std::string kFolder = "tests/arguments/";

const TakenTable& Expected() {
  static const TakenTable table = ReadTaken(kFolder + "taken.txt");
  return table;
}

TakenTable& Seen() {
  static TakenTable table;
  return table;
}

// Without what differs from call to call.
std::string Said(std::string refusal) {
  constexpr size_t kMostLetters = 90;
  static const std::regex number("-?[0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?|-?\\b(inf|nan)\\b");
  static const std::regex numbers("N([, x]+N)+");
  refusal = std::regex_replace(refusal, number, "N");
  return std::regex_replace(refusal, numbers, "N").substr(0, kMostLetters);
}

// Returns whether PyTorch's text says that it lacks a kernel for a call that would be right.
bool LacksKernel(std::string_view text) {
  constexpr std::string_view kSigns[] = {"not implemented for", "not implemented", "not supported",     "Could not run",
                                         "unsupported",         "Unsupported",     "not enough memory", "alloc"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return text.find(sign) != std::string_view::npos; });
}

// PyTorch's message about the call, in one line; nothing if it accepts the call.
std::optional<std::string> RefusalOf(const Call& call) {
  try {
    conformance::RunEagerly(call.schema->name, call.args, call.tensors);
  } catch (const std::exception& error) {
    std::string text = error.what();
    return text.substr(0, text.find('\n'));  // its stack is behind it
  }
  return {};
}

// Numbers of what a call gives, and nothing of what they are: a script does not say more.
std::optional<std::vector<StatedResult>> ResultsOf(const Call& call) {
  std::vector<StatedResult> results;
  try {
    for (const conformance::EagerResult& result : conformance::RunEagerly(call.schema->name, call.args, call.tensors)) {
      using Kind = conformance::EagerResult::Kind;
      results.push_back({.is_list = result.kind == Kind::kTensorList,
                         .is_none = result.kind == Kind::kNone,
                         .tensors = result.tensors});
      for (ort::Tensor& tensor : results.back().tensors) tensor.dtype = DType::kUndefined;
    }
  } catch (const std::exception&) {
    return {};
  }
  return results;
}

enum class Fate { kRefused, kRaises, kNotRun, kTaken };

Fate FateOf(const Case& test, const Call& call, const std::vector<StatedResult>& results, int opset, Sizes sizes) {
  const auto tracer = pt2::Replay(conformance::MakeGraph(call, results, sizes), opset, conformance::OptionsOf(test));
  if (!tracer->findings().failures().empty()) return Fate::kRefused;
  ir::Graph graph = tracer->TakeGraph();
  passes::Run(&graph);
  std::vector<ort::Tensor> inputs;
  for (const ort::Tensor& tensor : call.tensors) inputs.push_back(conformance::PartsOf(tensor));
  const auto response = ort::ClientFor(opset).Run(
      {.model_path = {}, .model_bytes = conformance::ModelBytes(graph), .inputs = std::move(inputs)}, kMostSeconds);
  if (response.error.empty()) return Fate::kTaken;
  if (conformance::IsNoAnswer(response.error) || ort::MissingKernel(response.error)) return Fate::kNotRun;
  return Fate::kRaises;
}

constexpr const char* kFates[] = {"refused", "raise when they run", "are not run here", "give a value"};

std::map<std::string, int>& Totals() {
  static std::map<std::string, int> totals;
  return totals;
}

class PrintTotals : public testing::Environment {
 public:
  void TearDown() override {
    for (const auto& [outcome, count] : Totals()) fmt::print("{:7} {}\n", count, outcome);
    const char* workspace = std::getenv("ONNXPORT_UPDATE_EXPECTED");
    if (workspace == nullptr) return;
    const std::string path = fmt::format("{}/{}taken.txt", workspace, kFolder);
    TakenTable table = ReadTaken(path);
    for (auto& [overload, taken] : Seen()) table[overload] = std::move(taken);
    for (auto& [overload, taken] : table) {
      for (auto& [refusal, reason] : taken.refusals) {
        const TakenReason* found = ReasonOf(overload, refusal);
        reason = found == nullptr ? "" : found->reason;
      }
    }
    WriteTaken(table, path);
  }
};

class MistakesTest : public testing::Test {
 public:
  MistakesTest(std::string_view overload, std::vector<const Case*> cases)
      : overload_(overload), cases_(std::move(cases)) {}

  void TestBody() override {
    for (const Case* test : cases_) Run(*test);
    std::vector<std::string> counts;
    for (const auto& [outcome, count] : counts_) counts.push_back(fmt::format("{} {}", count, outcome));
    if (counts.empty()) return;
    Seen()[std::string(overload_)] = {.counts = fmt::format("{}", fmt::join(counts, ", ")), .refusals = {}};
    for (const std::string& refusal : refusals_) Seen()[std::string(overload_)].refusals[refusal];
    if (std::getenv("ONNXPORT_UPDATE_EXPECTED") != nullptr || OneOf() != kOneOfSweep) return;
    std::set<std::string> listed;
    if (const auto expected = Expected().find(overload_); expected != Expected().end()) {
      for (const auto& [refusal, reason] : expected->second.refusals) listed.insert(refusal);
    }
    EXPECT_EQ(refusals_, listed) << "if this is right: ./bazelw run //tests/arguments:update_taken";
  }

 private:
  void Run(const Case& test) {
    const DType key = conformance::KeyDType(test);
    const std::string text = CallText(test, {.key = key, .dtype = key});
    if (!calls_.insert(text).second) return;
    const Call call = conformance::MakeCall(test);
    std::vector<Mistake> mistakes = MistakesOf(call);
    std::erase_if(mistakes, [&](const Mistake& mistake) {
      return IsUnchecked(mistake) || !IsChosen(fmt::format("{} {} {}", overload_, text, mistake.text));
    });
    if (mistakes.empty()) return;
    const auto results = ResultsOf(call);
    if (!results) return;
    const int opset = OpsetOf(test);
    for (const Mistake& mistake : mistakes) {
      const std::optional<std::string> refusal = RefusalOf(mistake.call);
      if (!refusal) {
        ++Totals()["are right"];
        continue;
      }
      if (LacksKernel(*refusal)) {
        ++Totals()["have no kernel in PyTorch"];
        continue;
      }
      for (const Sizes sizes : {Sizes::kKnown, Sizes::kUnknown})
        Note(test, text, mistake, *results, *refusal, opset, sizes);
    }
  }

  void Note(const Case& test, const std::string& text, const Mistake& mistake, const std::vector<StatedResult>& results,
            const std::string& refusal, int opset, Sizes sizes) {
    Fate fate = Fate::kRefused;
    try {
      fate = FateOf(test, mistake.call, results, opset, sizes);
    } catch (const std::exception& error) {
      ADD_FAILURE() << overload_ << " " << text << " with " << mistake.text << ": " << error.what();
      return;
    }
    const char* outcome = kFates[static_cast<size_t>(fate)];
    ++counts_[outcome];
    const char* which = sizes == Sizes::kKnown ? "" : "unknown sizes: ";
    ++Totals()[fmt::format("{}{}", which, outcome)];
    if (fate != Fate::kTaken) return;
    std::string said = which + Said(refusal);
    if (std::getenv("ONNXPORT_UPDATE_EXPECTED") == nullptr) ExpectListed(text, mistake.text, said);
    refusals_.insert(std::move(said));
  }

  // Returns whether PyTorch accepts any value for the argument.
  bool IsUnchecked(const Mistake& mistake) const {
    static const Reasons unchecked = ReadReasons("unchecked.txt");
    return unchecked.contains(
        fmt::format("{} {}", overload_, mistake.text.substr(0, mistake.text.find_first_of("[="))));
  }

  void ExpectListed(const std::string& call, const std::string& text, const std::string& said) {
    const auto taken = Expected().find(overload_);
    EXPECT_TRUE(taken != Expected().end() && taken->second.refusals.contains(said))
        << overload_ << " " << call << " with " << text << " gives a value; PyTorch refuses it: " << said;
  }

  std::string_view overload_;
  std::vector<const Case*> cases_;
  std::set<std::string> calls_;
  std::set<std::string> refusals_;
  std::map<std::string, int> counts_;
};

void Register() {
  std::map<std::string_view, std::vector<const Case*>> cases;
  for (const conformance::Family& family : conformance::Families()) {
    for (const Case& test : family.cases) {
      if (test.refuses.empty() && IsOfPyTorch(test.overload)) cases[test.overload].push_back(&test);
    }
  }
  for (const auto& [overload, tests] : cases) {
    testing::RegisterTest(conformance::SuiteName(overload).c_str(), "mistakes", nullptr, nullptr, __FILE__, __LINE__,
                          [overload, tests]() -> testing::Test* { return new MistakesTest(overload, tests); });
  }
}

}  // namespace
}  // namespace onnxport::arguments

int main(int argc, char** argv) {
  return onnxport::arguments::RunTests(argc, argv, onnxport::arguments::Register,
                                       std::make_unique<onnxport::arguments::PrintTotals>());
}
