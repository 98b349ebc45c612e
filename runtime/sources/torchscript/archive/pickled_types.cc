#include "runtime/sources/torchscript/archive/pickled_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <variant>

#include "runtime/base/refusal.h"
#include "runtime/base/text.h"

namespace onnxport::torchscript {

std::string PickledTypeOf(const std::string& function, const Pickled::Tuple& args) {
  using Row = std::pair<std::string_view, std::string_view>;
  static constexpr Row kLists[] = {{"torch.jit._pickle.build_intlist", "List[int]"},
                                   {"torch.jit._pickle.build_doublelist", "List[float]"},
                                   {"torch.jit._pickle.build_boollist", "List[bool]"},
                                   {"torch.jit._pickle.build_tensorlist", "List[Tensor]"}};
  const auto* list = std::ranges::find(kLists, function, &Row::first);
  if (list != std::end(kLists)) return std::string(list->second);
  if (function != "torch.jit._pickle.restore_type_tag" || args.items.size() < 2)
    throw Refusal(fmt::format("names the function {}, which is not known", Printable(function)));
  const auto* text = std::get_if<std::string>(&args.items[1]->v);
  if (!text) throw Refusal("has a type that is no text");
  return *text;
}

}  // namespace onnxport::torchscript
