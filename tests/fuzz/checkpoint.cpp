// Checkpoints. An input is a letter, and
//   s   a header (JSON), a zero byte, the values: they get their checksums and the first 64 bytes;
//   r   a file, whose checksums are made right as far as its lengths allow;
//   other letters: a file as it is.
// What is accepted is read whole, compared with itself, and written again.
#include <cstring>

#include "app/diff_command.hpp"
#include "fuzz/target.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "io/checkpoint/checksum.hpp"
#include "io/checkpoint/partition_array.hpp"
#include "io/checkpoint/samples.hpp"

namespace solenoid::fuzz {
namespace {

namespace fs = std::filesystem;
using Of = StateArray::Of;

constexpr std::uint32_t block_bytes = 512;
constexpr std::int64_t largest_mesh = 1LL << 31;  // entities
constexpr std::int64_t most_kept = 1 << 24;       // bytes of arrays at once
constexpr std::size_t most_written = 1 << 20;     // bytes of an input

template <class T>
void store(std::string& bytes, std::size_t at, T value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::uint32_t checksum_of(const std::string& bytes, std::int64_t from, std::int64_t count) {
    return checksum(std::as_bytes(std::span(bytes)).subspan(from, count));
}

// The file with checksums that are right.
std::string repaired(std::string bytes) {
    constexpr std::size_t start = CheckpointPreamble::size;
    if (bytes.size() < start) return bytes;
    const auto seal = [&] { store(bytes, 60, checksum_of(bytes, 0, 60)); };
    seal();
    CheckpointPreamble p;
    const auto size = static_cast<std::int64_t>(bytes.size());
    try {
        p = CheckpointPreamble::decoded(std::as_bytes(std::span(bytes)), size, "");
    } catch (const Error&) {
        return bytes;
    }
    for (std::int64_t b = 0; b < p.blocks(); ++b) {
        const std::int64_t from = std::int64_t(start) + b * p.block_bytes;
        store(bytes, p.table_offset() + 4 * b,
              checksum_of(bytes, from,
                          std::min<std::int64_t>(p.block_bytes, p.table_offset() - from)));
    }
    store(bytes, 48, checksum_of(bytes, p.header_offset, p.header_bytes));
    store(bytes, 52, checksum_of(bytes, p.table_offset(), 4 * p.blocks()));
    seal();
    return bytes;
}

std::string file_of(std::string_view bytes) {
    const std::string rest(bytes.substr(1));
    if (bytes.front() == 'r') return repaired(rest);
    if (bytes.front() != 's') return rest;
    const std::size_t end = std::min(rest.find('\0'), rest.size());
    return checkpoints::sealed(rest.substr(std::min(end + 1, rest.size())), rest.substr(0, end),
                               block_bytes);
}

StateArray emptied(const CheckpointArray& array) {
    StateArray wanted{array.name, array.of, array.columns, {}, {}};
    switch (array.type) {
        case CheckpointType::float64:
            wanted.values = std::vector<double>();
            break;
        case CheckpointType::float32:
            wanted.values = std::vector<float>();
            break;
        case CheckpointType::int64:
            wanted.values = std::vector<std::int64_t>();
            break;
        case CheckpointType::text:
            wanted.values = std::string();
            break;
    }
    return wanted;
}

// The arrays whose values stand for all entities that they name; the others must be refused.
std::vector<StateArray> whole_arrays(const CheckpointFile& read) {
    std::vector<StateArray> whole;
    std::int64_t bytes = 0;
    for (const CheckpointArray& array : read.arrays()) {
        if (array.count == 0 && array.columns > 100) continue;  // a read for each column
        if (array.of != Of::numbers &&
            read.header().count[static_cast<int>(array.of) - 1] > largest_mesh)
            continue;                                          // more than one rank holds
        if (bytes += array.bytes(); bytes > most_kept) break;  // arrays may share their bytes
        StateArray wanted = emptied(array);
        if (array.of != Of::numbers) wanted.entity = read.numbers(array, 0, array.count);
        if (!accepts(read.file().string() + ": ", [&] { read.fill(wanted); })) continue;
        if (array.of != Of::numbers &&
            std::ranges::adjacent_find(wanted.entity, std::greater_equal<GlobalIndex>()) !=
                wanted.entity.end())
            finding("numbers that do not ascend are accepted");
        whole.push_back(std::move(wanted));
    }
    return whole;
}

// Another file of the same values has the same values.
void check_writer(const Communicator& comm, const CheckpointFile& read,
                  const std::vector<StateArray>& arrays) {
    const fs::path copy = scratch_folder() / "copy.checkpoint";
    write_checkpoint(comm, copy, read.header(), arrays);
    const CheckpointFile again(comm, copy);
    for (const StateArray& array : arrays) {
        StateArray found = checkpoints::emptied(array);
        again.fill(found);
        if (!checkpoints::same_values(found, array)) finding("the copy has other values");
    }
}

}  // namespace

void read_input(std::string_view bytes) {
    static const Communicator comm = Communicator::self();
    if (bytes.empty()) return;
    const fs::path file = scratch_file("a.checkpoint", file_of(bytes));
    std::unique_ptr<CheckpointFile> read;
    if (!accepts(file.string(), [&] { read = std::make_unique<CheckpointFile>(comm, file); }))
        return;
    const std::vector<StateArray> arrays = whole_arrays(*read);
    accepts(file.string(), [&] { stored_partition(*read, {}); });
    if (bytes.size() > most_written) return;
    accepts("an accepted file: ", [&] { check_writer(comm, *read, arrays); });
    accepts("an accepted file: ", [&] {
        if (diff({file, file, 0}) != 0) finding("it differs from itself");
    });
}

}  // namespace solenoid::fuzz
