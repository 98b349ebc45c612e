#include "runtime/model/serializer/file_ops.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "runtime/base/system.h"

namespace onnxport::serializer {

int FileOps::Open(const std::string& path, int flags, mode_t mode) { return ::open(path.c_str(), flags, mode); }

int FileOps::OpenNameless(const std::string& folder, mode_t mode) { return system::OpenNameless(folder, mode); }

int FileOps::Link(int file, const std::string& path) { return system::LinkNameless(file, path); }

ssize_t FileOps::WriteAt(int file, const std::byte* data, size_t size, int64_t offset) {
  return ::pwrite(file, data, size, offset);
}

int FileOps::Allocate(int file, int64_t size) { return system::Reserve(file, size); }

void FileOps::StartWriteback(int file, int64_t offset, int64_t size) { system::StartWriteback(file, offset, size); }

int FileOps::Sync(int file) { return ::fsync(file); }

int FileOps::Close(int file) { return ::close(file); }

int FileOps::Rename(const std::string& from, const std::string& to) { return ::rename(from.c_str(), to.c_str()); }

int FileOps::Remove(const std::string& path) { return ::unlink(path.c_str()); }

FileOps& SystemFileOps() {
  static FileOps ops;
  return ops;
}

}  // namespace onnxport::serializer
