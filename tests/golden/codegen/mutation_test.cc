// Specs with tokens exchanged at random: whatever the loader accepts, checking it ends without a
// crash, and what the checks accept can be emitted. (:mutants_compiled compiles some of it.)
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "codegen/check/check.h"
#include "codegen/emit/cases.h"
#include "codegen/emit/family.h"
#include "codegen/emit/template.h"
#include "codegen/load/load.h"
#include "codegen/specialize/specialize.h"
#include "tests/golden/codegen/mutator.h"

namespace onnxport::codegen {
namespace {

TEST(Mutants, AreRefusedOrEmitted) {
  const char* wanted = std::getenv("MUTANTS");
  const int count = wanted ? std::atoi(wanted) : 1500;
  Mutator mutator;
  Templates templates("templates");
  int loaded = 0;
  int emitted = 0;
  for (int i = 0; i < count; ++i) {
    const auto mutant = mutator.Next();
    SCOPED_TRACE(mutant.text);
    Diagnostics diagnostics;
    const auto spec = LoadSpecFile(mutant.path, mutant.text, &diagnostics);
    if (!spec) continue;
    ++loaded;
    std::optional<CheckedSpec> checked;
    ASSERT_NO_THROW(checked = Check(Specialize(*spec), {}, &diagnostics));
    ASSERT_NE(checked.has_value(), diagnostics.has_errors());
    if (!checked) continue;
    ++emitted;
    FamilyCode family;
    ASSERT_NO_THROW(family = WriteFamily(*checked, &templates));
    ASSERT_NO_THROW(CasesText(*checked, family, &templates));
  }
  EXPECT_GT(loaded, count / 10);
  EXPECT_GT(emitted, count / 100);
}

}  // namespace
}  // namespace onnxport::codegen
