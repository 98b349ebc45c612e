// Archives with records that LibTorch would not write.
#ifndef ONNXPORT_TESTS_HOSTILE_FORGE_H_
#define ONNXPORT_TESTS_HOSTILE_FORGE_H_

#include <string>

#include "gtest/gtest.h"
#include "runtime/archive/archive.h"
#include "runtime/testing/zip_writer.h"

namespace onnxport {

inline archive::ZipContents RecordsOf(const std::string& path) {
  archive::ZipContents records;
  const auto archive = archive::Archive::Open(path);
  for (const auto& record : archive->records()) records.emplace_back(record.name, archive->ReadText(record, 1 << 24));
  return records;
}

// The records of traced.pt with this body of forward(self, x), and `before` its class.
inline archive::ZipContents WithForward(const std::string& path, const std::string& body,
                                        const std::string& before = "") {
  archive::ZipContents records = RecordsOf(path);
  bool found = false;
  for (auto& [name, contents] : records) {
    const size_t at = contents.find("  def forward(self: __torch__.Traced");
    if (at == std::string::npos) continue;
    contents.resize(contents.find('\n', contents.find("->", at)));
    contents = before + contents + body + "\n";
    found = true;
  }
  EXPECT_TRUE(found);
  return records;
}

}  // namespace onnxport

#endif  // ONNXPORT_TESTS_HOSTILE_FORGE_H_
