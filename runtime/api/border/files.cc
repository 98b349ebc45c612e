#include "onnxport/files.h"

#include "runtime/api/border/border.h"
#include "runtime/model/serializer/write_file.h"

namespace onnxport {
namespace {

template <typename Work>
std::optional<Report> FailureOf(const Work& work) {
  const auto done = AtBorder([&] {
    work();
    return true;
  });
  return done ? std::nullopt : std::optional(done.error());
}

}  // namespace

std::optional<Report> CheckOutput(const std::string& path, const std::vector<std::string>& others) {
  return FailureOf([&] { serializer::CheckOutput(path, others); });
}

std::optional<Report> WriteOutput(const std::string& path, std::string_view bytes,
                                  const std::vector<std::string>& others, bool sync) {
  return FailureOf([&] { serializer::WriteFile(path, bytes, others, sync); });
}

}  // namespace onnxport
