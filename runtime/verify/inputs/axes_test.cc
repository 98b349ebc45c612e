#include "runtime/verify/inputs/axes.h"

#include <gtest/gtest.h>

#include "runtime/base/error.h"

namespace onnxport::verify {
namespace {

Port PortWith(ir::Dims dims) { return {.name = "x", .dtype = ir::DType::kFloat32, .dims = std::move(dims)}; }

const std::vector<Port>& TwoAxes() {
  static const std::vector<Port> ports = {PortWith({ir::Dim::Symbol("batch"), 3, ir::Dim::Symbol("seq")})};
  return ports;
}

TEST(SizesOfRuns, AreSmallUnlikeAndWithinTheirRanges) {
  EXPECT_EQ(SizesOfRuns({PortWith({2, 3})}, {}, {}), std::vector<Sizes>{{}}) << "nothing is free: one run";
  EXPECT_EQ(SizesOfRuns(TwoAxes(), {}, {}),
            (std::vector<Sizes>{{{"batch", 2}, {"seq", 3}}, {{"batch", 5}, {"seq", 6}}}));
  const ir::Ranges ranges = {{"batch", {.min = 2, .max = 4}}, {"seq", {.min = 16, .max = {}}}};
  EXPECT_EQ(SizesOfRuns(TwoAxes(), ranges, {}),
            (std::vector<Sizes>{{{"batch", 2}, {"seq", 16}}, {{"batch", 4}, {"seq", 17}}}));
}

TEST(SizesOfRuns, AreThoseThatAreGiven) {
  EXPECT_EQ(SizesOfRuns(TwoAxes(), {}, {"batch=1,7", "seq=4"}),
            (std::vector<Sizes>{{{"batch", 1}, {"seq", 4}}, {{"batch", 7}, {"seq", 4}}}));
  EXPECT_EQ(SizesOfRuns(TwoAxes(), {}, {"batch=9"}), (std::vector<Sizes>{{{"batch", 9}, {"seq", 3}}}));
}

TEST(SizesOfRuns, RefusesWhatIsNoAxisAndNoSize) {
  for (const char* text : {"batch", "=1", "batch=", "batch=1,", "batch=x", "batch=-1", "width=2"}) {
    EXPECT_THROW(SizesOfRuns(TwoAxes(), {}, {text}), Error) << text;
  }
}

TEST(AgainstType, HoldsShapesAgainstWhatTheModelSays) {
  const ir::Dim n = ir::Dim::Symbol("n");
  const Sizes sizes = SizesOf({PortWith({n, 3})}, {{.name = "x", .dtype = {}, .shape = {5, 3}, .bytes = {}}});
  EXPECT_EQ(sizes, (Sizes{{"n", 5}}));
  EXPECT_EQ(AgainstType(PortWith({n + 1, 3}), {6, 3}, sizes), "");
  EXPECT_EQ(AgainstType(PortWith({ir::Dim::Symbol("m"), 3}), {6, 3}, sizes), "");
  EXPECT_EQ(AgainstType(PortWith({n + 1, 3}), {5, 3}, sizes),
            "axis 0 of `x` is 5, and the model says n + 1, which is 6 here");
  EXPECT_EQ(AgainstType(PortWith({n, 4}), {5, 3}, sizes), "axis 1 of `x` is 3, and the model says 4");
  EXPECT_EQ(AgainstType(PortWith({n}), {5, 3}, sizes), "`x` has 2 axes, and the model says 1");
}

TEST(ShapeAt, ComputesWhatAnAxisIsOfOthers) {
  const ir::Dim batch = ir::Dim::Symbol("batch");
  EXPECT_EQ(ShapeAt(PortWith({batch, batch * 2 + 1, 4}), {{"batch", 3}}), (std::vector<int64_t>{3, 7, 4}));
  EXPECT_THROW(ShapeAt(PortWith({batch - 4}), {{"batch", 3}}), Error);
}

}  // namespace
}  // namespace onnxport::verify
