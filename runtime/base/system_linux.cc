#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "runtime/base/system.h"

namespace onnxport::system {
namespace {

std::string ProcessPath(int file) { return "/proc/self/fd/" + std::to_string(file); }

}  // namespace

int OpenNameless(const std::string& folder, mode_t mode) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  // LinkNameless goes through /proc, which some containers lack.
  if (file >= 0 && ::access(ProcessPath(file).c_str(), F_OK) != 0) return ::close(file), -1;
  return file;
}

int LinkNameless(int file, const std::string& path) {
  return ::linkat(AT_FDCWD, ProcessPath(file).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW);
}

int OpenTemporary(const std::string& folder) {
  const int nameless = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (nameless >= 0) return nameless;
  // Some file systems have no files without a name.
  std::string path = folder + "/onnxport-XXXXXX";
  const int named = ::mkostemp(path.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(path.c_str());
  return named;
}

int Reserve(int file, int64_t size) {
  // A write beyond the limit raises SIGXFSZ, which ends the process.
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && static_cast<rlim_t>(size) > limit.rlim_cur) return errno = EFBIG, -1;
  // posix_fallocate would write to every block if the file system has no such call.
  if (size == 0 || ::fallocate(file, 0, 0, size) == 0) return 0;
  return errno == EOPNOTSUPP || errno == ENOSYS ? 0 : -1;
}

void StartWriteback(int file, int64_t offset, int64_t size) {
  (void)::sync_file_range(file, offset, size, SYNC_FILE_RANGE_WRITE);
}

const char* EndOfStack() {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return nullptr;
  void* lowest = nullptr;
  size_t size = 0;
  const bool known = ::pthread_attr_getstack(&attributes, &lowest, &size) == 0;
  ::pthread_attr_destroy(&attributes);
  if (!known) return nullptr;
  const char* top = static_cast<const char*>(lowest) + size;
  // (`gettid` is a function of glibc 2.30 and newer.)
  if (::syscall(SYS_gettid) != ::getpid()) return top - size;
  // The first thread's stack grows up to a limit. musl only reports the part in use.
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return nullptr;
  return top - std::max<size_t>(size, limit.rlim_cur);
}

}  // namespace onnxport::system
