#include "core/reproducible.hpp"

namespace solenoid {
namespace {

bool is_on = false;

}  // namespace

bool is_reproducible() { return is_on; }

void set_reproducible(bool is) { is_on = is; }

}  // namespace solenoid
