#include "tests/fuzz/target.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <vector>

namespace onnxport::fuzz {
namespace {

size_t TokenEnd(std::string_view text, size_t at) {
  const auto word = [&](size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
  };
  size_t end = at + 1;
  if (word(at)) {
    while (word(end)) ++end;
  } else if (text[at] == '\n') {
    while (end < text.size() && text[end] == ' ') ++end;
  } else if (text[at] == '"' || text[at] == '\'') {
    while (end < text.size() && text[end] != text[at] && text[end] != '\n') ++end;
    if (end < text.size() && text[end] == text[at]) ++end;
  }
  return end;
}

std::vector<std::string> Tokens(std::string_view text) {
  std::vector<std::string> tokens;
  for (size_t at = 0; at < text.size();) {
    const size_t end = TokenEnd(text, at);
    tokens.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

std::vector<std::string> Split(const std::string& text) {
  constexpr std::string_view kBetween = "\n----\n";
  std::vector<std::string> parts;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(kBetween, at), text.size());
    parts.push_back(text.substr(at, end - at) + "\n");
    at = end + kBetween.size();
  }
  return parts;
}

}  // namespace

void Check(bool holds, std::string_view property, std::string_view input) {
  if (holds) return;
  std::fprintf(stderr, "%.*s does not hold for:\n%.*s\n", static_cast<int>(property.size()), property.data(),
               static_cast<int>(input.size()), input.data());
  std::abort();
}

std::string Mutated(std::string_view text, std::string_view other, std::span<const std::string_view> words,
                    Random* random) {
  std::vector<std::string> tokens = Tokens(text);
  const std::vector<std::string> more = Tokens(other);
  for (size_t n = 1 + random->Below(4); n > 0 && !tokens.empty(); --n) {
    const size_t at = random->Below(tokens.size());
    const size_t from = random->Below(tokens.size());
    const size_t count = std::min(1 + random->Below(12), tokens.size() - from);
    const auto place = tokens.begin() + static_cast<ptrdiff_t>(at);
    const auto piece = [&](const std::vector<std::string>& source, size_t first, size_t size) {
      return std::vector<std::string>(source.begin() + static_cast<ptrdiff_t>(first),
                                      source.begin() + static_cast<ptrdiff_t>(first + size));
    };
    switch (random->Below(6)) {
      case 0: {
        const auto end = place + static_cast<ptrdiff_t>(std::min<size_t>(1 + random->Below(6), tokens.size() - at));
        tokens.erase(place, end);
        break;
      }
      case 1: {  // the same again, now and then so often that limits are met
        const auto same = piece(tokens, from, count);
        std::vector<std::string> many;
        for (size_t i = random->OneIn(50) ? 500 : 1; i > 0; --i) many.insert(many.end(), same.begin(), same.end());
        tokens.insert(place, many.begin(), many.end());
        break;
      }
      case 2:
        std::swap(tokens[at], tokens[from]);
        break;
      case 3:
        if (!more.empty()) {
          const size_t first = random->Below(more.size());
          const auto taken = piece(more, first, std::min(1 + random->Below(20), more.size() - first));
          tokens.insert(place, taken.begin(), taken.end());
        }
        break;
      case 4:
        tokens[at] = std::string(1, static_cast<char>(random->Next()));
        break;
      default:
        tokens[at] = words[random->Below(words.size())];
    }
  }
  std::string result;
  for (const std::string& token : tokens) result += token;
  return result;
}

const std::string& Seed(std::string_view name, Random* random) {
  static std::map<std::string, std::vector<std::string>, std::less<>> seeds;
  auto found = seeds.find(name);
  if (found == seeds.end()) {
    const std::string path = std::string(std::getenv("SEEDS")) + "/" + std::string(name);
    std::ifstream file(path, std::ios::binary);
    found = seeds.emplace(name, Split({std::istreambuf_iterator<char>(file), {}})).first;
    Check(!found->second.empty(), "that there is a file with seeds", path);
  }
  return random->Pick(found->second);
}

}  // namespace onnxport::fuzz
