// Pages for a browser: what all of ours look like.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_HTML_PAGE_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_HTML_PAGE_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace onnxport::onnx_file {

// "7 bytes", "1.5 MiB"
std::string SizeText(int64_t bytes);

// One file of HTML that loads nothing, and that is well-formed XML.
class HtmlPage {
 public:
  explicit HtmlPage(std::string_view title);
  std::string End();

  // A paragraph.
  void Text(std::string_view text);
  // A heading.
  void Section(std::string_view title);
  // Everything until EndGroup can be opened and closed.
  void Group(std::string_view name, std::string_view note, bool open);
  void EndGroup();
  // The rows are added until EndTable. An empty title is none.
  void Table(std::string_view title, std::initializer_list<std::string_view> columns);
  void EndTable();
  void Row(std::initializer_list<std::string_view> cells);
  // `share` of the largest, from 0 to 1, is drawn.
  void BarRow(std::initializer_list<std::string_view> cells, std::string_view number, double share);

 private:
  std::string html_;
};

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_HTML_PAGE_H_
