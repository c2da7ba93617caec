#include "io/checkpoint/checkpoint_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>

#include "core/nearest_name.hpp"
#include "core/threads.hpp"
#include "core/uninitialized_vector.hpp"
#include "io/checkpoint/checksum.hpp"
#include "io/checkpoint/number_blocks.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

// Bytes that a rank reads and verifies at once, at least one block.
constexpr std::int64_t verified_at_once = 1 << 24;

template <class T>
std::vector<T> read_values(const RawFile& raw, std::int64_t offset, std::int64_t count) {
    std::vector<T> values(static_cast<std::size_t>(count));
    raw.read_at(offset, std::as_writable_bytes(std::span(values)));
    return values;
}

template <class T, class Stored>
std::vector<T> converted(std::vector<Stored>&& values) {
    if constexpr (std::is_same_v<T, Stored>)
        return std::move(values);
    else
        return std::vector<T>(values.begin(), values.end());
}

// The first of an array's ascending stored numbers that is not below a bound.
std::int64_t place_of(const RawFile& raw, const CheckpointArray& array, GlobalIndex bound) {
    std::int64_t low = 0, high = array.count;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (read_values<GlobalIndex>(raw, array.numbers + 8 * middle, 1)[0] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace

struct CheckpointFile::Layout {
    std::uint64_t hash;  // of this rank's entities
    std::int64_t numbers, count;
    NumberBlocks blocks;
    std::int64_t first;  // stored value of this rank's block
};

CheckpointFile::~CheckpointFile() = default;

// ---- Opening

CheckpointFile::CheckpointFile(const Communicator& comm, fs::path file)
    : comm_(comm), file_(std::move(file)) {
    CheckpointPreamble preamble;
    std::vector<std::byte> first;
    comm.agree([&] {
        raw_ = RawFile(file_, O_RDONLY | O_NONBLOCK);  // a pipe does not wait for its other end
        const std::int64_t bytes = raw_.size();
        first.resize(
            static_cast<std::size_t>(std::min<std::int64_t>(bytes, CheckpointPreamble::size)));
        raw_.read_at(0, first);
        preamble = CheckpointPreamble::decoded(first, bytes, file_);
    });
    std::vector<std::byte> of_root = first;
    comm.broadcast(of_root);
    comm.agree([&] {
        if (of_root != first)
            throw InputError(file_.string(), "rank " + std::to_string(comm.rank()) +
                                                 " sees another file than rank 0: checkpoints "
                                                 "must be in a folder that all hosts share");
    });
    comm.agree([&] { verify(preamble); });
    comm.agree([&] {
        std::string text(static_cast<std::size_t>(preamble.header_bytes), '\0');
        raw_.read_at(preamble.header_offset, std::as_writable_bytes(std::span(text)));
        if (checksum(std::as_bytes(std::span(text))) != preamble.header_checksum)
            throw InputError(file_.string(),
                             "a damaged checkpoint: its header does not have its checksum");
        parsed_ = parse_header(text, preamble.header_offset, file_);
    });
}

// This rank's share of the blocks.
void CheckpointFile::verify(const CheckpointPreamble& preamble) const {
    const auto table = read_values<std::uint32_t>(raw_, preamble.table_offset(), preamble.blocks());
    if (checksum(std::as_bytes(std::span(table))) != preamble.table_checksum)
        throw InputError(file_.string(),
                         "a damaged checkpoint: its checksums do not have their checksum");
    const auto ranges = RowPartition::even(preamble.blocks(), comm_.size());
    const std::int64_t start = CheckpointPreamble::size, block = preamble.block_bytes;
    const std::int64_t step = std::max<std::int64_t>(1, verified_at_once / block);
    const std::int64_t last = ranges.first(comm_.rank() + 1);
    UninitializedVector<std::byte> bytes;
    for (std::int64_t b = ranges.first(comm_.rank()); b < last; b += step) {
        const std::int64_t blocks = std::min(step, last - b);
        const std::int64_t from = start + b * block;
        bytes.resize(
            static_cast<std::size_t>(std::min(blocks * block, preamble.table_offset() - from)));
        raw_.read_at(from, bytes);
        for_each(
            0, static_cast<std::size_t>(blocks),
            [&](std::size_t k) {
                const std::size_t low = k * static_cast<std::size_t>(block);
                const std::size_t high =
                    std::min(bytes.size(), low + static_cast<std::size_t>(block));
                if (checksum(std::span(bytes).subspan(low, high - low)) !=
                    table[static_cast<std::size_t>(b) + k])
                    throw InputError(
                        file_.string(),
                        fmt::format("a damaged checkpoint: bytes {} to {} do not have their "
                                    "checksum",
                                    from + std::int64_t(low), from + std::int64_t(high)));
            },
            1);
    }
}

// ---- Arrays

const CheckpointArray* CheckpointFile::find(const std::string& name) const {
    const auto found =
        std::find_if(arrays().begin(), arrays().end(),
                     [&](const CheckpointArray& array) { return array.name == name; });
    return found == arrays().end() ? nullptr : &*found;
}

template <class T>
std::vector<T> CheckpointFile::values(const CheckpointArray& array, int column, std::int64_t first,
                                      std::int64_t count) const {
    if (column < 0 || column >= array.columns || first < 0 || count < 0 ||
        first + count > array.count)
        throw std::logic_error("values outside of array \"" + array.name + "\"");
    const auto size = static_cast<std::int64_t>(size_of(array.type));
    const std::int64_t offset = array.offset + size * (column * array.count + first);
    constexpr bool is_integer = std::is_same_v<T, std::int64_t>;
    if (!is_integer && array.type == CheckpointType::float64)
        return converted<T>(read_values<double>(raw_, offset, count));
    if (!is_integer && array.type == CheckpointType::float32)
        return converted<T>(read_values<float>(raw_, offset, count));
    if (is_integer && array.type == CheckpointType::int64)
        return read_values<T>(raw_, offset, count);
    throw std::logic_error("array \"" + array.name + "\" is of another type");
}
template std::vector<double> CheckpointFile::values<double>(const CheckpointArray&, int,
                                                            std::int64_t, std::int64_t) const;
template std::vector<float> CheckpointFile::values<float>(const CheckpointArray&, int, std::int64_t,
                                                          std::int64_t) const;
template std::vector<std::int64_t> CheckpointFile::values<std::int64_t>(const CheckpointArray&, int,
                                                                        std::int64_t,
                                                                        std::int64_t) const;

std::vector<GlobalIndex> CheckpointFile::numbers(const CheckpointArray& array, std::int64_t first,
                                                 std::int64_t count) const {
    if (array.numbers >= 0) return read_values<GlobalIndex>(raw_, array.numbers + 8 * first, count);
    std::vector<GlobalIndex> all(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = first + static_cast<std::int64_t>(i);
    return all;
}

std::string CheckpointFile::text(const CheckpointArray& array) const {
    std::string text(static_cast<std::size_t>(array.count), '\0');
    raw_.read_at(array.offset, std::as_writable_bytes(std::span(text)));
    return text;
}

// ---- Filling

const CheckpointArray& CheckpointFile::matching(const StateArray& wanted) const {
    const CheckpointArray* array = find(wanted.name);
    if (!array) {
        std::vector<std::string> names;
        for (const CheckpointArray& other : arrays()) names.push_back(other.name);
        const std::string near = nearest_name(wanted.name, names);
        throw InputError(file_.string(),
                         fmt::format("the checkpoint has no array \"{}\"{}", wanted.name,
                                     near.empty() ? "" : fmt::format(", but \"{}\"", near)));
    }
    const auto refuse = [&](const std::string& has, const std::string& needs) {
        throw InputError(file_.string(),
                         fmt::format("array \"{}\" is {}; {} is needed", wanted.name, has, needs));
    };
    if (array->of != wanted.of)
        refuse(fmt::format("of {}", name_of(array->of)),
               fmt::format("one of {}", name_of(wanted.of)));
    if (array->columns != wanted.columns)
        refuse(fmt::format("of {} columns", array->columns),
               fmt::format("one of {}", wanted.columns));
    const auto is_real = [](CheckpointType type) {
        return type == CheckpointType::float64 || type == CheckpointType::float32;
    };
    const CheckpointType type = type_of(wanted);
    if (array->type != type && !(is_real(array->type) && is_real(type)))
        refuse(fmt::format("of {}", name_of(array->type)), name_of(type));
    return *array;
}

void CheckpointFile::fill(StateArray& wanted) const {
    const CheckpointArray* array = nullptr;
    comm_.agree([&] { array = &matching(wanted); });
    if (array->of == StateArray::Of::numbers)
        comm_.agree([&] { fill_numbers(*array, wanted); });
    else
        fill_entities(*array, wanted);
}

void CheckpointFile::fill_numbers(const CheckpointArray& array, StateArray& wanted) const {
    std::visit(
        [&]<class Values>(Values& result) {
            if constexpr (std::is_same_v<Values, std::string>) {
                result = text(array);
            } else {
                result.clear();
                for (int k = 0; k < array.columns; ++k) {
                    const auto column =
                        values<typename Values::value_type>(array, k, 0, array.count);
                    result.insert(result.end(), column.begin(), column.end());
                }
            }
        },
        wanted.values);
}

// Which stored values this rank's block has, and who needs them.
const CheckpointFile::Layout& CheckpointFile::lay_out(const CheckpointArray& array,
                                                      const StateArray& wanted) const {
    std::unique_ptr<Layout>& layout = layouts_[static_cast<int>(array.of)];
    const std::uint64_t hash = hash_of(wanted.entity);
    const bool is_as_before = layout && layout->hash == hash && array.numbers < 0 &&
                              layout->numbers < 0 && layout->count == array.count;
    if (!comm_.any(!is_as_before)) return *layout;
    const std::int64_t all = header().count[static_cast<int>(array.of) - 1];
    comm_.agree([&] {
        for (const GlobalIndex number : wanted.entity)
            if (number < 0 || number >= all)
                throw InputError(file_.string(),
                                 fmt::format("array \"{}\" is of a mesh of {} {}; a value for "
                                             "number {} is needed",
                                             array.name, all, name_of(array.of), number));
    });
    layout.reset();
    std::unique_ptr<Layout> made(
        new Layout{hash, array.numbers, array.count, NumberBlocks(comm_, all, wanted.entity), 0});
    NumberBlocks& blocks = made->blocks;
    made->first = blocks.first();
    std::vector<GlobalIndex> stored;
    const auto refuse = [&](const std::string& why) {
        throw InputError(file_.string(),
                         fmt::format("array \"{}\" has values for {} of the {} {}{}", array.name,
                                     array.count, all, name_of(array.of), why));
    };
    if (array.numbers >= 0) {
        comm_.agree([&] {
            made->first = place_of(raw_, array, blocks.first());
            const std::int64_t end = place_of(raw_, array, blocks.first() + blocks.size());
            if (end < made->first) refuse(", whose numbers do not ascend");
            stored = numbers(array, made->first, end - made->first);
            if (std::adjacent_find(stored.begin(), stored.end(),
                                   std::greater_equal<GlobalIndex>()) != stored.end())
                refuse(", whose numbers do not ascend");
        });
        const auto found = comm_.sum(static_cast<std::int64_t>(stored.size()));
        comm_.agree([&] {
            if (found != array.count) refuse(", whose numbers do not ascend");
        });
    }
    comm_.agree([&] {
        if (array.numbers < 0 ? !blocks.is_covered() : blocks.present() != stored)
            refuse("; values for others are needed");
        if (array.numbers >= 0) blocks.reduce_to(stored);
    });
    layout = std::move(made);
    return *layout;
}

void CheckpointFile::fill_entities(const CheckpointArray& array, StateArray& wanted) const {
    const Layout& layout = lay_out(array, wanted);
    const std::size_t entries = wanted.entity.size();
    std::visit(
        [&]<class Values>(Values& result) {
            if constexpr (!std::is_same_v<Values, std::string>) {
                using T = typename Values::value_type;
                result.resize(entries * static_cast<std::size_t>(array.columns));
                for (int k = 0; k < array.columns; ++k) {
                    std::vector<T> block;
                    comm_.agree(
                        [&] { block = values<T>(array, k, layout.first, layout.blocks.size()); });
                    layout.blocks.from_blocks(
                        1, std::span<const T>(block),
                        std::span(result).subspan(static_cast<std::size_t>(k) * entries, entries));
                }
            }
        },
        wanted.values);
}

}  // namespace solenoid
