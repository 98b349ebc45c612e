#include "runtime/archive/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <mutex>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/base/interruption.h"
#include "runtime/base/system.h"

namespace onnxport::archive {
namespace {

constexpr size_t kCopyBlock = size_t{256} << 10;

// An open file; the destructor closes it.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

class FileBytes : public ByteSource {
 public:
  FileBytes(std::string name, Descriptor file) : ByteSource(std::move(name)), file_(std::move(file)) {
    struct stat status = {};
    if (::fstat(file_.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
      throw Error(Code::kCannotRead, this->name() + " is no regular file");
    }
    size_ = static_cast<uint64_t>(status.st_size);
    modified_ = status.st_mtim;
  }

  void ReadAt(uint64_t offset, std::span<std::byte> out) const override {
    while (!out.empty()) {
      const ssize_t got = ::pread(file_.number(), out.data(), out.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw Error(Code::kCannotRead, "cannot read " + name() + ": " + std::strerror(errno));
      // `out` lies inside the size at opening, so an end of file means that somebody cut the file.
      if (got == 0) throw Error(Code::kFileChanged, name() + " became shorter while it was read");
      offset += static_cast<uint64_t>(got);
      out = out.subspan(static_cast<size_t>(got));
    }
  }

  void CheckUnchanged() const override {
    struct stat now = {};
    if (::fstat(file_.number(), &now) != 0 || static_cast<uint64_t>(now.st_size) != size_ ||
        now.st_mtim.tv_sec != modified_.tv_sec || now.st_mtim.tv_nsec != modified_.tv_nsec)
      throw Error(Code::kFileChanged, name() + " was changed while it was read");
  }

  bool IsFile(const std::string& path) const override {
    struct stat mine = {};
    struct stat other = {};
    // Device and inode, not names: `a/../m.pt2`, a hard link and a symbolic link are the same file.
    return ::fstat(file_.number(), &mine) == 0 && ::stat(path.c_str(), &other) == 0 && mine.st_dev == other.st_dev &&
           mine.st_ino == other.st_ino;
  }

 private:
  Descriptor file_;
  struct timespec modified_ = {};
};

class MemoryBytes : public ByteSource {
 public:
  MemoryBytes(std::string name, std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
      : ByteSource(std::move(name)), bytes_(bytes), owner_(std::move(owner)) {
    size_ = bytes_.size();
  }

  void ReadAt(uint64_t offset, std::span<std::byte> out) const override {
    if (out.empty()) return;
    std::memcpy(out.data(), bytes_.subspan(offset, out.size()).data(), out.size());
  }

  std::span<const std::byte> InMemory(uint64_t offset, uint64_t size) const override {
    return bytes_.subspan(offset, size);
  }

 private:
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
};

class PieceBytes : public ByteSource {
 public:
  PieceBytes(std::string name, const std::vector<BytePiece>& pieces, PieceReader read,
             std::shared_ptr<const void> owner)
      : ByteSource(std::move(name)), read_(std::move(read)), owner_(std::move(owner)) {
    places_.reserve(pieces.size());
    for (size_t i = 0; i < pieces.size(); ++i) {
      const BytePiece& piece = pieces[i];
      // ReadAt finds a piece by its beginning. An empty piece begins where the next one does, and ReadAt would find it
      // instead.
      if (piece.size == 0) continue;
      if (piece.data == nullptr && !read_) {
        throw Error(ErrorKind::kUsage, "piece " + std::to_string(i) + " has no bytes, and nothing reads it");
      }
      if (piece.size > std::numeric_limits<int64_t>::max() - size_) {
        throw Error(ErrorKind::kUsage, "the pieces have more bytes than there can be");
      }
      places_.push_back({size_, i, piece});
      size_ += piece.size;
    }
  }

  void ReadAt(uint64_t offset, std::span<std::byte> out) const override {
    if (out.empty()) return;
    for (auto place = PlaceOf(offset); !out.empty(); ++place) {
      const uint64_t skipped = offset - place->begin;
      const size_t count = std::min<uint64_t>(out.size(), place->piece.size - skipped);
      Copy(*place, skipped, out.first(count));
      offset += count;
      out = out.subspan(count);
    }
  }

  std::span<const std::byte> InMemory(uint64_t offset, uint64_t size) const override {
    if (size == 0) return {};
    const auto place = PlaceOf(offset);
    const uint64_t skipped = offset - place->begin;
    if (place->piece.data == nullptr || size > place->piece.size - skipped) return {};
    return {place->piece.data + skipped, static_cast<size_t>(size)};
  }

  bool any_thread() const override { return !read_; }
  bool needs_checks() const override { return false; }

 private:
  struct Place {
    uint64_t begin;  // offset in the sequence of all pieces
    size_t number;   // the caller's number
    BytePiece piece;
  };

  // Returns the last piece that begins at or before `offset`. There always is one, as the first begins at 0.
  std::vector<Place>::const_iterator PlaceOf(uint64_t offset) const {
    return std::prev(std::upper_bound(places_.begin(), places_.end(), offset,
                                      [](uint64_t at, const Place& p) { return at < p.begin; }));
  }

  void Copy(const Place& place, uint64_t offset, std::span<std::byte> out) const {
    if (place.piece.data != nullptr) {
      std::memcpy(out.data(), place.piece.data + offset, out.size());
    } else if (!Read(place.number, offset, out)) {
      throw Error(Code::kCannotRead, name() + ": piece " + std::to_string(place.number) + " cannot be read");
    }
  }

  bool Read(size_t piece, uint64_t offset, std::span<std::byte> out) const {
    // The reader belongs to the user's program; in `python/` it is a Python function. It may not be safe to call from
    // two threads at once. Its exceptions must not leave here, since they may have to pass through C.
    const std::lock_guard lock(mutex_);
    try {
      return read_(piece, offset, out);
    } catch (...) {
      return false;
    }
  }

  std::vector<Place> places_;  // without empty pieces
  PieceReader read_;
  mutable std::mutex mutex_;
  std::shared_ptr<const void> owner_;
};

std::string TemporaryFolder() {
  const char* wanted = std::getenv("TMPDIR");
  return wanted != nullptr && *wanted != '\0' ? wanted : "/tmp";
}

// Returns false and sets `errno` if it cannot write everything.
bool WriteAll(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(count));
  }
  return true;
}

// Keeps the stream from throwing for as long as this lives; the stream's state shows a failure.
class Quiet {
 public:
  explicit Quiet(std::istream* stream) : stream_(*stream), before_(stream->exceptions()) {
    stream_.exceptions(std::ios::goodbit);
  }
  Quiet(const Quiet&) = delete;
  ~Quiet() {
    stream_.clear();  // otherwise the next line throws
    stream_.exceptions(before_);
  }

 private:
  std::istream& stream_;
  std::ios::iostate before_;
};

}  // namespace

std::shared_ptr<const ByteSource> OpenFile(const std::string& path) {
  // O_NONBLOCK: opening a pipe would otherwise wait for its writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open()) throw Error(Code::kCannotRead, "cannot open " + path + ": " + std::strerror(errno));
  return std::make_shared<FileBytes>(path, std::move(file));
}

std::shared_ptr<const ByteSource> OpenBytes(std::string name, std::span<const std::byte> bytes,
                                            std::shared_ptr<const void> owner) {
  return std::make_shared<MemoryBytes>(std::move(name), bytes, std::move(owner));
}

std::shared_ptr<const ByteSource> OpenPieces(std::string name, const std::vector<BytePiece>& pieces, PieceReader read,
                                             std::shared_ptr<const void> owner) {
  return std::make_shared<PieceBytes>(std::move(name), pieces, std::move(read), std::move(owner));
}

std::shared_ptr<const ByteSource> OpenStream(std::string name, std::istream* stream) {
  const std::string folder = TemporaryFolder();
  Descriptor file(system::OpenTemporary(folder));
  const Quiet quiet(stream);
  std::vector<char> block(kCopyBlock);
  // While `kept` is false, `errno` tells why opening or writing failed, so nothing in between may change it.
  bool kept = file.is_open();
  while (kept && stream->good()) {
    Interruption::Check();
    stream->read(block.data(), static_cast<std::streamsize>(block.size()));
    kept = WriteAll(file.number(), std::as_bytes(std::span(block.data(), static_cast<size_t>(stream->gcount()))));
  }
  if (!kept) {
    throw Error(ErrorKind::kCannotWrite, "cannot keep " + name + " in " + folder + ": " + std::strerror(errno) +
                                             "; TMPDIR names another folder");
  }
  if (stream->bad() || !stream->eof()) throw Error(Code::kCannotRead, "cannot read " + name + ": the stream failed");
  return std::make_shared<FileBytes>(std::move(name), std::move(file));
}

}  // namespace onnxport::archive
