// step_rates [CELLS [CELLS_3D]]: how fast anything grows in collocated momentum about frozen flows,
// and the largest Courant numbers, as a table. Ends with code 1 where something grows
// (docs/validation.md, "Rates of growth").
#include "frozen_cases.hpp"

using namespace solenoid;
using namespace solenoid::test;

namespace {

constexpr double largest_growth = 1e-10;  // of a rate [1/s], of a step

struct Tally {
    double least_courant = HUGE_VAL;
    int growing = 0;
} tally;

// No step grows faster than the flow that it approximates.
bool is_stable(FrozenFlow& flow, double courant, double rate) {
    const double dt = courant / flow.courant_rate();
    return spectral_radius(flow.step(dt)) <=
           1 + largest_growth + (rate > largest_growth ? 1.05 * std::expm1(rate * dt) : 0);
}

// To a hundredth; up to 1.5.
double largest_courant(FrozenFlow& flow, double rate) {
    double low = 0, high = 1.5;
    for (const double below : {0.2, 0.5}) {
        if (!is_stable(flow, below, rate)) return low;
        low = below;
    }
    if (is_stable(flow, high, rate)) return high;
    while (high - low > 0.01)
        (is_stable(flow, (low + high) / 2, rate) ? low : high) = (low + high) / 2;
    return low;
}

double rate_of(FrozenFlow& flow) {
    return largest_rate(flow.semi_discrete(3e-3 / flow.courant_rate()));
}

void print_row(const std::string& mesh, const FrozenCase& one, double viscosity,
               const std::string& method) {
    FrozenFlow flow = frozen(one, viscosity, settings_of(method, "skew-symmetric"));
    FrozenFlow central_flow = frozen(one, viscosity, settings_of(method, "central"));
    const double rate = rate_of(flow), central = rate_of(central_flow),
                 courant = largest_courant(flow, rate);
    tally.least_courant = std::min(tally.least_courant, courant);
    tally.growing += rate > largest_growth;
    std::printf("| %s, %d | %s | %g | %s | %.2e | %.2e | %s%.2f |\n", mesh.c_str(),
                int(flow.cells()), one.name.c_str(), viscosity, method.c_str(), rate, central,
                courant == 1.5 ? "over " : "", courant);
    std::fflush(stdout);
}

void print_mesh(const std::string& kind, int dimension, int cells) {
    const SimplexMesh mesh = small_mesh(kind, dimension, cells);
    std::vector<FrozenCase> cases{through_flow(mesh), entering_vortex(mesh), walled_vortex(mesh),
                                  rough_flow(mesh)};
    if (kind == "box")
        cases.push_back(periodic_vortices(
            small_mesh(kind, dimension, dimension == 2 ? cells : std::max(cells, 324))));
    for (const FrozenCase& one : cases)
        for (const double viscosity : {1.0 / 800, 0.0})
            for (const char* method : {"exact", "classical"}) {
                // the number of its corrections is no linear rule
                if (kind == "flat" && method != std::string("exact")) continue;
                print_row(kind + (dimension == 2 ? "" : ", 3D"), one, viscosity, method);
            }
}

}  // namespace

int main(int argc, char** argv) {
    MpiSession session(argc, argv);
    std::printf(
        "| mesh, cells | flow | viscosity | method | largest rate [1/s] | by central convection | "
        "largest Courant number |\n|---|---|---|---|---|---|---|\n");
    for (const char* kind : {"box", "gmsh", "graded", "flat"})
        print_mesh(kind, 2, argc > 1 ? std::atoi(argv[1]) : 64);
    if (argc > 2)
        for (const char* kind : {"box", "gmsh"}) print_mesh(kind, 3, std::atoi(argv[2]));
    std::printf("\n%d grow; the least of the largest Courant numbers is %.2f\n", tally.growing,
                tally.least_courant);
    return tally.growing ? 1 : 0;
}
