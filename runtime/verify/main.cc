// The program that `exporter verify` starts: LibTorch is linked here, ONNX Runtime in a program beside it.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <string>

#include "runtime/base/error.h"
#include "runtime/cli/messages.h"
#include "runtime/cli/verify_options.h"
#include "runtime/verify/cannot_compare.h"
#include "runtime/verify/verify.h"

namespace onnxport::verify {
namespace {

int Run(const cli::VerifyArguments& arguments) {
  try {
    const auto runner = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "exporter-onnxruntime";
    return Verify(arguments, runner.string()) ? 0 : 1;
  } catch (const Error& error) {
    return error.kind() == ErrorKind::kCannotExport ? (cli::Fail(error.report()), cli::kNotCompared)
                                                    : cli::Fail(error.report());
  } catch (const CannotCompare& error) {
    cli::Tell(std::string("exporter: error: ") + error.what() + "\n");
  } catch (const std::exception& error) {
    cli::Tell(std::string("exporter: error: cannot compare: ") + error.what() + "\n");
  }
  return cli::kNotCompared;
}

}  // namespace
}  // namespace onnxport::verify

int main(int argc, char** argv) {
  CLI::App app("Runs an ONNX model beside the PyTorch program that it was made of.", "exporter verify");
  onnxport::cli::VerifyArguments arguments;
  onnxport::cli::AddVerifyOptions(&app, &arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return onnxport::cli::Fail(onnxport::Report(onnxport::ErrorKind::kUsage, error.what()));
  }
  const int status = onnxport::verify::Run(arguments);
  return std::fflush(stdout) == 0 ? status : onnxport::cli::kNotCompared;
}
