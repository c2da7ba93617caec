// A field of cells with what the scheme derives of it when it is asked for: its values at nodes,
// and at boundary faces, which stand behind those of the cells (see BoundaryFaces). Both are made
// anew where the cells, or what is given on the boundary, have changed since.
#pragma once

#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class CellField;

// How they are derived: of a velocity by its boundary conditions, of a scalar by its own.
template <class Real>
class Recovery {
  public:
    virtual ~Recovery() = default;
    // Collective: ghosts of the cells are filled on the way.
    virtual void to_nodes(const Field<Real>& cells, Field<Real>& at_nodes) = 0;
    // Writes the further entries. Collective.
    virtual void to_boundary(CellField<Real>& cells) = 0;
    virtual std::uint64_t version() const = 0;  // of what the boundary gives
};

template <class Real>
class CellField : public Field<Real> {
  public:
    CellField() = default;
    // Zero; the recovery must outlive the field.
    CellField(const Domain& domain, int columns, Index boundary_faces, Recovery<Real>& recovery)
        : Field<Real>(domain, Kind::cell, columns, boundary_faces),
          domain_(&domain),
          recovery_(&recovery) {}

    // Collective.
    const Field<Real>& at_nodes() {
        if (!at_nodes_) at_nodes_ = {*domain_, Kind::node, this->columns()};
        if (of_nodes_ != state()) recovery_->to_nodes(*this, at_nodes_);
        of_nodes_ = state();
        return at_nodes_;
    }
    // The cells with ghosts and the values at boundary faces. Collective.
    const Field<Real>& with_boundary() {
        if (of_boundary_ != state()) recovery_->to_boundary(*this);
        of_boundary_ = state();
        this->with_ghosts();
        return *this;
    }

  private:
    struct State {
        std::uint64_t cells = -1, boundary = -1;  // versions
        bool operator==(const State&) const = default;
    };
    State state() const { return {this->version(), recovery_->version()}; }
    const Domain* domain_ = nullptr;
    Recovery<Real>* recovery_ = nullptr;
    Field<Real> at_nodes_;
    State of_nodes_, of_boundary_;
};

}  // namespace solenoid
