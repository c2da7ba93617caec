#include "flow/boundary/inlet_mean.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>

#include "parallel/bytes.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {

InletMean::InletMean(const Domain& domain, const FlowBoundaries& boundaries,
                     const std::vector<Index>& positions)
    : domain_(domain), d_(domain.dimension) {
    const Mesh& m = domain.mesh.mesh;
    const BoundaryFaces& b = boundaries.faces();
    for (const FlowBoundary& one : boundaries.settings())
        place_by_name_.push_back(static_cast<int>(std::ranges::count_if(
            boundaries.settings(),
            [&](const FlowBoundary& other) { return other.name < one.name; })));
    std::vector<Node> here;
    std::vector<double> sizes;
    for (const Index k : positions) {
        const Index f = b.faces[k];
        face_.push_back(f);
        is_marked_.push_back(f < domain.faces.owned);
        sizes.push_back(glm::length(boundaries.area(f)));
        for (int j = 0; j < d_; ++j)
            here.push_back({place_by_name_[static_cast<std::size_t>(boundaries.boundary(f) -
                                                                    boundaries.settings().data())],
                            m.node_number[m.face_nodes(f, j)]});
    }
    nodes_ = gathered(domain.comm, here);
    std::sort(nodes_.begin(), nodes_.end());
    nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
    for (const Node& node : here)
        node_of_.push_back(static_cast<Index>(std::lower_bound(nodes_.begin(), nodes_.end(), node) -
                                              nodes_.begin()));
    place_of_face_.resize(face_.size());
    std::iota(place_of_face_.begin(), place_of_face_.end(), Index(0));
    std::sort(place_of_face_.begin(), place_of_face_.end(),
              [&](Index i, Index j) { return face_[i] < face_[j]; });
    std::sort(face_.begin(), face_.end());
    area_ = means(sizes);
    speed_.assign(nodes_.size(), 0.0);
    speed_before_ = speed_;
}

// For a value of each face the sum over the faces at each node, divided by the sum of their areas
// once that is known.
std::vector<double> InletMean::means(const std::vector<double>& inflow) const {
    std::vector<RankSum> parts(nodes_.size());
    for (std::size_t i = 0; i < inflow.size(); ++i)
        for (int j = 0; j < d_ && is_marked_[i]; ++j) parts[node_of_[i * d_ + j]] += inflow[i];
    std::vector<double> sums = totals(domain_.comm, std::move(parts));
    for (std::size_t i = 0; i < area_.size(); ++i) sums[i] /= area_[i];
    return sums;
}

void InletMean::start(const std::vector<double>& inflow) { speed_ = speed_before_ = means(inflow); }

void InletMean::advance(const std::vector<double>& inflow) {
    speed_before_ = means(inflow);
    speed_before_.swap(speed_);
}

std::vector<std::array<double, 3>> InletMean::node_speeds() const {
    std::vector<std::array<double, 3>> values;
    for (std::size_t i = 0; i < is_marked_.size(); ++i) {
        std::array<double, 3> one{};
        for (int j = 0; j < d_; ++j) one[j] = std::max(0.0, at(node_of_[i * d_ + j]));
        values.push_back(one);
    }
    return values;
}

// u^2 / 2 averaged over a face for linear u: 1 / (2 d (d + 1)) times the sum of the squares of the
// nodes' values and of the square of their sum.
double InletMean::dynamic_pressure(Index face) const {
    const auto found = std::lower_bound(face_.begin(), face_.end(), face);
    if (found == face_.end() || *found != face) return 0;
    const Index i = place_of_face_[found - face_.begin()];
    double sum = 0, squares = 0;
    for (int j = 0; j < d_; ++j) {
        const double u = std::max(0.0, at(node_of_[i * d_ + j]));
        sum += u;
        squares += u * u;
    }
    return 0.5 * (sum * sum + squares) / (d_ * (d_ + 1));
}

double InletMean::dynamic_pressure(int condition, Index node) const {
    const Node wanted{place_by_name_[static_cast<std::size_t>(condition)],
                      domain_.mesh.mesh.node_number[node]};
    const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), wanted);
    if (found == nodes_.end() || *found != wanted) return 0;
    const double u = std::max(0.0, at(static_cast<Index>(found - nodes_.begin())));
    return 0.5 * u * u;
}

}  // namespace solenoid
