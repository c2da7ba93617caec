// Arrays of all kinds and types with values that follow from names and numbers, and files that are
// sealed by hand.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <fstream>

#include "core/hash.hpp"
#include "io/checkpoint/write_checkpoint.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::checkpoints {

inline CheckpointHeader header(std::int64_t step = 12) {
    CheckpointHeader header;
    header.version = "0.1.0";
    header.case_text = "[mesh]\nfile = \"höhle.msh\"  # \"quoted\"\n";
    header.physics = "flow";
    header.precision = "double";
    header.ranks = 3;
    header.step = step;
    header.time = 0.1;
    header.dimension = 3;
    header.count = {101, 331, 397, 167};
    header.mesh_hash = 0xfedcba9876543210u;
    header.more = {{"device", "cpu"}};
    return header;
}

inline std::uint64_t bits(const std::string& name, int column, GlobalIndex number) {
    std::uint64_t hash = name.size() + 1000 * static_cast<std::uint64_t>(column);
    for (const char c : name) hash = mixed(hash + static_cast<unsigned char>(c));
    return mixed(hash + static_cast<std::uint64_t>(number));
}
// Any bits, of which some make denormal numbers or no numbers.
template <class T>
T value(const std::string& name, int column, GlobalIndex number) {
    const std::uint64_t all = bits(name, column, number);
    if constexpr (sizeof(T) == 4)
        return std::bit_cast<T>(static_cast<std::uint32_t>(all));
    else
        return std::bit_cast<T>(all);
}

// The values of entities with these numbers.
template <class T>
void set_values(StateArray& array, const std::vector<GlobalIndex>& numbers) {
    std::vector<T> values;
    for (int k = 0; k < array.columns; ++k)
        for (const GlobalIndex number : numbers) values.push_back(value<T>(array.name, k, number));
    array.values = std::move(values);
}

// This rank's numbers of those below `count` that are multiples of `step`, in no order.
inline std::vector<GlobalIndex> own_numbers(const Communicator& comm, std::int64_t count,
                                            int step = 1) {
    std::vector<GlobalIndex> numbers;
    for (GlobalIndex n = 0; n < count; n += step)
        if (static_cast<int>(mixed(77 + n) % comm.size()) == comm.rank()) numbers.push_back(n);
    std::sort(numbers.begin(), numbers.end(), [](GlobalIndex a, GlobalIndex b) {
        return mixed(static_cast<std::uint64_t>(a)) < mixed(static_cast<std::uint64_t>(b));
    });
    return numbers;
}

inline std::vector<StateArray> arrays(const Communicator& comm) {
    using Of = StateArray::Of;
    std::vector<StateArray> all;
    const auto add = [&]<class T>(const std::string& name, Of of, int columns, T, int step = 1) {
        StateArray array{name, of, columns, {}, {}};
        std::vector<GlobalIndex> numbers(5);
        if (of == Of::numbers) {
            for (GlobalIndex n = 0; n < 5; ++n) numbers[n] = n;
        } else {
            const std::int64_t count = header().count[static_cast<int>(of) - 1];
            numbers = array.entity = own_numbers(comm, step > 0 ? count : 0, std::max(step, 1));
        }
        set_values<T>(array, numbers);
        all.push_back(std::move(array));
    };
    add("flow/velocity", Of::cells, 3, 0.0);
    add("partition", Of::cells, 1, std::int64_t{});
    add("temperature", Of::nodes, 1, 0.0f);
    add("flow/psi", Of::edges, 2, 0.0);
    add("outflow", Of::faces, 2, 0.0, 3);
    add("outflow/old", Of::faces, 1, 0.0f, 3);
    add("nothing", Of::faces, 1, 0.0, 0);
    add("one", Of::faces, 1, std::int64_t{}, 1000);
    add("flux", Of::faces, 1, 0.0);
    add("clock", Of::numbers, 1, 0.0);
    add("rows", Of::numbers, 4, 0.0f);
    add("counts", Of::numbers, 1, std::int64_t{});
    all.push_back({"text", Of::numbers, 1, {}, std::string("a,b\n1,\0\xff", 8)});
    all.push_back({"no rows", Of::numbers, 7, {}, std::vector<double>{}});
    return all;
}

// The same without values.
inline StateArray emptied(const StateArray& array) {
    StateArray wanted = array;
    std::visit([](auto& values) { values.clear(); }, wanted.values);
    return wanted;
}

// Compares bits: a value may be no number.
inline bool same_values(const StateArray& a, const StateArray& b) {
    if (a.values.index() != b.values.index()) return false;
    return std::visit(
        [&]<class Values>(const Values& left) {
            const Values& right = std::get<Values>(b.values);
            return left.size() == right.size() &&
                   (left.empty() ||
                    std::memcmp(left.data(), right.data(), left.size() * sizeof(left[0])) == 0);
        },
        a.values);
}

inline void write_text(const std::filesystem::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
}

// A file of format 1 with any header, each checksum right.
inline std::string sealed(const std::string& values, const std::string& header,
                          std::uint32_t block = 1 << 20) {
    const auto sum = [](const std::string& text) {
        return static_cast<std::uint32_t>(
            crc32(0, reinterpret_cast<const Bytef*>(text.data()), static_cast<uInt>(text.size())));
    };
    const auto raw = [](auto number) {
        return std::string(reinterpret_cast<const char*>(&number), sizeof number);
    };
    const std::string content = values + header;
    std::string table;
    for (std::size_t at = 0; at < content.size(); at += block)
        table += raw(sum(content.substr(at, block)));
    std::string start("\x89SOLENOID\r\n\x1a\n\0\0\0", 16);
    start += raw(std::uint32_t{1}) + raw(block) +
             raw(std::int64_t(64 + content.size() + table.size())) +
             raw(std::int64_t(64 + values.size())) + raw(std::int64_t(header.size())) +
             raw(sum(header)) + raw(sum(table)) + raw(std::uint32_t{0});
    return start + raw(sum(start)) + content + table;
}

}  // namespace solenoid::checkpoints
