#include "flow/collocated/energy_budget.hpp"

#include <algorithm>

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {

template <class Real>
EnergyBudget<Real>::EnergyBudget(const Domain& domain, const FlowBoundaries& boundaries,
                                 Momentum<Real>& momentum)
    : domain_(domain), d_(domain.dimension), momentum_(momentum), first_(boundaries.faces().first) {
    const Mesh& m = domain.mesh.mesh;
    const BoundaryFaces& b = boundaries.faces();
    const std::size_t count = b.faces.size();
    const FaceCoefficients c = face_coefficients(domain.mesh, domain.geometry, b);
    std::vector<double> weights = boundary_weights(domain.mesh, domain.geometry, b),
                        conduction(count);
    std::vector<Index> oriented(count);
    Table nodes(count, d_);
    bool is_passed = false;
    for (std::size_t k = 0; k < count; ++k) {
        const FlowCondition& condition = boundaries.condition(k);
        is_passed = is_passed || condition.lets_through();
        oriented[k] = b.outward[k] > 0 ? b.faces[k] : b.faces[k] | reversed;
        // the stress on a symmetry plane is normal to the velocity and does no work
        conduction[k] = condition.slips() ? 0 : c.conduction[b.faces[k]];
        for (int j = 0; j <= d_; ++j) weights[j * count + k] *= b.outward[k];
        for (int j = 0; j < d_; ++j) nodes(k, j) = m.face_nodes(b.faces[k], j);
    }
    is_passed_ = domain.comm.any(is_passed);
    face_ = uploaded(domain.device, oriented);
    cell_ = uploaded(domain.device, b.cells);
    face_node_ = uploaded_table(domain.device, nodes, count);
    weight_ = uploaded<Real>(domain.device, weights, d_ + 1);
    conduction_ = uploaded<Real>(domain.device, conduction);
}

// Sum over this rank's owned cells.
template <class Real>
double EnergyBudget<Real>::dot(const Buffer<Real>& weight, const Buffer<Real>& x,
                               const Buffer<Real>& y) const {
    return domain_.own(Kind::cell).dot(domain_.comm, weight, solenoid::dot(x, y));
}

template <class Real>
double EnergyBudget<Real>::dot(const Buffer<Real>& x, const Buffer<Real>& y) const {
    return domain_.own(Kind::cell).sum(domain_.comm, solenoid::dot(x, y));
}

// Summed over all ranks.
template <class Real>
auto EnergyBudget<Real>::products(const Step& s) const -> Products {
    const Buffer<Real>& volume = momentum_.stencil().volume;
    auto carried_in = domain_.vector_field<Real>(Kind::cell),
         diffused_in = domain_.vector_field<Real>(Kind::cell),
         diffused_in_of_star = domain_.vector_field<Real>(Kind::cell),
         conducted = domain_.vector_field<Real>(Kind::cell);
    momentum_.transport(s.u, s.flux, carried_in);
    const double penalized_here = momentum_.penalty_power();
    const RankSum beside_here = momentum_.boundary_power();
    momentum_.explicit_diffusion(s.u, diffused_in);
    momentum_.explicit_diffusion(s.star, diffused_in_of_star);
    momentum_.implicit_diffusion(s.star, conducted);
    auto change = domain_.vector_field<Real>(Kind::cell);
    // uses one field for all differences
    const auto difference = [&](const Buffer<Real>& x,
                                const Buffer<Real>& y) -> const Buffer<Real>& {
        domain_.own(Kind::cell)[change] = x - y;
        return change;
    };

    std::array<RankSum, std::tuple_size_v<Products>> of;
    of[now] = dot(volume, s.u, s.u) / 2;
    of[before] = dot(volume, s.u_before, s.u_before) / 2;
    of[earlier] = dot(volume, s.u_earlier, s.u_earlier) / 2;
    of[held] = dot(volume, s.u, difference(s.u, s.projected));
    difference(s.u, s.u_before);
    of[changed] = dot(volume, change, change);
    difference(s.u, s.u_earlier);
    of[changed_in_two] = dot(volume, change, change);
    of[pressure] = dot(volume, s.u, s.q);
    of[carried] = dot(s.u, carried_in);
    of[penalized] = penalized_here;
    of[extrapolated] = dot(s.u, s.transport);
    of[diffused] = dot(s.u, diffused_in);
    of[diffused_of_star] = dot(s.u, diffused_in_of_star);
    of[from_walls] = dot(s.u, momentum_.wall_diffusion());
    of[implicit_of_star] = dot(s.u, conducted);
    of[force] = dot(volume, s.u, s.force);
    const Buffer<Real>& boundary_convected_velocity = momentum_.boundary().carried(s.u, s.flux);
    {
        auto p = domain_.field<Real>(Kind::node);
        if (!s.pressure.empty())
            p.upload(std::vector<Real>(s.pressure.begin(), s.pressure.end()), Reach::closure);
        const auto powers_of = [&](CellField<Real>& u) {
            return kernels::BoundaryPower<Real>{.dimension = d_,
                                                .face = face_,
                                                .cell = cell_,
                                                .node = momentum_.stencil().boundary_cell_nodes,
                                                .face_node = face_node_,
                                                .weight = weight_,
                                                .conduction = conduction_,
                                                .nu = momentum_.viscosity().at_boundary(),
                                                .flux = s.flux,
                                                .u = u.with_boundary(),
                                                .t = u.at_nodes(),
                                                .value = boundary_convected_velocity,
                                                .p = p,
                                                .first = first_}
                .run(domain_.comm, domain_.device, {0, face_.size()});
        };
        const auto of_u = powers_of(s.u);
        of[brought_in] = of_u.carried;
        of[pressed_in] = of_u.pressed;
        of[rubbed_in] = powers_of(s.star).rubbed;
    }
    of[brought_in] += beside_here;
    domain_.comm.sum(std::span<RankSum>(of));
    Products sums;
    std::ranges::copy(of, sums.begin());
    return sums;
}

// With u the new state, u1 and u2 the two before it, K = |u|^2 / 2 and a = (1 + 2 w) / (1 + w):
//   u . (a u - (1 + w) u1 + w^2 / (1 + w) u2) / dt
//     = (a K - (1 + w) K1 + w^2 / (1 + w) K2) / dt
//       + [(1 + w) |u - u1|^2 - w^2 / (1 + w) |u - u2|^2] / (2 dt)
// The first part is the rate of kinetic energy, the second the time scheme's dissipation.
template <class Real>
EnergyTerms EnergyBudget<Real>::measure(const Step& s) {
    const Products of = products(s);
    const auto& [dt, w] = s.bdf2;
    const double a = s.bdf2.a(), c1 = 1 + w, c2 = w * w / (1 + w);
    EnergyTerms terms;
    terms.kinetic_energy = of[now];
    terms.rate = (a * of[now] - c1 * of[before] + c2 * of[earlier]) / dt;
    terms.viscous = of[rubbed_in] - of[diffused_of_star] - of[from_walls] - of[implicit_of_star];
    terms.convection = of[brought_in] - (of[carried] - of[diffused]) - of[penalized];
    terms.jump_penalty = of[penalized];
    terms.coupling = of[pressure] - a / dt * of[held] + of[pressed_in];
    terms.time_scheme = (c1 * of[changed] - c2 * of[changed_in_two]) / (2 * dt) +
                        (of[carried] - of[diffused]) - (of[extrapolated] - of[diffused_of_star]);
    terms.boundary = of[brought_in] + of[rubbed_in] + of[pressed_in];
    terms.force = of[force];
    return terms;
}

template <class Real>
EnergyBudget<Real>::~EnergyBudget() = default;

template class EnergyBudget<float>;
template class EnergyBudget<double>;

}  // namespace solenoid
