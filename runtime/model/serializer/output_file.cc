#include "runtime/model/serializer/output_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/base/internal_error.h"

namespace onnxport::serializer {
namespace {

constexpr size_t kBufferBytes = 256 << 10;
// Small enough for the last sync to be short, large enough to be one request to the device.
constexpr int64_t kWritebackBytes = 8 << 20;
// One write ends at a multiple of this: pages that are written in two parts are looked up twice. For a longer write the
// system would look for as much memory in one piece. A virtual machine may have to get that from its host first, for up
// to four times the processor's time.
constexpr int64_t kWriteBytes = 256 << 10;
constexpr mode_t kMode = 0666;  // less the user's mask
constexpr int kMostAttempts = 100;

std::string FolderOf(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

[[noreturn]] void Refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::kCannotWrite, fmt::format("cannot write {}: {}", path, reason));
}

// Short, whatever the length of the target's name; the number keeps exports of one process apart.
std::string TemporaryName(const std::string& folder) {
  static std::atomic<unsigned> count = 0;
  return fmt::format("{}/.onnxport-{}-{}.tmp", folder, ::getpid(), count.fetch_add(1));
}

}  // namespace

void CheckTarget(const std::string& path) {
  if (path.empty() || path.back() == '/') Refuse(path, "this is no file name");
  struct stat info;
  if (::stat(FolderOf(path).c_str(), &info) != 0) {
    Refuse(path, fmt::format("folder {}: {}", FolderOf(path), std::strerror(errno)));
  }
  if (!S_ISDIR(info.st_mode)) Refuse(path, fmt::format("{} is not a folder", FolderOf(path)));
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno != ENOENT) Refuse(path, std::strerror(errno));
    return;
  }
  if (S_ISDIR(info.st_mode)) Refuse(path, "this is a folder; name a file in it");
  if (S_ISLNK(info.st_mode)) Refuse(path, "this is a symbolic link; name the file itself");
  if (!S_ISREG(info.st_mode)) Refuse(path, "this is not a regular file");
}

OutputFile::OutputFile(FileOps* ops, std::string path, int64_t size, bool sync)
    : ops_(ops), path_(std::move(path)), folder_(FolderOf(path_)), size_(size), sync_(sync) {
  CheckTarget(path_);
  Create();
  try {
    Reserve();
  } catch (...) {
    Discard();
    throw;
  }
}

void OutputFile::Discard() {
  if (file_ >= 0) ops_->Close(std::exchange(file_, -1));
  if (temporary_.empty()) return;
  ops_->Remove(std::exchange(temporary_, {}));
}

void OutputFile::Create() {
  // A file without a name leaves nothing behind even when the process is killed. Where the file system has no such
  // files, one with a name is made, which Discard removes.
  file_ = ops_->OpenNameless(folder_, kMode);
  if (file_ >= 0) return;
  ChooseTemporary([this](const std::string& name) {
    file_ = ops_->Open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode);
    return file_;
  });
}

void OutputFile::ChooseTemporary(const std::function<int(const std::string&)>& make) {
  // A name may be left over from a process that was killed.
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const std::string name = TemporaryName(folder_);
    if (make(name) >= 0) {
      temporary_ = name;
      return;
    }
    if (errno != EEXIST) break;
  }
  Fail(errno);
}

void OutputFile::Reserve() {
  if (size_ > 0 && ops_->Allocate(file_, size_) != 0) Fail(errno);
}

void OutputFile::WriteAt(int64_t offset, std::span<const std::byte> bytes) {
  // The system lets one thread at a time write to a file. Here the others sleep; there they would spin.
  const std::lock_guard lock(mutex_);
  while (!bytes.empty()) {
    const size_t size = std::min(bytes.size(), static_cast<size_t>(kWriteBytes - offset % kWriteBytes));
    const ssize_t count = ops_->WriteAt(file_, bytes.data(), size, offset);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) Fail(count < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<size_t>(count));
    offset += count;
    written_ += count;
  }
}

void OutputFile::StartWriteback(int64_t offset, int64_t size) {
  if (sync_) ops_->StartWriteback(file_, offset, size);
}

void OutputFile::Commit(const std::string& path) {
  if (written_ != size_) {
    throw InternalError(fmt::format("{} of {} bytes written to {}", written_, size_, path));
  }
  // The permissions that the owner gave to a replaced file stay.
  struct stat before;
  if (::lstat(path.c_str(), &before) == 0 && S_ISREG(before.st_mode)) (void)::fchmod(file_, before.st_mode & 0777);
  // Sync before rename: else after a power cut the name could lead to a file of the right length and of zeros.
  if (sync_ && ops_->Sync(file_) != 0) Fail(errno);
  if (temporary_.empty()) {
    ChooseTemporary([this](const std::string& name) { return ops_->Link(file_, name); });
  }
  // Network file systems report some failures of writing only here, so this, too, comes before the rename.
  const int closed = ops_->Close(std::exchange(file_, -1));
  if (closed != 0) Fail(errno);
  CheckTarget(path);  // it may have changed meanwhile
  if (ops_->Rename(temporary_, path) != 0) Fail(errno);
  temporary_.clear();
  // Set before the folder is synced: if that fails, the file is there, and CommitBoth must know it.
  committed_ = true;
  if (sync_) SyncFolder();
}

void OutputFile::SyncFolder() {
  const int folder = ops_->Open(folder_, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  // One may write to a folder that one may not read; the file itself is safe.
  if (folder < 0 && errno == EACCES) return;
  if (folder < 0) Fail(errno);
  const int result = ops_->Sync(folder);
  const int error = errno;
  ops_->Close(folder);
  // Some file systems cannot sync folders; the file itself is safe.
  if (result != 0 && error != EINVAL) Fail(error);
}

void OutputFile::Fail(int error) const {
  std::string text = fmt::format("cannot write {}: {}; {} bytes are needed", path_, std::strerror(error), size_);
  struct statvfs disk;
  if ((error == ENOSPC || error == EDQUOT) && ::statvfs(folder_.c_str(), &disk) == 0) {
    text += fmt::format(", {} are free", static_cast<uint64_t>(disk.f_bavail) * disk.f_frsize);
  }
  throw Error(ErrorKind::kCannotWrite, text);
}

FilePart::FilePart(OutputFile* file, int64_t offset) : file_(file), flushed_(offset), writeback_(offset) {
  buffer_.reserve(kBufferBytes);
}

void FilePart::Write(std::span<const std::byte> bytes) {
  // Blocks of weights go past the buffer; copying them first would cost a pass over memory.
  const bool direct = bytes.size() >= kBufferBytes / 2;
  if (direct || buffer_.size() + bytes.size() > kBufferBytes) Flush();
  if (direct) {
    WriteThrough(bytes);
  } else {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }
}

void FilePart::Write(std::string_view text) { Write(std::as_bytes(std::span(text))); }

void FilePart::WriteZeros(int64_t count) {
  static constexpr std::byte kZeros[4096] = {};
  for (; count > 0; count -= sizeof kZeros) {
    Write(std::span(kZeros).first(std::min<size_t>(count, sizeof kZeros)));
  }
}

void FilePart::Flush() {
  WriteThrough(buffer_);
  buffer_.clear();
}

void FilePart::WriteThrough(std::span<const std::byte> bytes) {
  file_->WriteAt(flushed_, bytes);
  flushed_ += static_cast<int64_t>(bytes.size());
  if (flushed_ - writeback_ >= kWritebackBytes) {
    file_->StartWriteback(writeback_, flushed_ - writeback_);
    writeback_ = flushed_;
  }
}

}  // namespace onnxport::serializer
