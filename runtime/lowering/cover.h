// Which cases of an entry the tests reach. Generated functions mark each case of an entry with several:
//   ONNXPORT_COVER("spec/aten/norm.yaml:12 case 2");
// The product compiles nothing for it. The conformance tests compile the same sources with ONNXPORT_COVERAGE defined,
// define `Reached`, and compare what they saw with `conformance::CaseIds()` (tests/conformance/case.h).
#ifndef ONNXPORT_RUNTIME_LOWERING_COVER_H_
#define ONNXPORT_RUNTIME_LOWERING_COVER_H_

#ifdef ONNXPORT_COVERAGE

#include <string_view>

namespace onnxport::lowering {

// Defined by the program that measures coverage; called each time a case is taken, before its first node.
void Reached(std::string_view case_id);

}  // namespace onnxport::lowering

#define ONNXPORT_COVER(case_id) ::onnxport::lowering::Reached(case_id)

#else

#define ONNXPORT_COVER(case_id) static_cast<void>(0)

#endif

#endif  // ONNXPORT_RUNTIME_LOWERING_COVER_H_
