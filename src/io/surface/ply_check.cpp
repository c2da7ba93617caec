#include "io/surface/ply_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/surface/number_words.hpp"

namespace solenoid {
namespace {

struct Property {
    int bytes = 0;         // of a number
    int count_bytes = 0;   // of a list: of how many there are; 0: a single number
    bool is_real = false;  // of the numbers
    std::string name;
};
struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

class PlyCheck {
  public:
    explicit PlyCheck(const std::filesystem::path& file)
        : file_(file), stream_(file, std::ios::binary), size_(std::filesystem::file_size(file)) {}

    void run() {
        read_head();
        bool has_corners = false;
        for (const Element& element : elements_) {
            const auto has_number = [&](const char* name) {
                return std::ranges::any_of(element.properties, [&](const Property& p) {
                    return p.name == name && p.count_bytes == 0;
                });
            };
            if (element.name == "vertex") {
                points_ = element.count;
                for (const char* name : {"x", "y", "z"})
                    if (!has_number(name))
                        refuse(fmt::format("its element 'vertex' has no number '{}'", name));
            }
            // VTK's reader makes faces of the points that it has read before
            if (element.name == "face" && points_ > 0)
                has_corners = std::ranges::any_of(
                    element.properties, [&](const Property& p) { return is_corners(element, p); });
        }
        if (!has_corners || !has("vertex"))
            refuse(
                "has no triangles: a PLY file of a surface has the elements 'vertex' and then "
                "'face' with a list 'vertex_indices'");
        for (const Element& element : elements_)
            for (std::uint64_t k = 0; k < element.count; ++k)
                is_text_ ? check_line(element, k) : check_bytes(element, k);
    }

  private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw InputError(file_.string(), what);
    }
    [[noreturn]] void refuse_line(const std::string& what) const {
        throw InputError(fmt::format("{}:{}", file_.string(), line_), what);
    }
    bool has(const std::string& name) const {
        return std::ranges::any_of(elements_,
                                   [&](const Element& e) { return e.name == name && e.count > 0; });
    }

    // VTK's reader takes as much of a line.
    static constexpr std::size_t longest = 4000;

    bool next_line(std::string& line) {
        ++line_;
        if (!std::getline(stream_, line)) return false;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.size() > longest) refuse_line(fmt::format("is longer than {} letters", longest));
        return true;
    }

    Property number(const std::string& type) const {
        static const std::map<std::string, std::pair<int, bool>> types{
            {"char", {1, false}},   {"int8", {1, false}},   {"uchar", {1, false}},
            {"uint8", {1, false}},  {"short", {2, false}},  {"int16", {2, false}},
            {"ushort", {2, false}}, {"uint16", {2, false}}, {"int", {4, false}},
            {"int32", {4, false}},  {"uint", {4, false}},   {"uint32", {4, false}},
            {"float", {4, true}},   {"float32", {4, true}}, {"double", {8, true}},
            {"float64", {8, true}}};
        const auto found = types.find(type);
        if (found == types.end()) refuse_line(fmt::format("there is no type '{}'", type));
        return {found->second.first, 0, found->second.second, ""};
    }

    void read_head() {
        std::string line;
        if (!next_line(line) || line != "ply")
            refuse("is no PLY file: it does not begin with 'ply'");
        std::string format;
        for (;;) {
            if (line_ > 1000 || !next_line(line))
                refuse("has no 'end_header': it is cut off, or no PLY file");
            std::istringstream words(line);
            std::string word, type;
            words >> word;
            if (word == "end_header") break;
            if (word == "format") words >> format;
            if (word == "element") read_element(words);
            if (word == "property") read_property(words);
        }
        is_text_ = format == "ascii";
        is_big_ = format == "binary_big_endian";
        if (!is_text_ && !is_big_ && format != "binary_little_endian")
            refuse(
                fmt::format("its format '{}' is none of ascii, binary_little_endian and "
                            "binary_big_endian",
                            format));
    }
    void read_element(std::istringstream& words) {
        Element element;
        if (!(words >> element.name >> element.count))
            refuse_line("an element needs a name and a number");
        if (element.count > size_)
            refuse_line(
                fmt::format("says {} of '{}', and the file has {} bytes: it is cut off, or "
                            "not written well",
                            element.count, element.name, size_));
        for (const Element& before : elements_)
            if (before.name == element.name)
                refuse_line(fmt::format("a second element '{}'", element.name));
        elements_.push_back(element);
    }
    void read_property(std::istringstream& words) {
        std::string type, count;
        words >> type;
        Property property;
        if (type == "list") {
            words >> count >> type;
            const Property counts = number(count);
            if (counts.is_real) refuse_line("a list's length is a whole number");
            property = number(type);
            property.count_bytes = counts.bytes;
        } else {
            property = number(type);
        }
        if (elements_.empty() || !(words >> property.name))
            refuse_line("a property needs an element before it, and a name");
        elements_.back().properties.push_back(property);
    }

    std::string entry(const Element& element, std::uint64_t k) const {
        return fmt::format("'{}' {} of {}", element.name, k + 1, element.count);
    }
    void check_length(const Element& element, std::uint64_t k, const Property& p,
                      std::uint64_t length) const {
        if (is_corners(element, p) && length != 3)
            refuse(
                fmt::format("{} has {} corners: write triangles alone, as by ParaView's filter "
                            "Triangulate",
                            entry(element, k), length));
        if (length > size_)
            refuse(fmt::format("{} has a list of {} numbers, and the file {} bytes",
                               entry(element, k), length, size_));
    }

    static bool is_corners(const Element& element, const Property& p) {
        return element.name == "face" && p.count_bytes > 0 && !p.is_real &&
               (p.name == "vertex_indices" || p.name == "vertex_index");
    }
    static bool is_coordinate(const Element& element, const Property& p) {
        return element.name == "vertex" && p.count_bytes == 0 &&
               (p.name == "x" || p.name == "y" || p.name == "z");
    }
    void check_corner(std::uint64_t face, std::int64_t point) const {
        if (point < 0 || std::uint64_t(point) >= points_)
            refuse(
                fmt::format("triangle {} has the point {:.17g}, but there are {} points: write "
                            "the file anew",
                            face + 1, double(point) + 1, points_));
    }
    // Of the bytes read last; negative ones are large.
    std::uint64_t number_of_bytes(int count) const {
        std::uint64_t number = 0;
        for (int i = 0; i < count; ++i)
            number = number << 8 |
                     static_cast<unsigned char>(bytes_[std::size_t(is_big_ ? i : count - 1 - i)]);
        return number;
    }

    void check_line(const Element& element, std::uint64_t k) {
        std::string line;
        if (!next_line(line)) refuse(fmt::format("is cut off: {} is missing", entry(element, k)));
        std::istringstream words(line);
        std::string word;
        const auto take = [&] {
            if (!(words >> word))
                refuse_line(fmt::format("{} has too few numbers", entry(element, k)));
        };
        const auto take_whole = [&](const char* what) {
            take();
            const auto number = whole_number(word);
            if (!number)
                refuse_line(fmt::format("{}: '{}' is no {}: write a whole number",
                                        entry(element, k), shown(word), what));
            return *number;
        };
        for (const Property& p : element.properties) {
            if (p.count_bytes > 0) {
                const std::int64_t length = take_whole("length of a list");
                if (length < 0 || length > 1'000'000'000)
                    refuse_line(fmt::format("{}: '{}' is no length of a list", entry(element, k),
                                            shown(word)));
                check_length(element, k, p, std::uint64_t(length));
                for (std::int64_t i = 0; i < length; ++i)
                    is_corners(element, p) ? check_corner(k, take_whole("corner")) : take();
            } else if (is_coordinate(element, p) && !p.is_real) {
                take_whole("coordinate of the type in the head");
            } else {
                take();
                if (is_coordinate(element, p) && !real_number(word))
                    refuse_line(
                        fmt::format("{}: '{}' is no coordinate: write a finite number, "
                                    "as 0.5 or 5e-1",
                                    entry(element, k), shown(word)));
            }
        }
    }

    void check_bytes(const Element& element, std::uint64_t k) {
        const auto take = [&](int count) {
            stream_.read(bytes_.data(), count);
            if (stream_.gcount() != count)
                refuse(fmt::format("is cut off: {} is missing", entry(element, k)));
        };
        for (const Property& p : element.properties) {
            if (p.count_bytes == 0) {
                take(p.bytes);
                continue;
            }
            take(p.count_bytes);
            const std::uint64_t length = number_of_bytes(p.count_bytes);
            check_length(element, k, p, length);
            for (std::uint64_t i = 0; i < length; ++i) {
                take(p.bytes);
                if (is_corners(element, p)) check_corner(k, std::int64_t(number_of_bytes(p.bytes)));
            }
        }
    }

    const std::filesystem::path file_;
    std::ifstream stream_;
    const std::uint64_t size_;
    std::vector<Element> elements_;
    std::uint64_t points_ = 0;
    std::array<char, 8> bytes_{};
    bool is_text_ = false, is_big_ = false;
    int line_ = 0;
};

}  // namespace

void check_ply(const std::filesystem::path& file) { PlyCheck(file).run(); }

}  // namespace solenoid
