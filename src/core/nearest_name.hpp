// What a user may have meant by a name that is not known.
#pragma once

#include <string>
#include <vector>

namespace solenoid {

// The name among `known` nearest to `word` in edit distance, or "" where none is near: for "did you
// mean ...".
std::string nearest_name(const std::string& word, const std::vector<std::string>& known);

}  // namespace solenoid
