// A cell field with its node values and its boundary values (BoundaryFaces), both computed on
// demand and again where the cells or the boundary data have changed.
#pragma once

#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class CellField;

// Computes node and boundary values by the boundary conditions of a velocity or a scalar.
template <class Real>
class Recovery {
  public:
    virtual ~Recovery() = default;
    // Collective.
    virtual void to_nodes(const Field<Real>& cells, Field<Real>& at_nodes) = 0;
    // Writes the boundary values. Collective.
    virtual void to_boundary(CellField<Real>& cells) = 0;
    virtual std::uint64_t version() const = 0;  // of the boundary data
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
    // The cells with the values at boundary faces. Collective.
    const Field<Real>& with_boundary() {
        if (of_boundary_ != state()) recovery_->to_boundary(*this);
        of_boundary_ = state();
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
