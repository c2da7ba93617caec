// Convection schemes: the face value u_f of U u_f from the values of cells and nodes. A scheme is
// one file of this folder and one line of convection_schemes.cpp. Others ask a scheme for its
// properties and do not compare names. docs/numerics.md, "Collocated momentum".
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "flow/boundary/boundary_velocity.hpp"
#include "flow/discretization/cell_stencil.hpp"

namespace solenoid {

// A scheme applied to one cell field, the velocity or a scalar.
template <class Real>
class Convection {
  public:
    // The field with its boundary values, its defects (kernel cell_defect), its node values, and
    // the flux U that carries it.
    struct Carried {
        const Field<Real>&cells, &defect, &at_nodes, &flux;
    };
    virtual ~Convection() = default;

    // transport = U u_f - diffusion . (u_b - u_a, t_j - t_0) at the faces inside the domain, along
    // their normals. Column 0 of diffusion multiplies the difference of the cells, the others those
    // of the nodes. Collective.
    virtual void to_faces(const Carried& carried, const Buffer<Real>& diffusion,
                          Field<Real>& transport) = 0;
    // Adds the terms of a scheme that belong to cells. After to_faces(). Collective.
    virtual void add_to_cells(const Carried&, Field<Real>& brought) { (void)brought; }
    // Says whether fields are differences of two fields. Nonlinear parts (limiters) are then those
    // of the last field that was not a difference.
    virtual void use_differences(bool) {}
    // From now on, parts that depend on the carrying velocity beside its flux use these node
    // values.
    virtual void freeze(const Field<Real>& at_nodes) { (void)at_nodes; }
    // Kinetic energy that the jump penalty of the last transport removes on this rank, by density
    // [m^(d+2)/s^3].
    virtual double penalty_power() const { return 0; }
    // Kinetic energy that the last transport adds at this rank's part of the boundary, beside the
    // convection through its faces [m^(d+2)/s^3].
    virtual RankSum boundary_power() const { return 0; }
};

// The convected field. All references must outlive its convection.
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
    // Eigenvalues lie near the imaginary axis.
    virtual bool is_undamped() const { return false; }
    // Node values for output are those of fitted parabolas, which may add extrema.
    virtual bool is_parabolic() const { return true; }
    // Values stay in the range of the data, by a FluxLimiter.
    virtual bool keeps_range() const { return false; }
    virtual bool takes_jump_penalty() const { return false; }

    virtual std::unique_ptr<Convection<float>> convection(
        const ConvectedField<float>& field) const = 0;
    virtual std::unique_ptr<Convection<double>> convection(
        const ConvectedField<double>& field) const = 0;
};

// For a class with `template <class Real> std::unique_ptr<Convection<Real>> made(const
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
// Throws std::logic_error where there is none of that name.
const ConvectionScheme& convection_scheme(const std::string& name);

}  // namespace solenoid
