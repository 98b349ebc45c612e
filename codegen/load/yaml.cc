#include "codegen/load/yaml.h"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "codegen/load/characters.h"
#include "fmt/format.h"
#include "yaml-cpp/eventhandler.h"
#include "yaml-cpp/exceptions.h"
#include "yaml-cpp/parser.h"

namespace onnxport::codegen {
namespace {

constexpr size_t kMaxBytes = size_t{1} << 20;
constexpr size_t kMaxYamlDepth = 16;
constexpr int kMaxValues = 50'000;

// Reading cannot go on; the error is reported already.
struct Stop {};

// YAML 1.1 readers take these for booleans or null, so a key must not be one. `y` and `n` are left out: hardly any
// reader converts them, and they are good names for a tensor and a count.
bool IsYaml11Word(std::string_view key) {
  static constexpr std::array<std::string_view, 9> kWords = {"true", "false", "yes", "no", "on",
                                                             "off",  "null",  "~",   ""};
  std::string lower(key);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::find(kWords.begin(), kWords.end(), lower) != kWords.end();
}

// Builds the tree from the parser's events. From these and not from yaml-cpp's own tree, which follows aliases and
// merges by itself: what the language has no use for is refused as it comes.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::shared_ptr<const SourceFile> file, Diagnostics* diagnostics)
      : file_(std::move(file)), diagnostics_(diagnostics) {}

  YamlNode TakeRoot() { return std::move(root_); }
  bool has_root() const { return has_root_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (has_root_) Fail(PlaceOf(mark), "a second document; a spec file holds one");
  }
  void OnDocumentEnd() override {}
  // Aliases of aliases of aliases make a small file larger than any memory ("billion laughs").
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    Fail(PlaceOf(mark), "aliases (`*name`) are not allowed");
  }
  void OnAnchor(const YAML::Mark& mark, const std::string&) override { CheckProperties(mark); }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    CheckProperties(mark);
    // yaml-cpp calls this for `key:` without a value as well as for `key: null`; the text at this place tells which.
    static constexpr std::string_view kNulls[] = {"null", "Null", "NULL", "~"};
    const std::string_view rest = std::string_view(file_->text).substr(OffsetOf(mark));
    YamlNode node = NewNode(YamlKind::kEmpty, mark);
    for (std::string_view word : kNulls) {
      if (!rest.starts_with(word)) continue;
      node.kind = YamlKind::kNull;
      node.text = PlacedText(std::string(word), node.place);
    }
    Add(std::move(node));
  }

  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string& value) override {
    CheckProperties(mark);
    YamlNode node = NewNode(YamlKind::kText, mark);
    const size_t offset = OffsetOf(mark);
    const char first = offset < file_->text.size() ? file_->text[offset] : '\0';
    node.quoted = first == '"' || first == '\'' || first == '|' || first == '>';
    node.text = PlacedText(value, offset, node.place);
    if (!node.text.closed()) Fail(node.place, "the quote is never closed");
    // Again, on the decoded text: "\u202e" in quotes was no such character in the file.
    if (const auto bad = FindBadCharacter(value)) Fail(node.text.At(bad->offset), bad->message);
    Add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value style) override {
    Open(YamlKind::kList, mark, style);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value style) override {
    Open(YamlKind::kMap, mark, style);
  }
  void OnMapEnd() override { Close(); }

 private:
  struct Frame {
    YamlNode node;
    bool flow;
    bool expects_key;
    std::set<std::string, std::less<>> keys;
  };

  Place PlaceOf(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }
  size_t OffsetOf(const YAML::Mark& mark) const {
    return std::min(static_cast<size_t>(std::max(mark.pos, 0)), file_->text.size());
  }

  [[noreturn]] void Fail(const Place& place, std::string message) {
    diagnostics_->Error(place, std::move(message));
    throw Stop();
  }

  // A node's tag or anchor stands before it.
  void CheckProperties(const YAML::Mark& mark) {
    const size_t offset = OffsetOf(mark);
    const char first = offset < file_->text.size() ? file_->text[offset] : '\0';
    if (first == '!') Fail(PlaceOf(mark), "tags (`!name`) are not allowed; quote a text that starts with `!`");
    if (first == '&') Fail(PlaceOf(mark), "anchors (`&name`) are not allowed; quote a text that starts with `&`");
  }

  YamlNode NewNode(YamlKind kind, const YAML::Mark& mark) {
    if (++count_ > kMaxValues) Fail(PlaceOf(mark), fmt::format("more than {} values in one file", kMaxValues));
    YamlNode node;
    node.kind = kind;
    node.place = PlaceOf(mark);
    node.in_flow = !frames_.empty() && frames_.back().flow;
    return node;
  }

  void Open(YamlKind kind, const YAML::Mark& mark, YAML::EmitterStyle::value style) {
    CheckProperties(mark);
    if (frames_.size() >= kMaxYamlDepth)
      Fail(PlaceOf(mark), fmt::format("nested deeper than {} levels", kMaxYamlDepth));
    if (!frames_.empty() && frames_.back().expects_key)
      Fail(PlaceOf(mark), "a key must be a text (is a `[`, `{` or quote never closed?)");
    const bool flow = style == YAML::EmitterStyle::Flow || (!frames_.empty() && frames_.back().flow);
    frames_.push_back({NewNode(kind, mark), flow, kind == YamlKind::kMap, {}});
  }

  void Close() {
    YamlNode node = std::move(frames_.back().node);
    frames_.pop_back();
    Add(std::move(node));
  }

  void Add(YamlNode node) {
    if (frames_.empty()) {
      root_ = std::move(node);
      has_root_ = true;
      return;
    }
    Frame& frame = frames_.back();
    if (frame.expects_key) {
      CheckKey(node, frame);
      frame.node.keys.push_back(std::move(node));
    } else {
      frame.node.items.push_back(std::move(node));
    }
    // Keys and values come in turn.
    if (frame.node.kind == YamlKind::kMap) frame.expects_key = !frame.expects_key;
  }

  void CheckKey(const YamlNode& key, Frame& frame) {
    if (key.kind == YamlKind::kEmpty) Fail(key.place, "a key is missing, or longer than 1024 bytes");
    const std::string& text = key.text.text();
    if (key.kind != YamlKind::kText || (!key.quoted && IsYaml11Word(text))) {
      Fail(key.place, fmt::format("`{}` cannot be a key: YAML 1.1 reads it as a boolean or null", text));
    }
    if (text == "<<") Fail(key.place, "merge keys (`<<`) are not allowed");
    // YAML readers keep the first or the last of two equal keys; nobody notices the other.
    if (!frame.keys.insert(text).second) diagnostics_->Error(key.place, fmt::format("key `{}` repeats", text));
  }

  std::shared_ptr<const SourceFile> file_;
  Diagnostics* diagnostics_;
  std::vector<Frame> frames_;
  YamlNode root_;
  bool has_root_ = false;
  int count_ = 0;
};

Place PlaceAt(const std::shared_ptr<const SourceFile>& file, size_t offset) {
  const std::string_view before = std::string_view(file->text).substr(0, offset);
  const size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {file, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(offset - line_start) + 1};
}

bool CheckText(const std::shared_ptr<const SourceFile>& file, Diagnostics* diagnostics) {
  if (file->text.size() > kMaxBytes) {
    diagnostics->Error({file, 0, 0}, fmt::format("{} bytes; a spec file has at most {}", file->text.size(), kMaxBytes));
    return false;
  }
  if (const auto bad = FindBadCharacter(file->text)) {
    diagnostics->Error(PlaceAt(file, bad->offset), bad->message);
    return false;
  }
  // Looked for in the text, as yaml-cpp acts on directives without an event.
  const size_t directive = file->text.starts_with('%') ? 0 : file->text.find("\n%");
  if (directive != std::string::npos) {
    diagnostics->Error(PlaceAt(file, directive == 0 ? 0 : directive + 1), "directives (`%NAME`) are not allowed");
    return false;
  }
  return true;
}

}  // namespace

std::optional<YamlNode> ReadYaml(const std::shared_ptr<const SourceFile>& file, Diagnostics* diagnostics) {
  if (!CheckText(file, diagnostics)) return std::nullopt;
  TreeBuilder builder(file, diagnostics);
  try {
    std::istringstream stream(file->text);
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop&) {
    return std::nullopt;
  } catch (const YAML::Exception& error) {
    const Place place =
        error.mark.is_null() ? Place{file, 0, 0} : Place{file, error.mark.line + 1, error.mark.column + 1};
    diagnostics->Error(place, "not YAML: " + error.msg);
    return std::nullopt;
  }
  if (!builder.has_root()) {
    diagnostics->Error({file, 0, 0}, "the file is empty; it starts with `spec: 1`");
    return std::nullopt;
  }
  return builder.TakeRoot();
}

}  // namespace onnxport::codegen
