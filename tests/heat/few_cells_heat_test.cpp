// Heat on meshes of a few cells: ranks have no node, no cell of a region, no face of a boundary.
// The runs end, with the temperatures of one rank.
#include <gtest/gtest.h>

#include "heat/heat_solver.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/devices.hpp"
#include "support/heat_boundaries.hpp"

namespace solenoid::few_cells_heat_test {
namespace {

Formula formula(const std::string& text) { return Formula(text, "test"); }

// A box whose first cell is a region of its own, "heater".
SimplexMesh box_with_heater(int dimension, std::size_t cells) {
    SimplexMesh mesh = box_mesh({.dimension = dimension, .cells = cells});
    mesh.regions = {"body", "heater"};
    std::ranges::fill(mesh.cell_region, std::uint16_t(0));
    mesh.cell_region[0] = 1;
    return mesh;
}

struct Case {
    // of xmin, with an exchange of 1 W/(m^2 K) where it is "convection"; the other sides are
    // insulated
    std::string side = "temperature", value = "1";
    std::string initial = "0", source = "0";  // source: of the heater
    bool is_steady = false;
    int steps = 3;
    bool estimates = false;
};

struct Result {
    std::vector<double> temperature, errors;  // by number in the whole mesh; one a step
    double side = 0;                          // heat through xmin [W]
    int ranks_without_nodes = 0;
};

Result solved(const Communicator& comm, const SimplexMesh& whole, const Case& c) {
    const auto device = test::make_device("cpu");
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
    const Domain domain(comm, *device, mesh);
    std::vector<MaterialSettings> regions(2);
    for (MaterialSettings& region : regions) region.conductivity = region.heat_capacity = 1.0;
    regions[1].source = formula(c.source);
    std::vector<HeatBoundary> boundaries;
    for (const std::string& name : whole.boundaries) {
        const bool is_first = name == "xmin" && c.side != "insulated";
        boundaries.push_back(!is_first ? test::heat_boundary(name, "insulated")
                             : c.side == "convection"
                                 ? test::heat_boundary(name, c.side, 1.0, formula(c.value))
                                 : test::heat_boundary(name, c.side, formula(c.value)));
    }
    HeatSolver<double> solver(domain, regions, boundaries, formula(c.initial), {});
    Result result;
    if (c.is_steady)
        solver.solve_steady();
    else
        for (int k = 0; k < c.steps; ++k) result.errors.push_back(solver.step(0.05, c.estimates));
    for (std::size_t p = 0; p < boundaries.size(); ++p)
        if (boundaries[p].name == "xmin") result.side = solver.balance().boundary[p];
    const std::vector<double> t = solver.temperature();
    result.temperature.assign(whole.points.size(), 0);
    for (Index i = 0; i < domain.nodes.owned; ++i)
        result.temperature[mesh.mesh.node_number[i]] = t[i];
    comm.sum(result.temperature);
    result.ranks_without_nodes = static_cast<int>(comm.sum(std::int64_t(domain.nodes.owned == 0)));
    return result;
}

// Returns how many ranks had no node.
int expect_as_on_one_rank(const SimplexMesh& whole, const Case& c) {
    const Communicator world = Communicator::world();
    if (static_cast<int>(whole.cell_count()) < world.size()) return 0;  // refused
    const Result here = solved(world, whole, c), alone = solved(Communicator::self(), whole, c);
    const std::string words = fmt::format("{} cells in {}D, {}, source {}", whole.cell_count(),
                                          whole.dimension, c.side, c.source);
    double scale = 1e-12;
    for (const double t : alone.temperature) scale = std::max(scale, std::abs(t));
    for (std::size_t i = 0; i < alone.temperature.size(); ++i)
        EXPECT_NEAR(here.temperature[i], alone.temperature[i], 1e-9 * scale)
            << words << ", node " << i;
    EXPECT_NEAR(here.side, alone.side, 1e-8 * std::max(1.0, std::abs(alone.side))) << words;
    for (std::size_t k = 0; k < alone.errors.size(); ++k)
        EXPECT_NEAR(here.errors[k], alone.errors[k], 1e-3 * alone.errors[k] + 1e-9)
            << words << ", step " << k;
    return here.ranks_without_nodes;
}

TEST(FewCells, SteadyAndInTime) {
    int without = 0;
    for (const int dimension : {2, 3})
        for (const std::size_t cells : {1, 4, 8, 12, 20, 24}) {
            const SimplexMesh whole = box_with_heater(dimension, cells);
            without +=
                expect_as_on_one_rank(whole, {.value = "1+x", .source = "2", .estimates = true});
            without += expect_as_on_one_rank(
                whole, {.side = "convection", .value = "1+x", .source = "2", .is_steady = true});
        }
    if (Communicator::world().size() >= 4) {
        EXPECT_GT(without, 0) << "this tests little";
    }
}

TEST(FewCells, SourceOfOneRegionThatDependsOnTime) {
    for (const int dimension : {2, 3})
        for (const std::size_t cells : {8, 24})
            expect_as_on_one_rank(box_with_heater(dimension, cells),
                                  {.source = "sin(3*t)", .steps = 2, .estimates = true});
}

TEST(FewCells, BoundaryThatDependsOnTime) {
    for (const char* side : {"temperature", "convection", "flux"})
        expect_as_on_one_rank(box_with_heater(2, 12),
                              {.side = side, .value = "sin(3*t)", .steps = 2});
}

// Nothing drives, nothing is there: the answer is what there was, and an estimate of the error that
// a step can be chosen by.
TEST(FewCells, AllIsZero) {
    for (const char* side : {"temperature", "convection", "insulated", "flux"})
        for (const char* initial : {"0", "3"})
            for (const bool is_steady : {true, false}) {
                const bool keeps = std::string(side) == "insulated" || std::string(side) == "flux";
                if (!keeps && !is_steady && initial[0] == '3') continue;  // cools
                const Result result = solved(Communicator::world(), box_with_heater(2, 8),
                                             {.side = side,
                                              .value = "0",
                                              .initial = initial,
                                              .is_steady = is_steady,
                                              .steps = 2,
                                              .estimates = true});
                const double expected = keeps && initial[0] == '3' ? 3 : 0;
                for (const double t : result.temperature)
                    EXPECT_NEAR(t, expected, 1e-9)
                        << side << ", " << initial << (is_steady ? ", steady" : "");
                // not a number either
                for (const double error : result.errors)
                    EXPECT_LE(error, 1e-3) << side << ", " << initial;
            }
}

}  // namespace
}  // namespace solenoid::few_cells_heat_test
