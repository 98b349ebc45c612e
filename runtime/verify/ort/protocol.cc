#include "runtime/verify/ort/protocol.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace onnxport::ort {
namespace {

class Writer {
 public:
  void Number(int64_t n) { out_.append(reinterpret_cast<const char*>(&n), sizeof n); }
  void Text(const std::string& text) {
    Number(static_cast<int64_t>(text.size()));
    out_ += text;
  }
  void Tensors(const std::vector<Tensor>& tensors) {
    Number(static_cast<int64_t>(tensors.size()));
    for (const Tensor& t : tensors) {
      Text(t.name);
      Number(static_cast<int64_t>(t.dtype));
      Number(static_cast<int64_t>(t.shape.size()));
      for (int64_t d : t.shape) Number(d);
      Text(t.bytes);
      Number(t.is_sequence ? 1 : 0);
      if (t.is_sequence) Tensors(t.elements);
    }
  }
  const std::string& out() const { return out_; }

 private:
  std::string out_;
};

class Reader {
 public:
  explicit Reader(const std::string& in) : in_(in) {}
  int64_t Number() {
    int64_t n = 0;
    std::memcpy(&n, in_.data() + at_, sizeof n);
    at_ += sizeof n;
    return n;
  }
  std::string Text() {
    const auto size = static_cast<size_t>(Number());
    at_ += size;
    return in_.substr(at_ - size, size);
  }
  std::vector<Tensor> Tensors() {
    std::vector<Tensor> tensors(static_cast<size_t>(Number()));
    for (Tensor& t : tensors) {
      t.name = Text();
      t.dtype = static_cast<ir::DType>(Number());
      t.shape.resize(static_cast<size_t>(Number()));
      for (int64_t& d : t.shape) d = Number();
      t.bytes = Text();
      t.is_sequence = Number() != 0;
      if (t.is_sequence) t.elements = Tensors();
    }
    return tensors;
  }

 private:
  const std::string& in_;
  size_t at_ = 0;
};

bool WriteAll(int fd, const char* data, size_t size) {
  while (size > 0) {
    const ssize_t n = write(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

bool ReadAll(int fd, char* data, size_t size) {
  while (size > 0) {
    const ssize_t n = read(fd, data, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    data += n;
    size -= static_cast<size_t>(n);
  }
  return true;
}

bool SendMessage(int fd, const std::string& message) {
  const uint64_t size = message.size();
  return WriteAll(fd, reinterpret_cast<const char*>(&size), sizeof size) &&
         WriteAll(fd, message.data(), message.size());
}

std::optional<std::string> ReceiveMessage(int fd) {
  uint64_t size = 0;
  if (!ReadAll(fd, reinterpret_cast<char*>(&size), sizeof size)) return std::nullopt;
  std::string message(size, '\0');
  if (!ReadAll(fd, message.data(), size)) return std::nullopt;
  return message;
}

}  // namespace

bool Send(int fd, const Request& request) {
  Writer w;
  w.Text(request.model_path);
  w.Text(request.model_bytes);
  w.Tensors(request.inputs);
  return SendMessage(fd, w.out());
}

bool Send(int fd, const Response& response) {
  Writer w;
  w.Text(response.error);
  w.Tensors(response.outputs);
  return SendMessage(fd, w.out());
}

std::optional<Request> ReceiveRequest(int fd) {
  const auto message = ReceiveMessage(fd);
  if (!message) return std::nullopt;
  Reader r(*message);
  Request request;
  request.model_path = r.Text();
  request.model_bytes = r.Text();
  request.inputs = r.Tensors();
  return request;
}

bool Comes(int fd, int seconds) {
  pollfd wanted{.fd = fd, .events = POLLIN, .revents = 0};
  return poll(&wanted, 1, seconds * 1000) > 0;
}

std::optional<Response> ReceiveResponse(int fd) {
  const auto message = ReceiveMessage(fd);
  if (!message) return std::nullopt;
  Reader r(*message);
  Response response;
  response.error = r.Text();
  response.outputs = r.Tensors();
  return response;
}

}  // namespace onnxport::ort
