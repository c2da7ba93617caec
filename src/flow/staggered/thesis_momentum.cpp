#include "flow/staggered/thesis_momentum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glm/geometric.hpp>

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/staggered/staggered_flow.hpp"

namespace solenoid {
namespace {

// The value that a face carries: the mean of both cells, and `upwind` of what the upstream cell
// exceeds it by.
struct ThesisConvection {
    std::string name, help;  // of flow.convection; help in Markdown
    double upwind;
};

const std::vector<ThesisConvection>& thesis_convections() {  // the first is the default
    static const std::vector<ThesisConvection> kinds{{"central", "the mean of both cells", 0},
                                                     {"upwind", "the upstream cell", 1}};
    return kinds;
}

}  // namespace

template <class Real>
ThesisMomentum<Real>::ThesisMomentum(const StaggeredParts<Real>& parts)
    : domain_(parts.domain),
      stencil_(parts.stencil),
      d_(domain_.dimension),
      viscosity_(parts.viscosity()),
      implicit_(parts.is_implicit()),
      upwind_(kind_of(thesis_convections(), parts.flow.flow.convection).upwind),
      boundary_(domain_, parts.boundaries),
      unit_(unit_vectors<Real>(domain_.device, d_)) {
    set_faces(domain_.geometry, parts.boundaries);
    for (auto* field : {&flux_, &flux_before_, &flux_middle_})
        *field = domain_.field<Real>(Kind::face);
    transport_ = domain_.vector_field<Real>(Kind::face);
    for (auto* field : {&middle_, &diffusing_, &slope_})
        *field = domain_.vector_field<Real>(Kind::cell, stencil_.boundary_faces.size());
    net_ = domain_.vector_field<Real>(Kind::cell);
    nodes_ = domain_.vector_field<Real>(Kind::node);
}

template <class Real>
void ThesisMomentum<Real>::set_faces(const Geometry& g, const FlowBoundaries& boundaries) {
    const Mesh& m = domain_.mesh.mesh;
    const Index n = domain_.faces.shared;
    std::vector<double> entered(n, 0.5), conduction(n);
    std::vector<Vec3> skew(n);
    const FaceCoefficients c = face_coefficients(domain_.mesh, g, boundaries.faces());
    for (Index f = 0; f < n; ++f) {
        const Index left = m.face_cells(f, 0), right = m.face_cells(f, 1);
        const bool is_boundary = left == none || right == none;
        if (is_boundary) entered[f] = right == none ? 1 : 0;
        // at a boundary FaceCoefficients has twice it, that of a parabola
        conduction[f] = is_boundary ? c.conduction[f] / 2 : c.conduction[f];
        const auto [a, b] = centroids_beside(m, g, f);
        // A n less its part along the line of centres
        skew[f] = g.face_area[f] - conduction[f] * (b - a);
    }
    conductance_.assign(domain_.cells.owned, 0.0);
    for (Index cell = 0; cell < domain_.cells.owned; ++cell)
        for (int j = 0; j <= m.dimension; ++j)
            conductance_[cell] +=
                conduction[entity_of(m.cell_faces(cell, j))] / g.cell_volume[cell];
    entered_ = uploaded<Real>(domain_.device, entered);
    conduction_ = uploaded<Real>(domain_.device, conduction);
    skew_ = uploaded_vectors<Real>(domain_.device, skew, n, 1, d_);
}

template <class Real>
void ThesisMomentum<Real>::combine(double a, const Buffer<Real>& x, double b, const Buffer<Real>& y,
                                   Field<Real>& out) {
    domain_.own(Kind::cell)[out] = a * x + b * y;
    boundary_.impose_at_faces(out, nodes_);
}

template <class Real>
void ThesisMomentum<Real>::begin_step(const Field<Real>& u, const Field<Real>& u_before,
                                      double ratio, double time, double dt) {
    boundary_.update(time + dt / 2);
    // U* = (1 + r/2) U - r/2 U_before
    domain_.shared(Kind::face)[flux_middle_] = (1 + ratio / 2) * flux_ - ratio / 2 * flux_before_;
    // explicit: w = (1 + r/2) u - r/2 u_before diffuses
    if (!implicit_) combine(1 + ratio / 2, u, -ratio / 2, u_before, diffusing_);
}

template <class Real>
void ThesisMomentum<Real>::apply(double dt, const Field<Real>& u, const Field<Real>& end,
                                 Field<Real>& star) {
    // m = (u + u') / 2 is convected, and implicit diffusion is of w = m
    combine(0.5, u, 0.5, end, middle_);
    if (implicit_) diffusing_.copy(middle_);
    // F_f = U* m_f - nu k_f (w_b - w_a)
    kernels::MeanTransport<Real>{.dimension = d_,
                                 .cell = stencil_.face_cells,
                                 .entered = entered_,
                                 .conduction = conduction_,
                                 .flux = flux_middle_,
                                 .u = middle_,
                                 .w = diffusing_,
                                 .value = transport_,
                                 .nu = static_cast<Real>(viscosity_),
                                 .upwind = static_cast<Real>(upwind_)}
        .run();
    // F_f -= nu grad w . (A n - k_f (x_b - x_a))
    if (viscosity_ > 0) add_skewness();
    // star = u - dt/V sum of +-F_f
    kernels::TransportSum<Real>{
        .dimension = d_, .face = stencil_.cell_faces, .transport = transport_, .value = net_}
        .run();
    domain_.own(Kind::cell)[star] = u + (dt / stencil_.volume) * net_;
}

template <class Real>
void ThesisMomentum<Real>::add_skewness() {
    for (int k = 0; k < d_; ++k) {
        const auto axis = static_cast<std::uint32_t>(k);
        kernels::DirectionalSlope<Real>{.dimension = d_,
                                        .unit = unit_,
                                        .face = stencil_.cell_faces,
                                        .cell = stencil_.face_cells,
                                        .entered = entered_,
                                        .area = stencil_.area,
                                        .volume = stencil_.volume,
                                        .v = diffusing_,
                                        .value = slope_,
                                        .k = axis}
            .run();
        kernels::SkewTransport<Real>{.dimension = d_,
                                     .unit = unit_,
                                     .cell = stencil_.face_cells,
                                     .entered = entered_,
                                     .skew = skew_,
                                     .slope = slope_,
                                     .transport = transport_,
                                     .nu = static_cast<Real>(viscosity_),
                                     .k = axis}
            .run();
    }
}

template <class Real>
void ThesisMomentum<Real>::accept(const Field<Real>&, const Field<Real>& flux, double) {
    flux_before_.copy(flux_);
    flux_.copy(flux);
}

// Gershgorin's bound of the part along the lines of centres.
template <class Real>
double ThesisMomentum<Real>::diffusion_rate() {
    double most = 0;
    for (const double sum : conductance_) most = std::max(most, sum);
    return 2 * domain_.comm.max(most);
}

template class ThesisMomentum<float>;
template class ThesisMomentum<double>;

MomentumKind thesis_momentum() {
    std::string help;
    for (const ThesisConvection& kind : thesis_convections())
        help += fmt::format("{}`\"{}\"`{}, {}", help.empty() ? "" : ", or ", kind.name,
                            help.empty() ? " (the default there)" : "", kind.help);
    return staggered_kind<ThesisMomentum>(
        "thesis", "the thesis's equations 7.5 to 7.7, first order, for comparison",
        names_of(thesis_convections()), "Thesis: " + help);
}

}  // namespace solenoid
