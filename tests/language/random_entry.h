// Random programs of the spec language.
#ifndef ONNXPORT_TESTS_LANGUAGE_RANDOM_ENTRY_H_
#define ONNXPORT_TESTS_LANGUAGE_RANDOM_ENTRY_H_

#include <cstdint>
#include <string>

namespace onnxport::language {

// A spec file with one entry, of an operator that has arguments of many kinds. Typed as far as a grammar can: many are
// accepted by the checks, not all. The same text for the same seed, everywhere.
std::string RandomSpec(uint32_t seed);

}  // namespace onnxport::language

#endif  // ONNXPORT_TESTS_LANGUAGE_RANDOM_ENTRY_H_
