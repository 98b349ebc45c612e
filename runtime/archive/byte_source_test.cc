#include "runtime/archive/byte_source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/base/error.h"

namespace onnxport::archive {
namespace {

namespace fs = std::filesystem;

std::string Path(const std::string& name) { return (fs::path(testing::TempDir()) / name).string(); }

std::string Contents(const ByteSource& source) {
  std::string text(source.size(), '\0');
  source.ReadAt(0, std::as_writable_bytes(std::span(text)));
  return text;
}

template <typename Open>
ErrorKind KindOf(const Open& open) {
  try {
    open();
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "it is taken";
  return ErrorKind::kUsage;
}

TEST(ByteSource, HasTheBytesOfAllKinds) {
  std::string bytes;
  for (int i = 0; i < 600'000; ++i) bytes += static_cast<char>(i * 7 % 251);
  std::ofstream(Path("kinds"), std::ios::binary) << bytes;
  std::istringstream stream(bytes);
  const std::shared_ptr<const ByteSource> sources[] = {OpenFile(Path("kinds")),
                                                       OpenBytes("some", std::as_bytes(std::span(bytes)), nullptr),
                                                       OpenStream("some", &stream)};
  for (const auto& source : sources) {
    EXPECT_EQ(source->size(), bytes.size());
    EXPECT_TRUE(Contents(*source) == bytes);
    std::string part(1000, '\0');
    source->ReadAt(300'000, std::as_writable_bytes(std::span(part)));
    EXPECT_EQ(part, bytes.substr(300'000, 1000));
    EXPECT_NO_THROW(source->CheckUnchanged());
  }
  EXPECT_TRUE(sources[0]->IsFile(Path("kinds")));
  EXPECT_FALSE(sources[0]->IsFile(Path("other")));
  EXPECT_FALSE(sources[1]->IsFile(Path("kinds")));
}

TEST(ByteSource, PutsPiecesTogether) {
  const std::string parts[] = {"one", "two", "three"};
  const auto bytes = [](const std::string& text) { return std::as_bytes(std::span(text)).data(); };
  const std::vector<BytePiece> pieces = {{bytes(parts[0]), 3}, {nullptr, 0}, {nullptr, 3}, {bytes(parts[2]), 5}};
  const PieceReader read = [&](size_t piece, uint64_t offset, std::span<std::byte> out) {
    EXPECT_EQ(piece, 2u);
    std::memcpy(out.data(), parts[1].data() + offset, out.size());
    return true;
  };
  const auto source = OpenPieces("some", pieces, read, nullptr);
  EXPECT_FALSE(source->needs_checks());
  EXPECT_EQ(Contents(*source), "onetwothree");
  for (size_t begin = 0; begin <= 11; ++begin) {
    for (size_t end = begin; end <= 11; ++end) {
      std::string part(end - begin, '\0');
      source->ReadAt(begin, std::as_writable_bytes(std::span(part)));
      EXPECT_EQ(part, std::string("onetwothree").substr(begin, end - begin));
    }
  }
  EXPECT_FALSE(source->any_thread());
  EXPECT_EQ(source->InMemory(1, 2).data(), pieces[0].data + 1);
  EXPECT_EQ(source->InMemory(6, 5).size(), 5u);
  EXPECT_TRUE(source->InMemory(2, 2).empty());  // the reader supplies half of it
  EXPECT_TRUE(source->InMemory(4, 1).empty());
  EXPECT_TRUE(OpenPieces("all here", {pieces[0], pieces[3]}, {}, nullptr)->any_thread());
  EXPECT_EQ(OpenPieces("none", {}, {}, nullptr)->size(), 0u);
}

TEST(ByteSource, PiecesThatCannotBe) {
  EXPECT_EQ(KindOf([] { OpenPieces("p", {{nullptr, 3}}, {}, nullptr); }), ErrorKind::kUsage);
  const PieceReader fails = [](size_t, uint64_t, std::span<std::byte>) { return false; };
  const PieceReader throws = [](size_t, uint64_t, std::span<std::byte>) -> bool { throw 1; };
  for (const PieceReader& read : {fails, throws}) {
    const auto source = OpenPieces("p", {{nullptr, 3}}, read, nullptr);
    EXPECT_EQ(KindOf([&] { Contents(*source); }), ErrorKind::kBadInput);
  }
  const uint64_t half = uint64_t{1} << 62;
  EXPECT_EQ(KindOf([&] { OpenPieces("p", {{nullptr, half}, {nullptr, half}}, fails, nullptr); }), ErrorKind::kUsage);
}

TEST(ByteSource, SeesThatAFileChanges) {
  std::ofstream(Path("changing")) << "before";
  const auto source = OpenFile(Path("changing"));
  std::ofstream(Path("changing")) << "be";
  EXPECT_EQ(KindOf([&] { source->CheckUnchanged(); }), ErrorKind::kBadInput);
  EXPECT_EQ(KindOf([&] { Contents(*source); }), ErrorKind::kBadInput);
}

TEST(ByteSource, RefusesWhatIsNoFile) {
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  for (const std::string& path : {Path("pipe"), testing::TempDir(), Path("missing"), std::string()}) {
    EXPECT_EQ(KindOf([&] { OpenFile(path); }), ErrorKind::kBadInput) << path;
  }
  fs::remove(Path("pipe"));
}

TEST(ByteSource, TakesWhatAStreamStillHas) {
  std::istringstream stream("headrest");
  std::string head(4, '\0');
  stream.read(head.data(), 4);
  EXPECT_EQ(Contents(*OpenStream("s", &stream)), "rest");
  std::istringstream broken("text");
  broken.setstate(std::ios::badbit);
  EXPECT_EQ(KindOf([&] { OpenStream("s", &broken); }), ErrorKind::kBadInput);
}

// A stream that throws counts as one that fails. It keeps its own settings.
TEST(ByteSource, AStreamMayThrow) {
  std::istringstream stream("text");
  stream.exceptions(std::ios::failbit | std::ios::eofbit);
  EXPECT_EQ(Contents(*OpenStream("s", &stream)), "text");
  EXPECT_EQ(stream.exceptions(), std::ios::failbit | std::ios::eofbit);
}

}  // namespace
}  // namespace onnxport::archive
