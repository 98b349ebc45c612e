// Where the bytes of an archive lie: a file, memory, pieces of memory, or a file that was made of a stream.
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

// Bytes that do not change, or that say so. Every function may be called by several threads (but see any_thread).
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // A path, or what stands for one in messages.
  const std::string& name() const { return name_; }
  uint64_t size() const { return size_; }

  // Fills `out`, which lies inside of [0, size). Error (kBadInput) when it cannot be read.
  virtual void ReadAt(uint64_t offset, std::span<std::byte> out) const = 0;
  // The bytes [offset, offset + size) where they lie in memory anyway, one after another; else nothing.
  virtual std::span<const std::byte> InMemory(uint64_t /*offset*/, uint64_t /*size*/) const { return {}; }
  // True if any thread may read. Otherwise the bytes come from a function of the user's program, and only the exporting
  // thread may call it.
  virtual bool any_thread() const { return true; }
  // Error (kBadInput) when the bytes may be other ones than at first.
  virtual void CheckUnchanged() const {}
  // True if the checksums of its contents must be compared. False for bytes that the process itself has just put
  // together: nothing can have damaged them, and a checksum costs a pass over all weights.
  virtual bool needs_checks() const { return true; }
  // Returns true if this is the file of that path.
  virtual bool IsFile(const std::string& /*path*/) const { return false; }

 protected:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  uint64_t size_ = 0;

 private:
  std::string name_;
};

// Error (kBadInput) for what cannot be opened or is no regular file.
std::shared_ptr<const ByteSource> OpenFile(const std::string& path);

// The bytes are not copied; `owner` lives as long as what is returned.
std::shared_ptr<const ByteSource> OpenBytes(std::string name, std::span<const std::byte> bytes,
                                            std::shared_ptr<const void> owner);

// Bytes that follow each other in an archive; `data` is null where a PieceReader gives them.
struct BytePiece {
  const std::byte* data = nullptr;
  uint64_t size = 0;
};

// Fills `out` with bytes of that piece from `offset` on; false, or an exception, when it cannot.
using PieceReader = std::function<bool(size_t piece, uint64_t offset, std::span<std::byte> out)>;

// The pieces, which are not copied, in their order; they need no checks. `read` is called by one thread at a time.
// Error (kUsage) when their sizes are more than there can be, or when a piece without bytes has nothing to read it.
std::shared_ptr<const ByteSource> OpenPieces(std::string name, const std::vector<BytePiece>& pieces, PieceReader read,
                                             std::shared_ptr<const void> owner);

// All that the stream still has, in a file without a name in the folder for temporary files. Error: kBadInput when the
// stream fails, kCannotWrite when the file does.
std::shared_ptr<const ByteSource> OpenStream(std::string name, std::istream* stream);

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_ARCHIVE_BYTE_SOURCE_H_
