// Reads a range of bytes block by block.
#ifndef ONNXPORT_RUNTIME_ARCHIVE_BLOCKS_H_
#define ONNXPORT_RUNTIME_ARCHIVE_BLOCKS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "runtime/archive/byte_source.h"

namespace onnxport::archive {

// Calls `visit` with the bytes [begin, end) of the source, in consecutive blocks of at most 1 MiB. A block lives until
// `visit` returns. Before each block this checks whether the thread's work must end (base/interruption.h).
void ForEachBlock(const ByteSource& source, uint64_t begin, uint64_t end,
                  const std::function<void(std::span<const std::byte>)>& visit);

}  // namespace onnxport::archive

#endif  // ONNXPORT_RUNTIME_ARCHIVE_BLOCKS_H_
