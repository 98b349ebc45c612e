// The bytes of an archive: in a file, in memory, in pieces of memory, or from a stream that was copied to a file.
#ifndef ONNXPORT_RUNTIME_ARCHIVE_BYTE_SOURCE_H_
#define ONNXPORT_RUNTIME_ARCHIVE_BYTE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace onnxport::archive {

// Bytes that do not change, or report that they did. Several threads may call any function (but see any_thread).
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // A path, or a name that messages show instead.
  const std::string& name() const { return name_; }
  uint64_t size() const { return size_; }

  // Fills `out`, which must lie inside [0, size). Throws Error (kBadInput) if it cannot be read.
  virtual void ReadAt(uint64_t offset, std::span<std::byte> out) const = 0;
  // Returns the bytes [offset, offset + size) if they lie in memory one after another; otherwise nothing.
  virtual std::span<const std::byte> InMemory(uint64_t /*offset*/, uint64_t /*size*/) const { return {}; }
  // Returns true if any thread may read. Otherwise a function of the user's program gives the bytes, and only the
  // exporting thread may call it.
  virtual bool any_thread() const { return true; }
  // Throws Error (kBadInput) if the bytes may have changed.
  virtual void CheckUnchanged() const {}
  // Returns true if checksums of the contents must be compared. Returns false for bytes that this process has just
  // written. Nothing can have damaged them, and a checksum costs a pass over all weights.
  virtual bool needs_checks() const { return true; }
  // Returns true if the bytes are those of the file with this path.
  virtual bool IsFile(const std::string& /*path*/) const { return false; }

 protected:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  uint64_t size_ = 0;

 private:
  std::string name_;
};

// Throws Error (kBadInput) if the file cannot be opened or is no regular file.
std::shared_ptr<const ByteSource> OpenFile(const std::string& path);

// Does not copy the bytes; keeps `owner` for as long as the result lives.
std::shared_ptr<const ByteSource> OpenBytes(std::string name, std::span<const std::byte> bytes,
                                            std::shared_ptr<const void> owner);

// One of the consecutive pieces of an archive. `data` is null if a PieceReader supplies the bytes.
struct BytePiece {
  const std::byte* data = nullptr;
  uint64_t size = 0;
};

// Fills `out` with bytes of the piece, beginning at `offset`. Returns false or throws if it cannot.
using PieceReader = std::function<bool(size_t piece, uint64_t offset, std::span<std::byte> out)>;

// Joins the pieces in their order without copying them; they need no checks. Only one thread at a time calls `read`.
// Throws Error (kUsage) if the sum of the sizes overflows, or if a piece has no bytes and there is no `read`.
std::shared_ptr<const ByteSource> OpenPieces(std::string name, const std::vector<BytePiece>& pieces, PieceReader read,
                                             std::shared_ptr<const void> owner);

// Copies the rest of the stream to a file without a name in the folder for temporary files. Throws Error: kBadInput if
// the stream fails, kCannotWrite if the file does.
std::shared_ptr<const ByteSource> OpenStream(std::string name, std::istream* stream);

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_ARCHIVE_BYTE_SOURCE_H_
