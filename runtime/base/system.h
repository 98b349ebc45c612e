// Functions that Linux has and other systems lack: system_linux.cc, and system_wasm.cc, which does without.
#ifndef ONNXPORT_RUNTIME_BASE_SYSTEM_H_
#define ONNXPORT_RUNTIME_BASE_SYSTEM_H_

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace onnxport::system {

// As system calls do, these return a negative number and set `errno` when they fail.

// A file without a name in a folder, to be written; it goes away with the process unless `LinkNameless` names it. Fails
// where the system or the file system has no such thing.
int OpenNameless(const std::string& folder, mode_t mode);
int LinkNameless(int file, const std::string& path);

// A file in a folder, to be written and read, that nobody else finds and that goes away with the process.
int OpenTemporary(const std::string& folder);

// Reserves room for all of a file; EFBIG beyond what the process may write. Does nothing, successfully, where the file
// system cannot.
int Reserve(int file, int64_t size);

// Asks for a range to be written to the disk from now on; a hint.
void StartWriteback(int file, int64_t offset, int64_t size);

// The lowest address that this thread's stack may reach; null where there is none, or the system does not say.
const char* EndOfStack();

}  // namespace onnxport::system

#endif  // ONNXPORT_RUNTIME_BASE_SYSTEM_H_
