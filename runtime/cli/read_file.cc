#include "runtime/cli/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace onnxport::cli {
namespace {

constexpr off_t kMostBytes = off_t{256} << 20;

Unexpected<Report> BadFile(const std::string& what) { return Unexpected(Report(ErrorKind::kBadInput, what)); }

Result<std::string> ReadAll(const std::string& path, int file) {
  struct stat status = {};
  if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return BadFile(path + " is no regular file");
  if (status.st_size > kMostBytes) return BadFile(path + " is larger than 256 MiB");
  std::string text(static_cast<size_t>(status.st_size), '\0');
  for (size_t done = 0; done < text.size();) {
    const ssize_t got = ::read(file, text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return BadFile("cannot read " + path + ": " + std::strerror(errno));
    if (got == 0) return BadFile(path + " became shorter while it was read");
    done += static_cast<size_t>(got);
  }
  return text;
}

}  // namespace

Result<std::string> ReadFile(const std::string& path) {
  // O_NONBLOCK, because opening a pipe would wait for its writer.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return BadFile("cannot read " + path + ": " + std::strerror(errno));
  Result<std::string> text = ReadAll(path, file);
  ::close(file);
  return text;
}

}  // namespace onnxport::cli
