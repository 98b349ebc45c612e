#include "runtime/sources/weights/name_weights.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/ir/program_weight.h"

namespace onnxport::weights {
namespace {

using Data = std::shared_ptr<const ir::TensorData>;

// Two walks, as in replacement.cc: all names of a tensor must be known before it is replaced.
class Namer {
 public:
  void Note(const std::string& name, const Data& data) { names_[data].push_back(name); }

  Data Named(const Data& data) {
    Data& named = named_[data];
    if (named == nullptr) {
      named = std::make_shared<const ir::TensorData>(
          ir::TensorData{.dtype = data->dtype,
                         .shape = data->shape,
                         .bytes = std::make_shared<ir::ProgramWeight>(names_.at(data), data)});
    }
    return named;
  }

 private:
  std::map<Data, std::vector<std::string>> names_;
  std::map<Data, Data> named_;
};

}  // namespace

void NameWeights(ir::Graph* program) {
  Namer namer;
  for (const ir::Weight& weight : program->weights) {
    if (!weight.constant) namer.Note(weight.name, weight.data);
  }
  for (ir::Weight& weight : program->weights) {
    if (!weight.constant) weight.data = namer.Named(weight.data);
  }
}

void NameWeights(torchscript::Program* program) {
  Namer namer;
  torchscript::ReplaceState(program, [&namer](const std::string& name, const Data& data) {
    namer.Note(name, data);
    return data;
  });
  torchscript::ReplaceState(program, [&namer](const std::string&, const Data& data) { return namer.Named(data); });
}

}  // namespace onnxport::weights
