// Flows of several parts that do not touch: in each without a given pressure its mean is 0, and is
// what the part alone has; likewise the stream function's constant.
#include <gtest/gtest.h>

#include <cmath>

#include "support/flows.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::closed_parts_test {
namespace {

using test::boundary;
using test::Flow;
using test::vector_formula;

struct Part {
    std::string kind;  // "open": through it; "closed": a cavity with a moving wall
    double at;         // of its least x
    std::size_t cells;
};

// Boxes of side 1, whose boundaries have the names of the box's sides and their number.
SimplexMesh mesh_of(int dimension, const std::vector<Part>& parts,
                    const std::vector<std::size_t>& numbers) {
    SimplexMesh all;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const SimplexMesh one = test::placed(
            box_mesh({.dimension = dimension, .cells = parts[k].cells}), {parts[k].at, 0, 0}, 1);
        all.dimension = dimension;
        all.regions = one.regions;
        const auto first = static_cast<Index>(all.points.size());
        all.points.insert(all.points.end(), one.points.begin(), one.points.end());
        for (const Index node : one.cells) all.cells.push_back(first + node);
        for (const Index node : one.sides) all.sides.push_back(first + node);
        all.cell_region.insert(all.cell_region.end(), one.cell_region.begin(),
                               one.cell_region.end());
        for (const std::uint16_t group : one.side_group)
            all.side_group.push_back(static_cast<std::uint16_t>(all.boundaries.size() + group));
        for (const std::string& name : one.boundaries)
            all.boundaries.push_back(name + std::to_string(numbers[k]));
    }
    return all;
}

std::vector<FlowBoundary> conditions(int dimension, const std::vector<Part>& parts,
                                     const std::vector<std::size_t>& numbers) {
    std::vector<FlowBoundary> all;
    for (std::size_t k = 0; k < parts.size(); ++k)
        for (const std::string& side : box_mesh({.dimension = dimension, .cells = 1}).boundaries) {
            const std::string name = side + std::to_string(numbers[k]);
            const bool is_open = parts[k].kind == "open";
            if (is_open && side == "xmin")
                all.push_back(boundary(name, "inflow", vector_formula({"4*y*(1-y)", "0", "0"})));
            else if (is_open && side == "xmax")
                all.push_back(boundary(name, "outflow"));
            else if (!is_open && side == "ymax")
                all.push_back(boundary(name, "wall", vector_formula({"1", "0", "0"})));
            else
                all.push_back(boundary(name, "wall"));
        }
    return all;
}

struct Seen {
    std::vector<double> pressure;  // by number in the whole mesh
    std::vector<Vec3> force;       // on ymin of each part
    std::vector<double> mean;      // of each part's pressure, by volume
};

Seen solved(const Communicator& comm, int dimension, const std::vector<Part>& parts,
            const std::vector<std::size_t>& numbers, const std::string& method) {
    const SimplexMesh mesh = mesh_of(dimension, parts, numbers);
    FlowSettings settings = test::by_method(method);
    // the correction of skew-symmetric convection is found over all parts together
    settings.convection = "central";
    // how many it makes of itself the whole decides: with these a part alone has the same
    if (method == "classical") settings.non_orthogonal_corrections = 40;
    Flow<> flow(mesh, 0.05, conditions(dimension, parts, numbers), vector_formula({"0", "0", "0"}),
                test::tight(), "cpu", settings, comm);
    flow.run(3, 0.02);
    const Mesh& m = flow.mesh.mesh;
    const auto p = flow.solver.node_pressure();
    Seen seen{
        std::vector<double>(mesh.points.size(), 0.0), {}, std::vector<double>(parts.size(), 0.0)};
    for (Index i = 0; i < flow.mesh.range(Kind::node).owned; ++i)
        seen.pressure[m.node_number[i]] = p[i];
    for (Index c = 0; c < flow.mesh.range(Kind::cell).owned; ++c)
        for (std::size_t k = 0; k < parts.size(); ++k)
            if (std::abs(flow.domain.geometry.cell_centroid[c].x - parts[k].at - 0.5) < 0.5)
                for (int j = 0; j <= dimension; ++j)
                    seen.mean[k] += volume(m, c) / (dimension + 1) * p[m.cell_nodes(c, j)];
    comm.sum(std::span<double>(seen.pressure));
    comm.sum(std::span<double>(seen.mean));
    for (const std::size_t k : numbers) {
        const BoundaryForce force = flow.force_on("ymin" + std::to_string(k));
        seen.force.push_back(force.pressure + force.friction);
    }
    return seen;
}

// The closed parts' meshes differ, and so does the share of each in any mean over all.
void expect_levels_of_their_own(int dimension, const std::vector<Part>& parts) {
    std::vector<std::size_t> numbers(parts.size());
    for (std::size_t k = 0; k < parts.size(); ++k) numbers[k] = k;
    for (const std::string method : {"exact", "classical"}) {
        const Seen here = solved(Communicator::world(), dimension, parts, numbers, method),
                   one_rank = solved(Communicator::self(), dimension, parts, numbers, method);
        for (std::size_t i = 0; i < here.pressure.size(); ++i)
            ASSERT_NEAR(here.pressure[i], one_rank.pressure[i], 1e-7)
                << method << ", " << dimension << "D, node " << i;
        std::size_t node = 0;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            if (parts[k].kind == "closed") {
                EXPECT_NEAR(here.mean[k], 0, 1e-12)
                    << method << ", " << dimension << "D, part " << k;
            }
            // the whole decides when corrections end: they do not settle on so few tets
            if (method == "classical" && dimension == 3) continue;
            const Seen alone = solved(Communicator::self(), dimension, {parts[k]}, {k}, method);
            double largest = 0;
            for (const double p : alone.pressure)
                largest = std::max(largest, std::abs(p - here.pressure[node++]));
            EXPECT_LT(largest, 1e-6) << method << ", " << dimension << "D, part " << k;
            EXPECT_LT(glm::length(here.force[k] - alone.force[0]), 1e-6)
                << method << ", " << dimension << "D, part " << k;
        }
    }
}

TEST(ClosedParts, BesideAnOpenOne) {
    for (const int dimension : {2, 3})
        expect_levels_of_their_own(dimension,
                                   {{"open", 0, 100}, {"closed", 1.5, 60}, {"closed", 4, 150}});
}

TEST(ClosedParts, AllClosed) {
    expect_levels_of_their_own(2, {{"closed", 0, 40}, {"closed", 1.5, 120}});
}

// Beside a part with walls one that is closed by periods: no wall holds its stream function, whose
// mean over its nodes is 0.
TEST(ClosedParts, StreamFunctionWithoutWalls) {
    SimplexMesh mesh = mesh_of(2, {{"closed", 0, 40}, {"closed", 1.5, 120}}, {0, 1});
    const auto first = static_cast<Index>(mesh_of(2, {{"closed", 0, 40}}, {0}).points.size());
    ASSERT_EQ(mesh.boundaries[4], "xmin1");
    make_periodic(mesh, {{4, 5, "test"}, {6, 7, "test"}});
    const VectorFormula swirl = vector_formula({"0.2 + sin(2*pi*y)", "sin(2*pi*(x-1.5))", "0"});
    const auto seen = [&](const Communicator& comm) {
        std::vector<FlowBoundary> walls = conditions(2, {{"closed", 0, 40}}, {0});
        Flow<> flow(mesh, 0.05, walls, swirl, test::tight(), "cpu", {}, comm);
        flow.run(2, 0.02);
        const auto s = flow.solver.stream_function();
        std::vector<double> all(mesh.points.size(), 0.0);
        for (Index i = 0; i < flow.mesh.range(Kind::node).owned; ++i)
            all[flow.mesh.mesh.node_number[i]] = s[i];
        comm.sum(std::span<double>(all));
        return all;
    };
    const auto here = seen(Communicator::world()), alone = seen(Communicator::self());
    double sum = 0, largest = 0, size = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
        largest = std::max(largest, std::abs(here[i] - alone[i]));
        size = std::max(size, std::abs(alone[i]));
        if (i >= first) sum += here[i];
    }
    EXPECT_GT(size, 0.05);
    EXPECT_LT(std::abs(sum), 1e-10);
    EXPECT_LT(largest, 1e-7);
}

}  // namespace
}  // namespace solenoid::closed_parts_test
