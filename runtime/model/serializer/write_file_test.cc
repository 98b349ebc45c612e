#include "runtime/model/serializer/write_file.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "runtime/base/error.h"

namespace onnxport::serializer {
namespace {

namespace fs = std::filesystem;

class WriteFileTest : public testing::Test {
 protected:
  WriteFileTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "below");
    std::ofstream(folder_ / "a") << "old";
  }
  ~WriteFileTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  std::string Read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(Path(name), std::ios::binary).rdbuf();
    return text.str();
  }
  // The message of a failed write; the files are as they were then.
  std::string FailureOf(const std::string& name, const std::vector<std::string>& others, ErrorKind kind,
                        FileOps* ops = &SystemFileOps()) const {
    try {
      WriteFile(Path(name), "new", others, true, ops);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      EXPECT_EQ(Read("a"), "old");
      return error.what();
    }
    return "";
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / "write_file_test";
};

TEST_F(WriteFileTest, KnowsAFileByEveryName) {
  fs::create_symlink("a", folder_ / "soft");
  fs::create_hard_link(folder_ / "a", folder_ / "hard");
  for (const char* name : {"a", "soft", "hard", "./a", "below/../a", "new"}) {
    EXPECT_FALSE(IsSameFile(Path(name), Path("b"))) << name;
    EXPECT_EQ(IsSameFile(Path(name), Path("a")), std::string(name) != "new") << name;
  }
  EXPECT_TRUE(IsSameFile(Path("new"), Path("below/../new")));
  EXPECT_FALSE(IsSameFile(Path("new"), Path("below/new")));
  EXPECT_FALSE(IsSameFile(Path("new"), Path("NEW")));
}

TEST_F(WriteFileTest, WritesOverNoOtherFile) {
  EXPECT_NE(FailureOf("a", {"", Path("./a")}, ErrorKind::kUsage), "");
  EXPECT_NE(FailureOf("new", {Path("below/../new")}, ErrorKind::kUsage), "");
  EXPECT_FALSE(fs::exists(folder_ / "new"));
  WriteFile(Path("a"), "new", {"", Path("b")});
  EXPECT_EQ(Read("a"), "new");
  WriteFile(Path("a"), "", {});
  EXPECT_EQ(Read("a"), "");
}

// Each call that writing makes fails once.
class Failing : public FileOps {
 public:
  explicit Failing(int at) : at_(at) {}
  ssize_t WriteAt(int file, const std::byte* data, size_t size, int64_t offset) override {
    return Fails() ? -1 : FileOps::WriteAt(file, data, size, offset);
  }
  int Allocate(int file, int64_t size) override { return Fails() ? -1 : FileOps::Allocate(file, size); }
  int Sync(int file) override { return Fails() ? -1 : FileOps::Sync(file); }
  int Rename(const std::string& from, const std::string& to) override {
    return Fails() ? -1 : FileOps::Rename(from, to);
  }

 private:
  bool Fails() {
    errno = ENOSPC;
    return at_-- == 0;
  }
  int at_;
};

TEST_F(WriteFileTest, LeavesNothingHalfWritten) {
  for (int at = 0; at < 4; ++at) {
    Failing ops(at);
    EXPECT_NE(FailureOf("a", {}, ErrorKind::kCannotWrite, &ops), "") << at;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 2) << at;
  }
}

}  // namespace
}  // namespace onnxport::serializer
