// The place that a model is read from: a `.pt2` archive (torch.export.save) or a TorchScript archive (torch.jit.save).
#ifndef ONNXPORT_SOURCE_H_
#define ONNXPORT_SOURCE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace onnxport {

// An export reads the source when it needs it. So making a Source never fails, but the export may. Cheap to copy.
class Source {
 public:
  // A regular file. Its weights are read when the model is written: until then it must not change. An export from a
  // file that changed is refused (kBadInput).
  static Source File(std::string path);

  // An archive in memory. The bytes are not copied: they must live as long as the Source and every Model made from it,
  // which keep `owner` alive. `name` replaces the path in messages.
  static Source Bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner = nullptr,
                      std::string name = "model");

  // The rest of a stream. The table of contents of an archive is at its end. So the first export copies the stream to a
  // file without a name, and memory does not grow with the weights. The file is in the folder for temporary files
  // (TMPDIR, else /tmp; kCannotWrite if there is no room). The stream must live until then; the export waits if it
  // blocks. The Source and its Models keep the file.
  static Source Stream(std::istream& stream, std::string name = "model");

  // Consecutive bytes of an archive. If `data` is null, a PieceReader reads them.
  struct Piece {
    const std::byte* data = nullptr;
    uint64_t size = 0;
  };
  // Fills `out` with the bytes of a piece, starting at `offset`. To return false or throw ends the export (kBadInput).
  using PieceReader = std::function<bool(size_t piece, uint64_t offset, std::span<std::byte> out)>;

  // An archive that a program assembles from data in memory without copying weights. Its bytes are those of the pieces,
  // in order. They must live and stay the same as long as the Source and every Model made from it, which keep `owner`
  // alive. One thread at a time calls `read`. Checksums in the archive are ignored and may be zero, because bytes that
  // were never in a file are not damaged.
  static Source Pieces(const std::vector<Piece>& pieces, PieceReader read = {},
                       std::shared_ptr<const void> owner = nullptr, std::string name = "model");

  class Opener;  // internal
  const Opener& opener() const { return *opener_; }
  explicit Source(std::shared_ptr<const Opener> opener);

 private:
  std::shared_ptr<const Opener> opener_;
};

}  // namespace onnxport

#endif  // ONNXPORT_SOURCE_H_
