// What tests of waves on grids share: basins, fields of all ranks, amplitudes of waves in a
// channel.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <vector>

#include "boussinesq/boussinesq_model.hpp"

namespace solenoid::test {

constexpr double pi = 3.14159265358979323846, gravity = 9.81;

inline double nothing(double, double) { return 0; }

// A closed basin of nx x ny nodes, walls half a node outside the outermost.
inline BoussinesqSettings basin(int nx, int ny, double spacing, double depth) {
    BoussinesqSettings s;
    s.nx = nx;
    s.ny = ny;
    s.dx = s.dy = spacing;
    s.x = s.y = spacing / 2;
    s.gravity = gravity;
    s.depth = [depth](double, double) { return depth; };
    s.solver.reduction = 1e-8;
    return s;
}

// The values of an array of the model at all nodes of the grid, row by row, on every rank.
template <class Real>
std::vector<double> whole(const Communicator& comm, const BoussinesqModel<Real>& model,
                          const Buffer<Real>& values) {
    const std::vector<Real> mine = values.download();
    const RankBlocks::Block block = model.blocks().block(1);
    std::vector<double> all(std::size_t(model.blocks().nx()) * model.blocks().ny());
    for (int j = 0; j < block.height; ++j)
        for (int i = 0; i < block.width; ++i)
            all[std::size_t(block.y + j) * model.blocks().nx() + block.x + i] =
                mine[model.array().entry(i, j)];
    comm.sum(all);
    return all;
}

// The formula of docs/boussinesq.md, written once more.
inline double formula_frequency(double k, double h) {
    const double q = k * h * k * h;
    return k * std::sqrt(gravity * h * (1 + q / 15) / (1 + 2 * q / 5));
}

// The wave number along x of the scheme's wave of a frequency and a wave number along y on a
// current (u, v), by bisection: sin(w dt) / dt = w(k') + u sin(k dx) / dx + v sin(k_y dy) / dy, k'
// of the difference quotients 2 / dx sin(k dx / 2). `high`: below it the right-hand side ascends.
inline double scheme_wave_number(const BoussinesqSettings& s, double frequency, double dt,
                                 double depth, double along_y = 0,
                                 std::array<double, 2> current = {0, 0}, double high = 0) {
    const double wanted = std::sin(frequency * dt) / dt;
    const double y = 2 / s.dy * std::sin(along_y * s.dy / 2);
    double low = 0;
    if (high == 0) high = pi / s.dx;
    for (int n = 0; n < 100; ++n) {
        const double middle = (low + high) / 2, x = 2 / s.dx * std::sin(middle * s.dx / 2);
        const double found = formula_frequency(std::hypot(x, y), depth) +
                             current[0] / s.dx * std::sin(middle * s.dx) +
                             current[1] / s.dy * std::sin(along_y * s.dy);
        (found < wanted ? low : high) = middle;
    }
    return low;
}

// Of steps over whole periods: the sums that make complex amplitudes of elevation at a frequency.
class Harmonics {
  public:
    explicit Harmonics(double frequency) : frequency_(frequency) {}
    template <class Real>
    void add(const Communicator& comm, const BoussinesqModel<Real>& model) {
        const std::vector<double> zeta = whole(comm, model, model.zeta());
        sums_.resize(zeta.size());
        const std::complex<double> factor = std::polar(1.0, frequency_ * model.time());
        for (std::size_t n = 0; n < zeta.size(); ++n) sums_[n] += zeta[n] * factor;
        ++steps_;
    }
    std::complex<double> at(std::size_t node) const { return sums_[node] * (2.0 / steps_); }

  private:
    double frequency_;
    std::vector<std::complex<double>> sums_;
    int steps_ = 0;
};

// Amplitudes of the waves that go along x and back, fitted to nodes [begin, end).
struct Waves {
    double forward, back;
};
inline Waves waves_along(const Harmonics& harmonics, int begin, int end, double phase_a_node) {
    std::complex<double> cross = 0, with_forward = 0, with_back = 0;
    const double count = end - begin;
    for (int i = begin; i < end; ++i) {
        const auto wave = std::polar(1.0, phase_a_node * i);
        cross += std::conj(wave) * std::conj(wave);
        with_forward += std::conj(wave) * harmonics.at(i);
        with_back += wave * harmonics.at(i);
    }
    const double determinant = count * count - std::norm(cross);
    return {std::abs(count * with_forward - cross * with_back) / determinant,
            std::abs(count * with_back - std::conj(cross) * with_forward) / determinant};
}

}  // namespace solenoid::test
