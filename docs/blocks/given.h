// Names that statements on the pages take as known.
#ifndef ONNXPORT_DOCS_BLOCKS_GIVEN_H_
#define ONNXPORT_DOCS_BLOCKS_GIVEN_H_

#ifdef __cplusplus

#include <iostream>
#include <vector>

#include "onnxport/operators.h"
#include "onnxport/torch.h"

extern torch::nn::Sequential net;
extern onnxport::Result<onnxport::Model> model;
extern onnxport::ExportOptions options;
extern torch::Tensor example;
extern torch::Tensor other_example;
extern torch::Tensor x;
torch::Tensor my_scale(const torch::Tensor& x, double factor);

#else

#include <stdio.h>

#include "onnxport/c.h"

#endif

#endif  // ONNXPORT_DOCS_BLOCKS_GIVEN_H_
