// Options are read from JSON by the tables of onnxport/options.h, with one Read for each type that a member may have. A
// member of a new type needs a Read, or the table does not compile. The callers are programs in other languages, which
// no compiler corrects. So everything is checked, nothing is converted silently ("18" is no number), and an unknown key
// is a mistake. One report has all mistakes, because each round trip through another language costs its user more.
#include "runtime/api/options/options_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include "onnxport/operators.h"
#include "onnxport/options.h"
#include "runtime/base/error.h"
#include "runtime/base/nearest_name.h"
#include "runtime/base/text.h"

namespace onnxport {
namespace {

using nlohmann::json;

// All that is wrong, told together.
class Mistakes {
 public:
  void Add(std::string reason) { found_.push_back({.code = Code::kWrongOption, .reason = std::move(reason)}); }
  void ThrowIfAny() const {
    if (!found_.empty()) throw Error(Report(ErrorKind::kUsage, found_));
  }

 private:
  std::vector<Diagnostic> found_;
};

// A value, and where it is.
struct Place {
  const json& value;
  std::string path;  // "custom_nodes.mappings[0]"; empty: all of the options
  Mistakes* mistakes;

  std::string Name() const { return path.empty() ? "the options" : fmt::format("\"{}\"", path); }
};

void Wrong(const Place& at, std::string_view wanted) {
  const std::string seen = at.value.is_array()    ? "a list"
                           : at.value.is_object() ? "an object"
                                                  : Printable(at.value.dump());
  at.mistakes->Add(fmt::format("{}: write {}, not {}", at.Name(), wanted, seen));
}

// ---- objects

// Reads the value of the option `name` of a table into `object`; whether there is one.
template <typename Table, typename T>
bool ReadOption(std::string_view name, const Place& at, const Table& table, T* object) {
  bool known = false;
  ForEachOption(table, [&](const auto& option) {
    if (option.name != name) return;
    known = true;
    // null is what other languages write for "nothing said".
    if (!at.value.is_null()) ReadField(at, option, &(object->*option.kField));
  });
  return known;
}

void UnknownKey(const Place& at, std::string_view name, const std::vector<std::string_view>& names) {
  const std::string_view nearest = NearestName(name, names);
  at.mistakes->Add(fmt::format("{} is no option; {}", at.Name(),
                               nearest.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                               : fmt::format("did you mean \"{}\"?", nearest)));
}

// A table of options, and the object that they are of.
template <typename Table, typename T>
struct Fields {
  const Table& table;
  T* object;
};
template <typename Table, typename T>
Fields(const Table&, T*) -> Fields<Table, T>;

template <typename... AllFields>
void ReadObject(const Place& at, const AllFields&... fields) {
  if (!at.value.is_object()) return Wrong(at, "an object");
  std::vector<std::string_view> names;
  const auto add = [&names](const auto& table) {
    ForEachOption(table, [&names](const auto& option) { names.push_back(option.name); });
  };
  (add(fields.table), ...);
  for (const auto& [name, value] : at.value.items()) {
    const Place inside{value, at.path.empty() ? name : at.path + "." + name, at.mistakes};
    // Stops at the first table that has the key: no two of one object have the same.
    const bool known = (ReadOption(name, inside, fields.table, fields.object) || ...);
    if (!known) UnknownKey(inside, name, names);
  }
}

// ---- values

void Read(const Place& at, bool* out) {
  if (!at.value.is_boolean()) return Wrong(at, "true or false");
  *out = at.value.get<bool>();
}

void Read(const Place& at, std::string* out) {
  if (!at.value.is_string()) return Wrong(at, "a text");
  *out = at.value.get<std::string>();
}

template <typename T>
void ReadInteger(const Place& at, T* out) {
  // The library keeps a number as the type that its text had. Asked for another, it converts and says nothing of
  // overflow.
  const bool fits = at.value.is_number_unsigned()  ? std::in_range<T>(at.value.get<uint64_t>())
                    : at.value.is_number_integer() ? std::in_range<T>(at.value.get<int64_t>())
                                                   : false;
  if (!fits) return Wrong(at, std::is_unsigned_v<T> ? "a whole number from 0 on" : "a whole number");
  *out = at.value.get<T>();
}
void Read(const Place& at, int* out) { ReadInteger(at, out); }
void Read(const Place& at, int64_t* out) { ReadInteger(at, out); }
void Read(const Place& at, uint64_t* out) { ReadInteger(at, out); }

void Read(const Place& at, Source* out) {
  if (!at.value.is_string()) return Wrong(at, "the path of a file");
  *out = Source::File(at.value.get<std::string>());
}

template <typename T, size_t kCount>
void ReadWord(const Place& at, const std::pair<std::string_view, T> (&words)[kCount], T* out) {
  std::string all;
  for (const auto& [word, value] : words) {
    if (at.value.is_string() && at.value.get_ref<const std::string&>() == word) {
      *out = value;
      return;
    }
    all += fmt::format("{}\"{}\"", all.empty() ? "" : " or ", word);
  }
  Wrong(at, all);
}
void Read(const Place& at, ComplexTensors* out) { ReadWord(at, kComplexTensorsWords, out); }
void Read(const Place& at, ExternalData* out) { ReadWord(at, kExternalDataWords, out); }

template <typename T>
void ReadText(const Place& at, Result<T> (*parse)(std::string_view), T* out) {
  if (!at.value.is_string()) return Wrong(at, "a text");
  Result<T> parsed = parse(at.value.get_ref<const std::string&>());
  if (!parsed) return at.mistakes->Add(fmt::format("{}: {}", at.Name(), parsed.error().marked().front().reason));
  *out = *std::move(parsed);
}
void Read(const Place& at, Input* out) { ReadText(at, ParseInput, out); }
void Read(const Place& at, Output* out) { ReadText(at, ParseOutput, out); }
void Read(const Place& at, OperatorMapping* out) { ReadText(at, ParseMapping, out); }
void Read(const Place& at, WeightsAs* out) { ReadText(at, ParseWeightsAs, out); }
void Read(const Place& at, ComputeAs* out) { ReadText(at, ParseComputeAs, out); }

// Seconds from now; 0: no limit.
void Read(const Place& at, std::optional<std::chrono::steady_clock::time_point>* deadline) {
  constexpr double kMost = 1e9;  // thirty years
  const double seconds = at.value.is_number() ? at.value.get<double>() : -1;
  if (!(seconds >= 0 && seconds <= kMost)) return Wrong(at, "seconds, a number from 0 to 1e9");
  const auto time =
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(seconds));
  deadline->reset();
  if (seconds > 0) *deadline = std::chrono::steady_clock::now() + time;
}

void Read(const Place& at, OtherTrace* out);

// ---- what holds values

// Source has no default, so neither has what holds one. A blank one is overwritten, or a mistake has been noted.
template <typename T>
T Blank() {
  if constexpr (std::is_same_v<T, Source>) {
    return Source::File({});
  } else if constexpr (std::is_same_v<T, OtherTrace>) {
    return {.source = Blank<Source>()};
  } else {
    return {};
  }
}

template <typename T>
void Read(const Place& at, std::vector<T>* out) {
  if (!at.value.is_array()) return Wrong(at, "a list");
  for (size_t i = 0; i < at.value.size(); ++i) {
    T element = Blank<T>();
    Read(Place{at.value[i], fmt::format("{}[{}]", at.path, i), at.mistakes}, &element);
    out->push_back(std::move(element));
  }
}

template <typename T>
void Read(const Place& at, std::map<std::string, T>* out) {
  if (!at.value.is_object()) return Wrong(at, "an object");
  for (const auto& [name, value] : at.value.items()) {
    Read(Place{value, at.path + "." + name, at.mistakes}, &(*out)[name]);
  }
}

template <typename T>
void Read(const Place& at, std::optional<T>* out) {
  *out = Blank<T>();
  Read(at, &**out);
}

template <typename Option, typename T>
void ReadField(const Place& at, const Option& /*option*/, T* field) {
  Read(at, field);
}
void ReadField(const Place& at, const Option<&ExportOptions::disabled_passes>& /*option*/,
               std::vector<std::string>* passes) {
  if (at.value == "all") {
    *passes = PassNames();
  } else {
    Read(at, passes);
  }
}

void Read(const Place& at, OtherTrace* out) {
  if (at.value.is_object() && !at.value.contains("source")) at.mistakes->Add(at.Name() + ": \"source\" is missing");
  ReadObject(at, Fields{kOtherTraceOptions, out});
}

// ---- the text

// Throws Error where it is no JSON.
json Parse(std::string_view text, Mistakes* mistakes) {
  if (Trim(text, " \t\r\n").empty()) return json::object();
  // The library takes the last of two values under one key. Here both are somebody's intention, and one would be lost.
  std::vector<std::set<std::string>> open;  // keys of the objects that have begun
  const auto look = [&](int, json::parse_event_t event, json& read) {
    if (event == json::parse_event_t::object_start) open.emplace_back();
    if (event == json::parse_event_t::object_end) open.pop_back();
    if (event == json::parse_event_t::key && !open.back().insert(read.get<std::string>()).second) {
      mistakes->Add(fmt::format("\"{}\" is given twice", Printable(read.get<std::string>())));
    }
    return true;
  };
  try {
    return json::parse(text, look);
  } catch (const json::exception& error) {
    const std::string_view what = error.what();
    const size_t bracket = what.find("] ");  // behind the library's own name of the error
    throw Error(Code::kWrongOption, fmt::format("the options are no JSON: {}",
                                                Printable(what.substr(bracket == what.npos ? 0 : bracket + 2))));
  }
}

template <typename... AllFields>
void ReadAll(std::string_view text, const AllFields&... fields) {
  Mistakes mistakes;
  const json value = Parse(text, &mistakes);
  ReadObject(Place{value, "", &mistakes}, fields...);
  mistakes.ThrowIfAny();
}

}  // namespace

JsonOptions ReadOptions(std::string_view json) {
  JsonOptions options;
  ReadAll(json, Fields{kExportOptions, &options.exporting}, Fields{kSaveOptions, &options.saving});
  // One limit for both: a caller who gives seconds means the time until the file is there.
  options.exporting.deadline = options.saving.deadline;
  return options;
}

SaveOptions ReadSaveOptions(std::string_view json) {
  SaveOptions options;
  ReadAll(json, Fields{kSaveOptions, &options});
  return options;
}

}  // namespace onnxport
