#include "codegen/help/watch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace onnxport::codegen::watch_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(FolderWatch, TellsWhatWasSaved) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "watched";
  std::filesystem::create_directories(folder / "below");
  const auto save = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  const std::string first = save("first.yaml", "a");
  FolderWatch watch(folder);
  EXPECT_EQ(watch.size(), 1u);
  EXPECT_THAT(watch.Changed(), IsEmpty());
  save("first.yaml", "ab");
  save("no_spec.txt", "a");
  EXPECT_THAT(watch.Changed(), ElementsAre(first));
  EXPECT_THAT(watch.Changed(), IsEmpty());
  const std::string second = save("below/second.yaml", "a");
  EXPECT_THAT(watch.Changed(), ElementsAre(second));
  // The new text has the same length and a later time.
  save("first.yaml", "xy");
  std::filesystem::last_write_time(first, std::filesystem::last_write_time(first) + std::chrono::seconds(1));
  EXPECT_THAT(watch.Changed(), ElementsAre(first));
  std::filesystem::remove(first);
  EXPECT_THAT(watch.Changed(), IsEmpty());
}

TEST(FolderWatch, NeedsAFolder) { EXPECT_THROW(FolderWatch("/no/such/folder"), std::runtime_error); }

}  // namespace
}  // namespace onnxport::codegen::watch_test
