#include "runtime/base/name_set.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <deque>
#include <string>

namespace onnxport {
namespace {

// Adds so many names that the set grows several times.
void ExpectToTellWhatIsNew(NameSet set) {
  constexpr size_t kNames = 2000;
  std::deque<std::string> names;
  EXPECT_FALSE(set.Contains("0"));
  for (size_t i = 0; i < kNames; ++i) {
    const std::string& name = names.emplace_back(std::to_string(i));
    EXPECT_FALSE(set.Contains(name));
    EXPECT_TRUE(set.Insert(name));
    EXPECT_TRUE(set.Contains(name));
  }
  for (size_t i = 0; i < kNames; ++i) {
    const std::string same = std::to_string(i);
    EXPECT_TRUE(set.Contains(same));
    EXPECT_FALSE(set.Insert(same));
  }
  EXPECT_FALSE(set.Contains(std::to_string(kNames)));
  EXPECT_FALSE(set.Contains(""));
}

TEST(NameSet, TellsWhatIsNew) {
  ExpectToTellWhatIsNew({});
  for (const size_t room : {0, 1, 2, 3, 500, 2000, 3000}) ExpectToTellWhatIsNew(NameSet(room));
}

TEST(NameSet, IsEmptyAfterClear) {
  const std::string name = "a";
  NameSet set;
  EXPECT_TRUE(set.Insert(name));
  set.Clear();
  EXPECT_FALSE(set.Contains("a"));
  EXPECT_TRUE(set.Insert(name));
  EXPECT_FALSE(set.Insert(name));
}

}  // namespace
}  // namespace onnxport
