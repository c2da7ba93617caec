#include "flow/topology/flow_regions.hpp"

#include <map>

#include "parallel/bytes.hpp"
#include "parallel/component_labels.hpp"

namespace solenoid {

std::set<GlobalIndex> distinct(const Communicator& comm, const std::set<GlobalIndex>& here) {
    const auto all = gathered(comm, std::vector<GlobalIndex>(here.begin(), here.end()));
    return {all.begin(), all.end()};
}

FlowRegions::FlowRegions(const Communicator& comm, const DistributedMesh& mesh,
                         const std::vector<bool>& prescribed) {
    const Mesh& m = mesh.mesh;
    std::vector<std::array<Index, 2>> links;
    for (Index f = 0; f < m.faces(); ++f)
        if (m.face_cells(f, 0) != none && m.face_cells(f, 1) != none)
            links.push_back({m.face_cells(f, 0), m.face_cells(f, 1)});
    of_cell_ =
        component_labels(comm, mesh.range(Kind::cell), mesh.halo(Kind::cell), m.cell_number, links);
    all_ = distinct(comm, {of_cell_.begin(), of_cell_.begin() + mesh.range(Kind::cell).owned});
    std::set<GlobalIndex> open;
    for (Index f = 0; f < mesh.range(Kind::face).owned; ++f) {
        const Index one = m.face_cells(f, 0), other = m.face_cells(f, 1);
        if ((one == none || other == none) && !prescribed[f])
            open.insert(of_cell_[one == none ? other : one]);
    }
    open_ = distinct(comm, open);
}

std::vector<Index> FlowRegions::closed_of_cells() const {
    std::map<GlobalIndex, Index> number;
    for (GlobalIndex region : all_)
        if (!has_outlet(region)) number.emplace(region, static_cast<Index>(number.size()));
    std::vector<Index> result;
    for (GlobalIndex region : of_cell_) {
        const auto found = number.find(region);
        result.push_back(found == number.end() ? none : found->second);
    }
    return result;
}

}  // namespace solenoid
