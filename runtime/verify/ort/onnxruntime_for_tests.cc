// Stands for the library of ONNX Runtime where it is only looked for.
extern "C" const void* OrtGetApiBase() { return nullptr; }
