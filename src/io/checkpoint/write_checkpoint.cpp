#include "io/checkpoint/write_checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "core/hash.hpp"
#include "core/threads.hpp"
#include "core/uninitialized_vector.hpp"
#include "io/checkpoint/checksum.hpp"
#include "io/checkpoint/number_blocks.hpp"
#include "io/checkpoint/raw_file.hpp"
#include "io/files/atomic_file.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t content_start = CheckpointPreamble::size;
// Longer pieces go to the disk while the next are made.
constexpr std::size_t least_to_flush = 1 << 18;
// Columns of an array that a rank exchanges and writes together, at least one [bytes].
constexpr std::size_t exchanged_at_once = 1 << 25;

// Bytes that a rank has written, within one block.
struct WrittenPiece {
    std::int64_t offset, bytes;
    std::uint32_t checksum, unused = 0;
};

std::uint64_t hash_of_text(std::string_view text) {
    std::uint64_t hash = text.size();
    for (const char c : text) hash = mixed(hash + static_cast<unsigned char>(c));
    return hash;
}

template <class T>
std::span<const std::byte> raw_bytes(const std::vector<T>& values) {
    return std::as_bytes(std::span(values));
}
std::span<const std::byte> raw_bytes(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

class CheckpointWriter {
  public:
    CheckpointWriter(const Communicator& comm, const fs::path& file, const CheckpointHeader& header,
                     std::uint32_t block_bytes);
    void add(const StateArray& array);
    void finish();  // the file has its name
    void discard() noexcept;

  private:
    // Where the values of the last array of each kind of entities went, for others of the same
    // ones.
    struct Layout {
        std::uint64_t hash = 0;  // of this rank's numbers
        std::optional<NumberBlocks> blocks;
        std::int64_t count = 0, first = 0;  // of the stored values of a column, this rank's first
        std::vector<GlobalIndex> some;  // numbers of this rank's block, where not all are stored
        bool is_all = true;
    };

    void write_bytes(std::int64_t offset, std::span<const std::byte> bytes);
    std::int64_t place(std::int64_t bytes);  // for so many further bytes
    void write_numbers(const StateArray& array, CheckpointArray& entry);
    void write_entities(const StateArray& array, CheckpointArray& entry);
    void lay_out(const StateArray& array, Layout& layout) const;
    template <class T>
    void write_columns(const std::vector<T>& values, const Layout& layout, CheckpointArray& entry);
    void write_header();
    void write_table();

    const Communicator& comm_;
    const fs::path file_;
    const CheckpointHeader& header_;
    CheckpointPreamble preamble_;
    RawFile part_, folder_;
    std::int64_t end_ = content_start;  // of what has its place
    std::vector<CheckpointArray> arrays_;
    std::set<std::string> names_;
    std::vector<WrittenPiece> pieces_;
    UninitializedVector<std::byte> scratch_;  // columns of this rank's block
    std::map<StateArray::Of, Layout> layouts_;
};

// ---- Bytes

void CheckpointWriter::write_bytes(std::int64_t offset, std::span<const std::byte> bytes) {
    part_.write_at(offset, bytes);
    if (bytes.size() >= least_to_flush)
        part_.begin_flush(offset, static_cast<std::int64_t>(bytes.size()));
    const std::int64_t block = preamble_.block_bytes, from = offset - content_start;
    const auto length = static_cast<std::int64_t>(bytes.size());
    if (length == 0) return;
    const std::int64_t first = from / block, last = (from + length - 1) / block;
    const std::size_t before = pieces_.size();
    pieces_.resize(before + static_cast<std::size_t>(last - first + 1));
    for_each(
        0, static_cast<std::size_t>(last - first + 1),
        [&](std::size_t k) {
            const std::int64_t b = first + static_cast<std::int64_t>(k);
            const std::int64_t low = std::max(b * block, from);
            const std::int64_t high = std::min((b + 1) * block, from + length);
            pieces_[before + k] = {content_start + low, high - low,
                                   checksum(bytes.subspan(static_cast<std::size_t>(low - from),
                                                          static_cast<std::size_t>(high - low)))};
        },
        1);
}

// Values start at multiples of 8. The root fills the gaps.
std::int64_t CheckpointWriter::place(std::int64_t bytes) {
    const std::int64_t start = (end_ + 7) / 8 * 8;
    if (start > end_)
        comm_.agree([&] {
            const std::vector<std::byte> zeros(static_cast<std::size_t>(start - end_));
            if (comm_.is_root()) write_bytes(end_, zeros);
        });
    end_ = start + bytes;
    return start;
}

// ---- Opening

CheckpointWriter::CheckpointWriter(const Communicator& comm, const fs::path& file,
                                   const CheckpointHeader& header, std::uint32_t block_bytes)
    : comm_(comm), file_(file), header_(header) {
    preamble_.block_bytes = block_bytes;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    try {
        comm.agree([&] {
            if (!comm.is_root()) return;
            folder_ = RawFile(folder, O_RDONLY | O_DIRECTORY);
            discard_part(file);
            part_ = RawFile(part_of(file), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
        });
        comm.agree([&] {
            if (!comm.is_root()) part_ = RawFile(part_of(file), O_WRONLY | O_NOFOLLOW);
        });
    } catch (const AgreedError&) {
        discard();
        throw;
    }
}

// ---- Arrays

void CheckpointWriter::add(const StateArray& array) {
    CheckpointArray entry{array.name, array.of, type_of(array), array.columns};
    entry.belongs_to = array.belongs_to;
    const std::uint64_t kind = mixed(hash_of_text(array.name) + 1000 * int(array.of) +
                                     100000 * int(entry.type) + std::uint64_t(array.columns));
    Layout& layout = layouts_[array.of];
    const std::uint64_t numbers = hash_of(array.entity);
    const bool is_as_before = layout.blocks && layout.hash == numbers;
    // the ranks' sum of a kind is their number times each, where all have the same
    std::array<std::int64_t, 2> sums{static_cast<std::int64_t>(kind >> 32), !is_as_before};
    comm_.sum(std::span<std::int64_t>(sums));
    comm_.agree([&] {
        const std::size_t size =
            std::visit([](const auto& values) { return values.size(); }, array.values);
        const auto columns = static_cast<std::size_t>(array.columns);
        if (sums[0] != comm_.size() * static_cast<std::int64_t>(kind >> 32))
            throw std::logic_error("ranks write different arrays into a checkpoint");
        if (array.name.empty()) throw std::logic_error("an array of a checkpoint has no name");
        if (!names_.insert(array.name).second)
            throw std::logic_error("two arrays of a checkpoint are named \"" + array.name + "\"");
        const bool is_text = entry.type == CheckpointType::text;
        const bool is_of_entities = array.of != StateArray::Of::numbers;
        if (array.columns < 1 || (is_text && (columns != 1 || is_of_entities)) ||
            (is_of_entities ? size != columns * array.entity.size()
                            : size % columns != 0 || !array.entity.empty()))
            throw std::logic_error(
                fmt::format("array \"{}\" of a checkpoint has {} values in {} columns for {} {}",
                            array.name, size, columns, array.entity.size(), name_of(array.of)));
    });
    if (array.of == StateArray::Of::numbers) {
        write_numbers(array, entry);
    } else {
        layout.hash = numbers;
        if (sums[1] > 0) lay_out(array, layout);
        write_entities(array, entry);
    }
    arrays_.push_back(std::move(entry));
}

void CheckpointWriter::write_numbers(const StateArray& array, CheckpointArray& entry) {
    std::visit(
        [&](const auto& values) {
            const auto count = static_cast<std::int64_t>(values.size()) / array.columns;
            entry.count = comm_.sum(comm_.is_root() ? count : 0);
            entry.offset = place(entry.bytes());
            comm_.agree([&] {
                if (comm_.is_root()) write_bytes(entry.offset, raw_bytes(values));
            });
        },
        array.values);
}

void CheckpointWriter::lay_out(const StateArray& array, Layout& layout) const {
    const std::int64_t all = header_.count[static_cast<int>(array.of) - 1];
    const NumberBlocks& blocks = layout.blocks.emplace(comm_, all, array.entity);
    std::vector<GlobalIndex>& some = layout.some = {};
    const auto total = comm_.sum(static_cast<std::int64_t>(array.entity.size()));
    layout.is_all = total == all;
    comm_.agree([&] {
        if (!layout.is_all) some = blocks.present();
        const auto numbers = layout.is_all ? static_cast<std::size_t>(blocks.size()) : some.size();
        if (numbers != blocks.entries() || (layout.is_all && !blocks.is_covered()))
            throw std::logic_error(fmt::format("array \"{}\" has two entries for one of the {}",
                                               array.name, name_of(array.of)));
    });
    if (!layout.is_all) layout.blocks->reduce_to(some);
    const auto sizes = gathered(comm_, std::vector<GlobalIndex>{blocks.size()});
    layout.count = total;
    layout.first = RowPartition::of(sizes).first(comm_.rank());
}

void CheckpointWriter::write_entities(const StateArray& array, CheckpointArray& entry) {
    const Layout& layout = layouts_.at(array.of);
    entry.count = layout.count;
    if (!layout.is_all) {
        entry.numbers = place(8 * entry.count);
        comm_.agree([&] { write_bytes(entry.numbers + 8 * layout.first, raw_bytes(layout.some)); });
    }
    std::visit(
        [&](const auto& values) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::string>)
                write_columns(values, layout, entry);
        },
        array.values);
}

template <class T>
void CheckpointWriter::write_columns(const std::vector<T>& values, const Layout& layout,
                                     CheckpointArray& entry) {
    entry.offset = place(entry.bytes());
    const std::size_t entries = values.size() / static_cast<std::size_t>(entry.columns);
    const auto size = static_cast<std::size_t>(layout.blocks->size());
    const std::int64_t largest = (layout.count + comm_.size() - 1) / comm_.size();
    const int at_once = static_cast<int>(std::clamp<std::int64_t>(
        std::int64_t(exchanged_at_once / sizeof(T)) / std::max<std::int64_t>(1, largest), 1,
        entry.columns));
    for (int first = 0; first < entry.columns; first += at_once) {
        const int columns = std::min(at_once, entry.columns - first);
        scratch_.resize(columns * size * sizeof(T));
        const std::span<T> block(reinterpret_cast<T*>(scratch_.data()), columns * size);
        layout.blocks->to_blocks(
            columns, std::span(values).subspan(first * entries, columns * entries), block);
        comm_.agree([&] {
            for (int k = 0; k < columns; ++k) {
                const std::int64_t before = (first + k) * entry.count + layout.first;
                write_bytes(entry.offset + static_cast<std::int64_t>(sizeof(T)) * before,
                            std::as_bytes(block.subspan(k * size, size)));
            }
        });
    }
}

// ---- The end

void CheckpointWriter::write_header() {
    const std::string text = header_text(header_, arrays_);
    preamble_.header_offset = end_;
    preamble_.header_bytes = static_cast<std::int64_t>(text.size());
    preamble_.header_checksum = checksum(raw_bytes(text));
    write_bytes(end_, raw_bytes(text));
}

// Joins the checksums of all ranks' pieces.
void CheckpointWriter::write_table() {
    std::sort(pieces_.begin(), pieces_.end(),
              [](const WrittenPiece& a, const WrittenPiece& b) { return a.offset < b.offset; });
    std::vector<std::uint32_t> table(static_cast<std::size_t>(preamble_.blocks()), 0);
    std::int64_t at = content_start;
    for (const WrittenPiece& piece : pieces_) {
        if (piece.offset != at) throw std::logic_error("a checkpoint has a gap");
        const std::int64_t from = at - content_start;
        std::uint32_t& sum = table.at(static_cast<std::size_t>(from / preamble_.block_bytes));
        sum = from % preamble_.block_bytes == 0
                  ? piece.checksum
                  : static_cast<std::uint32_t>(crc32_combine(sum, piece.checksum, piece.bytes));
        at += piece.bytes;
    }
    if (at != preamble_.table_offset()) throw std::logic_error("a checkpoint has a gap");
    part_.write_at(preamble_.table_offset(), raw_bytes(table));
    preamble_.table_checksum = checksum(raw_bytes(table));
    preamble_.file_bytes = preamble_.table_offset() + 4 * static_cast<std::int64_t>(table.size());
    part_.write_at(0, preamble_.encoded());
}

void CheckpointWriter::finish() {
    comm_.agree([&] {
        if (comm_.is_root()) write_header();
    });
    const auto all = comm_.gather(bytes_of(pieces_));
    comm_.agree([&] {
        if (comm_.is_root()) {
            pieces_.clear();
            for (const auto& bytes : all)
                for (const WrittenPiece& piece : values_in<WrittenPiece>(bytes))
                    pieces_.push_back(piece);
            write_table();
        }
        part_.flush();
        part_.close();
    });
    comm_.agree([&] {
        if (!comm_.is_root()) return;
        publish_part(file_);
        folder_.flush();
        folder_.close();
    });
}

// Files are closed first: some network file systems keep what is open.
void CheckpointWriter::discard() noexcept {
    part_ = {};
    comm_.barrier();
    if (comm_.is_root()) discard_part(file_);
    comm_.barrier();  // nothing is left when the ranks go on
}

}  // namespace

void write_checkpoint(const Communicator& comm, const fs::path& file,
                      const CheckpointHeader& header, const EachArray& arrays,
                      std::uint32_t block_bytes) {
    CheckpointWriter writer(comm, file, header, block_bytes);
    try {
        arrays([&](const StateArray& array) { writer.add(array); });
        writer.finish();
    } catch (const AgreedError&) {
        writer.discard();
        throw;
    }
}

void write_checkpoint(const Communicator& comm, const fs::path& file,
                      const CheckpointHeader& header, std::span<const StateArray> arrays,
                      std::uint32_t block_bytes) {
    const auto each = [&](const std::function<void(const StateArray&)>& write) {
        for (const StateArray& array : arrays) write(array);
    };
    write_checkpoint(comm, file, header, EachArray(each), block_bytes);
}

}  // namespace solenoid
