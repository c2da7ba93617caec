#include "parallel/piece_transfer.hpp"

#include "parallel/bytes.hpp"

namespace solenoid {
namespace {

constexpr int piece_tag = 1;

// One message a field, so that no second copy of the piece is packed. Both ends list the fields in
// `transfer`.
struct Sender {
    const Communicator& comm;
    int rank;

    template <class T>
    void operator()(const std::vector<T>& values) const {
        comm.send(bytes_of(values), rank, piece_tag);
    }
    void operator()(const std::vector<std::string>& names) const {
        std::vector<char> text;  // each closed by a zero byte
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
        values = values_in<T>(comm.receive(rank, piece_tag));
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

template <class Held, class Transfer>
void transfer(Held& held, const Transfer& field) {
    field(held.piece.dimension);
    field(held.piece.points);
    field(held.piece.node_number);
    field(held.piece.cells);
    field(held.piece.cell_number);
    field(held.piece.cell_region);
    field(held.piece.regions);
    field(held.piece.boundaries);
    field(held.piece.sides);
    field(held.piece.side_group);
    field(held.piece.folding.pairs);
    field(held.piece.folding.shifts);
    field(held.piece.folding.corner_shift);
    field(held.cell_owner);
    field(held.node_component);
}

}  // namespace

void send_piece(const Communicator& comm, const PartPiece& held, int rank) {
    transfer(held, Sender{comm, rank});
}

PartPiece receive_piece(const Communicator& comm, int root) {
    PartPiece held;
    transfer(held, Receiver{comm, root});
    return held;
}

}  // namespace solenoid
