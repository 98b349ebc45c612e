#include "runtime/trace/region.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace onnxport::trace {

bool UpdateWrites(const Region& body, std::vector<Region::Write>* carried) {
  std::vector<Region::Write> written;
  std::ranges::copy_if(body.writes, std::back_inserter(written),
                       [](const Region::Write& write) { return !write.kept; });
  const auto same = [](const Region::Write& a, const Region::Write& b) { return a.base == b.base; };
  const bool differ = !std::ranges::is_permutation(written, *carried, same);
  *carried = std::move(written);
  return differ;
}

}  // namespace onnxport::trace
