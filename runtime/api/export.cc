#include "onnxport/export.h"

#include <optional>
#include <utility>

#include "runtime/api/border/border.h"
#include "runtime/api/convert.h"
#include "runtime/api/model_properties.h"
#include "runtime/api/session.h"
#include "runtime/inputs/inputs.h"

namespace onnxport {
namespace {

Model ExportArchive(const Source& source, const ExportOptions& options) {
  // The session and the model outlive `read`, because tracing comes later and uses both. They are made within it, so
  // that opening and reading count as the first stage for progress and times.
  inputs::Check(options.inputs);
  std::optional<Session> session;
  std::optional<LoadedModel> loaded;
  const auto read = [&] {
    session.emplace(source, options);
    const auto archive = archive::Archive::Open(session->bytes());
    loaded.emplace(archive, options);
    loaded->DescribeWithTraces(options.inputs);
    return TraceableProgram{.source = session->bytes(),
                            .remarks = loaded->remarks(),
                            .warnings = loaded->warnings(),
                            .trace =
                                [&loaded] {
                                  trace::Traced traced = std::move(*loaded).Trace();
                                  loaded.reset();  // what is left of what was read
                                  return traced;
                                },
                            .identity = IdentityOf(*archive),
                            .state = loaded->StateNames()};
  };
  return Convert(read, options);
}

}  // namespace

Result<Model> Export(const Source& source, const ExportOptions& options) {
  return AtBorder([&] { return ExportArchive(source, options); });
}

}  // namespace onnxport
