#include "runtime/archive/blocks.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>

#include "runtime/base/interruption.h"

namespace onnxport::archive {
namespace {

// A block is checked and written while it is in the processor's cache. Larger blocks are no faster.
constexpr uint64_t kMostBytes = uint64_t{1} << 20;
// The system copies a fifth faster if source and target have the same offset in a page, as it then moves whole cache
// lines.
constexpr uint64_t kPageBytes = 4096;

struct FreePages {
  void operator()(std::byte* pages) const { ::operator delete(pages, std::align_val_t{kPageBytes}); }
};
using Pages = std::unique_ptr<std::byte[], FreePages>;

// Keeps the thread's pages from one tensor to the next, as the system would clear new ones first. If `visit` reads as
// well, these pages are in use, and the inner call allocates others.
class Buffer {
 public:
  Buffer() : pages_(std::move(spare)) {
    if (pages_ != nullptr) return;
    pages_.reset(static_cast<std::byte*>(::operator new(kMostBytes + kPageBytes, std::align_val_t{kPageBytes})));
  }
  ~Buffer() { spare = std::move(pages_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() const { return pages_.get(); }

 private:
  static thread_local Pages spare;
  Pages pages_;
};

thread_local Pages Buffer::spare;

}  // namespace

void ForEachBlock(const ByteSource& source, uint64_t begin, uint64_t end,
                  const std::function<void(std::span<const std::byte>)>& visit) {
  const Buffer buffer;
  while (begin < end) {
    Interruption::Check();
    // Ends at the next multiple of a block in the file, so that all blocks but the first begin at a page.
    const uint64_t size = std::min(kMostBytes - begin % kMostBytes, end - begin);
    std::span<const std::byte> block = source.InMemory(begin, size);
    if (block.empty()) {
      const std::span<std::byte> room(buffer.data() + begin % kPageBytes, size);
      source.ReadAt(begin, room);
      block = room;
    }
    visit(block);
    begin += size;
  }
}

}  // namespace onnxport::archive
