// A plate that is heated inside and cooled on one side, whose temperature is known:
//   k T'' + q = 0,  T(0) = T_0,  -k T'(L) = h (T(L) - T_inf),
// to second order in the size of the elements.
#include <solenoid/heat.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

constexpr double k = 2, q = 500, h = 10, inside = 350, outside = 290, length = 0.5;

double exact(double x) {
    const double slope =
        (h * (outside - inside + q * length * length / (2 * k)) + q * length) / (k + h * length);
    return inside + slope * x - q * x * x / (2 * k);
}

int solve(const solenoid::Session& session) {
    solenoid::HeatProblem problem;
    problem.mesh = solenoid::BoxMesh{.cells = 3000, .high = {length, 0.2, 0.2}};
    problem.materials["box"] = {.conductivity = k, .source = q};
    problem.boundaries["xmin"] = solenoid::FixedTemperature{inside};
    problem.boundaries["xmax"] = solenoid::HeatExchange{.coefficient = h, .ambient = outside};
    problem.boundaries["default"] = solenoid::Insulation{};
    problem.device = "cpu";

    solenoid::Heat heat(session, problem);
    heat.solve_steady();
    heat.write_vtk("out", "plate");

    const std::vector<solenoid::Point> x = heat.positions();
    const std::vector<double> t = heat.temperature();
    double error = 0;
    for (std::size_t i = 0; i < heat.nodes(); ++i)
        error = std::max(error, std::abs(t[i] - exact(x[i][0])));
    error = session.max(error);
    const double nodes = session.sum(static_cast<double>(heat.nodes()));
    if (session.rank() == 0)
        std::printf("%g nodes on %d ranks, largest error %.3g K, %.9g W out\n", nodes,
                    session.ranks(), error, -heat.flows().boundaries["xmax"]);
    return error < 0.05 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    solenoid::Session session(argc, argv);
    return session.reported("consumer", [&] { return solve(session); });
}
