#include "flow/scalar/scalar_faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {
namespace {

// The boundary faces of the flow, which conduct a scalar only where its value is given.
BoundaryFaces conducting(int dimension, const FlowBoundaries& flow,
                         const ScalarBoundaries& boundaries) {
    BoundaryFaces faces = flow.faces();
    std::fill(faces.conductance_factor.begin(), faces.conductance_factor.end(), 0.0);
    for (const auto& positions : {boundaries.given(), boundaries.inflow_positions()})
        for (const Index k : positions)
            faces.conductance_factor[k] = parabolic_conductance_factor(dimension);
    return faces;
}

}  // namespace

template <class Real>
ScalarFaces<Real>::ScalarFaces(const Domain& domain, const FlowBoundaries& flow,
                               const CellStencil<Real>& stencil, const ScalarBoundaries& boundaries,
                               const Formula& diffusivity, const std::string& name)
    : domain_(domain),
      stencil_(stencil),
      boundaries_(boundaries),
      diffusivity_(diffusivity),
      name_(name),
      kinks_(stencil),
      boundary_(conducting(domain.dimension, flow, boundaries)),
      coefficients_(face_coefficients(domain.mesh, domain.geometry, boundary_)),
      values_(domain.faces.all) {
    make_lists();
    diffusion_ = domain.device.buffer<Real>(domain.faces.shared, domain.dimension);
    update(0);
}

// What follows from the lists of the boundaries alone.
template <class Real>
void ScalarFaces<Real>::make_lists() {
    Device& device = domain_.device;
    given_ = list(boundaries_.given(), true);
    open_ = list(boundaries_.open(), false);
    none_diffused_ = device.buffer<Real>(open_.face.size());
    none_given_ = device.buffer<Real>(given_.face.size());
    const int nodes = domain_.dimension + 1;
    const std::vector<double> all = boundary_weights(domain_.mesh, domain_.geometry, boundary_);
    const std::size_t count = boundaries_.given().size();
    std::vector<double> weights(count * nodes);
    for (std::size_t i = 0; i < count; ++i)
        for (int j = 0; j < nodes; ++j)
            weights[j * count + i] = all[j * boundary_.faces.size() + boundaries_.given()[i]];
    weight_ = uploaded<Real>(device, weights, nodes);
    Table cells = coefficients_.cells;
    for (const Index k : boundaries_.open())
        cells(boundary_.faces[k], 0) = cells(boundary_.faces[k], 1) = boundary_.cells[k];
    beside_ = uploaded_table(device, cells, domain_.faces.shared);
}

template <class Real>
void ScalarFaces<Real>::sort() {
    make_lists();
    assemble_given();
}

template <class Real>
BoundaryFaceList<Real> ScalarFaces<Real>::list(const std::vector<Index>& positions,
                                               bool with_cell_nodes) const {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<Index> faces, oriented, cells;
    Table nodes(positions.size(), domain_.dimension + (with_cell_nodes ? 1 : 0));
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Index f = boundary_.faces[positions[i]], c = boundary_.cells[positions[i]];
        faces.push_back(f);
        oriented.push_back(boundary_.outward[positions[i]] > 0 ? f : f | reversed);
        cells.push_back(c);
        for (int j = 0; j < nodes.width; ++j)
            nodes(i, j) = with_cell_nodes ? m.cell_nodes(c, j) : m.face_nodes(f, j);
    }
    Device& device = domain_.device;
    return {uploaded(device, faces), uploaded(device, oriented), uploaded(device, cells),
            uploaded_table(device, nodes, positions.size()),
            device.buffer<Real>(static_cast<Index>(faces.size()))};
}

template <class Real>
bool ScalarFaces<Real>::update(double time) {
    if (is_updated_ && (!diffusivity_.depends_on_time() || time == time_)) return false;
    is_updated_ = true;
    time_ = time;
    evaluate();
    return true;
}

// The diffusivity at time_.
template <class Real>
void ScalarFaces<Real>::evaluate() {
    if (varies()) {
        const SampledCoefficient sampled = sample_coefficient(domain_, diffusivity_, time_);
        values_ = sampled.faces;
        kinks_.update_coefficient(sampled);
        if (!std::exchange(is_remarked_, is_remarked_ || sampled.cells_cut > 0))
            remark_cut_cells(sampled, fmt::format("[scalar.{}] diffusivity", name_));
    } else
        values_.assign(values_.size(), diffusivity_.not_negative_value(Vec3(0), time_));
    conducts_ =
        domain_.comm.any(std::ranges::any_of(values_, [](double value) { return value > 0; }));
    assemble();
}

// What depends on the diffusivity.
template <class Real>
void ScalarFaces<Real>::assemble() {
    std::vector<double> conducted = coefficients_.conduction;
    for (Index f = 0; f < domain_.faces.shared; ++f) {
        const bool is_inside = domain_.mesh.mesh.face_cells(f, 0) != none &&
                               domain_.mesh.mesh.face_cells(f, 1) != none;
        conducted[f] *= values_[f] * (is_inside ? stencil_.implicit_factor[f] : 1);
    }
    conduction_ = uploaded<Real>(domain_.device, conducted);
    at_faces_ = uploaded<Real>(domain_.device, values_);
    const Over faces = domain_.shared(Kind::face);
    faces[column(diffusion_, 0)] = at_faces_ * stencil_.excess;
    for (int j = 1; j < domain_.dimension; ++j)
        faces[column(diffusion_, j)] = at_faces_ * column(stencil_.cross, j - 1);
    assemble_given();
}

template <class Real>
void ScalarFaces<Real>::assemble_given() {
    std::vector<double> of_given;
    host_given_conduction_.clear();
    for (const Index k : boundaries_.given()) {
        const Index f = boundary_.faces[k];
        of_given.push_back(values_[f]);
        host_given_conduction_.push_back(values_[f] * coefficients_.conduction[f]);
    }
    given_conduction_ = uploaded<Real>(domain_.device, host_given_conduction_);
    given_diffusivity_ = uploaded<Real>(domain_.device, of_given);
}

template <class Real>
CellDiffusion ScalarFaces<Real>::cell_diffusion() const {
    return solenoid::cell_diffusion(domain_.mesh, coefficients_, boundary_,
                                    varies() ? 1 : diffusivity_(Vec3(0)), stencil_.implicit_factor);
}

template <class Real>
std::vector<double> ScalarFaces<Real>::conducted_to_boundary() const {
    std::vector<double> sums(domain_.cells.owned, 0.0);
    for (std::size_t i = 0; i < host_given_conduction_.size(); ++i)
        if (const Index c = boundary_.cells[boundaries_.given()[i]]; c < domain_.cells.owned)
            sums[c] += host_given_conduction_[i];
    return sums;
}

template <class Real>
std::vector<Real> ScalarFaces<Real>::conducted_from_boundary(
    const std::vector<double>& at_faces) const {
    std::vector<Real> sums(domain_.cells.all, Real(0));
    for (std::size_t i = 0; i < at_faces.size(); ++i)
        sums[boundary_.cells[boundaries_.given()[i]]] +=
            static_cast<Real>(host_given_conduction_[i] * at_faces[i]);
    return sums;
}

template <class Real>
const Buffer<Real>& ScalarFaces<Real>::no_diffusion() {
    if (!no_diffusion_)
        no_diffusion_ = domain_.device.buffer<Real>(domain_.faces.shared, domain_.dimension);
    return no_diffusion_;
}

template <class Real>
void ScalarFaces<Real>::to_boundary_faces(const Scalar& scalar, const Field<Real>& flux,
                                          Field<Real>& transport, Diffusion diffusion) {
    kernels::ScalarBoundaryTransport<Real>{
        .dimension = domain_.dimension,
        .face = given_.face,
        .node = given_.node,
        .weight = weight_,
        .nu = diffusion == Diffusion::none ? none_given_ : given_diffusivity_,
        .flux = flux,
        .given = scalar.given,
        .t = scalar.at_nodes,
        .value = given_.value}
        .run(domain_.device, {0, given_.face.size()});
    domain_.device.scatter(given_.value, given_.face, transport, Reach::closure);
    kernels::OpenBoundaryTransport<Real>{.dimension = domain_.dimension,
                                         .face = open_.oriented,
                                         .cell = open_.cell,
                                         .node = open_.node,
                                         .flux = flux,
                                         .u = scalar.cells,
                                         .defect = scalar.defect,
                                         .t = scalar.at_nodes,
                                         .given = none_diffused_,
                                         .value = open_.value}
        .run(domain_.device, {0, open_.face.size()});
    domain_.device.scatter(open_.value, open_.face, transport, Reach::closure);
}

template <class Real>
void ScalarFaces<Real>::add_conduction(double s, CellField<Real>& scalar,
                                       Field<Real>& carried) const {
    if (!conducts_) return;
    kernels::ConductedFlux<Real>{.cell = beside_,
                                 .conduction = conduction_,
                                 .u = scalar.with_boundary(),
                                 .carried = carried,
                                 .s = static_cast<Real>(s)}
        .run();
}

template <class Real>
void ScalarFaces<Real>::upwind(const Field<Real>& volume, CellField<Real>& scalar,
                               Field<Real>& carried) const {
    kernels::UpwindFlux<Real>{
        .cell = beside_, .volume = volume, .u = scalar.with_boundary(), .value = carried}
        .run();
}

template <class Real>
std::vector<Real> ScalarFaces<Real>::diffused_in(const Field<Real>& cells,
                                                 const Field<Real>& at_nodes,
                                                 const Buffer<Real>& given) {
    kernels::BoundaryDiffusion<Real>{.dimension = domain_.dimension,
                                     .face = given_.oriented,
                                     .cell = given_.cell,
                                     .node = given_.node,
                                     .weight = weight_,
                                     .conduction = given_conduction_,
                                     .diffusivity = given_diffusivity_,
                                     .u = cells,
                                     .t = at_nodes,
                                     .given = given,
                                     .value = given_.value}
        .run(domain_.device, {0, given_.face.size()});
    return given_.value.download();
}

template <class Real>
void ScalarFaces<Real>::register_state(const State<Real>& state) {
    if (!diffusivity_.depends_on_time()) return;
    state.add("time", time_);
    state.remade([this] { evaluate(); });
}

template class ScalarFaces<float>;
template class ScalarFaces<double>;

}  // namespace solenoid
