// [initial] file: exact fields, written by one run's output on one mesh, start another run on
// another mesh.
#include "run/initial_state.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <random>

#include "app/physics.hpp"
#include "case/physics.hpp"
#include "core/error.hpp"
#include "core/stop_signal.hpp"
#include "io/checkpoint/write_checkpoint.hpp"
#include "io/vtk/vtk_output.hpp"
#include "mesh/box.hpp"
#include "parallel/global_numbers.hpp"
#include "parallel/mesh_hash.hpp"
#include "parallel/simplex_topology.hpp"
#include "parallel/slices/distribute.hpp"
#include "run/simplices/simplices.hpp"
#include "run/simulation.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::initial_state_test {
namespace {

namespace fs = std::filesystem;
using Of = QuantityInfo::Of;
using Field = std::function<double(const Vec3&)>;

DistributedMesh box(const Communicator& comm, int dimension, std::size_t cells, Vec3 low = Vec3(0),
                    Vec3 high = Vec3(1)) {
    std::optional<SimplexMesh> mesh;
    if (dimension == 2) low.z = high.z = 0;
    if (comm.is_root())
        mesh = box_mesh({.dimension = dimension, .cells = cells, .low = low, .high = high});
    return distribute(comm, std::move(mesh));
}

std::vector<double> at_points(const Mesh& mesh, const std::vector<Field>& columns) {
    std::vector<double> values;
    for (const Field& column : columns)
        for (const Vec3& x : mesh.points) values.push_back(column(x));
    return values;
}

// A case at its start, without a step.
struct Started {
    Started(const Communicator& comm, const fs::path& folder, const std::string& text)
        : options(on_cpu()), run(comm, options) {
        run.text = {folder / "case.toml", text};
        comm.agree([&] { run.settings = read_case(run.text, all_physics(), {}); });
        run.folder =
            std::make_unique<OutputFolder>(comm, folder / "new", "case", EarlierResults::refuse);
        set_up(run);
        state = take_initial_state(run);
        simulation = run.settings.physics->simulation_in_double(run);
    }
    static RunOptions on_cpu() {
        RunOptions options;
        options.device = "cpu";
        options.quiet = true;
        return options;
    }
    const RunOptions options;
    Run run;
    std::shared_ptr<SampledState> state;
    std::unique_ptr<Simulation> simulation;
};

class InitialStateTest : public testing::Test {
  protected:
    InitialStateTest() { set_stop_patience(HUGE_VAL); }

    // Leaves a state, as a run does, in the folder `name`.
    void leave(const std::string& name, const DistributedMesh& mesh,
               const std::vector<std::pair<std::string, std::vector<Field>>>& fields,
               std::int64_t step = 7) const {
        std::vector<std::vector<double>> values;
        for (const auto& [of, columns] : fields) values.push_back(at_points(mesh.mesh, columns));
        std::vector<PointField> arrays;
        for (std::size_t i = 0; i < fields.size(); ++i)
            arrays.push_back({fields[i].first, std::span<const double>(values[i]),
                              static_cast<int>(fields[i].second.size())});
        const SimplexTopology topology(mesh);
        VtkOutput output(comm, topology, scratch / name, "case");
        ASSERT_EQ(output.write(0.5 * double(step), step, arrays), "");
        comm.barrier();
    }
    std::unique_ptr<Started> start(const std::string& text) const {
        return std::make_unique<Started>(comm, scratch.path(), text);
    }
    std::string refusal(const std::string& text) const {
        try {
            start(text);
            return "";
        } catch (const AgreedError& error) {
            EXPECT_EQ(error.exit_code(), 2) << error.what();
            return error.what();
        }
    }
    const Communicator comm = Communicator::world();
    const ScratchFolder scratch{comm};
};

std::string box_table(int dimension, std::size_t cells, const std::string& more = "") {
    return "[mesh.box]\ndimension = " + std::to_string(dimension) +
           "\ncells = " + std::to_string(cells) + "\n" + more;
}

std::string heat_case(const std::string& mesh, const std::string& initial) {
    return "physics = \"heat\"\n" + mesh +
           "[material.default]\nconductivity = 1\nheat_capacity = 1\n[boundary.default]\ntype = "
           "\"insulated\"\n"
           "[time]\nend = 1\nstep = 0.1\n[initial]\n" +
           initial;
}

// Root mean square of the nodes' errors, of all ranks.
double error_of(const Run& run, const std::vector<double>& found, const Field& exact) {
    double square = 0, count = 0;
    for (Index i = 0; i < simplices_of(run).mesh.range(Kind::node).owned; ++i) {
        const double error = found[i] - exact(simplices_of(run).mesh.mesh.points[i]);
        square += error * error;
        count += 1;
    }
    return std::sqrt(run.comm.sum(square) / run.comm.sum(count));
}

TEST_F(InitialStateTest, LinearFieldsAreExactOnAnyMesh) {
    const Field linear = [](const Vec3& x) { return 3 + x.x - 2 * x.y + 0.5 * x.z; };
    for (const int dimension : {2, 3}) {
        const std::string name = "out" + std::to_string(dimension);
        leave(name, box(comm, dimension, 600), {{"temperature", {linear}}});
        for (const std::size_t cells : {50u, 600u, 1500u})
            for (const std::string& file : {name, name + "/case_000007.pvtu"}) {
                const auto started =
                    start(heat_case(box_table(dimension, cells), "file = \"" + file + "\"\n"));
                EXPECT_LT(error_of(started->run,
                                   started->simulation->quantities().values("temperature"), linear),
                          1e-13)
                    << dimension << "D, " << cells << " cells, " << file;
            }
    }
}

// Both meshes refined: finer, coarser, and shifted ones.
TEST_F(InitialStateTest, HasSecondOrderOnOtherMeshes) {
    const Field exact = [](const Vec3& x) {
        return std::sin(4 * x.x + 1) * std::cos(3 * x.y) + x.x * x.y;
    };
    const std::string shifted = "low = [0.103, 0.057]\nhigh = [0.891, 0.967]\n";
    struct Pair {
        const char* name;
        std::size_t source, target;
        std::string more;
    };
    for (const Pair& pair : {Pair{"finer", 400, 1600, ""}, Pair{"coarser", 1600, 400, ""},
                             Pair{"shifted", 800, 800, shifted}}) {
        std::vector<double> errors;
        for (const std::size_t factor : {1u, 4u, 16u}) {
            const std::string name = pair.name + std::to_string(factor);
            leave(name, box(comm, 2, factor * pair.source), {{"temperature", {exact}}});
            const auto started = start(heat_case(box_table(2, factor * pair.target, pair.more),
                                                 "file = \"" + name + "\"\n"));
            errors.push_back(error_of(
                started->run, started->simulation->quantities().values("temperature"), exact));
        }
        for (std::size_t i = 1; i < errors.size(); ++i) {
            const double order = std::log2(errors[i - 1] / errors[i]);
            RecordProperty(std::string(pair.name) + std::to_string(i), std::to_string(order));
            EXPECT_GT(order, 1.8) << pair.name << ": " << errors[i - 1] << ", " << errors[i];
            EXPECT_LT(order, 2.3) << pair.name;
        }
    }
}

std::string flow_case(const std::string& mesh, const std::string& method,
                      const std::string& initial, const std::string& more = "") {
    return "physics = \"flow\"\n" + mesh +
           "[fluid]\ndensity = 1\nviscosity = 0.01\n[flow]\nmethod = \"" + method +
           "\"\n[boundary.default]\ntype = \"symmetry\"\n[solver.stream_function]\ntolerance = "
           "1e-10\n"
           "[solver.pressure]\ntolerance = 1e-12\n"
           "[time]\nend = 1\nstep = 0.01\n[initial]\n" +
           initial + more;
}

// A vortex in a box, at rest normal to its walls: free of divergence, as its interpolation is not.
TEST_F(InitialStateTest, AFlowIsFreeOfDivergenceAndOfSecondOrder) {
    const double pi = std::acos(-1.0);
    const Field u = [=](const Vec3&x) { return std::sin(pi * x.x) * std::cos(pi * x.y); },
                v = [=](const Vec3&x) { return -std::cos(pi * x.x) * std::sin(pi * x.y); },
                zero = [](const Vec3&) { return 0.0; },
                dye = [](const Vec3&x) { return 1 + x.x * x.x; };
    for (const char* method : {"exact", "classical"}) {
        std::vector<double> errors, of_dye;
        for (const std::size_t factor : {1u, 4u, 16u}) {
            const std::string name = method + std::to_string(factor);
            leave(name, box(comm, 2, 300 * factor), {{"velocity", {u, v, zero}}, {"dye", {dye}}});
            const auto started =
                start(flow_case(box_table(2, 500 * factor), method, "file = \"" + name + "\"\n",
                                "[scalar.dye]\ndiffusivity = 0.1\n"));
            Quantities& all = started->simulation->quantities();
            EXPECT_LT(all.values("max_divergence", Of::number)[0],
                      std::string(method) == "exact" ? 1e-14 : 1e-8);
            const solenoid::Run& run = started->run;
            const std::vector<double>&velocity = all.values("velocity", Of::cells),
                  &found = all.values("dye", Of::cells);
            const std::size_t rows = velocity.size() / 3;
            double square = 0, square_of_dye = 0;
            const Index cells = simplices_of(run).mesh.range(Kind::cell).owned;
            for (Index c = 0; c < cells; ++c) {
                const Vec3 x = simplices_of(run).domain->geometry.cell_centroid[c];
                square += std::pow(velocity[c] - u(x), 2) + std::pow(velocity[rows + c] - v(x), 2);
                square_of_dye += std::pow(found[c] - dye(x), 2);
            }
            const double count = double(simplices_of(run).mesh.global_count[int(Kind::cell)]);
            errors.push_back(std::sqrt(comm.sum(square) / count));
            of_dye.push_back(std::sqrt(comm.sum(square_of_dye) / count));
        }
        for (std::size_t i = 1; i < errors.size(); ++i) {
            const double order = std::log2(errors[i - 1] / errors[i]),
                         order_of_dye = std::log2(of_dye[i - 1] / of_dye[i]);
            RecordProperty(method + std::to_string(i), std::to_string(order));
            RecordProperty(method + ("_dye" + std::to_string(i)), std::to_string(order_of_dye));
            EXPECT_GT(order, 1.7) << method << ": " << errors[i - 1] << ", " << errors[i];
            EXPECT_GT(order_of_dye, i == 1 ? 1.5 : 1.8)
                << method << ": " << of_dye[i - 1] << ", " << of_dye[i];
        }
    }
}

// A mesh's own cells get what they had, whatever the nodes have.
TEST_F(InitialStateTest, OnTheSameMeshCellsKeepTheirValues) {
    const DistributedMesh mesh = box(comm, 3, 300);
    const std::vector<double> at_nodes(mesh.mesh.points.size(), 7);
    std::vector<double> in_cells;
    for (const GlobalIndex c : mesh.mesh.cell_number)
        in_cells.push_back(std::sin(static_cast<double>(c)));
    const SimplexTopology topology(mesh);
    VtkOutput output(comm, topology, scratch / "same", "case");
    ASSERT_EQ(output.write(0, 0, {{"dye", std::span<const double>(at_nodes), 1}},
                           {{"dye", std::span<const double>(in_cells), 1}}),
              "");
    comm.barrier();
    for (const std::size_t cells : {300u, 700u}) {
        const auto started = start(flow_case(box_table(3, cells), "exact", "file = \"same\"\n",
                                             "[scalar.dye]\ndiffusivity = 0.1\n"));
        const auto& found = started->simulation->quantities().values("dye", Of::cells);
        const Mesh& own = simplices_of(started->run).mesh.mesh;
        for (Index c = 0; c < simplices_of(started->run).mesh.range(Kind::cell).owned; ++c)
            EXPECT_NEAR(found[c],
                        cells == 300 ? std::sin(static_cast<double>(own.cell_number[c])) : 7,
                        1e-14);
    }
}

// A checkpoint on the same mesh: cells and nodes have the values stored.
TEST_F(InitialStateTest, ACheckpointGivesItsValuesOnTheSameMesh) {
    double at_five = std::sin(5.0);
    const auto value = [&](GlobalIndex number) {
        return number == 5 ? at_five : std::sin(static_cast<double>(number));
    };
    const auto write = [&](const DistributedMesh& mesh, const std::string& physics,
                           const std::string& name, const std::string& array, Kind kind) {
        CheckpointHeader header;
        header.physics = physics;
        header.precision = "double";
        header.time = 2.5;
        header.dimension = mesh.mesh.dimension;
        std::ranges::copy(mesh.global_count, header.count.begin());
        header.mesh_hash = mesh_hash(comm, mesh);
        StateArray stored{
            array, kind == Kind::cell ? StateArray::Of::cells : StateArray::Of::nodes, 1, {}, {}};
        const auto numbers = global_numbers(comm, mesh, kind);
        stored.entity.assign(numbers.begin(), numbers.begin() + mesh.range(kind).owned);
        std::vector<double> values;
        for (const GlobalIndex number : stored.entity) values.push_back(value(number));
        stored.values = values;
        comm.barrier();
        if (comm.is_root()) fs::create_directories((scratch / name).parent_path());
        comm.barrier();
        write_checkpoint(comm, scratch / name, header, std::span(&stored, 1));
    };
    for (const int dimension : {2, 3}) {
        const std::string d = std::to_string(dimension), mesh = box_table(dimension, 300),
                          in = "flow" + d + "/checkpoints/step-0000000009.checkpoint";
        write(box(comm, dimension, 300), "flow", in, "flow/scalar_dye/values", Kind::cell);
        write(box(comm, dimension, 300), "heat", "heat" + d + ".checkpoint", "heat/temperature",
              Kind::node);
        for (const std::string& file : {"flow" + d, in}) {
            const auto flow = start(flow_case(mesh, "exact", "file = \"" + file + "\"\n",
                                              "[scalar.dye]\ndiffusivity = 0.1\n"));
            const auto& dye = flow->simulation->quantities().values("dye", Of::cells);
            for (Index c = 0; c < simplices_of(flow->run).mesh.range(Kind::cell).owned; ++c)
                EXPECT_EQ(dye[c], value(simplices_of(flow->run).mesh.mesh.cell_number[c]));
            EXPECT_EQ(flow->state->time(), 2.5);
        }
        const std::string initial = "file = \"heat" + d + ".checkpoint\"\n";
        {
            const auto heat = start(heat_case(mesh, initial));
            const auto& found = heat->simulation->quantities().values("temperature");
            const auto numbers = global_numbers(comm, simplices_of(heat->run).mesh, Kind::node);
            for (std::size_t i = 0; i < found.size(); ++i)
                EXPECT_NEAR(found[i], value(numbers[i]), 1e-13);
        }
        for (const auto& [text, words] : std::vector<std::array<std::string, 2>>{
                 {heat_case(box_table(dimension, 400), initial), "is a checkpoint on another mesh"},
                 {heat_case(mesh, "file = \"" + in + "\"\n"),
                  "is a checkpoint of physics = \"flow\""}}) {
            const std::string message = refusal(text);
            EXPECT_NE(message.find(words), std::string::npos) << message;
        }
        for (const double bad : {1e200, HUGE_VAL, double(NAN)}) {
            at_five = bad;
            write(box(comm, dimension, 300), "heat", "bad.checkpoint", "heat/temperature",
                  Kind::node);
            at_five = std::sin(5.0);
            const std::string message = refusal(heat_case(mesh, "file = \"bad.checkpoint\"\n"));
            EXPECT_NE(message.find("its array \"heat/temperature\" is "), std::string::npos)
                << message;
            EXPECT_NE(message.find(" at number 5 of the mesh's nodes"), std::string::npos)
                << message;
        }
    }
}

TEST_F(InitialStateTest, AWaveStartsFromBothFields) {
    const Field y = [](const Vec3&x) { return x.x - x.y; },
                rate = [](const Vec3&x) { return 2 * x.x; };
    leave("wave", box(comm, 2, 300), {{"displacement", {y}}, {"velocity", {rate}}});
    const auto started = start("physics = \"wave\"\n" + box_table(2, 500) +
                               "[wave]\nspeed = 1\n[boundary.default]\ntype = \"free\"\n"
                               "[time]\nend = 1\n[initial]\nfile = \"wave\"\n");
    EXPECT_LT(error_of(started->run, started->simulation->quantities().values("displacement"), y),
              1e-13);
    EXPECT_LT(error_of(started->run, started->simulation->quantities().values("velocity"), rate),
              1e-13);
}

// What the case gives itself counts, and what the file lacks is as without it.
TEST_F(InitialStateTest, GivenFormulasComeFirst) {
    const Field one = [](const Vec3&) { return 1.0; };
    leave("dye", box(comm, 2, 300), {{"dye", {one}}, {"other", {one}}});
    const auto started =
        start(flow_case(box_table(2, 300), "exact", "file = \"dye\"\n",
                        "[scalar.dye]\ndiffusivity = 0.1\n[scalar.other]\ndiffusivity = 0.1\n"
                        "initial = 5\n[scalar.missing]\ndiffusivity = 0.1\n"));
    Quantities& all = started->simulation->quantities();
    for (const auto& [name, expected] :
         {std::pair("dye", 1.0), std::pair("other", 5.0), std::pair("missing", 0.0)})
        EXPECT_NEAR(all.values(name, Of::cells)[0], expected, 1e-14) << name;
    EXPECT_EQ(all.values("velocity", Of::cells)[0], 0);
}

TEST_F(InitialStateTest, PlacesOutsideAreRefusedOrExtended) {
    const Field linear = [](const Vec3& x) { return 3 + x.x; };
    leave("small", box(comm, 2, 400, Vec3(0), Vec3(0.5, 1, 0)), {{"temperature", {linear}}});
    const std::string message = refusal(heat_case(box_table(2, 400), "file = \"small\"\n"));
    for (const char* words :
         {"case.toml:", "nodes are of the mesh outside", "such as at (", "outside = \"extend\""})
        EXPECT_NE(message.find(words), std::string::npos) << message;
    auto started = start(heat_case(box_table(2, 400), "file = \"small\"\noutside = \"extend\"\n"));
    const std::vector<double>& found = started->simulation->quantities().values("temperature");
    const Mesh& mesh = simplices_of(started->run).mesh.mesh;
    for (Index i = 0; i < mesh.nodes(); ++i) {
        const double x = mesh.points[i].x;
        if (x > 0.5 && x < 0.6) continue;
        // behind the side the value of the nearest node, which is on it
        EXPECT_NEAR(found[i], x <= 0.5 ? 3 + x : 3.5, 1e-13);
    }
    // by a part of a cell's height it counts on
    leave("near", box(comm, 2, 400, Vec3(0), Vec3(1, 0.99, 0)), {{"temperature", {linear}}});
    started.reset();
    const auto near = start(heat_case(box_table(2, 400), "file = \"near\"\n"));
    EXPECT_LT(error_of(near->run, near->simulation->quantities().values("temperature"), linear),
              1e-13);
}

TEST_F(InitialStateTest, WhatCannotBeTakenIsRefused) {
    const Field one = [](const Vec3&) { return 1.0; };
    leave("flat", box(comm, 2, 100), {{"velocity", {one, one, one}}});
    comm.barrier();
    if (comm.is_root()) {
        fs::create_directories(scratch / "empty");
        std::ofstream(scratch / "step-0000000007.checkpoint") << "x";
        std::ofstream(scratch / "torn.pvtu") << "<VTKFile";
    }
    comm.barrier();
    const std::string plane = box_table(2, 100);
    for (const auto& [mesh, initial, words] : std::vector<std::array<std::string, 3>>{
             {plane, "file = \"flat\"\n", "has nothing of what the case starts from"},
             {box_table(3, 100), "file = \"flat\"\n",
              "is a state in 2 dimensions, and the mesh has 3"},
             {plane, "file = \"empty\"\n", "has no state: no .pvd file"},
             {plane, "file = \"torn.pvtu\"\n", "torn.pvtu: "},
             {plane, "file = \"step-0000000007.checkpoint\"\n", "step-0000000007.checkpoint: "},
             {plane, "file = \"none\"\n", "there is no "},
             {plane, "file = \"flat\"\ntemperature = 3\n", "temperature"},
             {plane, "temperature = 3\noutside = \"extend\"\n", "belongs to [initial] file"},
             {plane, "file = \"flat\"\noutside = \"nearest\"\n", "refuse"}}) {
        const std::string message = refusal(heat_case(mesh, initial));
        EXPECT_NE(message.find(words), std::string::npos) << initial << message;
    }
    const std::string all_given = refusal(
        "physics = \"wave\"\n" + plane +
        "[wave]\nspeed = 1\n[boundary.default]\ntype = \"fixed\"\n[time]\nend = 1\nstep = 0.1\n"
        "[initial]\nfile = \"flat\"\ndisplacement = \"x*y\"\nvelocity = \"y\"\n");
    EXPECT_NE(all_given.find("leave out file, or the formulas"), std::string::npos) << all_given;
}

// The last state that a folder lists.
TEST_F(InitialStateTest, AFolderGivesItsLastState) {
    const DistributedMesh mesh = box(comm, 2, 100);
    const SimplexTopology topology(mesh);
    VtkOutput output(comm, topology, scratch / "states", "case");
    for (const int step : {1, 12}) {
        const std::vector<double> values(mesh.mesh.points.size(), step);
        ASSERT_EQ(
            output.write(0.1 * step, step, {{"temperature", std::span<const double>(values), 1}}),
            "");
    }
    comm.barrier();
    const auto started = start(heat_case(box_table(2, 80), "file = \"states\"\n"));
    EXPECT_NEAR(started->simulation->quantities().values("temperature")[0], 12, 1e-13);
    EXPECT_NEAR(started->state->time(), 1.2, 1e-15);
    started->state->clear();
    EXPECT_FALSE(started->state->has(Vec3(0.5, 0.5, 0)));
}

}  // namespace
}  // namespace solenoid::initial_state_test
