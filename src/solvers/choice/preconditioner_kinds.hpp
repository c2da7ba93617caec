// The kinds of preconditioners: the values of `preconditioner` in a table [solver.NAME].
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace solenoid {

// What M is made of for a matrix S + L with a diagonal S >= 0, the shift, and a diffusion matrix L.
enum class PreconditionerPart {
    identity,  // M = 1 on the unknowns
    diagonal,  // M = diag(S + L), Jacobi's
    multigrid  // a cycle for S + L
};

struct PreconditionerKind {
    std::string name;
    std::string help;
    bool scales_by_diagonal = true;  // where it is not multigrid; else by ones
    // Multigrid where the diffusion number, the mean of L_ii / S_ii, is greater; infinite: never.
    double least_diffusion_number = 0;

    bool may_be_multigrid() const;
    // diffusion_number is called where the kind asks for it, which all ranks do alike; without a
    // shift it is infinite.
    PreconditionerPart part(const std::function<double()>& diffusion_number) const;
    PreconditionerPart part_without_shift() const;
};

// The first is the default.
const std::vector<PreconditionerKind>& preconditioner_kinds();
std::vector<std::string> preconditioner_names();
// Throws std::logic_error where there is none of that name.
const PreconditionerKind& preconditioner_kind(const std::string& name);

// What a solver is told of the preconditioner that it makes.
struct PreconditionerSettings {
    const PreconditionerKind* kind = &preconditioner_kinds().front();
    bool is_mixed = false;  // in single precision within a solve in double
    int max_levels = 20;    // of multigrid
};

}  // namespace solenoid
