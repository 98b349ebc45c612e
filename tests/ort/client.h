// Starts the ONNX Runtime process and talks to it.
#ifndef ONNXPORT_TESTS_ORT_CLIENT_H_
#define ONNXPORT_TESTS_ORT_CLIENT_H_

#include <sys/types.h>

#include <string>

#include "tests/ort/protocol.h"

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

// The newest opset that some ONNX Runtime here runs.
inline constexpr int kNewestOpset = 26;

// The client that can run an opset: the distribution's ONNX Runtime, the newer one for opsets that it does not know,
// and ONNX's reference evaluator for what is newer still. Shared by the tests of a process.
Client& ClientFor(int opset);

}  // namespace onnxport::ort

#endif  // ONNXPORT_TESTS_ORT_CLIENT_H_
