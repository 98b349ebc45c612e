#include "tools/mutate/mutants.h"

#include <algorithm>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace onnxport::mutate {
namespace {

std::string_view LineAt(std::string_view text, size_t offset) {
  size_t begin = text.rfind('\n', offset);
  begin = text.find_first_not_of(' ', begin == std::string_view::npos ? 0 : begin + 1);
  return text.substr(begin, text.find('\n', offset) - begin);
}

std::string Key(const Mutant& mutant) {
  return mutant.site.place.file->path + ": " + std::string(LineAt(Mutated({mutant}), OffsetOf(mutant.site.place)));
}

std::string PlaceText(const codegen::Place& place) {
  return place.file->path + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

bool Share(const Mutant& a, const Mutant& b) {
  return std::ranges::any_of(a.site.overloads, [&](const std::string& overload) {
    return std::ranges::find(b.site.overloads, overload) != b.site.overloads.end();
  });
}

bool Fits(const Mutant& mutant, const Batch& batch) {
  return mutant.site.place.file->path == batch[0].site.place.file->path &&
         std::ranges::none_of(batch, [&](const Mutant& other) { return Share(mutant, other); });
}

}  // namespace

std::string ToText(const Mutant& mutant) {
  const codegen::Place& place = mutant.site.place;
  const std::string line(LineAt(place.file->text, OffsetOf(place)));
  return PlaceText(place) + ": `" + mutant.site.was + "` -> `" + mutant.becomes + "` in `" + line + "`";
}

std::string Mutated(const Batch& batch) {
  std::map<size_t, const Mutant*, std::greater<>> from_the_end;
  for (const Mutant& mutant : batch) from_the_end[OffsetOf(mutant.site.place)] = &mutant;
  std::string text = batch[0].site.place.file->text;
  for (const auto& [offset, mutant] : from_the_end) text.replace(offset, mutant->site.was.size(), mutant->becomes);
  return text;
}

Equivalents ReadEquivalents(const std::string& text) {
  Equivalents equivalents;
  std::istringstream lines(text);
  std::string* reason = nullptr;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      reason = &equivalents[line];
    } else if (reason != nullptr) {
      *reason += (reason->empty() ? "" : " ") + line.substr(line.find_first_not_of(' '));
    }
  }
  for (const auto& [line, why] : equivalents) {
    if (why.empty()) throw std::runtime_error("no reason why this is equivalent: " + line);
  }
  return equivalents;
}

std::vector<std::string> Outdated(const Equivalents& equivalents, const std::vector<Site>& sites) {
  std::set<std::string> possible;
  for (const Site& site : sites) {
    for (const std::string& becomes : site.alternatives) possible.insert(Key({site, becomes}));
  }
  std::vector<std::string> outdated;
  for (const auto& [line, why] : equivalents) {
    if (!possible.contains(line)) outdated.push_back(line);
  }
  return outdated;
}

std::vector<Mutant> Choose(std::vector<Site> sites, size_t count, unsigned seed, const Equivalents& equivalents) {
  std::mt19937 random(seed);
  std::ranges::shuffle(sites, random);
  std::vector<Mutant> mutants;
  for (const Site& site : sites) {
    if (mutants.size() == count) break;
    Mutant mutant{.site = site, .becomes = site.alternatives[random() % site.alternatives.size()]};
    if (!equivalents.contains(Key(mutant))) mutants.push_back(std::move(mutant));
  }
  return mutants;
}

std::vector<Mutant> AllAt(const std::string& place, const std::vector<Site>& sites, const Equivalents& equivalents) {
  std::vector<Mutant> mutants;
  for (const Site& site : sites) {
    if (!(PlaceText(site.place) + ":").starts_with(place + ":")) continue;
    for (const std::string& becomes : site.alternatives) {
      Mutant mutant{.site = site, .becomes = becomes};
      if (!equivalents.contains(Key(mutant))) mutants.push_back(std::move(mutant));
    }
  }
  return mutants;
}

std::vector<Batch> Batches(const std::vector<Mutant>& mutants) {
  std::vector<Batch> batches;
  for (const Mutant& mutant : mutants) {
    const auto found = std::ranges::find_if(batches, [&](const Batch& batch) { return Fits(mutant, batch); });
    if (found == batches.end())
      batches.push_back({mutant});
    else
      found->push_back(mutant);
  }
  return batches;
}

}  // namespace onnxport::mutate
