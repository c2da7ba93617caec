// Elements of 4 or 8 bytes by lists: to[k] = from[where[k]] and to[where[k]] = from[k], all
// columns. For PTX, as a kernel's text.
#include "device/cuda/arguments.hpp"
#include "prologue.cuda.hpp"

namespace solenoid::cuda {
namespace {

template <class Element, bool is_scatter>
SOLENOID_INLINED void move(const MoveArguments& a) {
    const Element* const from = static_cast<const Element*>(a.from);
    Element* const to = static_cast<Element*>(a.to);
    EACH_THREAD(thread) {
        const uint k = block_index() * group_size + thread;
        if (k < a.count) {
            const uint there = a.where[k];
            for (uint j = 0; j < a.columns; ++j)
                to[j * a.to_pitch + (is_scatter ? there : k)] =
                    from[j * a.from_pitch + (is_scatter ? k : there)];
        }
    }
}

}  // namespace
}  // namespace solenoid::cuda

using solenoid::cuda::MoveArguments;
SOLENOID_ENTRY(gather_4, MoveArguments) { solenoid::cuda::move<unsigned, false>(arguments); }
SOLENOID_ENTRY(gather_8, MoveArguments) {
    solenoid::cuda::move<unsigned long long, false>(arguments);
}
SOLENOID_ENTRY(scatter_4, MoveArguments) { solenoid::cuda::move<unsigned, true>(arguments); }
SOLENOID_ENTRY(scatter_8, MoveArguments) {
    solenoid::cuda::move<unsigned long long, true>(arguments);
}
