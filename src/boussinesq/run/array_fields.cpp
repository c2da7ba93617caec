#include "boussinesq/run/array_fields.hpp"

#include <memory>

#include "core/optional_state.hpp"
#include "parallel/fill_ghosts.hpp"

namespace solenoid {

template <class Real>
ArrayFields<Real>::ArrayFields(const Communicator& comm, Device& device,
                               const GridTopology& topology, const ArrayShape& shape)
    : comm_(comm), device_(device), topology_(topology), size_(shape.size()) {
    const GridBlock& b = topology.block();
    for (Index n = 0; n < topology.range(Kind::node).owned; ++n) {
        const auto [i, j] = topology.node_place(n);
        entry_.push_back(shape.entry(i - b.x, j - b.y));
    }
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
    const std::string full = OptionalState(state).prefix() + name;
    const auto shape = [this, full] {
        StateArray wanted{full, StateArray::Of::nodes, 1, {}, std::vector<Real>()};
        for (std::size_t n = 0; n < entry_.size(); ++n)
            wanted.entity.push_back(topology_.node_number(static_cast<Index>(n)));
        return wanted;
    };
    state.registry().add(StateRegistry::Entry{full, shape,
                                              [this, shape, &array] {
                                                  StateArray saved = shape();
                                                  const std::vector<Real> all = array.download();
                                                  auto& values =
                                                      std::get<std::vector<Real>>(saved.values);
                                                  for (const Index entry : entry_)
                                                      values.push_back(all[entry]);
                                                  return saved;
                                              },
                                              [this, &array](const StateArray& loaded) {
                                                  const auto& values =
                                                      std::get<std::vector<Real>>(loaded.values);
                                                  std::vector<Real> all(size_, Real(0));
                                                  for (std::size_t n = 0; n < entry_.size(); ++n)
                                                      all[entry_[n]] = values[n];
                                                  array.upload(all);
                                              }});
    state.stack<std::shared_ptr<Buffer<Real>>>(
        [this, &array] {
            auto kept = std::make_shared<Buffer<Real>>(device_.buffer<Real>(size_));
            device_.copy(array, *kept);
            return kept;
        },
        [this, &array](const std::shared_ptr<Buffer<Real>>& kept) { device_.copy(*kept, array); });
}

template class ArrayFields<float>;
template class ArrayFields<double>;

}  // namespace solenoid
