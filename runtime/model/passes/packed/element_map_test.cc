#include "runtime/model/passes/packed/element_map.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace onnxport::passes::element_map_test {
namespace {

using Numbers = ElementMap::Numbers;

// The places of all elements, in their order.
Numbers PlacesOf(const ElementMap& map) {
  Numbers places;
  const Numbers shape = map.Shape();
  Numbers indices(shape.size());
  while (true) {
    places.push_back(map.Place(indices));
    size_t axis = shape.size();
    while (axis > 0 && ++indices[axis - 1] == shape[axis - 1]) indices[--axis] = 0;
    if (axis == 0) return places;
  }
}

struct ViewCase {
  std::string what;
  Numbers shape;
  std::function<bool(ElementMap* map)> view;
  Numbers expected;  // empty: there is no such map
};

TEST(ElementMapTest, ViewsOfViews) {
  const Numbers order = {0, 2, 1};
  const std::vector<ViewCase> cases = {
      {"itself", {2, 3}, [](ElementMap*) { return true; }, {0, 1, 2, 3, 4, 5}},
      {"transposed", {2, 3}, [](ElementMap* map) { return map->Transpose({1, 0}), true; }, {0, 3, 1, 4, 2, 5}},
      {"picked", {2, 3}, [&](ElementMap* map) { return map->Take(1, order), true; }, {0, 2, 1, 3, 5, 4}},
      {"one of an axis, which then goes",
       {2, 3},
       [](ElementMap* map) { return map->Take(0, Numbers{1}), map->Reshape({3}); },
       {3, 4, 5}},
      {"repeated",
       {2, 1},
       [](ElementMap* map) { return map->Broadcast({2, 2, 3}); },
       {0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1}},
      {"repeated, joined, cut elsewhere",
       {2, 1, 3},
       [](ElementMap* map) { return map->Broadcast({2, 2, 3}) && map->Reshape({4, 3}) && map->Reshape({2, 6}); },
       {0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5}},
      {"joined and cut with axes of 1",
       {4, 1},
       [](ElementMap* map) { return map->Reshape({1, 2, 1, 2}); },
       {0, 1, 2, 3}},
      {"rows of a transposed one",
       {2, 3},
       [](ElementMap* map) { return map->Transpose({1, 0}), map->Reshape({6}); },
       {0, 3, 1, 4, 2, 5}},
      {"cut where it is no sum",
       {2, 3},
       [](ElementMap* map) { return map->Transpose({1, 0}), map->Reshape({2, 3}); },
       {}},
      {"another size", {2, 3}, [](ElementMap* map) { return map->Reshape({4}); }, {}},
      {"broadcast to what does not fit", {2, 3}, [](ElementMap* map) { return map->Broadcast({2, 4}); }, {}},
      {"broadcast to fewer axes", {2, 3}, [](ElementMap* map) { return map->Broadcast({3}); }, {}},
      {"a number", {1}, [](ElementMap* map) { return map->Reshape({}) && map->Broadcast({3}); }, {0, 0, 0}},
  };
  for (const ViewCase& test : cases) {
    SCOPED_TRACE(test.what);
    ElementMap map(test.shape);
    ASSERT_EQ(test.view(&map), !test.expected.empty());
    if (test.expected.empty()) continue;
    EXPECT_EQ(PlacesOf(map), test.expected);
  }
}

// A map that would need more numbers than are held is none; an axis that adds nothing needs no numbers.
TEST(ElementMapTest, JoinsLargeAxes) {
  ElementMap repeated({1, 1});
  EXPECT_TRUE(repeated.Broadcast({4096, 4096}) && repeated.Reshape({4096 * 4096}));
  EXPECT_EQ(repeated.RunAlong(0), 4096 * 4096);
  ElementMap whole({4096, 4096});
  EXPECT_FALSE(whole.Reshape({4096 * 4096}));
}

TEST(ElementMapTest, RunsOfOneElement) {
  struct Case {
    Numbers indices;
    int64_t run;
  };
  for (const Case& test : std::vector<Case>{{{0, 0, 0, 0}, 4},
                                            {{0, 0, 1, 1}, 2},
                                            {{0, 0, 0, 1}, 3},  // the last one is shorter
                                            {{0, 0, 1, 1, 1, 1, 0, 0}, 2},
                                            {{0, 1, 1, 0}, 1}}) {
    ElementMap map({2});
    map.Take(0, test.indices);
    EXPECT_EQ(map.RunAlong(0), test.run) << testing::PrintToString(test.indices);
  }
}

}  // namespace
}  // namespace onnxport::passes::element_map_test
