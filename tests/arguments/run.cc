#include "tests/arguments/run.h"

#include <sys/resource.h>

#include <utility>

namespace onnxport::arguments {

int RunTests(int argc, char** argv, void (*register_tests)(), std::unique_ptr<testing::Environment> at_end) {
  // Sizes beyond it PyTorch refuses; without a limit it fills whatever memory there is with numbers.
  constexpr rlim_t kMostMemory = rlim_t{8} << 30;
  const rlimit limit{.rlim_cur = kMostMemory, .rlim_max = kMostMemory};
  if (::setrlimit(RLIMIT_AS, &limit) != 0) return 1;
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(at_end.release());  // GoogleTest owns it
  register_tests();
  return RUN_ALL_TESTS();
}

}  // namespace onnxport::arguments
