#include "runtime/model/onnx_file/html_page.h"

#include <fmt/core.h>

#include <iterator>
#include <utility>

#include "runtime/base/interruption.h"
#include "runtime/base/text.h"

namespace onnxport::onnx_file {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: #8884; --bar: #4a90d955; --quiet: #59626d; }
@media (prefers-color-scheme: dark) { :root { --quiet: #a3adb8; } }
body { background: Canvas; color: CanvasText; font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
td { min-width: 6.5rem; font-family: ui-monospace, monospace; font-size: .85rem; overflow-wrap: anywhere; }
td.number { min-width: 0; text-align: right; white-space: nowrap; overflow-wrap: normal; }
td.bar { width: 30%; min-width: 6rem; }
details { margin: .3rem 0; padding-left: .8rem; border-left: 2px solid var(--line); }
summary { cursor: pointer; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
summary span { color: var(--quiet); font: .85rem system-ui, sans-serif; }
td.bar div { background: var(--bar); height: 1.1em; }
)";

// Every text from a file goes through this function: a node may be called "<script>".
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : VisibleLine(text)) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string CellsOf(std::initializer_list<std::string_view> cells, std::string_view tag) {
  std::string html;
  for (const std::string_view cell : cells) html += fmt::format("<{0}>{1}</{0}>", tag, Escaped(cell));
  return html;
}

}  // namespace

std::string SizeText(int64_t bytes) {
  constexpr std::string_view kUnits[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(kUnits); ++unit) size /= 1024;
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", size, kUnits[unit]);
}

HtmlPage::HtmlPage(std::string_view title) {
  html_ += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n";
  html_ += "<meta name=\"viewport\" content=\"width=device-width\"/>\n";
  html_ +=
      fmt::format("<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n", Escaped(title), kStyle);
}

std::string HtmlPage::End() { return std::move(html_) + "</body>\n</html>\n"; }

void HtmlPage::Text(std::string_view text) { html_ += fmt::format("<p>{}</p>\n", Escaped(text)); }

void HtmlPage::Section(std::string_view title) { html_ += fmt::format("<h2>{}</h2>\n", Escaped(title)); }

void HtmlPage::Group(std::string_view name, std::string_view note, bool open) {
  html_ += fmt::format("<details{}><summary>{} <span>{}</span></summary>\n", open ? " open=\"open\"" : "",
                       Escaped(name), Escaped(note));
}

void HtmlPage::EndGroup() { html_ += "</details>\n"; }

void HtmlPage::Table(std::string_view title, std::initializer_list<std::string_view> columns) {
  if (!title.empty()) Section(title);
  html_ += "<div class=\"scroll\"><table>\n";
  if (columns.size() != 0) html_ += fmt::format("<tr>{}</tr>\n", CellsOf(columns, "th"));
}

void HtmlPage::EndTable() { html_ += "</table></div>\n"; }

void HtmlPage::Row(std::initializer_list<std::string_view> cells) {
  Interruption::Check();
  html_ += fmt::format("<tr>{}</tr>\n", CellsOf(cells, "td"));
}

void HtmlPage::BarRow(std::initializer_list<std::string_view> cells, std::string_view number, double share) {
  Interruption::Check();
  html_ += fmt::format("<tr>{}<td class=\"number\">{}</td>", CellsOf(cells, "td"), Escaped(number));
  html_ += fmt::format("<td class=\"bar\"><div style=\"width: {:.1f}%\"></div></td></tr>\n", 100 * share);
}

}  // namespace onnxport::onnx_file
