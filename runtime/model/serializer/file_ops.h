// The calls to the file system that writing a model makes, replaceable so that tests can let each of them fail.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_FILE_OPS_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_FILE_OPS_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace onnxport::serializer {

// Each does what the system call of that name does (`WriteAt`: pwrite) and reports like it: a negative number and
// `errno`.
class FileOps {
 public:
  virtual ~FileOps() = default;
  virtual int Open(const std::string& path, int flags, mode_t mode);
  // A file without a name in a folder, which goes away with the process unless `Link` names it. Fails where the file
  // system or the system has no such thing.
  virtual int OpenNameless(const std::string& folder, mode_t mode);
  virtual int Link(int file, const std::string& path);
  virtual ssize_t WriteAt(int file, const std::byte* data, size_t size, int64_t offset);
  // Reserves room for the whole file; EFBIG beyond what the process may write. Does nothing, successfully, where the
  // file system cannot.
  virtual int Allocate(int file, int64_t size);
  // Asks for a range to be written back while the export goes on; a hint.
  virtual void StartWriteback(int file, int64_t offset, int64_t size);
  virtual int Sync(int file);
  virtual int Close(int file);
  virtual int Rename(const std::string& from, const std::string& to);
  virtual int Remove(const std::string& path);
};

// The real ones.
FileOps& SystemFileOps();

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_FILE_OPS_H_
