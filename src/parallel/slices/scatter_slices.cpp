#include "parallel/slices/scatter_slices.hpp"

#include "parallel/bytes.hpp"

namespace solenoid {
namespace {

constexpr int slice_tag = 1;

// Sends one message for each field, so that no second copy of the slice is needed. Sender and
// receiver share the list of fields in `transfer`.
struct Sender {
    const Communicator& comm;
    int rank;

    template <class T>
    void operator()(const std::vector<T>& values) const {
        comm.send(bytes_of(values), rank, slice_tag);
    }
    void operator()(const std::vector<std::string>& names) const {
        std::vector<char> text;  // each name ends with a zero byte
        for (const std::string& name : names)
            text.insert(text.end(), name.c_str(), name.c_str() + name.size() + 1);
        (*this)(text);
    }
    void operator()(int value) const { (*this)(std::vector<int>{value}); }
};

struct Receiver {
    const Communicator& comm;
    int rank;

    template <class T>
    void operator()(std::vector<T>& values) const {
        values = values_in<T>(comm.receive(rank, slice_tag));
    }
    void operator()(std::vector<std::string>& names) const {
        std::vector<char> text;
        (*this)(text);
        for (std::size_t i = 0; i < text.size(); i += names.back().size() + 1)
            names.emplace_back(text.data() + i);
    }
    void operator()(int& value) const {
        std::vector<int> values;
        (*this)(values);
        value = values.at(0);
    }
};

template <class Slice, class Transfer>
void transfer(Slice& slice, const Transfer& field) {
    field(slice.dimension);
    field(slice.node_ranges.start);
    field(slice.cell_ranges.start);
    field(slice.side_ranges.start);
    field(slice.points);
    field(slice.cells);
    field(slice.cell_region);
    field(slice.regions);
    field(slice.sides);
    field(slice.side_group);
    field(slice.boundaries);
    field(slice.periodic_map.pairs);
    field(slice.periodic_map.shifts);
    field(slice.periodic_map.corner_shift);
}

}  // namespace

MeshSlice scatter_slices(const Communicator& comm, std::optional<SimplexMesh>& mesh) {
    MeshSlice slice;
    if (!comm.is_root()) {
        transfer(slice, Receiver{comm, 0});
        return slice;
    }
    for (int rank = 1; rank < comm.size(); ++rank) {
        const MeshSlice theirs = slice_of(*mesh, rank, comm.size());
        transfer(theirs, Sender{comm, rank});
    }
    slice = slice_of(*mesh, 0, comm.size());
    mesh.reset();
    return slice;
}

}  // namespace solenoid
