// What stands at fixed places of a checkpoint, and what its header says (docs/checkpoints.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/state_array.hpp"

namespace solenoid {

// What a checkpoint tells of the run that wrote it.
struct CheckpointHeader {
    std::string version;                      // of the program
    std::string case_text;                    // of the case file
    std::string physics, precision;           // "flow", "double"
    int ranks = 1;                            // that wrote it
    std::int64_t step = 0;                    // steps made
    double time = 0;                          // reached [s], finite
    int dimension = 3;                        // of the mesh
    std::array<std::int64_t, 4> count{};      // nodes, edges, faces and cells of the whole mesh
    std::uint64_t mesh_hash = 0;              // parallel/mesh_hash.hpp
    std::map<std::string, std::string> more;  // further texts of the run, by name
};

enum class CheckpointType : std::uint8_t { float64, float32, int64, text };
const char* name_of(CheckpointType type);
const char* name_of(StateArray::Of of);
CheckpointType type_of(const StateArray& array);
std::size_t size_of(CheckpointType type);  // of a value [bytes]

// An array in a checkpoint. Places are bytes from the start of the file.
struct CheckpointArray {
    std::string name;
    StateArray::Of of = StateArray::Of::numbers;
    CheckpointType type = CheckpointType::float64;
    int columns = 1;
    std::int64_t count = 0;       // values of a column; bytes of a text
    std::int64_t offset = 0;      // of the values, column by column
    std::int64_t numbers = -1;    // of `count` ascending numbers of entities; -1: of all entities
    std::string belongs_to = {};  // StateArray::belongs_to

    std::int64_t bytes() const {
        return count * columns * static_cast<std::int64_t>(size_of(type));
    }
};

// The first bytes of a file, and what they say.
struct CheckpointPreamble {
    static constexpr std::size_t size = 64;
    static constexpr std::uint32_t known_format = 1;
    static constexpr std::uint32_t most_block_bytes = 1u << 26;
    static constexpr std::int64_t most_header_bytes = 1 << 24;

    std::uint32_t block_bytes = 1u << 20;  // of a block with a checksum
    std::int64_t file_bytes = 0;
    std::int64_t header_offset = 0, header_bytes = 0;
    std::uint32_t header_checksum = 0, table_checksum = 0;

    std::int64_t table_offset() const { return header_offset + header_bytes; }
    std::int64_t blocks() const {
        return (table_offset() - std::int64_t(size) + block_bytes - 1) / block_bytes;
    }
    std::array<std::byte, size> encoded() const;
    // Checks all that can be checked here. bytes: as many as the file has, at most `size`;
    // file_bytes: its length. Throws InputError.
    static CheckpointPreamble decoded(std::span<const std::byte> bytes, std::int64_t file_bytes,
                                      const std::filesystem::path& file);
};

// The header as JSON, and what that says, checked: every place lies in the file before the header.
// Throws InputError.
std::string header_text(const CheckpointHeader& header, const std::vector<CheckpointArray>& arrays);
struct ParsedHeader {
    CheckpointHeader header;
    std::vector<CheckpointArray> arrays;
};
ParsedHeader parse_header(const std::string& text, std::int64_t header_offset,
                          const std::filesystem::path& file);

}  // namespace solenoid
