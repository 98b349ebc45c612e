// Functions that Linux has and other systems lack. system_linux.cc calls the system, system_wasm.cc does without it.
#ifndef ONNXPORT_RUNTIME_BASE_SYSTEM_H_
#define ONNXPORT_RUNTIME_BASE_SYSTEM_H_

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace onnxport::system {

// Like system calls, these return a negative number and set `errno` when they fail.

// Opens a new file without a name in the folder, for writing. It disappears with the process unless `LinkNameless`
// gives it a name. Fails if the system or the file system has no such files.
int OpenNameless(const std::string& folder, mode_t mode);
int LinkNameless(int file, const std::string& path);

// Opens a new file in the folder for reading and writing. Nobody else finds it, and it disappears with the process.
int OpenTemporary(const std::string& folder);

// Reserves room for the whole file. Fails with EFBIG if the process may not write that much. If the file system cannot
// reserve, it succeeds and does nothing.
int Reserve(int file, int64_t size);

// Asks the system to begin to write a range to the disk; a hint.
void StartWriteback(int file, int64_t offset, int64_t size);

// Returns the lowest address that this thread's stack may reach; null if there is no limit or the system does not tell
// it.
const char* EndOfStack();

}  // namespace onnxport::system

#endif  // ONNXPORT_RUNTIME_BASE_SYSTEM_H_
