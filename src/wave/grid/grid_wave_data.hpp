// Data of waves on a structured grid, on one rank: where the displacement is given, loads, and
// sides that absorb waves.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "grid/grid.hpp"
#include "grid/stencil/mapped_grid.hpp"

namespace solenoid {

// A number at a place and at t [s]; at any t the same unless depends_on_time.
struct GridWaveFunction {
    std::function<double(double x, double y, double t)> value;  // none: 0
    bool depends_on_time = true;
};

// alpha U + beta dU/dn = gamma, free unless set otherwise. beta = 0: U is given.
struct GridWaveSide {
    double alpha = 0, beta = 1;
    // (d/dt + c d/dn)(U - gamma) = 0 in place of it: gamma is the incident wave, none: 0
    bool is_absorbing = false;
    GridWaveFunction gamma;
};

struct GridWaveProblem {
    double x0 = 0, y0 = 0;  // of node (0, 0) [m]
    double hx = 1, hy = 1;  // between nodes [m]
    bool has_cells = false;
    // A mapped grid: of node (i, j), as MappedBoundaryValues has it [m]; none: a plain grid.
    std::function<std::array<double, 2>(int i, int j)> position;
    PlaneFunction speed;      // c [m/s], positive; none: 1
    GridWaveFunction source;  // f
    std::array<GridWaveSide, 4> sides;
    // Whether the cell with the corners (i, j) and (i + 1, j + 1) is part of the domain, as
    // MappedBoundaryValues has it; where cells are unknowns, cell (i, j). None: all are. The others
    // are land: nothing crosses its sides, or U is given there (beta = 0).
    std::function<bool(int i, int j)> is_part;
    GridWaveSide land;
};

template <class Real>
class GridWaveData {
  public:
    // Throws InputError where cells or land are to absorb, a mapped grid has cells as unknowns, or
    // a speed is not positive. Collective.
    GridWaveData(const Grid<Real>& grid, const GridWaveProblem& problem);

    bool has_cells() const { return problem_.has_cells; }
    std::array<double, 2> place(int i, int j) const;
    // Of the nodes of the block, row by row: where U is given, and where it is or could be, inside
    // land that gives it.
    bool is_given(std::size_t node) const { return givers_[node] != not_given; }
    bool is_given_or_land(std::size_t node) const {
        return is_given(node) || (areas_[node] == 0 && problem_.land.beta == 0);
    }
    // c^2 for conductivity; sides that give U or absorb are free.
    BoundaryValues cell_problem() const;
    MappedBoundaryValues node_problem() const;
    // Throws InputError where a speed that these have been asked for is not positive. Collective.
    void check_speeds() const;
    // Of the nodes of the block, row by row: areas M; B, c times what absorbs of a side.
    const std::vector<double>& areas() const { return areas_; }
    const std::vector<double>& damping() const { return damping_; }
    bool absorbs() const { return absorbs_; }  // on any rank

    bool loads_depend_on_time() const { return loads_depend_on_time_; }
    bool given_depends_on_time() const { return given_depends_on_time_; }
    // M f and what comes through the sides. is_made: `load` has been made by this for another time.
    // Throws InputError where a value is not finite. Collective, as all below.
    void update_load(double t, Buffer<Real>& load, bool is_made) const;
    // U where it is given, in the order of write_given. Throws likewise.
    std::vector<double> given(double t) const;
    void write_given(const std::vector<double>& values, Buffer<Real>& field) const;

  private:
    struct Given {
        double x, y, per_value;  // U over gamma
        const GridWaveFunction* gamma;
    };
    struct SideLoad {
        std::size_t node;                        // of the block, row by row
        std::array<double, 2> place, direction;  // direction: c n [m/s]
        double weight;
        double span;  // of an incident wave: for its derivative [s]; 0: a load as it is
        const GridWaveFunction* gamma;
    };
    const GridWaveSide& giving(std::size_t node) const;
    void find_givers();
    void add_sides();
    void add_given();
    double value_of(const SideLoad& part, double t) const;
    double square_of_speed(double x, double y) const;

    const Grid<Real>& grid_;
    const GridWaveProblem problem_;
    std::vector<double> areas_, damping_;
    std::vector<int> givers_;  // of nodes of the block, as givers() has them
    std::vector<Given> given_;
    std::vector<SideLoad> side_loads_;
    bool absorbs_ = false, loads_depend_on_time_ = false, given_depends_on_time_ = false;
    Buffer<std::uint32_t> given_entries_, load_entries_;
    std::vector<std::size_t> load_nodes_;  // whose load alone depends on time
    mutable std::string bad_speed_;        // the first one found
    mutable Buffer<Real> given_values_, load_values_;
    mutable std::vector<double> steady_;  // what does not depend on time, of load_nodes_
};

}  // namespace solenoid
