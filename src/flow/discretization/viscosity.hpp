// The kinematic viscosity nu [m^2/s] of a flow as a field of faces: uniform, a formula of x, y, z,
// t, or a law of the shear rate. docs/numerics.md, "Viscosity that varies".
#pragma once

#include <memory>

#include "case/formula.hpp"
#include "flow/discretization/cell_field.hpp"
#include "flow/discretization/kinked_nodes.hpp"
#include "flow/viscosity/viscosity_law.hpp"
#include "operators/state.hpp"

namespace solenoid {

struct ViscosityModel {
    ViscosityModel(double uniform) : formula(uniform) {}
    ViscosityModel(const Formula& formula, std::shared_ptr<const ViscosityLaw> law = nullptr)
        : formula(formula), law(std::move(law)) {}

    Formula formula;  // not negative; where there is no law
    std::shared_ptr<const ViscosityLaw> law;

    bool varies() const { return law || !formula.is_constant(); }
    // Upper bound of the response of the stress to a change of velocity, over that of nu grad u
    // with nu fixed: the symmetric gradient doubles it; a law multiplies it by d(stress) / d(rate)
    // / nu.
    double steepness() const { return law ? 2 * law->steepness() : varies() ? 2 : 1; }
};

template <class Real>
class Viscosity {
  public:
    // All references must outlive this. A uniform viscosity is defined at once, one that varies
    // after update().
    Viscosity(const Domain& domain, const CellStencil<Real>& stencil, const BoundaryFaces& boundary,
              const ViscosityModel& model);

    bool varies() const { return model_.varies(); }
    bool follows_flow() const { return model_.law != nullptr; }
    // Evaluates the formula at a time [s], or the law at the shear rates of a velocity. Returns
    // false where nothing has changed. Throws InputError. Collective.
    bool update(double time, CellField<Real>& u);
    std::uint64_t version() const { return version_; }

    const Field<Real>& at_faces() const { return faces_; }
    const Buffer<Real>& at_boundary() const { return boundary_; }       // of BoundaryFaces
    const std::vector<double>& host_boundary() const { return host_; }  // the same
    // Mean of each cell's faces; of a formula that jumps, on the cell's side of them.
    const Field<Real>& in_cells();
    // product = factor times nu of the listed faces. Collective.
    void gather(const Buffer<std::uint32_t>& faces, const Buffer<Real>& factor,
                Buffer<Real>& product) const;

    // Whether nu has changed anywhere by more than a factor since keep(). Collective.
    bool is_far(double factor) const;
    void keep() { domain_.device.copy(faces_.values(), kept_); }
    const Buffer<Real>& kept() const { return kept_; }  // the values at keep(), of all faces held
    // found: the values of keep()
    void register_state(const State<Real>& motion, const State<Real>& found);
    // Nodes where the velocity has a kink, because the formula jumps.
    const KinkedNodes<Real>& kinks() const { return kinks_; }
    // tangential_gradients() of faces; empty where nu is uniform.
    const Buffer<Real>& tangent() const { return tangent_; }

  private:
    void set_rates();
    void evaluate(double time);
    void set_boundary();
    void follow(CellField<Real>& u);

    const Domain& domain_;
    const int d_;
    const CellStencil<Real>& stencil_;
    const BoundaryFaces& faces_of_boundary_;
    const ViscosityModel model_;
    KinkedNodes<Real> kinks_;
    Field<Real> faces_, cells_;
    Buffer<Real> boundary_, kept_;
    std::vector<double> host_;
    std::uint64_t version_ = 1, version_of_cells_ = 0;
    bool is_seen_ = false, is_remarked_ = false;
    double seen_ = 0;
    Buffer<Real> ones_;     // of the boundary
    Buffer<Real> tangent_;  // vectors of faces
    // Of a law: of faces; of the boundary's faces.
    Field<Real> rate_;
    Buffer<Real> conduction_, boundary_rate_, boundary_weight_, boundary_conduction_,
        boundary_area_, boundary_tangent_;
    Buffer<std::uint32_t> boundary_cell_, boundary_node_;
};

}  // namespace solenoid
