// Where a model is read from: a `.pt2` archive (torch.export.save) or a TorchScript archive (torch.jit.save).
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

// Nothing is read before an export asks for it; so a Source is never an error, the export is. Cheap to copy.
class Source {
 public:
  // A regular file. Weights are read from it when the model is written: until then it must stay as it is. An export
  // from a file that changed is refused (kBadInput).
  static Source File(std::string path);

  // The archive's bytes, which are not copied: they must live as long as the Source and every Model made from it, which
  // keep `owner` alive. `name` stands for a path in messages.
  static Source Bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner = nullptr,
                      std::string name = "model");

  // What the stream still has. An archive's table of contents is at its end, so all of it is read, by the first export
  // that uses the Source, into a file without a name in the folder for temporary files (TMPDIR, else /tmp; kCannotWrite
  // when it does not fit): memory does not grow with the weights. The stream must live until then; one that blocks is
  // waited for. The Source and its Models keep the file.
  static Source Stream(std::istream& stream, std::string name = "model");

  // Bytes that follow each other in an archive. Those without `data` are asked of a PieceReader.
  struct Piece {
    const std::byte* data = nullptr;
    uint64_t size = 0;
  };
  // Fills `out` with the bytes of that piece from `offset` on. False, or an exception, ends the export (kBadInput).
  using PieceReader = std::function<bool(size_t piece, uint64_t offset, std::span<std::byte> out)>;

  // An archive that a program puts together of what it has in memory, weights where they lie: its bytes are those of
  // the pieces, in order. Nothing is copied; the pieces' bytes must live and stay as they are as long as the Source and
  // every Model made from it, which keep `owner` alive. `read` is called by one thread at a time. Checksums in the
  // archive are taken as right, so that they may be zero: bytes that never were in a file are not damaged.
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
