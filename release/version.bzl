"""The version in names of files; the packing fails where `onnxport/version.h` says another."""

VERSION = "0.1.0"
