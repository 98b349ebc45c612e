// A place of a spec file with everything that is known about it. Explain and Complete begin with it.
#ifndef ONNXPORT_CODEGEN_HELP_PLACE_H_
#define ONNXPORT_CODEGEN_HELP_PLACE_H_

#include <optional>
#include <string>
#include <vector>

#include "codegen/help/cursor.h"
#include "codegen/help/help.h"
#include "codegen/help/lines.h"
#include "codegen/help/scope.h"

namespace onnxport::codegen {

struct PlaceInSpec {
  std::vector<Line> lines;
  Cursor cursor;
  std::optional<Spot> spot;            // nothing if the language has no such key
  std::vector<std::string> operators;  // the operators of the entry
  std::vector<ScopeName> names;        // of the item, then definitions of the file and of what it imports

  // Returns true if this is a key of the language, or a name that the spec defines.
  bool AtKey() const {
    // In `- Relu(x)` under `emit`, the place is a result. In a map it would be the name of a result.
    const bool element = cursor.behind_dash && spot && spot->form == Form::kResults;
    return cursor.at_key && spot && spot->inside.kind != Inside::Kind::kNothing && !element;
  }
  bool AtKeyOfLanguage() const { return AtKey() && spot->inside.kind == Inside::Kind::kKeys; }
  // Returns true if an expression stands here.
  bool InExpression() const;
};

PlaceInSpec FindPlace(const SpecText& spec, const Libraries& libraries, int line, int column);

}  // namespace onnxport::codegen

#endif  // ONNXPORT_CODEGEN_HELP_PLACE_H_
