#include "runtime/archive/archive.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/testing/error_of.h"
#include "runtime/testing/zip_writer.h"

namespace onnxport::archive {
namespace {

using testing::HasSubstr;

constexpr std::string_view kLocal = "PK\3\4";
constexpr std::string_view kCentral = "PK\1\2";
constexpr std::string_view kEnd = "PK\5\6";
constexpr std::string_view kEnd64 = "PK\6\6";
constexpr std::string_view kLocator64 = "PK\6\7";

std::string ErrorOf(const std::function<void()>& f) { return onnxport::ErrorOf(ErrorKind::kBadInput, f); }

std::string OpenError(std::string_view bytes) {
  const std::string path = WriteTestFile("open.pt2", bytes);
  return ErrorOf([&] { Archive::Open(path); });
}

TEST(Archive, ReadsRecords) {
  std::string large(700'000, 'x');
  large[300'000] = 'y';
  for (const bool zip64 : {false, true}) {
    const std::string path =
        WriteTestFile("records.pt2", WriteZip({{"a/b", "hello"}, {"empty", ""}, {"large", large}}, zip64));
    const auto archive = Archive::Open(path);
    ASSERT_EQ(archive->records().size(), 3u);
    ASSERT_NE(archive->Find("a/b"), nullptr);
    EXPECT_EQ(archive->Find("a"), nullptr);
    EXPECT_EQ(archive->Read(*archive->Find("a/b"), 5), "hello");
    EXPECT_EQ(archive->Read(*archive->Find("empty"), 5), "");
    EXPECT_EQ(archive->Read(*archive->Find("large"), 1 << 20), large);
    EXPECT_THAT(ErrorOf([&] { archive->Read(*archive->Find("a/b"), 4); }), HasSubstr("'a/b' is too large: 5 bytes"));
  }
}

// The checksums of pieces are not compared; those of the same bytes in memory are.
TEST(Archive, BelievesPieces) {
  std::string zip = WriteZip({{"a", "hello"}});
  PatchZip(&zip, kLocal, 0, 14, 4, 0);
  PatchZip(&zip, kCentral, 0, 16, 4, 0);
  const std::span<const std::byte> bytes = std::as_bytes(std::span(zip));
  const auto pieces = Archive::Open(OpenPieces("pieces", {{bytes.data(), bytes.size()}}, {}, nullptr));
  EXPECT_EQ(pieces->Read(*pieces->Find("a"), 5), "hello");
  pieces->Check(*pieces->Find("a"));
  const auto memory = Archive::Open(OpenBytes("memory", bytes, nullptr));
  EXPECT_THAT(ErrorOf([&] { memory->Read(*memory->Find("a"), 5); }), HasSubstr("CRC32"));
}

TEST(Archive, StreamsRanges) {
  constexpr uint64_t kSize = 2'500'000;
  std::string large;
  for (uint64_t i = 0; i < kSize; ++i) large += static_cast<char>(i * 7 + i / 256);
  const std::string zip = WriteZip({{"first", "x"}, {"r", large}});
  const auto memory = OpenBytes("memory", std::as_bytes(std::span(zip)), nullptr);
  for (const auto& archive : {Archive::Open(WriteTestFile("ranges.pt2", zip)), Archive::Open(memory)}) {
    const Archive::Record& record = *archive->Find("r");
    for (const auto& [begin, size] : std::vector<std::pair<uint64_t, uint64_t>>{
             {0, kSize}, {262'143, 2}, {1'000'000, 1'100'000}, {kSize - 1, 1}, {5, 0}, {kSize, 0}}) {
      std::string got;
      size_t longest = 0;
      archive->Stream(record, begin, size, [&](std::span<const std::byte> block) {
        got.append(reinterpret_cast<const char*>(block.data()), block.size());
        longest = std::max(longest, block.size());
      });
      EXPECT_TRUE(got == large.substr(begin, size)) << begin << "+" << size;
      EXPECT_LE(longest, 1'048'576u);
    }
    EXPECT_THAT(ErrorOf([&] { archive->Stream(record, 1, kSize, [](auto) {}); }), HasSubstr("is shorter than"));
  }
}

// A sink that also reads does not overwrite the block that it was given.
TEST(Archive, StreamsWithinAStream) {
  const std::string text(100'000, 'a');
  const auto archive = Archive::Open(WriteTestFile("nested.pt2", WriteZip({{"a", text}, {"b", "bbb"}})));
  archive->Stream(*archive->Find("a"), 0, text.size(), [&](std::span<const std::byte> block) {
    EXPECT_EQ(archive->Read(*archive->Find("b"), 3), "bbb");
    EXPECT_TRUE(std::string(reinterpret_cast<const char*>(block.data()), block.size()) == text);
  });
}

TEST(Archive, ChecksTheChecksum) {
  std::string zip = WriteZip({{"weight_0", "0123456789"}});
  zip[zip.find("0123")] = 'x';
  const auto archive = Archive::Open(WriteTestFile("crc.pt2", zip));
  // The whole record is checked although the call asks only for its end.
  EXPECT_THAT(ErrorOf([&] { archive->Stream(*archive->Find("weight_0"), 8, 2, [](auto) {}); }),
              HasSubstr("record 'weight_0' is damaged: its checksum (CRC32)"));
}

TEST(Archive, GivesARecordBlockByBlock) {
  std::string zip = WriteZip({{"r", "0123456789"}, {"empty", ""}});
  const auto read = [](const std::string& bytes, const char* name, size_t size) {
    const auto archive = Archive::Open(WriteTestFile("blocks.pt2", bytes));
    Archive::Blocks blocks(archive, *archive->Find(name), size);
    std::string got;
    for (auto block = blocks.Next(); !block.empty(); block = blocks.Next()) {
      got.append(reinterpret_cast<const char*>(block.data()), block.size()) += '|';
    }
    blocks.Check();
    return got;
  };
  EXPECT_EQ(read(zip, "r", 4), "0123|4567|89|");
  EXPECT_EQ(read(zip, "r", 10), "0123456789|");
  EXPECT_EQ(read(zip, "empty", 4), "");
  zip[zip.find("0123")] = 'x';
  EXPECT_THAT(ErrorOf([&] { read(zip, "r", 4); }), HasSubstr("record 'r' is damaged: its checksum (CRC32)"));
  // The checksum also covers the bytes that nobody asked for.
  zip[zip.find("x123") + 9] = 'y';
  const auto archive = Archive::Open(WriteTestFile("blocks.pt2", zip));
  Archive::Blocks blocks(archive, *archive->Find("r"), 4);
  EXPECT_THAT(ErrorOf([&] { blocks.Check(); }), HasSubstr("its checksum (CRC32)"));
}

struct Damage {
  const char* name;
  std::function<void(std::string*)> apply;
  const char* message;
  bool zip64 = false;
};

TEST(Archive, RefusesDamage) {
  const auto patch = [](std::string_view signature, int n, size_t at, size_t width, uint64_t value) {
    return [=](std::string* zip) { PatchZip(zip, signature, n, at, width, value); };
  };
  const Damage damages[] = {
      {"cut off", [](std::string* zip) { zip->resize(zip->size() - 1); }, "no end of a ZIP directory"},
      {"longer", [](std::string* zip) { *zip += "x"; }, "no end of a ZIP directory"},
      {"short", [](std::string* zip) { zip->resize(10); }, "too short for a ZIP archive: 10 bytes"},
      {"in front", [](std::string* zip) { zip->insert(0, "x"); },
       "the directory does not lie where its end record says"},
      {"second disk", patch(kEnd, 0, 4, 2, 1), "several disks"},
      {"fewer entries", patch(kEnd, 0, 8, 4, 0x00010001), "longer than its entries"},
      {"more entries", patch(kEnd, 0, 8, 4, 0x00030003), "damaged"},
      {"many entries", patch(kEnd, 0, 8, 4, 0xfff0fff0), "too short for its entries"},
      {"directory offset", patch(kEnd, 0, 16, 4, 3), "does not lie where"},
      {"directory size", patch(kEnd, 0, 12, 4, 0x7fffffff), "does not lie where"},
      {"compressed", patch(kCentral, 0, 10, 2, 8), "record 'one' is compressed"},
      {"encrypted", patch(kCentral, 1, 8, 2, 1), "record 'two' is encrypted"},
      {"two sizes", patch(kCentral, 0, 20, 4, 2), "record 'one' states two sizes"},
      {"other disk", patch(kCentral, 0, 34, 2, 1), "lies on another disk"},
      {"long name", patch(kCentral, 1, 28, 2, 60000), "entry 2 of the directory is cut off"},
      {"offset outside", patch(kCentral, 0, 42, 4, 0x7fffffff), "begins outside the file"},
      {"offset elsewhere", patch(kCentral, 0, 42, 4, 2), "has no local header"},
      {"same offset", patch(kCentral, 1, 42, 4, 0), "is called 'one' in its local header"},
      {"size outside",
       [](std::string* zip) {
         PatchZip(zip, kCentral, 1, 20, 4, 1000);
         PatchZip(zip, kCentral, 1, 24, 4, 1000);
       },
       "record 'two' ends outside the file: 1000 bytes"},
      {"overlap",
       [](std::string* zip) {
         for (const auto& [signature, at] : {std::pair(kCentral, 20), std::pair(kLocal, 18)}) {
           PatchZip(zip, signature, 0, static_cast<size_t>(at), 4, 20);
           PatchZip(zip, signature, 0, static_cast<size_t>(at) + 4, 4, 20);
         }
       },
       "record 'two' overlaps 'one'"},
      {"local size", patch(kLocal, 0, 22, 4, 1), "local header that disagrees"},
      {"local crc", patch(kLocal, 0, 14, 4, 1), "local header that disagrees"},
      {"local method", patch(kLocal, 0, 8, 2, 8), "compressed or encrypted by its local header"},
      {"local name", [](std::string* zip) { (*zip)[zip->find("one")] = 'O'; }, "record 'one' is called 'One'"},
      {"zip64 disagrees", patch(kEnd64, 0, 24, 8, 3), "zip64 end record is damaged", true},
      {"zip64 count",
       [](std::string* zip) {
         PatchZip(zip, kEnd64, 0, 24, 8, 1);
         PatchZip(zip, kEnd64, 0, 32, 8, 1);
       },
       "its two end records disagree", true},
      {"zip64 offset", patch(kEnd64, 0, 48, 8, uint64_t{1} << 63), "does not lie where", true},
      {"zip64 locator", patch(kLocator64, 0, 8, 8, 5), "locator points elsewhere", true},
      {"zip64 gone", patch(kLocator64, 0, 0, 4, 0), "needs zip64, which is missing", true},
      {"zip64 extra gone", patch(kCentral, 0, 49, 2, 9), "needs a zip64 field that is missing", true},
  };
  for (const Damage& damage : damages) {
    std::string zip = WriteZip({{"one", "first"}, {"two", "second one"}}, damage.zip64);
    damage.apply(&zip);
    EXPECT_THAT(OpenError(zip), HasSubstr(damage.message)) << damage.name;
  }
}

TEST(Archive, RefusesNames) {
  const std::pair<std::string, const char*> names[] = {
      {"", "is empty"},
      {"../up", "leads out"},
      {"a/../b", "leads out"},
      {"/etc", "is absolute"},
      {"C:/x", "is absolute"},
      {"a\\b", "a backslash"},
      {"a//b", "leads out"},
      {"a/./b", "leads out"},
      {"\xc3(", "is not UTF-8"},
      {std::string("a\0b", 3), "a control character"},
      {"\xed\xa0\x80", "is not UTF-8"},
      {std::string(5000, 'n'), "is too long"},
  };
  for (const auto& [name, message] : names) EXPECT_THAT(OpenError(WriteZip({{name, "x"}})), HasSubstr(message));
  EXPECT_THAT(OpenError(WriteZip({{"a", "x"}, {"a", "y"}})), HasSubstr("record 'a' a record's name occurs twice"));
  EXPECT_EQ(OpenError(WriteZip({{"folder/", ""}, {"folder/\xc3\xa4", "x"}})), "no error");
}

TEST(Archive, RefusesWhatIsNoFile) {
  EXPECT_THAT(ErrorOf([] { Archive::Open("/nonexistent/x.pt2"); }), HasSubstr("cannot open /nonexistent/x.pt2"));
  EXPECT_THAT(ErrorOf([] { Archive::Open(testing::TempDir()); }), HasSubstr("is no regular file"));
  const std::string pipe = testing::TempDir() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(ErrorOf([&] { Archive::Open(pipe); }), HasSubstr("is no regular file"));
  ::unlink(pipe.c_str());
}

// Other processes write in place, and the archive does not notice.
TEST(Archive, RefusesWhatChangesWhileItIsRead) {
  const std::string zip = WriteZip({{"one", std::string(1000, 'a')}});
  const auto overwrite = [](const std::string& path, size_t at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at)) << "changed";
  };
  const std::string path = WriteTestFile("changing", zip);
  const auto archive = Archive::Open(path);
  const Archive::Record& record = *archive->Find("one");
  archive->Check(record);
  ::usleep(20'000);  // longer than a tick of the file system's clock
  overwrite(path, zip.find("aaaa"));
  const auto read = [&](uint64_t size) {
    return onnxport::ErrorOf(Code::kFileChanged,
                             [&] { archive->Stream(record, 0, size, [](std::span<const std::byte>) {}); });
  };
  EXPECT_THAT(read(10), HasSubstr("was changed while it was read"));
  EXPECT_THAT(read(1000), HasSubstr("was changed while it was read"));
}

// Somebody can set back the time of a file. So its bytes are checked whenever all of them are used.
TEST(Archive, ChecksRecordsThatWereCheckedAgain) {
  const std::string zip = WriteZip({{"one", std::string(1000, 'a')}});
  const std::string path = WriteTestFile("set_back", zip);
  const auto archive = Archive::Open(path);
  const Archive::Record& record = *archive->Find("one");
  archive->Check(record);
  struct stat before = {};
  ASSERT_EQ(::stat(path.c_str(), &before), 0);
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary)
          .seekp(static_cast<std::streamoff>(zip.find("aaaa")))
      << "changed";
  const struct timespec times[] = {before.st_atim, before.st_mtim};
  ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  EXPECT_THAT(ErrorOf([&] { archive->Stream(record, 0, 1000, [](std::span<const std::byte>) {}); }),
              HasSubstr("its checksum (CRC32) is not the one in the directory"));
}

// A few bytes with a stride of 0 can get any size: in one tensor, or in many.
TEST(Archive, CountsWhatIsRepeated) {
  const auto archive = Archive::Open(WriteTestFile("repeated", WriteZip({{"one", "abcd"}})));
  const Archive::Record& record = *archive->Find("one");
  for (int i = 0; i < 4; ++i) archive->CountRepeated(record, uint64_t{16} << 20);
  EXPECT_THAT(ErrorOf([&] { archive->CountRepeated(record, uint64_t{16} << 20); }), HasSubstr("beyond reason"));
}

}  // namespace
}  // namespace onnxport::archive
