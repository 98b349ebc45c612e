// Starts the ONNX Runtime process and talks to it.
#ifndef ONNXPORT_RUNTIME_VERIFY_ORT_CLIENT_H_
#define ONNXPORT_RUNTIME_VERIFY_ORT_CLIENT_H_

#include <sys/types.h>

#include <string>
#include <utility>

#include "runtime/verify/ort/protocol.h"

namespace onnxport::ort {

// One process, started on first use and again after a crash.
class Client {
 public:
  // `library` is that of ONNX Runtime; empty: the program looks for it.
  explicit Client(std::string runner, std::string library = "")
      : runner_(std::move(runner)), library_(std::move(library)) {}
  Client(const Client&) = delete;
  ~Client() { Stop(); }

  // A crash of the process is an error text too, and so is a run of more than `seconds`, which is ended.
  Response Run(const Request& request, int seconds = 3600);

 private:
  bool Start();
  std::string Stop();  // how it ended

  std::string runner_;
  std::string library_;
  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
};

}  // namespace onnxport::ort

#endif  // ONNXPORT_RUNTIME_VERIFY_ORT_CLIENT_H_
