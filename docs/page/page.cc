#include "docs/page/page.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "codegen/model/onnx_ops.h"

namespace onnxport::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMarker = "/*DATA*/";

struct Operator {
  std::string spec;
  std::vector<const codegen::Row*> rows;
  std::vector<const codegen::Remark*> remarks;
};

std::map<std::string, Operator> OperatorsOf(const std::vector<codegen::RowsFile>& files) {
  std::map<std::string, Operator> operators;
  for (const codegen::RowsFile& file : files) {
    for (const codegen::Row& row : file.rows) {
      Operator& known = operators[row.overload];
      known.spec = row.place.substr(0, row.place.rfind(':'));
      known.rows.push_back(&row);
    }
    for (const codegen::Remark& remark : file.remarks) operators[remark.overload].remarks.push_back(&remark);
  }
  for (auto& [name, known] : operators) {
    std::ranges::sort(known.rows, {}, [](const codegen::Row* row) { return row->since; });
  }
  return operators;
}

Json FormsOf(const Operator& known) {
  Json forms = Json::array();
  for (const codegen::Row* row : known.rows) {
    const bool refused = row->kind == codegen::Row::Kind::kRefusal;
    forms.push_back({row->since, row->until, refused ? row->symbol : ""});
  }
  return forms;
}

Json RemarksOf(const Operator& known) {
  Json remarks = Json::array();
  for (const codegen::Remark* remark : known.remarks) {
    remarks.push_back({remark->text, remark->opsets});
  }
  return remarks;
}

Json OutcomesOf(const Measured& measured) {
  Json outcomes = Json::array();
  for (const auto& [what, cells] : measured.outcomes) {
    outcomes.push_back({what.kind, what.reason, cells, what.by_a_run ? 1 : 0});
  }
  return outcomes;
}

}  // namespace

std::string Data(const std::vector<codegen::RowsFile>& files, const std::map<std::string, Measured>& measured) {
  Json operators = Json::array();
  for (const auto& [name, known] : OperatorsOf(files)) {
    const auto found = measured.find(name);
    const Measured results = found == measured.end() ? Measured{} : found->second;
    operators.push_back({{"name", name},
                         {"spec", known.spec},
                         {"agree", results.agree},
                         {"cells", results.cells},
                         {"forms", FormsOf(known)},
                         {"remarks", RemarksOf(known)},
                         {"outcomes", OutcomesOf(results)}});
  }
  std::string lines;
  for (const Json& line : operators) lines += (lines.empty() ? "\n" : ",\n") + line.dump();
  std::string data = "{\"first\": " + std::to_string(codegen::FirstOpset()) +
                     ", \"last\": " + std::to_string(codegen::LastOpset()) + ",\n\"operators\": [" + lines + "]}";
  // Within a script no text may end it.
  for (size_t at = 0; (at = data.find("</", at)) != std::string::npos; at += 3) data.replace(at, 2, "<\\/");
  return data;
}

std::string Fill(std::string html, const std::string& data) {
  const size_t at = html.find(kMarker);
  if (at == std::string::npos) throw std::runtime_error("the page has no place for its data");
  return html.replace(at, kMarker.size(), data);
}

}  // namespace onnxport::page
