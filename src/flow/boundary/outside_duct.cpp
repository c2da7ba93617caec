#include "flow/boundary/outside_duct.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>

#include "core/error.hpp"
#include "parallel/bytes.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

constexpr double smooth = 0.9;  // cosine of the angle between neighbouring faces of one duct
constexpr double solve_tolerance = 1e-12;

using FaceNodes = std::array<GlobalIndex, 3>;  // of a face: its nodes, ascending
using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;

struct Facet {
    FaceNodes key;
    std::array<Vec3, 3> corner;  // positions of its nodes
    Vec3 normal;                 // into the domain
    double area;
    int condition;
};
struct GivenNode {
    GlobalIndex number;
    Vec3 velocity;
};

Vector view(const std::vector<double>& values) {
    return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

Index root_of(std::vector<Index>& parent, Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

}  // namespace

// Linear finite elements with lumped mass on the boundary faces of all ranks, in an order that is
// independent of ranks. Between two walls and for steady S node values are exact.
struct OutsideDuct::Plane {
    int d;
    std::vector<Facet> facets;
    std::vector<Index> part_of_facet, node;  // node: d for each facet
    std::vector<Index> part_of_node;
    std::vector<Vec3> normal, position;  // of nodes
    std::vector<GlobalIndex> number;     // of nodes
    std::vector<bool> is_given;
    std::vector<double> given;  // S [m/s] where is_given
    Index parts = 0;
    std::vector<double> viscosity, area;  // of facets; of parts
    std::vector<bool> is_free;            // of parts: S is not given at all nodes
    Vector mass;
    Matrix stiffness;  // integrals of nu grad phi_i . grad phi_j
    Matrix mean;       // from node values to means over facets
    // facets of this rank's `places`, and those of them whose flux it adds up
    std::vector<Index> mine, mine_owned;

    void number_nodes();
    void set_matrices();
    Matrix assembled(const std::vector<double>& factor) const;
};

void OutsideDuct::Plane::number_nodes() {
    const std::size_t n = facets.size();
    std::map<GlobalIndex, std::vector<Index>> at;  // facets at each node
    for (std::size_t i = 0; i < n; ++i)
        for (int j = 0; j < d; ++j) at[facets[i].key[j]].push_back(static_cast<Index>(i));
    std::vector<Index> parent(n);
    std::iota(parent.begin(), parent.end(), Index(0));
    for (const auto& [number, found] : at)
        for (const Index a : found)
            for (const Index b : found)
                if (facets[a].condition == facets[b].condition &&
                    glm::dot(facets[a].normal, facets[b].normal) > smooth)
                    parent[root_of(parent, a)] = root_of(parent, b);
    std::map<Index, Index> part_of_root;
    std::map<std::pair<Index, GlobalIndex>, Index> numbers;
    for (std::size_t i = 0; i < n; ++i) {
        const Index part = part_of_root
                               .try_emplace(root_of(parent, static_cast<Index>(i)),
                                            static_cast<Index>(part_of_root.size()))
                               .first->second;
        part_of_facet.push_back(part);
        for (int j = 0; j < d; ++j) {
            const auto [found, is_new] =
                numbers.try_emplace({part, facets[i].key[j]}, static_cast<Index>(numbers.size()));
            if (is_new) {
                part_of_node.push_back(part);
                normal.push_back(Vec3(0));
                position.push_back(facets[i].corner[j]);
                number.push_back(facets[i].key[j]);
            }
            normal[found->second] += facets[i].area * facets[i].normal;
            node.push_back(found->second);
        }
    }
    for (Vec3& v : normal) v = glm::normalize(v);
    parts = static_cast<Index>(part_of_root.size());
    area.assign(parts, 0.0);
    for (std::size_t i = 0; i < n; ++i) area[part_of_facet[i]] += facets[i].area;
    is_given.assign(number.size(), false);
    given.assign(number.size(), 0.0);
}

// The matrix of the sum over facets of factor times the integral of grad phi_i . grad phi_j.
Matrix OutsideDuct::Plane::assembled(const std::vector<double>& factor) const {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < facets.size(); ++i) {
        const Facet& f = facets[i];
        std::array<Vec3, 3> slope{};  // gradients of the shape functions
        if (d == 2) {
            slope[1] = (f.corner[1] - f.corner[0]) / (f.area * f.area);
            slope[0] = -slope[1];
        } else {
            for (int j = 0; j < 3; ++j) {
                const Vec3 edge = f.corner[(j + 2) % 3] - f.corner[(j + 1) % 3];
                const Vec3 up = f.corner[j] - f.corner[(j + 1) % 3],
                           height = up - glm::dot(up, edge) / glm::dot(edge, edge) * edge;
                slope[j] = height / glm::dot(height, height);
            }
        }
        for (int j = 0; j < d; ++j)
            for (int k = 0; k < d; ++k)
                entries.emplace_back(node[i * d + j], node[i * d + k],
                                     factor[i] * f.area * glm::dot(slope[j], slope[k]));
    }
    Matrix m(number.size(), number.size());
    m.setFromTriplets(entries.begin(), entries.end());
    return m;
}

// The mean over a facet is that of the parabola whose second derivative is the Laplacian at the
// nodes: the mean of the nodes less 1/(4 d) times the Laplacian times the mean square of the nodes'
// distance from the centroid. It is exact for a parabola between two walls.
void OutsideDuct::Plane::set_matrices() {
    const Matrix flat = assembled(std::vector<double>(facets.size(), 1.0));
    mass = Vector::Zero(static_cast<Eigen::Index>(number.size()));
    for (std::size_t i = 0; i < facets.size(); ++i)
        for (int j = 0; j < d; ++j) mass[node[i * d + j]] += facets[i].area / d;
    std::vector<Eigen::Triplet<double>> entries, corrections;
    for (std::size_t i = 0; i < facets.size(); ++i) {
        Vec3 centroid(0);
        for (int j = 0; j < d; ++j) centroid += facets[i].corner[j] / double(d);
        double square = 0;
        int free = 0;
        for (int j = 0; j < d; ++j) {
            const Vec3 r = facets[i].corner[j] - centroid;
            square += glm::dot(r, r);
            free += !is_given[node[i * d + j]];
            entries.emplace_back(static_cast<Eigen::Index>(i), node[i * d + j], 1.0 / d);
        }
        // 1/2 H : (mean over the nodes - mean over the facet) of r r^T with H = Laplacian / (d -
        // 1): sum of r^2 / 6 on a segment, / 16 on a triangle.
        for (int j = 0; j < d && free; ++j)
            if (!is_given[node[i * d + j]])
                corrections.emplace_back(static_cast<Eigen::Index>(i), node[i * d + j],
                                         (d == 2 ? 1.0 / 6 : 1.0 / 16) * square / free);
    }
    const auto rows = static_cast<Eigen::Index>(facets.size()),
               columns = static_cast<Eigen::Index>(number.size());
    Matrix plain(rows, columns), correction(rows, columns);
    plain.setFromTriplets(entries.begin(), entries.end());
    correction.setFromTriplets(corrections.begin(), corrections.end());
    mean = plain + Matrix(correction * Matrix(mass.cwiseInverse().asDiagonal() * flat));
}

OutsideDuct::OutsideDuct(const Domain& domain, const FlowBoundaries& boundaries,
                         const std::vector<Index>& positions)
    : domain_(domain), boundaries_(boundaries), plane_(std::make_unique<Plane>()) {
    const Mesh& m = domain.mesh.mesh;
    const BoundaryFaces& b = boundaries.faces();
    const int d = plane_->d = domain.dimension;
    std::vector<Facet> owned_range;
    std::vector<FaceNodes> keys;
    for (const Index k : positions) {
        const Index f = b.faces[k];
        Facet one{{},
                  m.face_corners(f),
                  -b.outward[k] * glm::normalize(boundaries.area(f)),
                  glm::length(boundaries.area(f)),
                  static_cast<int>(boundaries.boundary(f) - boundaries.settings().data())};
        for (int j = 0; j < d; ++j) one.key[j] = m.node_number[m.face_nodes(f, j)];
        keys.push_back(one.key);
        if (f < domain.faces.owned) owned_range.push_back(one);
    }
    Plane& p = *plane_;
    p.facets = gathered(domain.comm, owned_range);
    std::sort(p.facets.begin(), p.facets.end(),
              [](const Facet& a, const Facet& other) { return a.key < other.key; });
    p.number_nodes();
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const auto found =
            std::lower_bound(p.facets.begin(), p.facets.end(), keys[i],
                             [](const Facet& a, const FaceNodes& key) { return a.key < key; });
        p.mine.push_back(static_cast<Index>(found - p.facets.begin()));
        if (b.faces[positions[i]] < domain.faces.owned)
            p.mine_owned.push_back(static_cast<Index>(i));
    }
    update_walls(0);
    p.set_matrices();
    p.is_free.assign(p.parts, false);
    for (std::size_t i = 0; i < p.number.size(); ++i)
        if (!p.is_given[i]) p.is_free[p.part_of_node[i]] = true;
    speed_ = speed_before_ = p.given;
    flux_.assign(p.parts, 0.0);
}

OutsideDuct::~OutsideDuct() = default;

// Sets S at the nodes that the boundary shares with walls and inflows.
void OutsideDuct::update_walls(double time) {
    Plane& p = *plane_;
    const Mesh& m = domain_.mesh.mesh;
    const int d = p.d;
    std::vector<GivenNode> here;
    domain_.comm.agree([&] {
        const std::vector<double> velocity = boundaries_.node_velocity(time);
        const std::vector<Index>& nodes = boundaries_.nodes();
        std::vector<GlobalIndex> wanted(p.number);
        std::sort(wanted.begin(), wanted.end());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (!std::binary_search(wanted.begin(), wanted.end(), m.node_number[nodes[i]]))
                continue;
            Vec3 v(0);
            for (int j = 0; j < d; ++j) v[j] = velocity[j * nodes.size() + i];
            here.push_back({m.node_number[nodes[i]], v});
        }
    });
    std::map<GlobalIndex, Vec3> found;
    for (const GivenNode& node : gathered(domain_.comm, here)) found[node.number] = node.velocity;
    for (std::size_t i = 0; i < p.number.size(); ++i)
        if (const auto node = found.find(p.number[i]); node != found.end()) {
            p.is_given[i] = true;
            p.given[i] = glm::dot(node->second, p.normal[i]);
        }
}

// The inflow of each part.
std::vector<double> OutsideDuct::through(const std::vector<double>& inflow) const {
    std::vector<RankSum> sums(plane_->parts);
    for (const Index i : plane_->mine_owned)
        sums[plane_->part_of_facet[plane_->mine[i]]] += inflow[i];
    return totals(domain_.comm, std::move(sums));
}

void OutsideDuct::set_viscosity(const std::vector<double>& viscosity) {
    Plane& p = *plane_;
    std::vector<double> all(p.facets.size(), 0.0);
    for (const Index i : p.mine_owned) all[p.mine[i]] = viscosity[i];
    domain_.comm.sum(std::span<double>(all));
    if (all == p.viscosity) return;
    p.viscosity = all;
    p.stiffness = p.assembled(all);
}

// Solves (shift mass + stiffness) x = rhs at nodes where x is not given.
std::vector<double> OutsideDuct::solved(double shift, const std::vector<double>& rhs,
                                        std::vector<double> x) const {
    const Plane& p = *plane_;
    Vector start = view(x), right = view(rhs);
    Matrix a = p.stiffness;
    a.diagonal() += shift * p.mass;
    Vector residual = right - a * start;
    // Given nodes get rows and columns of the identity.
    for (Eigen::Index i = 0; i < a.outerSize(); ++i)
        for (Matrix::InnerIterator entry(a, i); entry; ++entry)
            if (p.is_given[entry.row()] || p.is_given[entry.col()])
                entry.valueRef() = entry.row() == entry.col() ? 1.0 : 0.0;
    for (std::size_t i = 0; i < p.is_given.size(); ++i)
        if (p.is_given[i]) residual[static_cast<Eigen::Index>(i)] = 0;
    const double size = right.norm();
    if (residual.norm() <= solve_tolerance * size || residual.norm() == 0) return x;
    Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper> cg(a);
    cg.setTolerance(std::max(solve_tolerance * size / residual.norm(), 1e-15));
    cg.setMaxIterations(static_cast<Eigen::Index>(10 * p.number.size() + 100));
    const Vector change = cg.solve(residual);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += change[static_cast<Eigen::Index>(i)];
    return x;
}

// Solves with a uniform g in each part chosen so that the part carries `flux`. A part without free
// nodes gets one velocity.
std::vector<double> OutsideDuct::solved_for_flux(double shift, const std::vector<double>& rhs,
                                                 const std::vector<double>& guess,
                                                 const std::vector<double>& flux) const {
    const Plane& p = *plane_;
    std::vector<double> start = guess, rest(guess.size(), 0.0),
                        unit(p.mass.data(), p.mass.data() + p.mass.size());
    for (std::size_t i = 0; i < start.size(); ++i)
        if (p.is_given[i]) start[i] = p.given[i];
    std::vector<double> x = solved(shift, rhs, start);
    const std::vector<double> rise = solved(shift, unit, rest);
    const Vector of_x = p.mean * view(x), of_rise = p.mean * view(rise);
    std::vector<double> missing = flux, per(p.parts, 0.0);
    for (std::size_t i = 0; i < p.facets.size(); ++i) {
        missing[p.part_of_facet[i]] -= p.facets[i].area * of_x[static_cast<Eigen::Index>(i)];
        per[p.part_of_facet[i]] += p.facets[i].area * of_rise[static_cast<Eigen::Index>(i)];
    }
    for (std::size_t i = 0; i < x.size(); ++i)
        if (const Index part = p.part_of_node[i]; p.is_free[part])
            x[i] += missing[part] / per[part] * rise[i];
    return x;
}

void OutsideDuct::start(const VectorFormula& initial, const std::vector<double>& inflow) {
    const Plane& p = *plane_;
    domain_.comm.agree([&] {
        for (std::size_t i = 0; i < p.number.size(); ++i) {
            Vec3 u(0);
            for (int k = 0; k < p.d; ++k) u[k] = initial[k].quantity(p.position[i], 0);
            speed_[i] = p.is_given[i] ? p.given[i] : glm::dot(u, p.normal[i]);
        }
    });
    // The rest of the flux is added as a projection adds it: a uniform velocity that vanishes on
    // walls.
    set_viscosity(std::vector<double>(inflow.size(), 0.0));
    std::vector<double> rhs(speed_.size());
    for (std::size_t i = 0; i < rhs.size(); ++i)
        rhs[i] = p.mass[static_cast<Eigen::Index>(i)] * speed_[i];
    flux_ = through(inflow);
    speed_ = solved_for_flux(1, rhs, speed_, flux_);
    speed_before_ = speed_;
    last_step_ = 0;
}

void OutsideDuct::advance(const std::vector<double>& inflow, const std::vector<double>& viscosity,
                          double step, double time) {
    const Plane& p = *plane_;
    if (boundaries_.depends_on_time()) update_walls(time);
    set_viscosity(viscosity);
    const double w = last_step_ > 0 ? step / last_step_ : 0, shift = (1 + 2 * w) / (1 + w) / step,
                 c1 = (1 + w) / step, c2 = -w * w / (1 + w) / step;
    std::vector<double> rhs(speed_.size()), guess(speed_.size());
    for (std::size_t i = 0; i < rhs.size(); ++i) {
        rhs[i] = p.mass[static_cast<Eigen::Index>(i)] * (c1 * speed_[i] + c2 * speed_before_[i]);
        guess[i] = (1 + w) * speed_[i] - w * speed_before_[i];
    }
    flux_ = through(inflow);
    std::vector<double> next = solved_for_flux(shift, rhs, guess, flux_);
    speed_before_.swap(speed_);
    speed_.swap(next);
    last_step_ = step;
}

std::vector<double> OutsideDuct::speeds(double reach) const {
    const Plane& p = *plane_;
    const Vector at = (1 + reach) * view(speed_) - reach * view(speed_before_), means = p.mean * at;
    std::vector<double> values;
    for (const Index i : p.mine) {
        const Index part = p.part_of_facet[i];
        const double m = p.is_free[part] ? means[i] : flux_[part] / p.area[part];
        values.push_back(m);
    }
    return values;
}

std::vector<std::array<double, 3>> OutsideDuct::node_speeds(double reach) const {
    const Plane& p = *plane_;
    std::vector<std::array<double, 3>> values;
    for (const Index i : p.mine) {
        std::array<double, 3> one{};
        for (int j = 0; j < p.d; ++j)
            one[j] = (1 + reach) * speed_[p.node[i * p.d + j]] -
                     reach * speed_before_[p.node[i * p.d + j]];
        values.push_back(one);
    }
    return values;
}

}  // namespace solenoid
