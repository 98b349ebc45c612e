// Writes HTML pages; all of ours look alike.
#ifndef ONNXPORT_RUNTIME_MODEL_ONNX_FILE_HTML_PAGE_H_
#define ONNXPORT_RUNTIME_MODEL_ONNX_FILE_HTML_PAGE_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace onnxport::onnx_file {

// "7 bytes", "1.5 MiB"
std::string SizeText(int64_t bytes);

// One HTML file that loads nothing and is well-formed XML.
class HtmlPage {
 public:
  explicit HtmlPage(std::string_view title);
  std::string End();

  // Adds a paragraph.
  void Text(std::string_view text);
  // Adds a heading.
  void Section(std::string_view title);
  // Begins a part, up to EndGroup, that the reader can open and close.
  void Group(std::string_view name, std::string_view note, bool open);
  void EndGroup();
  // Begins a table; rows follow until EndTable. With an empty title it has no title.
  void Table(std::string_view title, std::initializer_list<std::string_view> columns);
  void EndTable();
  void Row(std::initializer_list<std::string_view> cells);
  // Adds a row with a bar; `share`, from 0 to 1, is its length relative to the longest.
  void BarRow(std::initializer_list<std::string_view> cells, std::string_view number, double share);

 private:
  std::string html_;
};

}  // namespace onnxport::onnx_file

#endif  // ONNXPORT_RUNTIME_MODEL_ONNX_FILE_HTML_PAGE_H_
