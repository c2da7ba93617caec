#include "parallel/slices/face_match.hpp"

#include <numeric>

#include "core/threads.hpp"
#include "mesh/simplex.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {
namespace {

using FaceNodes = std::array<GlobalIndex, 3>;  // ascending; in 2D the third is -1

// A face as one of its cells sees it.
struct HalfFace {
    FaceNodes nodes;
    GlobalIndex opposite;  // the remaining node of the cell
    // cell * 8 + number of the face in the cell * 2 + (1 if its normal enters the cell)
    GlobalIndex seen;

    GlobalIndex cell() const { return seen / 8; }
    int face() const { return static_cast<int>(seen / 2 % 4); }
    bool enters() const { return seen % 2; }
};

struct SideRecord {
    FaceNodes nodes;
    GlobalIndex group, side;
};

HalfFace half_face(const MeshSlice& slice, GlobalIndex first_cell, std::size_t c, int j) {
    const GlobalIndex* cell = slice.cell(c);
    HalfFace half{{-1, -1, -1}, cell[j], 0};
    const auto number = [](GlobalIndex node) { return node; };
    bool enters;
    if (slice.dimension == 2) {
        std::array<GlobalIndex, 2> nodes = outward_face<2>(cell, j);
        enters = sort_is_odd(nodes, number);
        std::copy(nodes.begin(), nodes.end(), half.nodes.begin());
    } else {
        half.nodes = outward_face<3>(cell, j);
        enters = sort_is_odd(half.nodes, number);
    }
    half.seen = (first_cell + static_cast<GlobalIndex>(c)) * 8 + 2 * j + enters;
    return half;
}

SideRecord side_record(const MeshSlice& slice, GlobalIndex first_side, std::size_t s) {
    SideRecord record{{-1, -1, -1}, slice.side_group[s], first_side + static_cast<GlobalIndex>(s)};
    std::copy_n(slice.side(s), slice.dimension, record.nodes.begin());
    if (slice.dimension == 3)
        std::sort(record.nodes.begin(), record.nodes.end());
    else if (record.nodes[1] < record.nodes[0])
        std::swap(record.nodes[0], record.nodes[1]);
    return record;
}

// The rank, round and bucket of a face, by a hash of its nodes (steps of splitmix64), so that each
// gets about equally many faces for any numbering of the mesh.
struct FacePlace {
    explicit FacePlace(const FaceNodes& nodes) {
        for (const GlobalIndex node : nodes) {
            hash = (hash ^ static_cast<std::uint64_t>(node)) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 31;
        }
        hash = (hash ^ hash >> 29) * 0xBF58476D1CE4E5B9u;
        hash ^= hash >> 32;
    }
    int rank(int ranks) const {
        return static_cast<int>((hash >> 48) * static_cast<std::uint64_t>(ranks) >> 16);
    }
    int round(int rounds) const {
        return static_cast<int>((hash >> 40 & 0xFF) * static_cast<std::uint64_t>(rounds) >> 8);
    }
    std::size_t bucket(std::size_t buckets) const { return (hash & 0xFFFFFFFF) * buckets >> 32; }
    std::uint64_t hash = 0;
};

// Records received from the ranks, sorted in buckets, and the answers to them in the order of
// arrival.
template <class Record, class Answer>
struct Inbox {
    struct Item {
        const Record* record = nullptr;
        Answer* answer = nullptr;
    };
    template <class Less>
    Inbox(std::map<int, std::vector<Record>>&& incoming, const Less& less)
        : records(std::move(incoming)) {
        std::size_t count = 0;
        for (const auto& [rank, list] : records) count += list.size();
        buckets = count / 4 + 1;
        start.assign(buckets + 1, 0);
        for (const auto& [rank, list] : records)
            for (const Record& record : list) ++start[FacePlace(record.nodes).bucket(buckets)];
        std::exclusive_scan(start.begin(), start.end(), start.begin(), std::size_t(0));
        items.resize(count);
        for (const auto& [rank, list] : records) {
            auto& replies = answers[rank];
            replies.resize(list.size());
            for (std::size_t i = 0; i < list.size(); ++i)
                items[start[FacePlace(list[i].nodes).bucket(buckets)]++] = {&list[i], &replies[i]};
        }
        start.insert(start.begin(), 0);  // each start had moved to that of the next bucket
        for (std::size_t b = 0; b < buckets; ++b)
            std::sort(items.begin() + start[b], items.begin() + start[b + 1],
                      [&](const Item& x, const Item& y) { return less(*x.record, *y.record); });
    }
    // The first item of a face, or the position in its bucket where it would be.
    const Item* find(const FaceNodes& nodes) const {
        const std::size_t b = FacePlace(nodes).bucket(buckets);
        return std::lower_bound(
            items.data() + start[b], items.data() + start[b + 1], nodes,
            [](const Item& x, const FaceNodes& y) { return x.record->nodes < y; });
    }
    const Item* end() const { return items.data() + items.size(); }

    std::map<int, std::vector<Record>> records;
    std::map<int, std::vector<Answer>> answers;
    std::size_t buckets = 1;
    std::vector<std::size_t> start;  // of each bucket
    std::vector<Item> items;
};
using HalfFaces = Inbox<HalfFace, GlobalIndex>;
using SideRecords = Inbox<SideRecord, FaceMatch::SideCells>;
using HalfFaceItem = const HalfFaces::Item*;

// The fault that is found first when the cells of a face take its two sides in ascending order.
FaceFault fault_of(HalfFaceItem begin, HalfFaceItem end) {
    std::array<const HalfFace*, 2> positions{};
    for (HalfFaceItem i = begin; i != end; ++i) {
        const HalfFace& half = *i->record;
        if (!positions[half.enters()]) {
            positions[half.enters()] = &half;
            continue;
        }
        FaceFault fault{FaceFault::overlap, half.face(), half.cell()};
        for (const HalfFace* place : positions)
            if (place && place->opposite == half.opposite)
                return {FaceFault::twice, half.face(), half.cell(), place->cell()};
        for (const HalfFace* place : positions)
            if (place) (fault.other == no_cell ? fault.other : fault.another) = place->cell();
        if (positions[0] && positions[1]) fault.why = FaceFault::third;
        return fault;
    }
    return {};
}

bool is_before(const FaceFault& a, const FaceFault& b) {
    if (!a.why || !b.why) return a.why && !b.why;
    return std::pair(a.cell, a.face) < std::pair(b.cell, b.face);
}

// Calls visit(begin, end) for the items [begin, end) of each face.
template <class Items, class Visit>
void for_faces(const Items& items, const Visit& visit) {
    for (auto begin = items.data(), last = begin + items.size(); begin != last;) {
        auto end = begin + 1;
        while (end != last && end->record->nodes == begin->record->nodes) ++end;
        visit(begin, end);
        begin = end;
    }
}

void match_halves(HalfFaces& halves, FaceFault& fault) {
    for (auto& [rank, answers] : halves.answers) std::fill(answers.begin(), answers.end(), no_cell);
    for_faces(halves.items, [&](HalfFaceItem begin, HalfFaceItem end) {
        for (HalfFaceItem i = begin; i + 1 < end; i += 2) {
            *i[0].answer = i[1].record->cell();
            *i[1].answer = i[0].record->cell();
        }
        if (const FaceFault found = fault_of(begin, end); is_before(found, fault)) fault = found;
    });
}

void match_sides_to_cells(const HalfFaces& halves, SideRecords& sides, GlobalIndex first_entity) {
    const SideRecord* before = nullptr;
    for (const SideRecords::Item& item : sides.items) {
        const SideRecord& side = *item.record;
        item.answer->is_repeated = before && before->nodes == side.nodes &&
                                   (before->group == side.group || side.group >= first_entity);
        before = &side;
        HalfFaceItem half = halves.find(side.nodes);
        for (int k = 0; k < 2 && half != halves.end() && half->record->nodes == side.nodes;
             ++k, ++half)
            item.answer->cells[k] = half->record->cell();
    }
}

class Matcher {
  public:
    Matcher(const Communicator& comm, const MeshSlice& slice) : comm_(comm), slice_(slice) {
        match_.neighbours.assign(slice.cells.size(), no_cell);
        match_.sides.resize(slice.side_count());
        // half-faces of a rank per round, up to 16 rounds
        constexpr double most = 1 << 11;
        rounds_ =
            static_cast<int>(std::clamp(comm.max(double(slice.cells.size())) / most, 1.0, 16.0));
        round_.resize(slice.cells.size());
        for_each(0, round_.size(), [&](std::size_t k) {
            round_[k] = round_at(half_face(slice, 0, k / (slice.dimension + 1),
                                           static_cast<int>(k % (slice.dimension + 1)))
                                     .nodes);
        });
    }

    FaceMatch match() {
        for (int round = 0; round < rounds_; ++round) do_round(round);
        FaceFault first;
        for (const FaceFault& fault : gathered(comm_, std::vector{match_.fault}))
            if (is_before(fault, first)) first = fault;
        match_.fault = first;
        return std::move(match_);
    }

  private:
    std::uint8_t round_at(const FaceNodes& nodes) const {
        return static_cast<std::uint8_t>(FacePlace(nodes).round(rounds_));
    }
    template <class Record>
    void post(const Record& record, std::size_t place, std::map<int, std::vector<Record>>& out,
              std::map<int, std::vector<std::size_t>>& positions) const {
        const int rank = FacePlace(record.nodes).rank(comm_.size());
        out[rank].push_back(record);
        positions[rank].push_back(place);
    }
    template <class Answer>
    void take(std::map<int, std::vector<Answer>>&& answers,
              const std::map<int, std::vector<std::size_t>>& positions,
              std::vector<Answer>& into) const {
        for (const auto& [rank, part] : exchange_values(comm_, std::move(answers))) {
            const std::vector<std::size_t>& place = positions.at(rank);
            for (std::size_t i = 0; i < part.size(); ++i) into[place[i]] = part[i];
        }
    }

    void do_round(int round) {
        std::map<int, std::vector<HalfFace>> halves;
        std::map<int, std::vector<SideRecord>> sides;
        std::map<int, std::vector<std::size_t>> half_places, side_places;
        const int width = slice_.dimension + 1;
        for (std::size_t k = 0; k < slice_.cells.size(); ++k)
            if (round_[k] == round)
                post(half_face(slice_, slice_.cell_ranges.first(comm_.rank()), k / width,
                               static_cast<int>(k % width)),
                     k, halves, half_places);
        for (std::size_t s = 0; s < slice_.side_count(); ++s)
            if (const SideRecord record =
                    side_record(slice_, slice_.side_ranges.first(comm_.rank()), s);
                round_at(record.nodes) == round)
                post(record, s, sides, side_places);

        HalfFaces all(exchange_values(comm_, std::move(halves)),
                      [](const HalfFace& a, const HalfFace& b) {
                          return std::tie(a.nodes, a.seen) < std::tie(b.nodes, b.seen);
                      });
        SideRecords all_sides(
            exchange_values(comm_, std::move(sides)), [](const SideRecord& a, const SideRecord& b) {
                return std::tie(a.nodes, a.group, a.side) < std::tie(b.nodes, b.group, b.side);
            });
        match_halves(all, match_.fault);
        match_sides_to_cells(
            all, all_sides,
            static_cast<GlobalIndex>(slice_.boundaries.size() - slice_.entity_boundaries));
        take(std::move(all.answers), half_places, match_.neighbours);
        take(std::move(all_sides.answers), side_places, match_.sides);
    }

    const Communicator& comm_;
    const MeshSlice& slice_;
    int rounds_ = 1;
    std::vector<std::uint8_t> round_;  // of each half-face here
    FaceMatch match_;
};

}  // namespace

FaceMatch match_faces(const Communicator& comm, const MeshSlice& slice) {
    return Matcher(comm, slice).match();
}

}  // namespace solenoid
