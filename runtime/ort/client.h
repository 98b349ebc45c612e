// Starts the ONNX Runtime process and talks to it.
#ifndef ONNXPORT_RUNTIME_ORT_CLIENT_H_
#define ONNXPORT_RUNTIME_ORT_CLIENT_H_

#include <sys/types.h>

#include <string>

#include "runtime/ort/protocol.h"

namespace onnxport::ort {

// One process, started on first use and again after a crash.
class Client {
 public:
  explicit Client(std::string runner) : runner_(std::move(runner)) {}
  Client(const Client&) = delete;
  ~Client() { Stop(); }

  // A crash of the process is an error text too, and so is a run of more than `seconds`, which is ended.
  Response Run(const Request& request, int seconds = 3600);

 private:
  bool Start();
  std::string Stop();  // how it ended

  std::string runner_;
  pid_t pid_ = -1;
  int to_ = -1;
  int from_ = -1;
};

}  // namespace onnxport::ort

#endif  // ONNXPORT_RUNTIME_ORT_CLIENT_H_
