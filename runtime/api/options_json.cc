// How options are read from JSON: a table of keys for each struct, whose rows name the field to fill, and one Read for
// each type that a field may have. ReadObject walks an object by such tables, so a new option is a row; where it has a
// type that none has had, it is a Read, too, or the table does not compile. The callers are programs in other
// languages, which no compiler corrects. So everything is checked, nothing is converted on the quiet ("18" is no
// number), an unknown key is a mistake rather than ignored, and mistakes are collected, as each round trip through
// another language costs its user more.
#include "runtime/api/options_json.h"

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
#include "onnxport/option_words.h"
#include "runtime/base/error.h"
#include "runtime/base/nearest_name.h"
#include "runtime/base/text.h"

namespace onnxport {
namespace {

using nlohmann::json;

// All that is wrong, told together.
class Mistakes {
 public:
  void Add(std::string reason) { found_.push_back({.code = Code::kUsage, .reason = std::move(reason)}); }
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

// A key of an object that says a T.
template <typename T>
struct Key {
  std::string_view name;
  void (*read)(const Place& at, T* object);
};

template <auto kField, typename T>
void ReadField(const Place& at, T* object) {
  Read(at, &(object->*kField));
}

// Reads the value if the object has such a key.
template <typename T, size_t kCount>
bool ReadKey(std::string_view name, const Place& at, const Key<T> (&keys)[kCount], T* object) {
  for (const Key<T>& key : keys) {
    if (key.name != name) continue;
    // null is what other languages write for "nothing said".
    if (!at.value.is_null()) key.read(at, object);
    return true;
  }
  return false;
}

void UnknownKey(const Place& at, std::string_view name, const std::vector<std::string_view>& names) {
  const std::string_view nearest = NearestName(name, names);
  at.mistakes->Add(fmt::format("{} is no option; {}", at.Name(),
                               nearest.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                               : fmt::format("did you mean \"{}\"?", nearest)));
}

// A table of keys, and the object that they are of.
template <typename T, size_t kCount>
struct Fields {
  const Key<T> (&keys)[kCount];
  T* object;
};
template <typename T, size_t kCount>
Fields(const Key<T> (&)[kCount], T*) -> Fields<T, kCount>;

template <typename... AllFields>
void ReadObject(const Place& at, const AllFields&... fields) {
  if (!at.value.is_object()) return Wrong(at, "an object");
  std::vector<std::string_view> names;
  const auto add = [&names](const auto& keys) {
    for (const auto& key : keys) names.push_back(key.name);
  };
  (add(fields.keys), ...);
  for (const auto& [name, value] : at.value.items()) {
    const Place inside{value, at.path.empty() ? name : at.path + "." + name, at.mistakes};
    // Stops at the first table that has the key: no two of one object have the same.
    const bool known = (ReadKey(name, inside, fields.keys, fields.object) || ...);
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
void Read(const Place& at, WeightType* out) { ReadWord(at, kWeightTypeWords, out); }
void Read(const Place& at, HalfType* out) { ReadWord(at, kHalfTypeWords, out); }
void Read(const Place& at, ExternalData* out) { ReadWord(at, kExternalDataWords, out); }

template <typename T>
void ReadText(const Place& at, Result<T> (*parse)(std::string_view), T* out) {
  if (!at.value.is_string()) return Wrong(at, "a text");
  Result<T> parsed = parse(at.value.get_ref<const std::string&>());
  if (!parsed) return at.mistakes->Add(fmt::format("{}: {}", at.Name(), parsed.error().Text()));
  *out = *std::move(parsed);
}
void Read(const Place& at, Input* out) { ReadText(at, ParseInput, out); }
void Read(const Place& at, Output* out) { ReadText(at, ParseOutput, out); }
void Read(const Place& at, OperatorMapping* out) { ReadText(at, ParseMapping, out); }

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

void Read(const Place& at, CustomNodes* out);
void Read(const Place& at, OtherTrace* out);
void Read(const Place& at, QuantizedWeights* out);
void Read(const Place& at, HalfPrecision* out);

// ---- what holds values

template <typename T>
// Source has no default, so neither has what holds one. A blank one is overwritten, or a mistake has been noted.
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

// ---- the keys: the names of the fields, but for `deadline`. `progress` and `stop` are no data

constexpr Key<CustomNodes> kCustomNodesKeys[] = {
    {"mappings", ReadField<&CustomNodes::mappings>},
    {"fallthrough", ReadField<&CustomNodes::fallthrough>},
    {"domain_versions", ReadField<&CustomNodes::domain_versions>},
};

constexpr Key<OtherTrace> kOtherTraceKeys[] = {
    {"source", ReadField<&OtherTrace::source>},
    {"sizes", ReadField<&OtherTrace::sizes>},
};

constexpr Key<QuantizedWeights> kQuantizedWeightsKeys[] = {
    {"type", ReadField<&QuantizedWeights::type>},
    {"group", ReadField<&QuantizedWeights::group>},
    {"asymmetric", ReadField<&QuantizedWeights::asymmetric>},
    {"keep", ReadField<&QuantizedWeights::keep>},
};

constexpr Key<HalfPrecision> kHalfPrecisionKeys[] = {
    {"type", ReadField<&HalfPrecision::type>},
    {"inputs_and_outputs", ReadField<&HalfPrecision::inputs_and_outputs>},
    {"float32", ReadField<&HalfPrecision::float32>},
};

void ReadPasses(const Place& at, ExportOptions* options) {
  if (at.value == "all") {
    options->disabled_passes = PassNames();
  } else {
    Read(at, &options->disabled_passes);
  }
}

constexpr Key<ExportOptions> kExportKeys[] = {
    {"opset", ReadField<&ExportOptions::opset>},
    {"target", ReadField<&ExportOptions::target>},
    {"target_notes", ReadField<&ExportOptions::target_notes>},
    {"inputs", ReadField<&ExportOptions::inputs>},
    {"outputs", ReadField<&ExportOptions::outputs>},
    {"input_names", ReadField<&ExportOptions::input_names>},
    {"output_names", ReadField<&ExportOptions::output_names>},
    {"parameter_names", ReadField<&ExportOptions::parameter_names>},
    {"custom_nodes", ReadField<&ExportOptions::custom_nodes>},
    {"domains", ReadField<&ExportOptions::domains>},
    {"keep", ReadField<&ExportOptions::keep>},
    {"training", ReadField<&ExportOptions::training>},
    {"complex", ReadField<&ExportOptions::complex>},
    {"weights", ReadField<&ExportOptions::weights>},
    {"weights_as_inputs", ReadField<&ExportOptions::weights_as_inputs>},
    {"keep_initializers_as_inputs", ReadField<&ExportOptions::keep_initializers_as_inputs>},
    {"quantized_weights", ReadField<&ExportOptions::quantized_weights>},
    {"state_as_io", ReadField<&ExportOptions::state_as_io>},
    {"half_precision", ReadField<&ExportOptions::half_precision>},
    {"functions", ReadField<&ExportOptions::functions>},
    {"metadata", ReadField<&ExportOptions::metadata>},
    {"disabled_passes", ReadPasses},
    {"method", ReadField<&ExportOptions::method>},
    {"trust_source", ReadField<&ExportOptions::trust_source>},
    {"other_traces", ReadField<&ExportOptions::other_traces>},
    {"traced_sizes", ReadField<&ExportOptions::traced_sizes>},
    {"memory_budget", ReadField<&ExportOptions::memory_budget>},
};

constexpr Key<SaveOptions> kSaveKeys[] = {
    {"external_data", ReadField<&SaveOptions::external_data>},
    {"sync", ReadField<&SaveOptions::sync>},
    {"max_seconds", ReadField<&SaveOptions::deadline>},
};

void Read(const Place& at, QuantizedWeights* out) { ReadObject(at, Fields{kQuantizedWeightsKeys, out}); }

void Read(const Place& at, HalfPrecision* out) { ReadObject(at, Fields{kHalfPrecisionKeys, out}); }

void Read(const Place& at, CustomNodes* out) { ReadObject(at, Fields{kCustomNodesKeys, out}); }

void Read(const Place& at, OtherTrace* out) {
  if (at.value.is_object() && !at.value.contains("source")) at.mistakes->Add(at.Name() + ": \"source\" is missing");
  ReadObject(at, Fields{kOtherTraceKeys, out});
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
    throw Error(ErrorKind::kUsage, fmt::format("the options are no JSON: {}",
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
  ReadAll(json, Fields{kExportKeys, &options.exporting}, Fields{kSaveKeys, &options.saving});
  // One limit for both: a caller who gives seconds means the time until the file is there.
  options.exporting.deadline = options.saving.deadline;
  return options;
}

SaveOptions ReadSaveOptions(std::string_view json) {
  SaveOptions options;
  ReadAll(json, Fields{kSaveKeys, &options});
  return options;
}

std::vector<std::string> OptionKeys() {
  std::vector<std::string> names;
  const auto add = [&names](std::string_view before, const auto& keys) {
    for (const auto& key : keys) names.push_back(fmt::format("{}{}", before, key.name));
  };
  add("", kExportKeys);
  add("", kSaveKeys);
  add("custom_nodes.", kCustomNodesKeys);
  add("other_traces.", kOtherTraceKeys);
  add("quantized_weights.", kQuantizedWeightsKeys);
  add("half_precision.", kHalfPrecisionKeys);
  return names;
}

}  // namespace onnxport
