// The state of another run between its points: linear in its cells.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "io/vtk/read_state.hpp"

namespace solenoid {

class SampledState {
  public:
    // extends: places outside the mesh have the values of the nearest point.
    SampledState(ReadGrid grid, bool extends);

    int dimension() const { return grid_.dimension; }
    double time() const { return grid_.time; }  // [s]
    // Null where there is none of the name with so many columns on points, or on cells.
    const ReadField* find(const std::string& name, std::size_t columns, bool is_of_cells) const;

    // Whether a place is in the mesh, or so near to its boundary that the cell there counts on
    // behind it: no more than a quarter of its height over a side. A boundary that is curved lies
    // elsewhere in a finer mesh. One thread may ask at a time.
    bool has(const Vec3& x) const;
    // Of a field on points, linear in the cell; not a number where the mesh does not have the
    // place. of_cells: the same field on cells, or null: its value counts at the middle of a cell,
    // so that on the same mesh cells get what they had.
    double value(const ReadField& field, const ReadField* of_cells, int column,
                 const Vec3& x) const;

    void clear();  // gives the memory back; there are no values any more

  private:
    // Points and their weights.
    struct Sample {
        int count = 0;
        std::size_t cell = 0;
        bool is_middle = false;  // of the cell
        std::array<Index, 4> point{};
        std::array<double, 4> weight{};
    };
    using Bin = std::array<int, 3>;
    Bin bin_of(const Vec3& x) const;
    std::size_t index_of(const Bin& bin) const;
    // Visits the bins at this distance from the middle one.
    template <class Visit>
    void visit_ring(const Bin& middle, int ring, Visit visit) const;
    std::optional<std::array<double, 4>> weights(std::size_t cell, const Vec3& x) const;
    const Sample& sample(const Vec3& x) const;
    Sample in_cell(const Vec3& x) const;
    Sample nearest(const Vec3& x) const;

    ReadGrid grid_;
    bool extends_;
    Vec3 low_{0}, size_{1};  // of the bins' box, and of a bin
    Bin bins_{1, 1, 1};
    std::vector<std::size_t> first_cell_, first_point_;  // of each bin, in the lists below
    std::vector<Index> cells_, points_;                  // by bins; a cell with its margin
    mutable std::optional<Vec3> last_;                   // place asked for
    mutable Sample last_sample_;
};

}  // namespace solenoid
