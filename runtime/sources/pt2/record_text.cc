#include "runtime/sources/pt2/record_text.h"

#include <string>
#include <string_view>

#include "runtime/base/error.h"

namespace onnxport::pt2 {

void ReadRecordText(const std::shared_ptr<const archive::Archive>& archive, const archive::Archive::Record& record,
                    const std::function<void(const TextBlocks&)>& read) {
  archive::Archive::Blocks blocks(archive, record);
  const auto next = [&] {
    const auto block = blocks.Next();
    return std::string_view(reinterpret_cast<const char*>(block.data()), block.size());
  };
  try {
    read(next);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kBadInput && error.kind() != ErrorKind::kCannotExport) throw;
    blocks.Check();
    if (error.kind() == ErrorKind::kBadInput) archive->Fail(record.name, std::string("is damaged: ") + error.what());
    throw;
  }
  blocks.Check();
}

}  // namespace onnxport::pt2
