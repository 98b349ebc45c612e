// Takes the weights of a program from another file, or makes them inputs of the model.
#ifndef ONNXPORT_RUNTIME_SOURCES_WEIGHTS_REPLACEMENT_H_
#define ONNXPORT_RUNTIME_SOURCES_WEIGHTS_REPLACEMENT_H_

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/archive/byte_source.h"
#include "runtime/ir/graph.h"
#include "runtime/sources/torchscript/archive/program.h"
#include "runtime/sources/weights/safetensors.h"

namespace onnxport::weights {

// Reads a file of safetensors, torch.save(model.state_dict(), path), or torch::save(module, path) in C++. Throws Error
// (kBadInput) for any other file, or a damaged one.
NamedTensors ReadWeights(const std::shared_ptr<const archive::ByteSource>& file);

// Replaces a program's parameters and buffers by the tensors of a file, or by tensors without elements. Constants of
// its code and quantized weights stay, and weights that share memory still do.
class Replacement {
 public:
  // Replaces them by tensors without elements.
  Replacement() = default;
  // Throws Error.
  explicit Replacement(const std::shared_ptr<const archive::ByteSource>& file);

  // Throws Error (kCannotExport) with all weights that are missing in the file or have another dtype or shape there,
  // and those that share memory but differ in the file.
  void Apply(ir::Graph* program);
  void Apply(torchscript::Program* program);

  // About tensors of the file that the program does not use.
  std::vector<std::string> Remarks() const;

 private:
  using Data = std::shared_ptr<const ir::TensorData>;
  void Note(const std::string& name, const Data& data) { names_[data.get()].push_back(name); }
  Data Replace(const Data& data);
  // Null if it has none of that kind.
  Data FromFile(const std::vector<std::string>& names, const ir::TensorData& data);
  void Check() const;

  struct File {
    std::string name;
    NamedTensors tensors;
  };
  std::optional<File> file_;
  std::map<const ir::TensorData*, std::vector<std::string>> names_;  // tied weights have several
  std::map<const ir::TensorData*, Data> replaced_;
  // If a TensorData were freed, a new one could get its address and be mistaken for it.
  std::vector<Data> kept_;  // keeps the keys alive
  std::set<std::string> used_;
  std::vector<std::string> missing_;
  std::vector<std::string> unlike_;
};

}  // namespace onnxport::weights

#endif  // ONNXPORT_RUNTIME_SOURCES_WEIGHTS_REPLACEMENT_H_
