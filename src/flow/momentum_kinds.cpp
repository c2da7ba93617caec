#include "flow/momentum_kinds.hpp"

namespace solenoid {

MomentumKind collocated_momentum();  // collocated/collocated_momentum.cpp
MomentumKind rotational_momentum();  // staggered/rotational_momentum.cpp
MomentumKind thesis_momentum();      // staggered/thesis_momentum.cpp

const std::vector<MomentumKind>& momentum_kinds() {
    static const std::vector<MomentumKind> kinds{collocated_momentum(), rotational_momentum(),
                                                 thesis_momentum()};
    return kinds;
}

const MomentumKind& momentum_kind(const std::string& name) {
    return kind_of(momentum_kinds(), name);
}

}  // namespace solenoid
