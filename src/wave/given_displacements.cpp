#include "wave/given_displacements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"

namespace solenoid {

GivenDisplacements::GivenDisplacements(const Communicator& comm, const DistributedMesh& mesh,
                                       const std::vector<WaveBoundary>& boundaries) {
    const Mesh& m = mesh.mesh;
    for (const WaveBoundary& b : boundaries)
        if (b.condition->displacement()) boundaries_.push_back(b);
    std::map<Index, std::set<int>> given;
    for (int k = 0; k < static_cast<int>(boundaries_.size()); ++k) {
        const auto group = std::ranges::find(m.boundaries, boundaries_[k].name);
        comm.agree([&] {
            if (group == m.boundaries.end())
                throw InputError(
                    boundaries_[k].place,
                    fmt::format("the mesh has no boundary \"{}\"", boundaries_[k].name));
        });
        for (const Side& side : m.sides) {
            if (side.boundary != group - m.boundaries.begin()) continue;
            for (int j = 0; j < m.dimension; ++j)
                if (const Index node = m.nodes_of(Kind::face, side.face)[j];
                    node < mesh.range(Kind::node).owned)
                    given[node].insert(k);
        }
    }
    for (const auto& [node, by] : given) {
        nodes_.push_back(node);
        points_.push_back(m.points[node]);
        given_.emplace_back(by.begin(), by.end());
    }
}

bool GivenDisplacements::depends_on_time() const {
    return std::ranges::any_of(boundaries_, [](const WaveBoundary& b) {
        return b.condition->displacement()->depends_on_time();
    });
}

std::vector<double> GivenDisplacements::values(double t) const {
    std::vector<double> values(nodes_.size(), 0.0);
    for (std::size_t i = 0; i < nodes_.size(); ++i)
        for (const int k : given_[i])
            values[i] += boundaries_[k].condition->displacement()->finite_value(points_[i], t) /
                         static_cast<double>(given_[i].size());
    return values;
}

std::vector<double> GivenDisplacements::rates(double t, double span) const {
    // dg/dt = (3 g(t) - 4 g(t - h/2) + g(t - h)) / h,   h = span or, near the start, -span
    const double sign = t < span ? -1 : 1;
    std::vector<double> rates = values(t);
    const std::vector<double> middle = values(t - 0.5 * sign * span), far = values(t - sign * span);
    for (std::size_t i = 0; i < rates.size(); ++i)
        rates[i] = sign * (3 * rates[i] - 4 * middle[i] + far[i]) / span;
    return rates;
}

}  // namespace solenoid
