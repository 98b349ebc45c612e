#include "runtime/sources/torchscript/interpret/values/heap.h"

#include <gtest/gtest.h>

namespace onnxport::torchscript {
namespace {

Value Int(int64_t number) { return {number}; }

TEST(HeapTest, UndoRestoresOlderCellsAndListsTheirChanges) {
  Heap heap;
  const CellPtr list = heap.NewList({Int(1)});
  const CellPtr untouched = heap.NewList({});
  heap.Begin();
  heap.Edit(list).items.push_back(Int(2));
  heap.Edit(list).items.push_back(Int(3));
  const auto changes = heap.Undo();
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].cell, list);
  EXPECT_EQ(changes[0].before.items.size(), 1U);
  EXPECT_EQ(changes[0].after.items.size(), 3U);
  EXPECT_EQ(list->items.size(), 1U);
  EXPECT_TRUE(untouched->items.empty());
}

TEST(HeapTest, CellsMadeInTheScopeAreNotListed) {
  Heap heap;
  heap.Begin();
  const CellPtr object = heap.NewObject("__torch__.Box", nullptr);
  EXPECT_TRUE(heap.IsNew(*object));
  heap.Edit(object).attributes["x"] = Int(1);
  EXPECT_TRUE(heap.Undo().empty());
  EXPECT_EQ(object->attributes.size(), 1U);
}

TEST(HeapTest, ScopesNest) {
  Heap heap;
  const CellPtr dict = heap.NewDict();
  heap.Begin();
  heap.Edit(dict).keys.push_back(Int(1));
  heap.Begin();
  heap.Edit(dict).keys.push_back(Int(2));
  EXPECT_EQ(heap.Undo()[0].before.keys.size(), 1U);
  EXPECT_EQ(dict->keys.size(), 1U);
  EXPECT_EQ(heap.Undo()[0].before.keys.size(), 0U);
  EXPECT_TRUE(dict->keys.empty());
}

TEST(HeapTest, KeptChangesBelongToTheScopeAround) {
  Heap heap;
  const CellPtr list = heap.NewList({});
  heap.Begin();
  heap.Begin();
  heap.Edit(list).items.push_back(Int(1));
  heap.Keep();
  EXPECT_EQ(list->items.size(), 1U);
  ASSERT_EQ(heap.Undo().size(), 1U);
  EXPECT_TRUE(list->items.empty());
}

TEST(HeapTest, FreesCellsThatHoldThemselves) {
  std::weak_ptr<Cell> ring;
  {
    Heap heap;
    const CellPtr list = heap.NewList({});
    heap.Edit(list).items.push_back({list});
    for (int i = 0; i < 3000; ++i) heap.NewList({});
    ring = list;
  }
  EXPECT_TRUE(ring.expired());
}

// `joined` was chosen of `a` and `b`, `again` of `joined` and `c`.
TEST(HeapTest, TiesAreOfPairs) {
  Heap heap;
  const CellPtr a = heap.NewList({}), b = heap.NewList({}), c = heap.NewList({});
  const CellPtr joined = heap.NewList({}), again = heap.NewList({});
  heap.TieLike(joined, a);
  heap.TieLike(joined, b);
  heap.TieLike(again, joined);
  heap.TieLike(again, c);
  EXPECT_EQ(heap.TiedTo(*a), (std::vector<CellPtr>{joined, again}));
  EXPECT_EQ(heap.TiedTo(*c), (std::vector<CellPtr>{again}));
  EXPECT_EQ(heap.TiedTo(*again), (std::vector<CellPtr>{a, b, joined, c}));
}

}  // namespace
}  // namespace onnxport::torchscript
