// The page of operators: what each exports to, at which opsets, with which dtypes, as specs say and tests measured.
#ifndef ONNXPORT_DOCS_PAGE_PAGE_H_
#define ONNXPORT_DOCS_PAGE_PAGE_H_

#include <map>
#include <string>
#include <vector>

#include "codegen/emit/rows.h"
#include "docs/page/measured.h"

namespace onnxport::page {

// The data as the script of page.html reads it:
//
//   {"first": 7, "last": 28,
//    "operators": [{"name": "aten::relu", "spec": "spec/aten/activation.yaml", "agree": 58, "cells": 66,
//                   "forms": [[7, 28, ""]],                           first and last opset, reason of a refusal
//                   "remarks": [["refused: no bytes", [7, 8]]],       text, opsets
//                   "outcomes": [["agrees", "", {"f32": [7]}, 0]]}]}  kind, reason, dtypes and opsets, 1: of sizes or
//                                                                     numbers known only at run time
std::string Data(const std::vector<codegen::RowsFile>& files, const std::map<std::string, Measured>& measured);

// `html` with the data in the place of its marker. Throws std::exception when there is no marker.
std::string Fill(std::string html, const std::string& data);

}  // namespace onnxport::page

#endif  // ONNXPORT_DOCS_PAGE_PAGE_H_
