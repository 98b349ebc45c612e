// The file system calls for writing a model. Tests replace them to let each of them fail.
#ifndef ONNXPORT_RUNTIME_MODEL_SERIALIZER_FILE_OPS_H_
#define ONNXPORT_RUNTIME_MODEL_SERIALIZER_FILE_OPS_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace onnxport::serializer {

// Each works like the system call of the same name (`WriteAt`: pwrite), and reports errors in the same way: a negative
// number and `errno`.
class FileOps {
 public:
  virtual ~FileOps() = default;
  virtual int Open(const std::string& path, int flags, mode_t mode);
  // Opens a file without a name in a folder. It disappears with the process unless `Link` names it. Fails if the system
  // or the file system does not support this.
  virtual int OpenNameless(const std::string& folder, mode_t mode);
  virtual int Link(int file, const std::string& path);
  virtual ssize_t WriteAt(int file, const std::byte* data, size_t size, int64_t offset);
  // Reserves space for the whole file; EFBIG if the process may not write so much. It succeeds without doing anything
  // if the file system does not support it.
  virtual int Allocate(int file, int64_t size);
  // Asks the system to write a range to the disk while the export goes on; a hint.
  virtual void StartWriteback(int file, int64_t offset, int64_t size);
  virtual int Sync(int file);
  virtual int Close(int file);
  virtual int Rename(const std::string& from, const std::string& to);
  virtual int Remove(const std::string& path);
};

// The real system calls.
FileOps& SystemFileOps();

}  // namespace onnxport::serializer

#endif  // ONNXPORT_RUNTIME_MODEL_SERIALIZER_FILE_OPS_H_
