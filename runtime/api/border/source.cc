#include "onnxport/source.h"

#include <chrono>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "runtime/api/border/opener.h"
#include "runtime/base/interruption.h"

namespace onnxport {
namespace {

using archive::ByteSource;

class FileOpener : public Source::Opener {
 public:
  explicit FileOpener(std::string path) : path_(std::move(path)) {}
  std::shared_ptr<const ByteSource> Open() const override { return archive::OpenFile(path_); }
  bool IsFile(const std::string& path) const override {
    // The same file, whatever links lead to it. A path that does not exist yet is none that was read.
    std::error_code error;
    return std::filesystem::equivalent(path_, path, error);
  }

 private:
  std::string path_;
};

class OpenedAlready : public Source::Opener {
 public:
  explicit OpenedAlready(std::shared_ptr<const ByteSource> bytes) : bytes_(std::move(bytes)) {}
  std::shared_ptr<const ByteSource> Open() const override { return bytes_; }

 private:
  std::shared_ptr<const ByteSource> bytes_;
};

class PiecesOpener : public Source::Opener {
 public:
  PiecesOpener(const std::vector<Source::Piece>& pieces, Source::PieceReader read, std::shared_ptr<const void> owner,
               std::string name)
      : read_(std::move(read)), owner_(std::move(owner)), name_(std::move(name)) {
    pieces_.reserve(pieces.size());
    for (const Source::Piece& piece : pieces) pieces_.push_back({piece.data, piece.size});
  }
  std::shared_ptr<const ByteSource> Open() const override { return archive::OpenPieces(name_, pieces_, read_, owner_); }

 private:
  std::vector<archive::BytePiece> pieces_;
  Source::PieceReader read_;
  std::shared_ptr<const void> owner_;
  std::string name_;
};

// A stream can be read once: what was read is kept for the next export.
class StreamOpener : public Source::Opener {
 public:
  StreamOpener(std::istream* stream, std::string name) : stream_(stream), name_(std::move(name)) {}
  std::shared_ptr<const ByteSource> Open() const override {
    // Two threads may export one Source. The second waits for the first to have read all of the stream, which may be
    // slow or never end: so it asks for its own deadline while it waits.
    std::unique_lock lock(mutex_, std::defer_lock);
    while (!lock.try_lock_for(std::chrono::milliseconds(10))) Interruption::Check();
    if (!bytes_) bytes_ = archive::OpenStream(name_, stream_);
    return bytes_;
  }

 private:
  std::istream* stream_;
  std::string name_;
  mutable std::timed_mutex mutex_;
  mutable std::shared_ptr<const ByteSource> bytes_;
};

}  // namespace

Source::Source(std::shared_ptr<const Opener> opener) : opener_(std::move(opener)) {}

Source Source::File(std::string path) { return Source(std::make_shared<FileOpener>(std::move(path))); }

Source Source::Bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::string name) {
  return Source(std::make_shared<OpenedAlready>(archive::OpenBytes(std::move(name), bytes, std::move(owner))));
}

Source Source::Pieces(const std::vector<Piece>& pieces, PieceReader read, std::shared_ptr<const void> owner,
                      std::string name) {
  return Source(std::make_shared<PiecesOpener>(pieces, std::move(read), std::move(owner), std::move(name)));
}

Source Source::Stream(std::istream& stream, std::string name) {
  return Source(std::make_shared<StreamOpener>(&stream, std::move(name)));
}

}  // namespace onnxport
