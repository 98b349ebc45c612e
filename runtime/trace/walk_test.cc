#include "runtime/trace/walk.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/lowering/dsl/dispatch.h"

namespace onnxport::trace::walk_test {
namespace {

using Clock = Interruption::Clock;
using std::chrono::milliseconds;

constexpr int kOpset = 17;
constexpr int kWorks = 20;

void NeverEnd() {
  for (;;) {
    Interruption::Check();
    std::this_thread::sleep_for(milliseconds(1));
  }
}

// The diagnostic of a call that works from kWorks on, where walks at opsets from `slow` up to `slow_end` never end.
Diagnostic Told(int slow, int slow_end) {
  const Walk walk = [&](int opset, const ProgramState&) {
    if (opset >= slow && opset < slow_end) NeverEnd();
    auto tracer = std::make_unique<Tracer>(opset);
    if (opset < kWorks) tracer->Call("aten::nothing", {});
    return tracer;
  };
  try {
    Trace(walk, kOpset);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCannotExport) << error.what();
    return error.report().diagnostics().front();
  }
  return {};
}

TEST(Walk, ASurveyFindsTheLowestOpsetInItsTime) {
  const int last = lowering::SupportedOpsets().last;
  EXPECT_EQ(Told(0, 0).opset, kWorks);
  const Clock::time_point start = Clock::now();
  const Interruption limit({}, start + milliseconds(800));
  EXPECT_EQ(Told(kOpset + 1, last).opset, last) << "the last one was looked at first";
  EXPECT_EQ(Told(kOpset + 1, last + 1).opset, 0) << "nothing is known but the failure";
  EXPECT_LT(Clock::now(), start + milliseconds(800));
}

TEST(Walk, ASurveyIsStoppedByTheCaller) {
  std::stop_source source;
  const Interruption limit(source.get_token(), std::nullopt);
  const Walk walk = [&](int opset, const ProgramState&) {
    auto tracer = std::make_unique<Tracer>(opset);
    tracer->Call("aten::nothing", {});
    if (opset != kOpset) source.request_stop();
    if (opset != kOpset) NeverEnd();
    return tracer;
  };
  try {
    Trace(walk, kOpset);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCancelled);
  }
}

}  // namespace
}  // namespace onnxport::trace::walk_test
