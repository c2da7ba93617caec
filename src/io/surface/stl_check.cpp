#include "io/surface/stl_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "io/surface/number_words.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

std::string start_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string start(600, '\0');
    stream.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(stream.gcount()));
    return start;
}

// The order of the lines is left to VTK.
void check_text(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string line;
    for (std::int64_t number = 1; std::getline(stream, line); ++number) {
        std::string_view words = line;
        if (lower(next_word(words)) != "vertex") continue;
        for (int k = 0; k < 3; ++k)
            if (const std::string_view word = next_word(words); !real_number(word))
                throw InputError(fmt::format("{}:{}", file.string(), number),
                                 word.empty()
                                     ? fmt::format("a vertex has {} coordinates: it needs three", k)
                                     : no_coordinate(word));
    }
}

}  // namespace

bool is_text_stl(const fs::path& file) {
    const std::string start = start_of(file);
    std::string_view words = start;
    words.remove_prefix(std::min(words.find_first_not_of(" \t\r\n"), words.size()));
    return lower(words.substr(0, 5)) == "solid" && start.find('\0') == start.npos;
}

void check_stl(const fs::path& file) {
    if (is_text_stl(file)) return check_text(file);
    const std::string start = start_of(file);
    const std::uintmax_t size = fs::file_size(file);
    if (start.size() < 84)
        throw InputError(file.string(),
                         fmt::format("is no STL file: {} bytes, of which a binary file has at "
                                     "least 84, and it is no text that begins with 'solid'",
                                     size));
    std::uint32_t count = 0;
    std::memcpy(&count, start.data() + 80, sizeof count);
    const std::uintmax_t said = 84 + std::uintmax_t(50) * count;
    if (size != said)
        throw InputError(
            file.string(),
            fmt::format("is {}: it says {} triangles, which take {} bytes, and has {}: write it "
                        "anew",
                        size < said ? "cut off, or no STL file" : "longer than it says", count,
                        said, size));
}

bool has_attributes(const fs::path& file) {
    if (is_text_stl(file)) return false;
    constexpr std::size_t head = 84, triangle = 50;
    std::ifstream stream(file, std::ios::binary);
    stream.ignore(head);
    for (std::array<char, triangle> bytes{}; stream.read(bytes.data(), bytes.size());)
        if (bytes[triangle - 2] != 0 || bytes[triangle - 1] != 0) return true;
    return false;
}

}  // namespace solenoid
