// The linear variational Boussinesq model of waves over a bottom of varying depth h with a current
// U (docs/boussinesq.md): elevation zeta [m], surface potential phi [m^2/s], and psi [m/s],
//   zeta_t + div(zeta U + h grad phi - h D grad psi) = source
//   phi_t + U . grad phi + g zeta = -pressure
//   M psi + div(h D grad phi - N grad psi) = 0,   D = h / 3, M = h / 3, N = 2 h^3 / 15
// in finite volumes round the nodes of a Cartesian grid, and by the leapfrog scheme in time. No
// water crosses the sides of the grid and of land.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/state_values.hpp"
#include "grid/rrb/rrb_solver.hpp"
#include "parallel/halo.hpp"

namespace solenoid {

struct BoussinesqSettings {
    int nx = 0, ny = 0;     // nodes
    double dx = 1, dy = 1;  // [m]
    double x = 0, y = 0;    // of the first node [m]
    double gravity = 9.81;  // [m/s^2]
    using Field = std::function<double(double x, double y)>;
    Field depth;  // [m]; land where it is not above 0
    std::function<std::array<double, 2>(double x, double y)> current;  // [m/s]; none: at rest
    Field damping;  // [1/s], not negative; none: 0
    RrbSettings solver;
    bool extrapolates_psi = true;  // the first guess; else psi of the frame before
};

template <class Real>
class BoussinesqModel {
  public:
    // Throws InputError where the settings make no model. Collective.
    BoussinesqModel(const Communicator& comm, Device& device, const BoussinesqSettings& settings);

    const RankBlocks& blocks() const { return blocks_; }
    const ArrayShape& array() const { return factorization_.array(); }
    const BoussinesqSettings& settings() const { return settings_; }
    // [s]. Proved for a uniform current or none; else see docs/boussinesq.md.
    double largest_step() const { return largest_step_; }

    // The state at t = 0, and the length of steps. Throws InputError where dt is not positive or
    // above largest_step(). Collective.
    void start(double dt, const BoussinesqSettings::Field& zeta,
               const BoussinesqSettings::Field& phi);
    // To t + dt. Throws an agreed ComputationError where psi is not found. Collective.
    RrbReport step();
    double time() const { return time_; }
    double dt() const { return dt_; }  // of the next step; 0 before start()
    int steps() const { return steps_; }
    // The length of steps from now on, of which time() is a multiple: the next one starts from the
    // present level alone, as the first one does. Throws as start().
    void change_step(double dt);
    // Whether the next step starts from the present level alone.
    bool begins() const { return steps_ == 0 || dt_ != level_step_; }

    // What a step leaves to the next, for saved states: zeta, phi and psi of the level before (of
    // no meaning before the first step) and of that at time().
    std::array<Buffer<Real>*, 6> levels() {
        return {&old_.zeta, &old_.phi, &old_.psi, &now_.zeta, &now_.phi, &now_.psi};
    }
    // Goes on from levels that were put there, as after so many steps of dt. Throws as start().
    // Collective.
    void resume(double dt, int steps);

    // Arrays of this rank at time(), and the depth, 0 on land. pressure: over density [m^2/s^2],
    // and source [m/s], as the next step takes them; zero at first.
    const Buffer<Real>& zeta() const { return now_.zeta; }
    const Buffer<Real>& phi() const { return now_.phi; }
    const Buffer<Real>& psi() const { return now_.psi; }
    const Buffer<Real>& depth() const { return depth_; }
    Buffer<Real>& pressure() { return pressure_; }
    Buffer<Real>& source() { return source_; }

    // Adds to the elevation, at both levels of the scheme. Collective.
    void raise(const BoussinesqSettings::Field& bump);
    // What a step leaves to the next: `add` registers the arrays of nodes.
    void register_state(const StateValues& state,
                        const std::function<void(const std::string&, Buffer<Real>&)>& add);

    // The scheme's energy of the last two levels over density [m^5/s^2]: a bilinear form of both
    // that steps without damping, pressure and source keep, but for the solver's tolerance. After
    // the first step. Collective.
    double energy();

  private:
    struct Level {
        Buffer<Real> zeta, phi, psi;
    };
    std::vector<Real> sampled(const BoussinesqSettings::Field& field) const;
    std::vector<double> sampled_current(const std::vector<double>& depth) const;
    void find_largest_step(const std::vector<double>& depth, const std::vector<double>& current);
    void check_step(double dt) const;
    void exchange(Buffer<Real>& values);
    void advance(Level& old, const Level& now, double step);
    RrbReport solve(Level& level, double time);

    Communicator comm_;
    Device& device_;
    const BoussinesqSettings settings_;
    const RankBlocks blocks_;
    RrbFactorization<Real> factorization_;
    RrbSolver<Real> solver_;
    std::unique_ptr<Halo<Real>> ring_;  // none on one rank
    Buffer<Real> depth_, current_, damping_, pressure_, source_, right_side_;
    Level old_, now_;
    double largest_step_ = 0, dt_ = 0, time_ = 0;
    double level_step_ = 0;  // between both levels
    int steps_ = 0;          // of that length, to time_
};

}  // namespace solenoid
