// The text of a record, block by block.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_RECORD_TEXT_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_RECORD_TEXT_H_

#include <functional>
#include <memory>

#include "runtime/archive/archive.h"
#include "runtime/sources/pt2/json.h"

namespace onnxport::pt2 {

// Calls `read` with the text of a stored record; then its CRC is checked, also where `read` throws: in a damaged record
// the damage is what there is to say. So nothing that `read` gives may be used before this returns. Error (kBadInput)
// from `read` goes on with the names of file and record in front of it, any other as it is.
void ReadRecordText(const std::shared_ptr<const archive::Archive>& archive, const archive::Archive::Record& record,
                    const std::function<void(const TextBlocks&)>& read);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_RECORD_TEXT_H_
