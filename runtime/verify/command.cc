#include "runtime/verify/command.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "runtime/base/error.h"
#include "runtime/cli/messages.h"
#include "runtime/cli/verify_options.h"
#include "runtime/verify/ort/find_runner.h"
#include "runtime/verify/report/cannot_compare.h"
#include "runtime/verify/verify.h"

namespace onnxport::verify {
namespace {

// A program that is not there is no mistake of the command line.
std::string Runner() {
  try {
    return ort::FindRunner("");
  } catch (const Error& error) {
    throw CannotCompare(error.what());
  }
}

int Run(const cli::VerifyArguments& arguments, const Torch& torch) {
  try {
    return Verify(arguments, torch, Runner()) ? 0 : 1;
  } catch (const Error& error) {
    // 1 means "they differ" here, and not "cannot be exported" as with the other commands.
    return error.kind() == ErrorKind::kCannotExport ? (cli::Fail(error.report()), cli::kNotCompared)
                                                    : cli::Fail(error.report());
  } catch (const std::exception& error) {
    cli::Fail(Report(Code::kNotCompared, std::string("cannot compare: ") + error.what()));
  }
  return cli::kNotCompared;
}

}  // namespace

int RunCommand(int argc, char** argv, const Torch& torch) {
  CLI::App app("Runs an ONNX model beside the PyTorch program that it was made of.", "exporter verify");
  cli::VerifyArguments arguments;
  cli::AddVerifyOptions(&app, &arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return cli::Fail(Report(Code::kCommandLine, error.what()));
  }
  const int status = Run(arguments, torch);
  // A verdict that nobody could read is none.
  return std::fflush(stdout) == 0 ? status : cli::kNotCompared;
}

}  // namespace onnxport::verify
