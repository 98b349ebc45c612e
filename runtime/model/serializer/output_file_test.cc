#include "runtime/model/serializer/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "runtime/base/error.h"

namespace onnxport::serializer::output_file_test {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  OutputFileTest() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~OutputFileTest() override { fs::remove_all(folder_); }

  std::string Path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string ReadFile(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  static void WriteText(OutputFile* file) {
    FilePart part(file, 0);
    part.Write("text");
    part.Flush();
  }
  // The message of the Error that creating and committing a file of `size` bytes throws.
  static std::string FailureOf(const std::string& path, int64_t size = 4) {
    try {
      OutputFile file(&SystemFileOps(), path, size);
      WriteText(&file);
      file.Commit(path);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kCannotWrite);
      return error.what();
    }
    return "";
  }

  const fs::path folder_ = fs::path(testing::TempDir()) / "output_file_test";
};

TEST_F(OutputFileTest, AppearsWhenCommitted) {
  OutputFile file(&SystemFileOps(), Path("a"), 10'000'007);
  FilePart all(&file, 0);
  all.Write("head");
  all.WriteZeros(9'999'999);
  all.Write("tail");
  all.Flush();
  EXPECT_FALSE(fs::exists(Path("a")));
  file.Commit(Path("a"));
  EXPECT_EQ(ReadFile(Path("a")), "head" + std::string(9'999'999, '\0') + "tail");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(OutputFileTest, KeepsTheOrderOfPiecesOfEverySize) {
  std::string all;
  for (const size_t size : {1, 200'000, 7, 131'072, 131'071, 131'073, 5, 1'000'000, 262'144, 3}) {
    all += std::string(size, static_cast<char>('a' + all.size() % 26));
  }
  OutputFile file(&SystemFileOps(), Path("a"), static_cast<int64_t>(all.size()));
  FilePart part(&file, 0);
  size_t begin = 0;
  for (const size_t size : {1, 200'000, 7, 131'072, 131'071, 131'073, 5, 1'000'000, 262'144, 3}) {
    part.Write(std::string_view(all).substr(begin, size));
    begin += size;
    EXPECT_EQ(part.offset(), static_cast<int64_t>(begin));
  }
  part.Flush();
  file.Commit(Path("a"));
  EXPECT_TRUE(ReadFile(Path("a")) == all);
}

TEST_F(OutputFileTest, PartsAreWrittenInAnyOrder) {
  OutputFile file(&SystemFileOps(), Path("a"), 11);
  FilePart tail(&file, 6);
  FilePart head(&file, 0);
  tail.Write("parts");
  head.Write("three ");
  tail.Flush();
  head.Flush();
  file.Commit(Path("a"));
  EXPECT_EQ(ReadFile(Path("a")), "three parts");
}

// Notes where writes end.
class NotedWrites : public FileOps {
 public:
  ssize_t WriteAt(int file, const std::byte* data, size_t size, int64_t offset) override {
    ends.push_back(offset + static_cast<int64_t>(size));
    return FileOps::WriteAt(file, data, size, offset);
  }
  std::vector<int64_t> ends;
};

TEST_F(OutputFileTest, WritesPagesInOnePart) {
  constexpr int64_t kSize = 1'000'000;
  NotedWrites ops;
  OutputFile file(&ops, Path("a"), kSize);
  FilePart all(&file, 0);
  all.Write(std::string(200'001, 'a'));
  all.Write(std::string(kSize - 200'001, 'b'));
  all.Flush();
  file.Commit(Path("a"));
  EXPECT_EQ(ops.ends, (std::vector<int64_t>{200'001, 262'144, 524'288, 786'432, kSize}));
  EXPECT_TRUE(ReadFile(Path("a")) == std::string(200'001, 'a') + std::string(kSize - 200'001, 'b'));
}

// Counts what waits for the disk.
class CountingSyncs : public FileOps {
 public:
  int Sync(int file) override { return ++syncs, FileOps::Sync(file); }
  void StartWriteback(int file, int64_t offset, int64_t size) override {
    ++writebacks;
    FileOps::StartWriteback(file, offset, size);
  }
  int syncs = 0;
  int writebacks = 0;
};

TEST_F(OutputFileTest, SyncsUnlessTheCallerDoesWithout) {
  constexpr int64_t kSize = 20'000'000;
  for (const bool sync : {true, false}) {
    CountingSyncs ops;
    OutputFile file(&ops, Path("a"), kSize, sync);
    FilePart all(&file, 0);
    all.WriteZeros(kSize);
    all.Flush();
    file.Commit(Path("a"));
    EXPECT_EQ(ops.syncs, sync ? 2 : 0);  // the file and its folder
    EXPECT_EQ(ops.writebacks > 0, sync);
    EXPECT_EQ(fs::file_size(Path("a")), static_cast<uintmax_t>(kSize));
  }
}

TEST_F(OutputFileTest, LeavesNothingWhenDropped) {
  {
    OutputFile file(&SystemFileOps(), Path("a"), 4);
    WriteText(&file);
  }
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(OutputFileTest, RefusesACountThatIsNotTheOnePromised) {
  OutputFile file(&SystemFileOps(), Path("a"), 5);
  WriteText(&file);
  EXPECT_THROW(file.Commit(Path("a")), Error);
}

TEST_F(OutputFileTest, RefusesTargetsThatAreNoFiles) {
  fs::create_directory(Path("folder"));
  fs::create_symlink("nowhere", Path("dangling"));
  std::ofstream(Path("file")) << "old";
  fs::create_symlink("file", Path("link"));
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  const std::pair<std::string, std::string> kCases[] = {
      {Path("folder"), "is a folder"},
      {Path("dangling"), "symbolic link"},
      {Path("link"), "symbolic link"},
      {Path("pipe"), "not a regular file"},
      {"/dev/null", "not a regular file"},
      {Path("missing/a"), "No such file or directory"},
      {Path("file/a"), "folder"},
      {Path("new/"), "no file name"},
      {"", "no file name"},
  };
  for (const auto& [path, message] : kCases)
    EXPECT_NE(FailureOf(path).find(message), std::string::npos) << FailureOf(path);
  EXPECT_EQ(ReadFile(Path("file")), "old");
}

TEST_F(OutputFileTest, SaysHowManyBytesAreNeededAndFree) {
  const std::string message = FailureOf(Path("a"), int64_t{1} << 50);
  EXPECT_NE(message.find("1125899906842624 bytes are needed"), std::string::npos) << message;
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(OutputFileTest, MindsTheFileSizeLimit) {
  struct rlimit old;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  const struct rlimit low = {1000, old.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &low), 0);
  const std::string message = FailureOf(Path("a"), 1001);
  EXPECT_EQ(FailureOf(Path("b"), 4), "");
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &old), 0);
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  EXPECT_FALSE(fs::exists(Path("a")));
}

TEST_F(OutputFileTest, FailsInAFolderItMayNotWrite) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_NE(FailureOf(Path("a")).find("Permission denied"), std::string::npos);
  fs::permissions(folder_, fs::perms::owner_all);
}

// As without /proc: what is written has a name from the beginning.
class Named : public FileOps {
 public:
  int OpenNameless(const std::string&, mode_t) override { return -1; }
};

TEST_F(OutputFileTest, LeavesNothingOfWhatHasANameAndIsNotCommitted) {
  const auto files = [this] { return std::distance(fs::directory_iterator(folder_), {}); };
  Named ops;
  {
    OutputFile file(&ops, Path("a"), 4);
    EXPECT_EQ(files(), 1);
  }
  EXPECT_EQ(files(), 0);
  OutputFile file(&ops, Path("a"), 4);
  WriteText(&file);
  file.Commit(Path("a"));
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(ReadFile(Path("a")), "text");
}

TEST_F(OutputFileTest, AReplacedFileKeepsItsPermissions) {
  std::ofstream(Path("a")) << "secret";
  fs::permissions(Path("a"), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(FailureOf(Path("a")), "");
  EXPECT_EQ(fs::status(Path("a")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

// A folder that one may write to and not read cannot be opened for syncing.
class Unreadable : public FileOps {
 public:
  int Open(const std::string& path, int flags, mode_t mode) override {
    if ((flags & O_DIRECTORY) != 0) return errno = EACCES, -1;
    return FileOps::Open(path, flags, mode);
  }
};

TEST_F(OutputFileTest, AFolderNeedNotBeReadable) {
  Unreadable ops;
  OutputFile file(&ops, Path("a"), 4);
  WriteText(&file);
  file.Commit(Path("a"));
  EXPECT_EQ(ReadFile(Path("a")), "text");
}

}  // namespace
}  // namespace onnxport::serializer::output_file_test
