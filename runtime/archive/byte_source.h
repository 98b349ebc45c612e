// Where the bytes of an archive lie: a file, memory, or a file that was made of a stream.
#ifndef ONNXPORT_RUNTIME_ARCHIVE_BYTE_SOURCE_H_
#define ONNXPORT_RUNTIME_ARCHIVE_BYTE_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <istream>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace onnxport::archive {

// Bytes that do not change, or that say so. Every function may be called by several threads.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // A path, or what stands for one in messages.
  const std::string& name() const { return name_; }
  uint64_t size() const { return size_; }

  // Fills `out`, which lies inside of [0, size). Error (kBadInput) when it cannot be read.
  virtual void ReadAt(uint64_t offset, std::span<std::byte> out) const = 0;
  // Error (kBadInput) when the bytes may be other ones than at first.
  virtual void CheckUnchanged() const {}
  // Whether the file of that path is this one.
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

// All that the stream still has, in a file without a name in the folder for temporary files. Error: kBadInput when the
// stream fails, kCannotWrite when the file does.
std::shared_ptr<const ByteSource> OpenStream(std::string name, std::istream* stream);

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_ARCHIVE_BYTE_SOURCE_H_
