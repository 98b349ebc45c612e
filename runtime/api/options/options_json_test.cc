#include "runtime/api/options/options_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "onnxport/operators.h"
#include "onnxport/options.h"
#include "runtime/api/options/options_report.h"
#include "runtime/base/error.h"

namespace onnxport::options_json_test {
namespace {

using testing::ElementsAre;

std::string Mistake(std::string_view json) {
  try {
    ReadOptions(json);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.report().diagnostics().front().code, Code::kWrongOption);
    return error.what();
  }
  return "no mistake";
}

TEST(OptionsJson, NothingIsTheDefaults) {
  for (const char* json : {"", " \n", "{}", R"({"opset": null, "weights": null})"}) {
    const JsonOptions options = ReadOptions(json);
    EXPECT_FALSE(options.exporting.opset) << json;
    EXPECT_FALSE(options.exporting.weights) << json;
    EXPECT_FALSE(options.exporting.deadline) << json;
  }
}

constexpr const char* kEveryKey = R"({
  "opset": 13, "inputs": ["x=f32[batch,3]", "n=5"], "outputs": ["y=[batch,10]"], "input_names": ["a", "b"],
  "output_names": ["c"], "parameter_names": ["p_0", "..."],
  "target": "ort-cpu", "target_notes": true,
  "map": ["my::scale(x, k)=com.example.Scale"], "fallthrough": true, "domain_versions": {"com.example": 2},
  "domains": ["com.microsoft"], "keep": ["Attention"], "training": true, "complex": "as-real", "weights": "tuned.safetensors",
  "weights_as_inputs": true, "keep_initializers_as_inputs": true, "state_as_io": true, "functions": ["Linear"], "metadata": false,
  "weights_as": "int4:64,asymmetric", "weights_keep": ["head"], "compute_as": "bfloat16,io", "float32": ["Gelu"],
  "disabled_passes": ["fold"], "method": "encode", "trust_source": true,
  "other_traces": [{"source": "b.pt", "sizes": {"batch": 3}}], "traced_sizes": {"batch": 2}, "memory_budget": 1073741824,
  "external_data": "safetensors", "sync": false, "max_seconds": 12.5})";

// The fields are bound by their number: one that is added does not compile until it is here, and in the table of
// options_json.cc, unless it is no data.
TEST(OptionsJson, EveryFieldThatIsDataHasAKey) {
  const auto before = std::chrono::steady_clock::now();
  const JsonOptions options = ReadOptions(kEveryKey);
  const auto& [opset, inputs, outputs, input_names, output_names, parameter_names, target, target_notes, map,
               fallthrough, domain_versions, domains, kept, training, complex, weights, weights_as_inputs,
               keep_initializers_as_inputs, weights_as, weights_keep, state_as_io, compute_as, float32, functions,
               metadata, disabled_passes, method, trust_source, other_traces, traced_sizes, progress, stop, deadline,
               memory_budget] = options.exporting;
  EXPECT_EQ(opset, 13);
  ASSERT_EQ(inputs.size(), 2u);
  EXPECT_EQ(inputs[0].dims, (std::vector<Dim>{Sym("batch"), 3}));
  EXPECT_EQ(inputs[1].fixed, Value(int64_t{5}));
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].name, "y");
  EXPECT_THAT(input_names, ElementsAre("a", "b"));
  EXPECT_THAT(output_names, ElementsAre("c"));
  EXPECT_THAT(parameter_names, ElementsAre("p_0", "..."));
  EXPECT_EQ(target, "ort-cpu");
  EXPECT_TRUE(target_notes);
  EXPECT_THAT(domains, ElementsAre("com.microsoft"));
  EXPECT_THAT(kept, ElementsAre("Attention"));
  EXPECT_TRUE(training);
  EXPECT_EQ(complex, ComplexTensors::kAsReal);
  EXPECT_TRUE(weights);
  EXPECT_TRUE(weights_as_inputs);
  EXPECT_TRUE(keep_initializers_as_inputs);
  EXPECT_EQ(weights_as, (WeightsAs{.type = WeightType::kInt4, .group = 64, .asymmetric = true}));
  EXPECT_THAT(weights_keep, ElementsAre("head"));
  EXPECT_TRUE(state_as_io);
  EXPECT_EQ(compute_as, (ComputeAs{.type = HalfType::kBFloat16, .io = true}));
  EXPECT_THAT(float32, ElementsAre("Gelu"));
  EXPECT_EQ(functions, std::vector<std::string>{"Linear"});
  EXPECT_FALSE(metadata);
  EXPECT_THAT(disabled_passes, ElementsAre("fold"));
  EXPECT_EQ(method, "encode");
  EXPECT_TRUE(trust_source);
  ASSERT_EQ(other_traces.size(), 1u);
  EXPECT_EQ(traced_sizes, (AxisSizes{{"batch", 2}}));
  EXPECT_EQ(memory_budget, 1u << 30);
  ASSERT_TRUE(deadline);  // max_seconds
  EXPECT_GE(*deadline, before + std::chrono::milliseconds(12500));
  EXPECT_LE(*deadline, std::chrono::steady_clock::now() + std::chrono::milliseconds(12500));
  EXPECT_FALSE(progress);              // no data: a function
  EXPECT_FALSE(stop.stop_possible());  // no data: another thread's

  ASSERT_EQ(map.size(), 1u);
  EXPECT_THAT(map[0].arguments, ElementsAre("x", "k"));
  EXPECT_TRUE(fallthrough);
  EXPECT_EQ(domain_versions, (std::map<std::string, int>{{"com.example", 2}}));
  const auto& [source, sizes] = other_traces[0];
  EXPECT_EQ(sizes, (AxisSizes{{"batch", 3}}));

  const auto& [external_data, sync, save_progress, save_stop, save_deadline] = options.saving;
  EXPECT_EQ(external_data, ExternalData::kSafetensors);
  EXPECT_FALSE(sync);
  EXPECT_EQ(save_deadline, deadline);
  for (const OptionInfo& option : ListOptions()) {
    const std::string own = option.name.substr(option.name.rfind('.') + 1);
    EXPECT_NE(std::string_view(kEveryKey).find('"' + own + "\": "), std::string_view::npos) << own << " is not tried";
  }
}

TEST(OptionsJson, AllPasses) {
  EXPECT_EQ(ReadOptions(R"({"disabled_passes": "all"})").exporting.disabled_passes, PassNames());
}

TEST(OptionsJson, Mistakes) {
  const struct {
    const char* json;
    const char* says;
  } kCases[] = {
      {R"({"opset": "18"})", R"("opset": write a whole number, not "18")"},
      {R"({"opset": 18.5})", R"("opset": write a whole number, not 18.5)"},
      {R"({"opset": 4294967314})", R"("opset": write a whole number, not 4294967314)"},
      {R"({"memory_budget": -1})", R"("memory_budget": write a whole number from 0 on, not -1)"},
      {R"({"max_seconds": -1})", R"("max_seconds": write seconds, a number from 0 to 1e9, not -1)"},
      {R"({"max_seconds": 1e300})", R"("max_seconds": write seconds, a number from 0 to 1e9, not 1e+300)"},
      {R"({"training": "true"})", R"("training": write true or false, not "true")"},
      {R"({"method": ["forward"]})", R"("method": write a text, not a list)"},
      {R"({"inputs": "x=f32[3]"})", R"("inputs": write a list, not "x=f32[3]")"},
      {R"({"inputs": ["x=f32[3]", 4]})", R"("inputs[1]": write a text, not 4)"},
      {R"({"domains": [{}]})", R"("domains[0]": write a text, not an object)"},
      {R"({"weights": true})", R"("weights": write the path of a file, not true)"},
      {R"({"complex": "as_real"})", R"("complex": write "refused" or "as-real", not "as_real")"},
      {R"({"external_data": 1})", R"("external_data": write "auto" or "always" or "never" or "safetensors", not 1)"},
      {R"({"weights_as": {"type": "int8"}})", R"("weights_as": write a text, not an object)"},
      {R"({"ospet": 18})", R"("ospet" is no option; did you mean "opset"?)"},
      {R"({"other_traces": [{"source": "b.pt", "size": {}}]})",
       R"("other_traces[0].size" is no option; did you mean "sizes"?)"},
      {R"({"other_traces": [{"source": "b.pt", "x": {}}]})",
       R"("other_traces[0].x" is no option; there are source, sizes)"},
      {R"({"traced_sizes": {"batch": "2"}})", R"("traced_sizes.batch": write a whole number, not "2")"},
      {R"({"other_traces": [{"sizes": {}}]})", R"("other_traces[0]": "source" is missing)"},
      {R"({"other_traces": ["b.pt"]})", R"("other_traces[0]": write an object, not "b.pt")"},
      {R"({"opset": 17, "opset": 18})", R"("opset" is given twice)"},
      {R"([])", "the options: write an object, not a list"},
      {R"(18)", "the options: write an object, not 18"},
      {R"({"ospet": 18, "training": 1})",
       "\"ospet\" is no option; did you mean \"opset\"?\n\"training\": write true or false, not 1"},
  };
  for (const auto& test : kCases) EXPECT_EQ(Mistake(test.json), test.says) << test.json;
}

TEST(OptionsJson, TextsAreThoseOfTheCommand) {
  for (const auto& [json, says] :
       {std::pair(R"({"inputs": ["x=f33[3]"]})", R"("inputs[0]": ExportOptions::inputs: "x=f33[3]": )"),
        std::pair(R"({"outputs": ["y"]})", R"("outputs[0]": ExportOptions::outputs: "y": )"),
        std::pair(R"({"weights_as": "int3"})", R"("weights_as": ExportOptions::weights_as: "int3": )"),
        std::pair(R"({"compute_as": "half"})", R"("compute_as": ExportOptions::compute_as: "half": )"),
        std::pair(R"({"map": ["relu"]})", R"("map[0]": ExportOptions::map: "relu": )")}) {
    EXPECT_THAT(Mistake(json), testing::StartsWith(says));
  }
}

TEST(OptionsJson, WhatIsNoJson) {
  for (const char* json :
       {"{", "{\"opset\": 18} x", "opset=18", "{'opset': 18}", "{\"method\": \"\xff\"}", "{\"opset\": 18,}"})
    EXPECT_THAT(Mistake(json), testing::StartsWith("the options are no JSON: ")) << json;
  EXPECT_THAT(Mistake(std::string(1000000, '[')), testing::StartsWith("the options are no JSON: "));
}

TEST(OptionsJson, OfWritingOnly) {
  EXPECT_EQ(ReadSaveOptions(R"({"external_data": "always"})").external_data, ExternalData::kAlways);
  EXPECT_THROW(ReadSaveOptions(R"({"opset": 18})"), Error);
}

// A report says what was asked for in the form in which it can be asked for again.
TEST(OptionsJson, AReportCanBeReadAgain) {
  const JsonOptions options = ReadOptions(kEveryKey);
  const auto report = OptionsOf(options.exporting);
  EXPECT_EQ(OptionsOf(ReadOptions(report.dump()).exporting), report);
  for (const OptionInfo& option : ListOptions()) {
    const bool personal = option.name == "weights" || option.name == "trust_source" || option.name == "traced_sizes" ||
                          option.name == "memory_budget" || option.name == "external_data" || option.name == "sync" ||
                          option.name == "max_seconds" || option.name.starts_with("other_traces");
    EXPECT_EQ(report.contains(option.name), !personal) << option.name;
  }
  EXPECT_EQ(OptionsOf({}), nlohmann::ordered_json({{"opset", kDefaultOpset}}));
}

}  // namespace
}  // namespace onnxport::options_json_test
