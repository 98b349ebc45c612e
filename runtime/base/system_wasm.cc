#include <cerrno>

#include "runtime/base/system.h"

namespace onnxport::system {

// All files have names here.
int OpenNameless(const std::string& /*folder*/, mode_t /*mode*/) { return errno = ENOTSUP, -1; }
int LinkNameless(int /*file*/, const std::string& /*path*/) { return errno = ENOTSUP, -1; }
int OpenTemporary(const std::string& /*folder*/) { return errno = ENOTSUP, -1; }

// A browser has a quota, and reports that it is used up when bytes are written.
int Reserve(int /*file*/, int64_t /*size*/) { return 0; }
void StartWriteback(int /*file*/, int64_t /*offset*/, int64_t /*size*/) {}

// Most of the stack belongs to the engine. If it is full, the engine ends the program, and web/program.mjs reports it.
const char* EndOfStack() { return nullptr; }

}  // namespace onnxport::system
