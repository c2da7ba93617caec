// Bytes a second of the main kernels on every device: compulsory traffic, each array counted once.
//
//   kernel_benchmark [--cells N] [--devices cpu,compute,fragment] [Google Benchmark's options]
//
// Timed with the device's work waited for after a batch of launches, once it is warm.
#include <benchmark/benchmark.h>

#include <cstring>
#include <iostream>
#include <sstream>

#include "core/timer.hpp"
#include "device/expression.hpp"
#include "device/choice/select_device.hpp"
#include "device/kernels.hpp"
#include "heat/heat_discretization.hpp"
#include "mesh/box.hpp"
#include "operators/operators.hpp"
#include "solvers/matrix/difference_matrix.hpp"

namespace {

using namespace solenoid;

struct Setup {
    std::size_t cells = 200000;
    std::vector<std::string> devices{"cpu"};
};

template <class Real>
struct Bench {
    Bench(Device& device, const DistributedMesh& mesh, const HeatDiscretization& heat)
        : device(device), mesh(mesh), domain(comm, device, mesh), operators(domain.operators<Real>()),
          matrix(comm, device, mesh.range(Kind::node), mesh.halo(Kind::node), heat.neighbours, heat.weights),
          entries(heat.neighbours.index.size()) {
        for (Kind kind : all_kinds)
            for (int k = 0; k < 3; ++k) fields.push_back(operators.field(kind));
        u = operators.vector_field(Kind::cell);
    }
    Field<Real>& field(Kind kind, int k) { return fields[3 * static_cast<int>(kind) + k]; }
    double count(Kind kind) const { return mesh.range(kind).all; }

    Communicator comm = Communicator::self();
    Device& device;
    const DistributedMesh& mesh;
    Domain domain;
    Operators<Real>& operators;
    DifferenceMatrix<Real> matrix;
    double entries;
    std::vector<Field<Real>> fields;
    Field<Real> u;
};

// Launches until half a second has passed, so that clocks and caches are as in a run; then batches are timed.
void measure(benchmark::State& state, Device& device, double bytes, const std::function<void()>& launch) {
    for (Stopwatch warm; warm.seconds() < 0.5;) {
        launch();
        device.finish();
    }
    for (auto _ : state) {
        constexpr int batch = 20;
        Stopwatch watch;
        for (int i = 0; i < batch; ++i) launch();
        device.finish();
        state.SetIterationTime(watch.seconds() / batch);
    }
    state.counters["GB/s"] = benchmark::Counter(bytes * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
    state.counters["MB"] = bytes * 1e-6;
}

template <class Real>
void add(const std::string& prefix, Device& device, const DistributedMesh& mesh, const HeatDiscretization& heat) {
    auto bench = std::make_shared<Bench<Real>>(device, mesh, heat);
    const double r = sizeof(Real), cells = bench->count(Kind::cell), faces = bench->count(Kind::face), edges = bench->count(Kind::edge), nodes = bench->count(Kind::node);
    const auto add_one = [&](const std::string& name, double bytes, std::function<void(Bench<Real>&)> launch) {
        benchmark::RegisterBenchmark((prefix + "/" + name).c_str(), [=](benchmark::State& state) {
            measure(state, bench->device, bytes, [&] { launch(*bench); });
        })->UseManualTime()->Unit(benchmark::kMicrosecond);
    };
    const Range all_cells = mesh.range(Kind::cell).whole();
    add_one("copy", 2 * r * cells, [](auto& b) { b.field(Kind::cell, 1).copy(b.field(Kind::cell, 0)); });
    add_one("axpy", 3 * r * cells, [=](auto& b) { Over(b.device, all_cells)[b.field(Kind::cell, 1)] += Real(0.5) * b.field(Kind::cell, 0); });
    add_one("dot", 2 * r * cells, [=](auto& b) { Over(b.device, all_cells).dot(b.field(Kind::cell, 0), b.field(Kind::cell, 1)); });
    add_one("gradient", faces * (8 + r) + r * cells, [](auto& b) { b.operators.gradient(b.field(Kind::cell, 0), b.field(Kind::face, 0)); });
    add_one("divergence", cells * (16 + r) + r * faces, [](auto& b) { b.operators.divergence(b.field(Kind::face, 0), b.field(Kind::cell, 0)); });
    add_one("curl", faces * (12 + r) + r * edges, [](auto& b) { b.operators.curl(b.field(Kind::edge, 0), b.field(Kind::face, 0)); });
    add_one("rotation", edges * (8 + r) + faces * (12 + r), [](auto& b) { b.operators.rotation(b.field(Kind::face, 0), b.field(Kind::edge, 0)); });
    add_one("interpolation", cells * (16 + 12 * r + r + 3 * r) + r * faces, [](auto& b) { b.operators.interpolation(b.field(Kind::face, 0), b.u); });
    add_one("integration", faces * (16 + r) + cells * (12 * r + 3 * r), [](auto& b) { b.operators.integration(b.u, b.field(Kind::face, 0)); });
    add_one("node_gradient", cells * (16 + 12 * r + r + 3 * r) + r * nodes, [](auto& b) { b.operators.node_gradient(b.field(Kind::node, 0), b.u); });
    add_one("node_matrix", bench->entries * (4 + r) + nodes * (8 + 4 * r), [](auto& b) { b.matrix.apply(b.field(Kind::node, 0).write(), b.field(Kind::node, 1).write()); });
}

std::string taken(int& argc, char** argv, const char* option, const std::string& otherwise) {
    for (int i = 1; i + 1 < argc; ++i) {
        if (std::strcmp(argv[i], option) != 0) continue;
        const std::string value = argv[i + 1];
        for (int k = i; k + 2 < argc; ++k) argv[k] = argv[k + 2];
        argc -= 2;
        return value;
    }
    return otherwise;
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t cells = std::stoul(taken(argc, argv, "--cells", "200000"));
    std::istringstream names(taken(argc, argv, "--devices", "cpu"));
    benchmark::Initialize(&argc, argv);
    BoxSettings box;
    box.cells = cells;
    const DistributedMesh mesh = distribute(Communicator::self(), box_mesh(box));
    const HeatDiscretization heat = discretize_heat(mesh, geometry(mesh.mesh), {MaterialSettings{}});
    std::vector<std::unique_ptr<Device>> devices;
    for (std::string name; std::getline(names, name, ',');) {
        devices.push_back(select_device(name, 0, true).device);
        add<double>(name + "/double", *devices.back(), mesh, heat);
        add<float>(name + "/single", *devices.back(), mesh, heat);
    }
    std::cout << mesh.global_count[3] << " tets\n";
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
