// A convection scheme: how the value that a face carries follows from its cells. A scheme is one
// file of this folder and one line of convection_schemes.cpp; what others want to know of it they
// ask, and nobody compares names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "flow/boundary/boundary_velocity.hpp"
#include "flow/discretization/cell_stencil.hpp"

namespace solenoid {

// What a scheme does for one field of cells, the velocity or a scalar.
template <class Real>
class Convection {
  public:
    // The field with its boundary values, its defects (the kernel cell_defect) and its node values;
    // the flux that carries it.
    struct Carried {
        const Field<Real>&cells, &defect, &at_nodes, &flux;
    };
    virtual ~Convection() = default;

    // transport = what the faces inside carry along their normals, less what `diffusion` makes of
    // the differences of their cells (its first column) and of their nodes (the others).
    // Collective.
    virtual void to_faces(const Carried& carried, const Buffer<Real>& diffusion,
                          Field<Real>& transport) = 0;
    // Adds what a scheme has in cells to what all faces brought into them. After to_faces().
    // Collective.
    virtual void add_to_cells(const Carried&, Field<Real>& brought) { (void)brought; }
    // Whether fields are differences of two: what is not linear in them is then that of the last
    // field that was none.
    virtual void use_differences(bool) {}
    // From now on what of the scheme depends on the velocity that carries, beside its flux, is that
    // of these node values.
    virtual void freeze(const Field<Real>& at_nodes) { (void)at_nodes; }
    // What a penalty in the last transport takes of this rank's kinetic energy, by density
    // [m^(d+2)/s^3].
    virtual double penalty_power() const { return 0; }
    // What the last transport has brought in at this rank's part of the boundary beside what its
    // faces carry into their cells: kinetic energy, likewise.
    virtual double boundary_power() const { return 0; }
};

// What is carried. All references must outlive its convection.
template <class Real>
struct ConvectedField {
    const Domain& domain;
    const FlowBoundaries& boundaries;
    const CellStencil<Real>& stencil;
    BoundaryVelocity<Real>* velocity = nullptr;  // of the velocity; nullptr: a scalar
    double jump_penalty = 0;                     // FlowSettings::jump_penalty
    int columns() const { return velocity ? domain.dimension : 1; }
};

class ConvectionScheme {
  public:
    ConvectionScheme(std::string name, std::string help)
        : name(std::move(name)), help(std::move(help)) {}
    virtual ~ConvectionScheme() = default;
    const std::string name, help;  // of the keys `convection`; help in Markdown

    virtual bool carries_velocities() const { return true; }
    virtual bool carries_scalars() const { return true; }
    // its eigenvalues lie about the imaginary axis
    virtual bool is_undamped() const { return false; }
    // smooth fields matter more than new extrema: node values for output are those of parabolas
    virtual bool is_parabolic() const { return true; }
    // no value leaves the range of the data, by a FluxLimiter
    virtual bool keeps_range() const { return false; }
    virtual bool takes_jump_penalty() const { return false; }

    virtual std::unique_ptr<Convection<float>> convection(
        const ConvectedField<float>& field) const = 0;
    virtual std::unique_ptr<Convection<double>> convection(
        const ConvectedField<double>& field) const = 0;
};

// Of a class with `template <class Real> std::unique_ptr<Convection<Real>> made(const
// ConvectedField<Real>&) const`.
template <class Scheme>
class ConvectionSchemeOf : public ConvectionScheme {
  public:
    using ConvectionScheme::ConvectionScheme;
    std::unique_ptr<Convection<float>> convection(
        const ConvectedField<float>& field) const override {
        return static_cast<const Scheme&>(*this).made(field);
    }
    std::unique_ptr<Convection<double>> convection(
        const ConvectedField<double>& field) const override {
        return static_cast<const Scheme&>(*this).made(field);
    }
};

const std::vector<const ConvectionScheme*>& convection_schemes();  // in the order of the docs
// std::logic_error where there is none
const ConvectionScheme& convection_scheme(const std::string& name);

}  // namespace solenoid
