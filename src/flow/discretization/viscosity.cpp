#include "flow/discretization/viscosity.hpp"

#include <algorithm>
#include <utility>

#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/discretization/sampled_coefficient.hpp"

namespace solenoid {

template <class Real>
Viscosity<Real>::Viscosity(const Domain& domain, const CellStencil<Real>& stencil,
                           const BoundaryFaces& boundary, const ViscosityModel& model)
    : domain_(domain),
      d_(domain.dimension),
      stencil_(stencil),
      faces_of_boundary_(boundary),
      model_(model),
      kinks_(stencil) {
    const double uniform = varies() ? 0 : model.formula(Vec3(0));
    faces_ = domain.field<Real>(Kind::face);
    domain.held(Kind::face)[faces_] = uniform;
    host_.assign(boundary.faces.size(), uniform);
    boundary_ = uploaded<Real>(domain.device, host_);
    cells_ = domain.field<Real>(Kind::cell);
    if (!varies()) {
        domain.held(Kind::cell)[cells_] = uniform;
        return;
    }
    kept_ = domain.device.buffer<Real>(faces_.size());
    ones_ = uploaded<Real>(domain.device, std::vector<double>(boundary.faces.size(), 1.0));
    const Mesh& m = domain.mesh.mesh;
    std::vector<Vec3> tangents;
    for (Index f = 0; f < domain.faces.shared; ++f) {
        const auto gradient = tangential_gradients(m, f, domain.geometry.face_area[f]);
        tangents.insert(tangents.end(), gradient.begin() + 1, gradient.begin() + d_);
    }
    tangent_ = uploaded_vectors<Real>(domain.device, tangents, domain.faces.shared, d_ - 1, d_);
    if (model.law) set_rates();
}

template <class Real>
void Viscosity<Real>::set_rates() {
    const Mesh& m = domain_.mesh.mesh;
    const Geometry& g = domain_.geometry;
    const BoundaryFaces& b = faces_of_boundary_;
    const std::size_t count = b.faces.size();
    const FaceCoefficients c = face_coefficients(domain_.mesh, g, b);
    std::vector<double> conduction(count), weights = boundary_weights(domain_.mesh, g, b);
    const std::vector<double> foot = foot_weights(domain_.mesh, g, b, b.slips_curved);
    std::vector<Vec3> areas, tangents;
    Table nodes(count, d_);
    for (std::size_t k = 0; k < count; ++k) {
        conduction[k] = c.conduction[b.faces[k]];
        for (int j = 0; j <= d_; ++j) {
            weights[j * count + k] *= b.outward[k];
            if (b.slips_curved[k]) weights[j * count + k] = conduction[k] * foot[j * count + k];
        }
        for (int j = 0; j < d_; ++j) nodes(k, j) = m.face_nodes(b.faces[k], j);
        areas.push_back(b.outward[k] * g.face_area[b.faces[k]]);
        const auto gradient = tangential_gradients(m, b.faces[k], g.face_area[b.faces[k]]);
        tangents.insert(tangents.end(), gradient.begin() + 1, gradient.begin() + d_);
    }
    Device& device = domain_.device;
    conduction_ = uploaded<Real>(device, c.conduction);
    rate_ = domain_.field<Real>(Kind::face);
    boundary_rate_ = device.buffer<Real>(static_cast<Index>(count));
    boundary_weight_ = uploaded<Real>(device, weights, d_ + 1);
    boundary_conduction_ = uploaded<Real>(device, conduction);
    boundary_area_ = uploaded_vectors<Real>(device, areas, count, 1, d_);
    boundary_tangent_ = uploaded_vectors<Real>(device, tangents, count, d_ - 1, d_);
    boundary_cell_ = uploaded(device, b.cells);
    boundary_node_ = uploaded_table(device, nodes, count);
}

template <class Real>
bool Viscosity<Real>::update(double time, CellField<Real>& u) {
    if (!varies() ||
        (!model_.law && is_seen_ && (!model_.formula.depends_on_time() || time == seen_)))
        return false;
    is_seen_ = true;
    seen_ = time;
    ++version_;
    if (model_.law)
        follow(u);
    else
        evaluate(time);
    return true;
}

template <class Real>
void Viscosity<Real>::evaluate(double time) {
    const SampledCoefficient nu = sample_coefficient(domain_, model_.formula, time);
    faces_.upload(std::vector<Real>(nu.faces.begin(), nu.faces.end()), Reach::closure);
    std::vector<Real> cells(domain_.cells.all, Real(0));
    std::copy(nu.cells.begin(), nu.cells.end(), cells.begin());
    cells_.upload(cells);
    for (std::size_t k = 0; k < host_.size(); ++k) host_[k] = nu.faces[faces_of_boundary_.faces[k]];
    boundary_.upload(std::vector<Real>(host_.begin(), host_.end()));
    kinks_.update_coefficient(nu);
    if (!std::exchange(is_remarked_, is_remarked_ || nu.cells_cut > 0))
        remark_cut_cells(nu, "[fluid] viscosity");
}

template <class Real>
void Viscosity<Real>::follow(CellField<Real>& u) {
    Device& device = domain_.device;
    const Field<Real>&at_nodes = u.at_nodes(), &cells = u.with_boundary();
    kernels::FaceShearRate<Real>{.dimension = d_,
                                 .cell = stencil_.face_cells,
                                 .node = stencil_.face_nodes,
                                 .cross = stencil_.cross,
                                 .conduction = conduction_,
                                 .area = stencil_.area,
                                 .tangent = tangent_,
                                 .u = cells,
                                 .t = at_nodes,
                                 .value = rate_}
        .run(device, {0, domain_.faces.shared});
    kernels::BoundaryShearRate<Real>{.dimension = d_,
                                     .cell = boundary_cell_,
                                     .node = stencil_.boundary_cell_nodes,
                                     .face_node = boundary_node_,
                                     .weight = boundary_weight_,
                                     .conduction = boundary_conduction_,
                                     .area = boundary_area_,
                                     .tangent = boundary_tangent_,
                                     .u = cells,
                                     .t = at_nodes,
                                     .value = boundary_rate_,
                                     .first = faces_of_boundary_.first}
        .run(device, {0, boundary_rate_.size()});
    device.scatter(boundary_rate_, stencil_.boundary_faces, rate_, Reach::closure);
    model_.law->evaluate(domain_.shared(Kind::face), rate_, faces_.write(Reach::closure));
    set_boundary();
}

// The values at the boundary's faces, of those of all faces.
template <class Real>
void Viscosity<Real>::set_boundary() {
    gather(stencil_.boundary_faces, ones_, boundary_);
    const std::vector<Real> values = boundary_.download();
    host_.assign(values.begin(), values.end());
}

template <class Real>
void Viscosity<Real>::gather(const Buffer<std::uint32_t>& faces, const Buffer<Real>& factor,
                             Buffer<Real>& product) const {
    kernels::GatheredProduct<Real>{.from = faces, .factor = factor, .q = faces_, .value = product}
        .run(domain_.device, {0, faces.size()});
}

template <class Real>
const Field<Real>& Viscosity<Real>::in_cells() {
    if (model_.law && version_of_cells_ != version_)
        kernels::FaceMean<Real>{
            .dimension = d_, .face = stencil_.cell_faces, .q = faces_, .value = cells_}
            .run();
    version_of_cells_ = version_;
    return cells_;
}

template <class Real>
bool Viscosity<Real>::is_far(double factor) const {
    const double largest =
        domain_.faces.owned ? domain_.own(Kind::face)
                                  .greatest(max(faces_ - factor * kept_, kept_ - factor * faces_))
                            : 0;
    return domain_.comm.max(largest) > 0;
}

template <class Real>
void Viscosity<Real>::register_state(const State<Real>& motion, const State<Real>& found) {
    if (!model_.law && !model_.formula.depends_on_time()) return;
    found.add("kept", kept_, Kind::face);
    if (model_.law)
        motion.add("faces", faces_);
    else
        motion.add("time", seen_);
    motion.remade([this] {
        ++version_;
        if (model_.law)
            set_boundary();
        else
            evaluate(seen_);
    });
}

template class Viscosity<float>;
template class Viscosity<double>;

}  // namespace solenoid
