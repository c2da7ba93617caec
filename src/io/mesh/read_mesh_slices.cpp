// Every rank reads the headers of all blocks, then its share of the records, which have one length
// in each block.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "io/mesh/gmsh_file.hpp"
#include "io/mesh/mesh_slices.hpp"
#include "io/mesh/node_directory.hpp"
#include "parallel/bytes.hpp"
#include "parallel/slices/check_slices.hpp"
#include "parallel/slices/distribute.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;
using gmsh::ElementBlock;
using gmsh::Layout;
using gmsh::NodeBlock;

// A memory-mapped file.
class MappedFile {
  public:
    explicit MappedFile(const fs::path& path) {
        // does not wait for a pipe
        const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        struct stat status {};
        if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
            status.st_size > 0) {
            changed_ = status.st_mtim;
            void* bytes = mmap(nullptr, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
            if (bytes != MAP_FAILED)
                view_ = {static_cast<const char*>(bytes), static_cast<std::size_t>(status.st_size)};
        }
        if (file >= 0) close(file);
    }
    ~MappedFile() {
        if (!view_.empty()) munmap(const_cast<char*>(view_.data()), view_.size());
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    std::string_view view() const { return view_; }  // empty where the file cannot be read
    // Size, time and a hash of both ends: of a file that is the same for all ranks they are, too.
    std::string identity() const {
        std::uint64_t hash = 0;
        const std::string_view head = view_.substr(0, most_hashed),
                               tail = view_.substr(view_.size() - head.size());
        for (const std::string_view end : {head, tail})
            for (const char c : end) hash = mixed(hash + static_cast<unsigned char>(c));
        return fmt::format("{} bytes of time {}.{:09}, hash {:016x}", view_.size(), changed_.tv_sec,
                           changed_.tv_nsec, hash);
    }
    // Frees the memory of pages that were read.
    void let_go() const {
        if (!view_.empty()) madvise(const_cast<char*>(view_.data()), view_.size(), MADV_DONTNEED);
    }

  private:
    static constexpr std::size_t most_hashed = 1 << 16;  // bytes of an end

    std::string_view view_;
    timespec changed_{};
};

// Refuses a file that is not one and the same for all ranks, such as one that is being written.
void check_is_one_file(const Communicator& comm, const MappedFile& file, const std::string& place) {
    const std::vector<std::string> seen = comm.texts(file.identity());
    comm.agree([&] {
        for (std::size_t rank = 1; rank < seen.size(); ++rank)
            if (seen[rank] != seen[0])
                throw InputError(
                    place, fmt::format("differs between ranks: rank 0 reads {}, rank {} {}: wait "
                                       "until it is written, or copy it where all hosts see it",
                                       seen[0], rank, seen[rank]));
    });
}

// The part [first, last) of a block in a rank's share. before: number of records in earlier blocks.
struct Share {
    std::int64_t first, last;
};
Share share_of(std::int64_t before, std::int64_t count, const RowPartition& ranges, int rank) {
    const auto within = [&](GlobalIndex i) {
        return std::clamp<std::int64_t>(i - before, 0, count);
    };
    return {within(ranges.first(rank)), within(ranges.first(rank + 1))};
}

// A rank's share of the elements of a dimension; nodes are numbers of the file.
struct ElementShare {
    std::vector<GlobalIndex> nodes;
    std::vector<Index> set;
};

class SliceReader {
  public:
    SliceReader(const Communicator& comm, const Cursor& in, Layout&& layout)
        : comm_(comm), in_(in), layout_(std::move(layout)) {}

    bool has_tets() const { return count_of(3) > 0; }
    MeshSlice read(const MappedFile& file);

  private:
    std::int64_t count_of(int dimension) const {
        std::int64_t count = 0;
        for (const ElementBlock& block : layout_.elements)
            count += block.dimension == dimension ? block.count : 0;
        return count;
    }
    gmsh::SetSizes set_sizes() const;
    void require_few(GlobalIndex size, const char* what) const;
    RowPartition even(std::int64_t count) const { return RowPartition::even(count, comm_.size()); }
    void read_nodes();
    template <class Visit>
    void visit_elements(int dimension, const Visit& visit) const;
    ElementShare read_elements(int dimension) const;
    struct Missing {
        std::size_t position;
        std::int64_t element, number;
    };
    std::optional<Missing> missing_node(const std::array<ElementShare, 4>& elements) const;
    void resolve(std::array<ElementShare, 4>& elements) const;
    void take_sides(ElementShare&& sides, const gmsh::Groups& groups);

    const Communicator& comm_;
    Cursor in_;  // position and format; moved freely
    Layout layout_;
    std::vector<GlobalIndex> numbers_;  // of the nodes in this rank's share
    std::unique_ptr<NodeDirectory> directory_;
    MeshSlice slice_;
};

gmsh::SetSizes SliceReader::set_sizes() const {
    gmsh::SetSizes sizes;
    for (auto& of_dimension : sizes) of_dimension.resize(layout_.file.sets.size());
    for (const ElementBlock& block : layout_.elements)
        if (block.dimension > 0) sizes[block.dimension][block.set] += block.count;
    return sizes;
}

// Throws InputError where a slice is too large: places in a slice have 32 bits.
void SliceReader::require_few(GlobalIndex size, const char* what) const {
    constexpr GlobalIndex most = 1'000'000'000;
    if (size > most)
        throw InputError(
            in_.file(), fmt::format("{} {} on a rank: at most {} can be numbered; start more ranks",
                                    size, what, most));
}

void SliceReader::read_nodes() {
    numbers_.reserve(slice_.node_ranges.size(comm_.rank()));
    slice_.points.reserve(slice_.node_ranges.size(comm_.rank()));
    std::int64_t before = 0;
    for (const NodeBlock& block : layout_.nodes) {
        const auto [first, last] = share_of(before, block.count, slice_.node_ranges, comm_.rank());
        before += block.count;
        Cursor at = in_;
        at.move_to(block.numbers + 8 * first);
        for (std::int64_t i = first; i < last; ++i) numbers_.push_back(at.count("a node's number"));
        for (std::int64_t i = first; i < last; ++i) {
            at.move_to(block.positions + block.stride * i);
            Vec3& point = slice_.points.emplace_back();
            point.x = at.real("a node's x");
            point.y = at.real("a node's y");
            point.z = at.real("a node's z");
        }
    }
}

// Calls visit(cursor, block) for each element of this rank's share, with the cursor behind the
// element's number.
template <class Visit>
void SliceReader::visit_elements(int dimension, const Visit& visit) const {
    const RowPartition ranges = even(count_of(dimension));
    std::int64_t before = 0;
    for (const ElementBlock& block : layout_.elements) {
        if (block.dimension != dimension) continue;
        const auto [first, last] = share_of(before, block.count, ranges, comm_.rank());
        before += block.count;
        Cursor at = in_;
        at.move_to(block.records + block.stride() * first);
        for (std::int64_t i = first; i < last; ++i)
            visit(at, at.count("an element's number"), block);
    }
}

ElementShare SliceReader::read_elements(int dimension) const {
    ElementShare share;
    const std::size_t size = even(count_of(dimension)).size(comm_.rank());
    share.nodes.reserve(size * (dimension + 1));
    share.set.reserve(size);
    visit_elements(dimension, [&](Cursor& at, std::int64_t, const ElementBlock& block) {
        for (int j = 0; j <= dimension; ++j)
            share.nodes.push_back(at.count("a node of the element"));
        share.set.push_back(block.set);
    });
    return share;
}

// The first of this rank's elements with an unknown node (-1).
std::optional<SliceReader::Missing> SliceReader::missing_node(
    const std::array<ElementShare, 4>& elements) const {
    std::optional<Missing> first;
    for (int d = 0; d < 4; ++d) {
        const std::vector<GlobalIndex>& nodes = elements[d].nodes;
        if (std::find(nodes.begin(), nodes.end(), -1) == nodes.end()) continue;
        std::size_t k = 0;
        bool is_found = false;
        visit_elements(d, [&](Cursor& at, std::int64_t element, const ElementBlock&) {
            for (int j = 0; j <= d; ++j) {
                const std::int64_t number = at.count("a node of the element");
                if (nodes[k++] >= 0 || is_found) continue;
                is_found = true;
                if (!first || at.position() < first->position)
                    first = Missing{at.position(), element, number};
            }
        });
    }
    return first;
}

// Replaces node numbers of the file by those of the whole mesh. Throws InputError for an unknown
// node.
void SliceReader::resolve(std::array<ElementShare, 4>& elements) const {
    for (ElementShare& share : elements) directory_->replace(share.nodes);
    const std::optional<Missing> missing = missing_node(elements);
    const double mine = missing ? static_cast<double>(missing->position) : HUGE_VAL,
                 first = comm_.min(mine);
    comm_.agree([&] {
        if (missing && mine == first)
            in_.fail_at(missing->position,
                        fmt::format("element {} has node {}, which $Nodes does not contain",
                                    missing->element, missing->number));
    });
}

// Adds a side once for each of its groups.
void SliceReader::take_sides(ElementShare&& sides, const gmsh::Groups& groups) {
    for (std::size_t i = 0; i < sides.set.size(); ++i)
        for (const std::uint16_t group : groups.boundaries_of_set[sides.set[i]]) {
            slice_.sides.insert(slice_.sides.end(), sides.nodes.begin() + 3 * i,
                                sides.nodes.begin() + 3 * (i + 1));
            slice_.side_group.push_back(group);
        }
    slice_.side_ranges = RowPartition::of(
        gathered(comm_, std::vector{static_cast<GlobalIndex>(slice_.side_group.size())}));
}

MeshSlice SliceReader::read(const MappedFile& file) {
    std::int64_t nodes = 0;
    for (const NodeBlock& block : layout_.nodes) nodes += block.count;
    slice_.node_ranges = even(nodes);
    slice_.cell_ranges = even(count_of(3));
    comm_.agree([&] {
        require_few(slice_.node_ranges.size(comm_.rank()), "nodes");
        require_few(slice_.cell_ranges.size(comm_.rank()), "cells");
        read_nodes();
    });
    directory_ = std::make_unique<NodeDirectory>(comm_, slice_.node_ranges, std::move(numbers_));
    comm_.agree([&] {
        if (const auto twice = directory_->given_twice())
            in_.fail_at(layout_.nodes_start, fmt::format("node {} is given twice", *twice));
    });
    std::array<ElementShare, 4> elements;
    comm_.agree([&] {
        for (int d = 0; d < 4; ++d) elements[d] = read_elements(d);
    });
    file.let_go();
    resolve(elements);
    directory_.reset();

    gmsh::Groups groups;
    comm_.agree([&] {
        gmsh::check_completeness(layout_.file, set_sizes(), in_.file());
        groups = gmsh::name_groups(layout_.file, set_sizes(), 3, in_.file());
    });
    slice_.cells = std::move(elements[3].nodes);
    slice_.cell_region.reserve(elements[3].set.size());
    for (const Index set : elements[3].set) slice_.cell_region.push_back(groups.region_of_set[set]);
    elements[3] = {};
    take_sides(std::move(elements[2]), groups);
    slice_.regions = std::move(groups.regions);
    slice_.boundaries = std::move(groups.boundaries);
    slice_.entity_boundaries = groups.entity_boundaries;
    return std::move(slice_);
}

}  // namespace

std::optional<SlicedMesh> read_mesh_slices(const Communicator& comm, const fs::path& path) {
    const std::string place = path.string();
    MeshSlice slice;
    {
        const MappedFile file(path);
        if (comm.any(!gmsh::is_gmsh(file.view()))) return {};
        check_is_one_file(comm, file, place);
        Cursor in(place, file.view());
        std::optional<Layout> layout;
        comm.agree([&] { layout = gmsh::read_layout(in); });
        if (!layout) return {};
        file.let_go();
        SliceReader reader(comm, in, std::move(*layout));
        if (!reader.has_tets()) return {};
        slice = reader.read(file);
        comm.agree([&] {
            if (MappedFile(path).identity() != file.identity())
                throw InputError(place, "changed while it was read: run again when it is written");
        });
    }
    return check_and_repair(comm, std::move(slice), place);
}

}  // namespace solenoid
