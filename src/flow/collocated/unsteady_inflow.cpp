#include "flow/collocated/unsteady_inflow.hpp"

#include "device/expression.hpp"

namespace solenoid {

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
    const Over nodes = domain_.shared(Kind::node);
    momentum_.boundary().constrain_at_nodes(velocity_);
    nodes[lacking_] =
        (1 / step.s) * given_ *
        ((velocity_ - velocity_now_) + (step.s * step.c2) * (velocity_now_ - velocity_before_));
    std::swap(acceleration_, lacking_);
    if (!step.sees_start) return;
    nodes[lacking_] = step.s * (lacking_ - acceleration_);
    momentum_.nodes_to_faces(lacking_, brought_);
    domain_.shared(Kind::face)[star] += brought_;
}

template <class Real>
void UnsteadyInflow<Real>::rise(const Step& step, const Field<Real>& star) {
    domain_.shared(Kind::face)[rise_] =
        moves_ * ((star - flux_now_) + (step.s * step.c2) * (flux_now_ - flux_before_));
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
