#include "runtime/model/serializer/file_ops.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace onnxport::serializer {
namespace {

std::string ProcessPath(int file) { return "/proc/self/fd/" + std::to_string(file); }

}  // namespace

int FileOps::Open(const std::string& path, int flags, mode_t mode) { return ::open(path.c_str(), flags, mode); }

int FileOps::OpenNameless(const std::string& folder, mode_t mode) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  // Naming it later goes through /proc, which some containers lack.
  if (file >= 0 && ::access(ProcessPath(file).c_str(), F_OK) != 0) return ::close(file), -1;
  return file;
}

int FileOps::Link(int file, const std::string& path) {
  return ::linkat(AT_FDCWD, ProcessPath(file).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW);
}

ssize_t FileOps::WriteAt(int file, const std::byte* data, size_t size, int64_t offset) {
  return ::pwrite(file, data, size, offset);
}

int FileOps::Allocate(int file, int64_t size) {
  // Not posix_fallocate: where the file system has no such call, it writes to every block instead.
  if (::fallocate(file, 0, 0, size) == 0) return 0;
  return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -1;
}

void FileOps::StartWriteback(int file, int64_t offset, int64_t size) {
  (void)::sync_file_range(file, offset, size, SYNC_FILE_RANGE_WRITE);
}

int FileOps::Sync(int file) { return ::fsync(file); }

int FileOps::Close(int file) { return ::close(file); }

int FileOps::Rename(const std::string& from, const std::string& to) { return ::rename(from.c_str(), to.c_str()); }

int FileOps::Remove(const std::string& path) { return ::unlink(path.c_str()); }

FileOps& SystemFileOps() {
  static FileOps ops;
  return ops;
}

}  // namespace onnxport::serializer
