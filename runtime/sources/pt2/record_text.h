// Reads the text of a record, block by block.
#ifndef ONNXPORT_RUNTIME_SOURCES_PT2_RECORD_TEXT_H_
#define ONNXPORT_RUNTIME_SOURCES_PT2_RECORD_TEXT_H_

#include <functional>
#include <memory>

#include "runtime/archive/archive.h"
#include "runtime/sources/pt2/json.h"

namespace onnxport::pt2 {

// Calls `read` with the text of a stored record, and then checks the CRC. It checks the CRC even if `read` throws,
// because the error should name the damage. So do not use results of `read` before this returns. If `read` throws Error
// (kBadInput), the names of file and record are put before its text. Other errors pass unchanged.
void ReadRecordText(const std::shared_ptr<const archive::Archive>& archive, const archive::Archive::Record& record,
                    const std::function<void(const TextBlocks&)>& read);

}  // namespace onnxport::pt2

#endif  // ONNXPORT_RUNTIME_SOURCES_PT2_RECORD_TEXT_H_
