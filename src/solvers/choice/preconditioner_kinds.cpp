#include "solvers/choice/preconditioner_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace solenoid {

bool PreconditionerKind::may_be_multigrid() const { return std::isfinite(least_diffusion_number); }

PreconditionerPart PreconditionerKind::part(const std::function<double()>& diffusion_number) const {
    const bool is_multigrid = may_be_multigrid() && (least_diffusion_number == 0 ||
                                                     diffusion_number() > least_diffusion_number);
    if (is_multigrid) return PreconditionerPart::multigrid;
    return scales_by_diagonal ? PreconditionerPart::diagonal : PreconditionerPart::identity;
}

PreconditionerPart PreconditionerKind::part_without_shift() const {
    return part([] { return HUGE_VAL; });
}

const std::vector<PreconditionerKind>& preconditioner_kinds() {
    static const std::vector<PreconditionerKind> kinds{
        {"automatic",
         "multigrid where the mean diffusion number exceeds 100, the diagonal elsewhere", true,
         100},
        {"multigrid", "smoothed aggregation, on edges in an auxiliary space", true, 0},
        {"jacobi", "the diagonal", true, HUGE_VAL},
        {"none", "no preconditioner", false, HUGE_VAL},
    };
    return kinds;
}

std::vector<std::string> preconditioner_names() {
    std::vector<std::string> names;
    for (const PreconditionerKind& kind : preconditioner_kinds()) names.push_back(kind.name);
    return names;
}

const PreconditionerKind& preconditioner_kind(const std::string& name) {
    const auto found = std::ranges::find(preconditioner_kinds(), name, &PreconditionerKind::name);
    if (found == preconditioner_kinds().end())
        throw std::logic_error("no preconditioner \"" + name + '"');
    return *found;
}

}  // namespace solenoid
