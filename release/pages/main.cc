// pages FOLDER: writes the manual page and the completions of `exporter` there.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "onnxport/version.h"
#include "release/pages/pages.h"
#include "runtime/cli/command_line.h"

namespace {

void Write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return std::fputs("usage: pages FOLDER\n", stderr), 2;
  try {
    const std::filesystem::path folder = argv[1];
    char* none = nullptr;
    const onnxport::cli::CommandLine line(&none);
    Write(folder / "man/man1/exporter.1", onnxport::release::ManualPage(line.app, onnxport::kVersion));
    Write(folder / "bash-completion/completions/exporter", onnxport::release::BashCompletion(line.app));
    Write(folder / "zsh/site-functions/_exporter", onnxport::release::ZshCompletion(line.app));
    Write(folder / "fish/vendor_completions.d/exporter.fish", onnxport::release::FishCompletion(line.app));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pages: %s\n", error.what());
    return 1;
  }
  return 0;
}
