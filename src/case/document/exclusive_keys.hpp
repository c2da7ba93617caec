// Keys of which a table has one at most.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace solenoid {

// By the table's title. A reader refuses two of them; --set of one replaces the others.
inline const std::map<std::string, std::vector<std::string>> exclusive_keys{
    {"[mesh]", {"file", "box"}},
    {"[output]", {"interval", "every"}},
    {"[time]", {"courant", "tolerance", "step"}},  // what the step follows, in a flow and in heat, or its length
};

}  // namespace solenoid
