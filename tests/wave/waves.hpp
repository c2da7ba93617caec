// Waves on small meshes, with exact solutions.
#pragma once

#include <toml++/toml.h>

#include <cmath>
#include <memory>

#include "mesh/geometry.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/devices.hpp"
#include "wave/wave_solver.hpp"

namespace solenoid::test {

inline Formula formula(const std::string& text) { return Formula(text, "test"); }

inline WaveBoundary boundary(const std::string& name, const std::string& kind,
                             const std::string& value = "0") {
    toml::table table;
    if (kind == "fixed") table.insert("value", value);
    if (kind == "absorbing") table.insert("incident", value);
    return {name, "test",
            kind_of(wave_condition_kinds(), kind)
                .read(TableReader(table, "[boundary." + name + "]", "test"), {})};
}

inline std::vector<WaveBoundary> all(int dimension, const std::string& kind,
                                     const std::string& value = "0") {
    std::vector<WaveBoundary> boundaries;
    for (const char* name : {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"})
        if (dimension == 3 || name[0] != 'z') boundaries.push_back(boundary(name, kind, value));
    return boundaries;
}

template <class Real>
struct Waves {
    Waves(const SimplexMesh& whole, WaveCase settings, const std::string& device_name = "cpu",
          const Communicator& ranks = Communicator::world())
        : comm(ranks),
          device(make_device(device_name)),
          wave(std::move(settings)),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          domain(comm, *device, mesh),
          solver(domain, wave) {}

    void go(double end, int steps) {
        for (int i = 0; i < steps; ++i) solver.step(end / steps);
    }
    // Root mean square over the volume of the difference from a formula; the largest.
    double error(const Formula& exact) const {
        const auto y = solver.displacement();
        const Geometry g = geometry(mesh.mesh);
        double square = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            for (int j = 0; j <= mesh.mesh.dimension; ++j) {
                const Index i = mesh.mesh.cell_nodes(c, j);
                square += g.cell_volume[c] / (mesh.mesh.dimension + 1) *
                          std::pow(y[i] - exact(mesh.mesh.points[i], solver.time()), 2);
            }
        return std::sqrt(comm.sum(square));
    }
    double largest_error(const Formula& exact) const {
        const auto y = solver.displacement();
        double most = 0;
        for (Index i = 0; i < mesh.range(Kind::node).all; ++i)
            most = std::max(most, std::abs(y[i] - exact(mesh.mesh.points[i], solver.time())));
        return comm.max(most);
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    WaveCase wave;
    DistributedMesh mesh;
    Domain domain;
    WaveSolver<Real> solver;
};

// Where x = 0 and 1 are fixed and the other sides free: y = sin(pi x) cos(pi y) cos(w t).
inline WaveCase standing_wave(int dimension, const std::string& scheme) {
    WaveCase wave;
    wave.wave.time_scheme = scheme;
    wave.boundaries = all(dimension, "free");
    wave.boundaries[0] = boundary("xmin", "fixed");
    wave.boundaries[1] = boundary("xmax", "fixed");
    wave.initial_displacement = formula("sin(pi*x)*cos(pi*y)");
    return wave;
}
inline const Formula& standing() {
    static const Formula y = formula("sin(pi*x)*cos(pi*y)*cos(pi*sqrt(2)*t)");
    return y;
}

// c^2 = 1 + x, all sides moved: y = sin(2 t) (1 + x + x^2 - y).
inline const char* const moved = "sin(2*t)*(1 + x + x^2 - y)";
inline WaveCase moved_sides(int dimension, const std::string& scheme) {
    WaveCase wave;
    wave.wave = {formula("sqrt(1 + x)"),
                 formula("-4*sin(2*t)*(1 + x + x^2 - y) - sin(2*t)*(3 + 4*x)"), scheme};
    wave.boundaries = all(dimension, "fixed", moved);
    wave.initial_velocity = formula("2*(1 + x + x^2 - y)");
    return wave;
}

}  // namespace solenoid::test
