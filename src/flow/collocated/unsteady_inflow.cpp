#include "flow/collocated/unsteady_inflow.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "device/expression.hpp"

namespace solenoid {
namespace {

// The number N of weigh() at which half of the acceleration counts.
constexpr double inertial = 10;

}  // namespace

template <class Real>
UnsteadyInflow<Real>::UnsteadyInflow(const Domain& domain, const FlowBoundaries& boundaries,
                                     Momentum<Real>& momentum)
    : domain_(domain), momentum_(momentum) {
    if (!boundaries.has_unsteady_inflow()) return;
    const Mesh& m = domain.mesh.mesh;
    std::vector<Real> faces(m.faces()), nodes(m.nodes(), Real(0));
    for (Index f = 0; f < m.faces(); ++f)
        if (boundaries.is_inflow(f)) {
            faces[f] = 1;
            for (int j = 0; j < m.dimension; ++j) nodes[m.face_nodes(f, j)] = 1;
        }
    // where a wall meets an inflow its nodes move with the wall, which no pressure drives
    for (Index f = 0; f < m.faces(); ++f)
        if (const FlowBoundary* b = boundaries.boundary(f); b && b->condition->is_wall())
            for (int j = 0; j < m.dimension; ++j) nodes[m.face_nodes(f, j)] = 0;
    for (auto* field : {&moves_, &rise_, &flux_now_, &flux_before_, &brought_})
        *field = domain.field<Real>(Kind::face);
    for (auto* field :
         {&given_, &velocity_, &velocity_now_, &velocity_before_, &acceleration_, &lacking_})
        *field = domain.vector_field<Real>(Kind::node);
    moves_.upload(faces);
    for (Index f = 0; f < m.faces(); ++f)
        if (faces[f] != 0)
            faces[f] = static_cast<Real>(1 / glm::length(domain.geometry.face_area[f]));
    by_area_ = domain.field<Real>(Kind::face);
    by_area_.upload(faces);
    const BoundaryFaces& all = boundaries.faces();
    for (std::size_t k = 0; k < all.faces.size(); ++k)
        if (boundaries.is_inflow(all.faces[k])) {
            inflow_faces_.push_back(static_cast<Index>(k));
            length_ = std::max(
                length_, std::pow(domain.geometry.cell_volume[all.cells[k]], 1.0 / m.dimension));
        }
    length_ = domain.comm.max(length_);
    std::vector<Real> columns;
    for (int k = 0; k < m.dimension; ++k) columns.insert(columns.end(), nodes.begin(), nodes.end());
    given_.upload(columns);
}

// The boundary's velocities are still those of the start of the step.
template <class Real>
void UnsteadyInflow<Real>::begin(const Field<Real>& flux) {
    if (!exists()) return;
    std::swap(flux_now_, flux_before_);
    flux_now_.copy(flux);
    std::swap(velocity_now_, velocity_before_);
    momentum_.boundary().constrain_at_nodes(velocity_now_);
}

// s du_b/dt = (u_b - u_1) + s c2 (u_1 - u_2), since s (c1 + c2) = 1: 0 to the bit where it rests.
template <class Real>
void UnsteadyInflow<Real>::bring(const Step& step, Field<Real>& star) {
    if (!exists()) return;
    rise(step);
    const Over nodes = domain_.shared(Kind::node);
    momentum_.boundary().constrain_at_nodes(velocity_);
    nodes[lacking_] =
        (share_ / step.s) * given_ *
        ((velocity_ - velocity_now_) + (step.s * step.c2) * (velocity_now_ - velocity_before_));
    std::swap(acceleration_, lacking_);
    if (!step.sees_start) return;
    nodes[lacking_] = step.s * (lacking_ - acceleration_);
    momentum_.nodes_to_faces(lacking_, brought_);
    domain_.shared(Kind::face)[star] += brought_;
}

// What friction balances is no pressure's: with the boundary's speed U, acceleration a and cells of
// length h, the share of inertia is N^4 / (10^4 + N^4), N = (U h + a h^2 / U) / nu.
template <class Real>
void UnsteadyInflow<Real>::weigh(const Step& step) {
    std::vector<double> most(3, 0.0);  // U, s a, 1/nu
    const Over own = domain_.own(Kind::face);
    if (domain_.faces.owned) {
        most[0] = std::max<double>(own.greatest(abs(flux_now_) * by_area_),
                                   own.greatest(abs(flux_now_ + rise_) * by_area_));
        most[1] = own.greatest(abs(rise_) * by_area_);
    }
    for (const Index k : inflow_faces_)
        most[2] = std::max(most[2], 1 / momentum_.viscosity().host_boundary()[k]);
    domain_.comm.max(most);
    const double speed = most[0], acceleration = most[1] / step.s;
    share_ = 0;
    if (!(speed > 0) || !(acceleration > 0)) return;
    // infinite without friction
    const double number =
        (speed * length_ + acceleration * length_ * length_ / speed) * most[2] / inertial;
    share_ = 1 / (1 + std::pow(number, -4));
}

template <class Real>
void UnsteadyInflow<Real>::rise(const Step& step) {
    const Over faces = domain_.shared(Kind::face);
    momentum_.boundary().constrain_flux(brought_);
    faces[rise_] =
        moves_ * ((brought_ - flux_now_) + (step.s * step.c2) * (flux_now_ - flux_before_));
    weigh(step);
    faces[rise_] = share_ * rise_;
}

template <class Real>
void UnsteadyInflow<Real>::impose(double s, Field<Real>& gradient) {
    if (exists())
        domain_.shared(Kind::face)[gradient] = gradient - moves_ * gradient - (1 / s) * rise_;
}

template <class Real>
void UnsteadyInflow<Real>::register_state(const State<Real>& motion, const State<Real>& found) {
    if (!exists()) return;
    motion.add("flux_before", flux_now_);
    motion.add("velocity_before", velocity_now_);
    found.add("acceleration", acceleration_);
}

template <class Real>
UnsteadyInflow<Real>::~UnsteadyInflow() = default;

template class UnsteadyInflow<float>;
template class UnsteadyInflow<double>;

}  // namespace solenoid
