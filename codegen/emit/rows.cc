#include "codegen/emit/rows.h"

#include <nlohmann/json.hpp>

namespace onnxport::codegen {

NLOHMANN_JSON_SERIALIZE_ENUM(Row::Kind, {{Row::Kind::kFunction, "function"},
                                         {Row::Kind::kHook, "hook"},
                                         {Row::Kind::kRefusal, "refusal"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Row, overload, since, until, kind, symbol, place, overrides)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Remark, overload, text, opsets)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RowsFile, family, rows, remarks)

std::string ToText(const RowsFile& file) { return nlohmann::json(file).dump(1) + "\n"; }

RowsFile ReadRows(const std::string& text) { return nlohmann::json::parse(text).get<RowsFile>(); }

}  // namespace onnxport::codegen
