#include "boussinesq/run/array_fields.hpp"

#include "core/stop_signal.hpp"
#include "grid/run/add_by_nodes.hpp"
#include "parallel/fill_ghosts.hpp"

namespace solenoid {

template <class Real>
ArrayFields<Real>::ArrayFields(const Communicator& comm, Device& device,
                               const GridTopology& topology, const ArrayShape& shape)
    : comm_(comm), device_(device), topology_(topology) {
    const GridBlock& b = topology.block();
    comm.agree([&] {
        for (Index n = 0; n < topology.range(Kind::node).owned; ++n) {
            if (n % 4096 == 0) break_off_if_overdue();
            const auto [i, j] = topology.node_place(n);
            entry_.push_back(shape.entry(i - b.x, j - b.y));
        }
    });
}

template <class Real>
std::vector<double> ArrayFields<Real>::values(const Buffer<Real>& array) const {
    const std::vector<Real> all = array.download();
    std::vector<double> values(topology_.range(Kind::node).all, 0);
    for (std::size_t n = 0; n < entry_.size(); ++n) values[n] = all[entry_[n]];
    fill_ghosts(comm_, topology_.halo(Kind::node), values);
    return values;
}

template <class Real>
void ArrayFields<Real>::add(const StateValues& state, const std::string& name,
                            Buffer<Real>& array) const {
    add_by_nodes(state, name, device_, topology_, entry_, array);
}

template class ArrayFields<float>;
template class ArrayFields<double>;

}  // namespace solenoid
