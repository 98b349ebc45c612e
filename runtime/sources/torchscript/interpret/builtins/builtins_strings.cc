// Texts: parts, searching, splitting.
#include <algorithm>
#include <cstdint>

#include "runtime/sources/torchscript/interpret/builtins/call_site.h"
#include "runtime/sources/torchscript/interpret/builtins/text_search.h"

namespace onnxport::torchscript {
namespace strings {
namespace {

Value Truth(bool value) { return {value}; }
Value IntValue(size_t value) { return {static_cast<int64_t>(value)}; }
Value Texts(const CallSite& call, ValueList items) { return {call.heap->NewList(std::move(items), {"str", {}})}; }

// ---- parts

std::optional<Value> Length(const CallSite& call) {
  return IsText(call) ? std::optional<Value>(IntValue(KnownText(call).size())) : std::nullopt;
}

std::optional<Value> GetItem(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  return Value{std::string(1, KnownText(call)[ListIndex(call.Int(1), KnownText(call).size())])};
}

std::optional<Value> Slice(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  std::string text;
  for (const size_t i :
       SliceIndices(call.OptionalInt(1), call.OptionalInt(2), call.Int(3, 1), KnownText(call).size())) {
    text += KnownText(call)[i];
  }
  return Value{text};
}

std::optional<Value> List(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  ValueList letters;
  for (const char c : KnownText(call)) letters.push_back({std::string(1, c)});
  return Texts(call, std::move(letters));
}

// ---- searching; `end` of -1 is the end, as in LibTorch

std::string_view Window(const CallSite& call, size_t* begin) {
  const std::string& text = KnownText(call);
  const auto size = static_cast<int64_t>(text.size());
  const int64_t first = call.Int(2, 0), last = call.Int(3, -1);
  const int64_t start = std::clamp<int64_t>(first < 0 ? first + size : first, 0, size);
  const int64_t stop = std::clamp<int64_t>(last < 0 ? last + size + 1 : last, start, size);
  *begin = static_cast<size_t>(start);
  return std::string_view(text).substr(*begin, static_cast<size_t>(stop - start));
}

template <bool kFromEnd>
int64_t Position(const CallSite& call) {
  size_t begin = 0;
  const std::string_view window = Window(call, &begin);
  const TextSearch search(KnownText(call, 1));
  const size_t at = kFromEnd ? search.Last(window) : search.First(window);
  return at == std::string_view::npos ? -1 : static_cast<int64_t>(begin + at);
}

template <bool kFromEnd>
std::optional<Value> Find(const CallSite& call) {
  return IsText(call) ? std::optional<Value>(Value{Position<kFromEnd>(call)}) : std::nullopt;
}

template <bool kFromEnd>
std::optional<Value> Index(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const int64_t at = Position<kFromEnd>(call);
  if (at < 0) throw Refusal::Raised("substring not found");
  return Value{at};
}

std::optional<Value> Count(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  size_t begin = 0;
  const std::string_view window = Window(call, &begin);
  const std::string& wanted = KnownText(call, 1);
  if (wanted.empty()) return IntValue(window.size() + 1);
  const TextSearch search(wanted);
  size_t count = 0;
  for (size_t at = search.First(window); at != TextSearch::kNowhere; at = search.First(window, at + wanted.size()))
    ++count;
  return IntValue(count);
}

template <bool kAtEnd>
std::optional<Value> StartsOrEnds(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  size_t begin = 0;
  const std::string_view window = Window(call, &begin);
  return Truth(kAtEnd ? window.ends_with(KnownText(call, 1)) : window.starts_with(KnownText(call, 1)));
}

std::optional<Value> Contains(const CallSite& call) {
  if (!IsText(call, 0) || !IsText(call, 1)) return std::nullopt;
  return Truth(TextSearch(KnownText(call, 1)).First(KnownText(call)) != TextSearch::kNowhere);
}

std::optional<Value> Replace(const CallSite& call) {
  const std::string& text = KnownText(call);
  const std::string& from = KnownText(call, 1);
  const std::string& to = KnownText(call, 2);
  if (from.empty()) throw Refusal("replacing an empty text");
  const TextSearch search(from);
  std::string result;
  size_t done = 0;  // of `text`
  for (int64_t left = call.Int(3, -1); left != 0; --left) {
    const size_t at = search.First(text, done);
    if (at == TextSearch::kNowhere) break;
    result.append(text, done, at - done).append(to);
    done = at + from.size();
    if (result.size() + (text.size() - done) > kMaxTextBytes)
      throw Refusal(onnxport::Code::kValueIsTooLarge, "the text is longer than a million bytes");
  }
  return Value{result.append(text, done)};
}

// ---- splitting

// LibTorch knows no maximum here.
ValueList SplitAtBlanks(std::string_view text) {
  ValueList parts;
  for (size_t begin = text.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
    parts.push_back({std::string(text.substr(begin, end - begin))});
    begin = text.find_first_not_of(kBlanks, end);
  }
  return parts;
}

ValueList SplitAt(std::string_view text, std::string_view separator, int64_t most) {
  if (separator.empty()) throw Refusal::Raised("empty separator");
  const TextSearch search(separator);
  ValueList parts;
  while (true) {
    const size_t at = most == 0 ? std::string_view::npos : search.First(text);
    parts.push_back({std::string(text.substr(0, at))});
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + separator.size());
    --most;
  }
}

std::optional<Value> Split(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  if (call.At(1).is_none()) return Texts(call, SplitAtBlanks(KnownText(call)));
  return Texts(call, SplitAt(KnownText(call), KnownText(call, 1), call.Int(2, -1)));
}

std::optional<Value> SplitFromEnd(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const std::string separator = call.size() > 1 ? KnownText(call, 1) : " ";
  if (separator.empty()) throw Refusal::Raised("empty separator");
  // Both turned round: then the last place is the first one, and none is looked at twice.
  const auto turned = [](std::string_view text) { return std::string(text.rbegin(), text.rend()); };
  ValueList parts = SplitAt(turned(KnownText(call)), turned(separator), call.Int(2, -1));
  for (Value& part : parts) part = Value{turned(*part.As<std::string>())};
  std::reverse(parts.begin(), parts.end());
  return Texts(call, std::move(parts));
}

std::optional<Value> SplitLines(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const bool keeps_ends = call.Bool(1, false);
  ValueList lines;
  for (std::string_view text = KnownText(call); !text.empty();) {
    const size_t end = std::min(text.find_first_of("\n\r"), text.size());
    const size_t next = std::min(end + (text.substr(end, 2) == "\r\n" ? 2 : 1), text.size());
    lines.push_back({std::string(text.substr(0, end))});
    if (keeps_ends && next > end) lines.push_back({std::string(text.substr(end, next - end))});  // LibTorch's way
    text.remove_prefix(next);
  }
  return Texts(call, std::move(lines));
}

template <bool kFromEnd>
std::optional<Value> Partition(const CallSite& call) {
  if (!IsText(call)) return std::nullopt;
  const std::string& text = KnownText(call);
  const std::string& separator = KnownText(call, 1);
  const TextSearch search(separator);
  const size_t at = kFromEnd ? search.Last(text) : search.First(text);
  if (at == std::string::npos) {
    const Value empty{std::string()};
    return kFromEnd ? TupleOf({empty, empty, {text}}) : TupleOf({{text}, empty, empty});
  }
  return TupleOf({{text.substr(0, at)}, {separator}, {text.substr(at + separator.size())}});
}

constexpr BuiltinRow kRows[] = {
    {"aten::len", Length},
    {"aten::__getitem__", GetItem},
    {"prim::StringIndex", GetItem},
    {"aten::slice", Slice},
    {"aten::list", List},
    {"aten::find", Find<false>},
    {"aten::rfind", Find<true>},
    {"aten::index", Index<false>},
    {"aten::rindex", Index<true>},
    {"aten::count", Count},
    {"aten::startswith", StartsOrEnds<false>},
    {"aten::endswith", StartsOrEnds<true>},
    {"aten::__contains__", Contains},
    {"aten::replace", Replace},
    {"aten::split", Split},
    {"aten::rsplit", SplitFromEnd},
    {"aten::splitlines", SplitLines},
    {"aten::partition", Partition<false>},
    {"aten::rpartition", Partition<true>},
};

}  // namespace
}  // namespace strings

std::span<const BuiltinRow> StringBuiltins() { return strings::kRows; }

}  // namespace onnxport::torchscript
