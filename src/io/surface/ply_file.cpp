#include "io/surface/ply_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/surface/number_words.hpp"

namespace solenoid {
namespace {

enum class NumberKind { whole, natural, real };

// What a property is to a surface.
enum class Role { other, x, y, z, corners };

struct Property {
    NumberKind kind = NumberKind::real;
    int bytes = 0;        // of a number
    int count_bytes = 0;  // of a list: of how many there are; 0: a single number
    std::string name;
    Role role = Role::other;
};
struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;
};

Role role_of(const Element& element, const Property& p) {
    if (element.name == "face" && p.count_bytes > 0 && p.kind != NumberKind::real &&
        (p.name == "vertex_indices" || p.name == "vertex_index"))
        return Role::corners;
    if (element.name == "vertex" && p.count_bytes == 0 && p.name.size() == 1 && p.name >= "x" &&
        p.name <= "z")
        return static_cast<Role>(static_cast<int>(Role::x) + p.name[0] - 'x');
    return Role::other;
}

class PlyReader {
  public:
    PlyReader(std::string_view bytes, const std::string& place)
        : rest_(bytes), size_(bytes.size()), place_(place) {}

    TriangleSurface read() {
        read_head();
        check_head();
        for (const Element& element : elements_)
            for (std::uint64_t k = 0; k < element.count; ++k)
                is_text_ ? read_line(element, k) : read_bytes(element, k);
        surface_.left_out = words_of_others();
        return std::move(surface_);
    }

  private:
    [[noreturn]] void refuse(const std::string& what) const { throw InputError(place_, what); }
    [[noreturn]] void refuse_line(const std::string& what) const {
        throw InputError(fmt::format("{}:{}", place_, line_), what);
    }

    bool next_line(std::string_view& line) {
        ++line_;
        if (rest_.empty()) return false;
        const std::size_t end = rest_.find('\n');
        line = rest_.substr(0, end);
        rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
        if (line.ends_with('\r')) line.remove_suffix(1);
        return true;
    }

    // "nx, ny, nz, red of 'vertex'; 'edge'"
    std::string words_of_others() const {
        std::string words;
        constexpr std::size_t most = 200;
        for (const Element& element : elements_) {
            if (element.count == 0) continue;
            if (words.size() > most) return words + "; and more";
            std::string names;
            for (const Property& p : element.properties)
                if (p.role == Role::other && names.size() <= most)
                    names += (names.empty() ? "" : ", ") + std::string(shown(p.name));
            const bool is_known = element.name == "vertex" || element.name == "face";
            if (is_known && names.empty()) continue;
            if (!words.empty()) words += "; ";
            if (is_known) words += names + " of ";
            words += fmt::format("'{}'", shown(element.name));
        }
        return words;
    }

    // ---- The head

    Property property_of(std::string_view type) const {
        using enum NumberKind;
        static const std::map<std::string_view, std::pair<NumberKind, int>> types{
            {"char", {whole, 1}},     {"int8", {whole, 1}},     {"uchar", {natural, 1}},
            {"uint8", {natural, 1}},  {"short", {whole, 2}},    {"int16", {whole, 2}},
            {"ushort", {natural, 2}}, {"uint16", {natural, 2}}, {"int", {whole, 4}},
            {"int32", {whole, 4}},    {"uint", {natural, 4}},   {"uint32", {natural, 4}},
            {"float", {real, 4}},     {"float32", {real, 4}},   {"double", {real, 8}},
            {"float64", {real, 8}}};
        const auto found = types.find(type);
        if (found == types.end()) refuse_line(fmt::format("there is no type '{}'", shown(type)));
        return {found->second.first, found->second.second, 0, "", Role::other};
    }

    void read_head() {
        std::string_view line;
        if (!next_line(line) || line != "ply")
            refuse("is no PLY file: it does not begin with 'ply'");
        std::string_view format;
        for (;;) {
            if (line_ > 1000 || !next_line(line))
                refuse("has no 'end_header': it is cut off, or no PLY file");
            const std::string_view word = next_word(line);
            if (word == "end_header") break;
            if (word == "format") format = next_word(line);
            if (word == "element") read_element(line);
            if (word == "property") read_property(line);
        }
        is_text_ = format == "ascii";
        is_big_ = format == "binary_big_endian";
        if (!is_text_ && !is_big_ && format != "binary_little_endian")
            refuse(
                fmt::format("its format '{}' is none of ascii, binary_little_endian and "
                            "binary_big_endian",
                            shown(format)));
    }
    void read_element(std::string_view words) {
        Element element{std::string(next_word(words)), 0, {}};
        const auto count = whole_number(next_word(words));
        if (!count || *count < 0) refuse_line("an element needs a name and a number");
        element.count = static_cast<std::uint64_t>(*count);
        if (element.count > size_)
            refuse_line(
                fmt::format("says {} of '{}', and the file has {} bytes: it is cut off, or "
                            "not written well",
                            element.count, shown(element.name), size_));
        for (const Element& before : elements_)
            if (before.name == element.name)
                refuse_line(fmt::format("a second element '{}'", shown(element.name)));
        elements_.push_back(std::move(element));
    }
    void read_property(std::string_view words) {
        std::string_view type = next_word(words);
        Property property;
        if (type == "list") {
            const Property counts = property_of(next_word(words));
            if (counts.kind == NumberKind::real) refuse_line("a list's length is a whole number");
            property = property_of(next_word(words));
            property.count_bytes = counts.bytes;
        } else {
            property = property_of(type);
        }
        property.name = next_word(words);
        if (elements_.empty() || property.name.empty())
            refuse_line("a property needs an element before it, and a name");
        Element& element = elements_.back();
        for (const Property& before : element.properties)
            if (before.name == property.name)
                refuse_line(fmt::format("a second property '{}' of '{}'", shown(property.name),
                                        shown(element.name)));
        property.role = role_of(element, property);
        element.properties.push_back(std::move(property));
    }
    // Points come first: triangles name them.
    void check_head() {
        bool has_corners = false;
        for (const Element& element : elements_) {
            const auto has = [&](Role role) {
                return std::ranges::any_of(element.properties,
                                           [&](const Property& p) { return p.role == role; });
            };
            if (element.name == "vertex") {
                points_ = element.count;
                for (const auto& [role, name] :
                     {std::pair(Role::x, 'x'), {Role::y, 'y'}, {Role::z, 'z'}})
                    if (!has(role))
                        refuse(fmt::format("its element 'vertex' has no number '{}'", name));
            }
            if (element.name == "face" && points_ > 0) {
                has_corners = has(Role::corners);
                surface_.points.reserve(points_);
                surface_.triangles.reserve(element.count);
            }
        }
        if (!has_corners)
            refuse(
                "has no triangles: a PLY file of a surface has the elements 'vertex' and then "
                "'face' with a list 'vertex_indices'");
    }

    // ---- Entries

    std::string entry(const Element& element, std::uint64_t k) const {
        return fmt::format("'{}' {} of {}", shown(element.name), k + 1, element.count);
    }
    void check_length(const Element& element, std::uint64_t k, const Property& p,
                      std::uint64_t length) const {
        if (p.role == Role::corners && length != 3)
            refuse(
                fmt::format("{} has {} corners: write triangles alone, as by ParaView's filter "
                            "Triangulate",
                            entry(element, k), length));
        if (length > size_)
            refuse(fmt::format("{} has a list of {} numbers, and the file {} bytes",
                               entry(element, k), length, size_));
    }
    void take_corner(std::uint64_t face, std::size_t place, std::int64_t point) {
        if (point < 0 || std::uint64_t(point) >= points_)
            refuse(
                fmt::format("triangle {} has the point {:.17g}, but there are {} points: write "
                            "the file anew",
                            face + 1, double(point) + 1, points_));
        if (place == 0) surface_.triangles.emplace_back();
        surface_.triangles.back()[place] = static_cast<Index>(point);
    }
    void take_coordinate(std::uint64_t k, Role role, double value) {
        if (surface_.points.size() == k) surface_.points.emplace_back(0.0);
        surface_.points.back()[static_cast<int>(role) - static_cast<int>(Role::x)] = value;
    }

    void read_line(const Element& element, std::uint64_t k) {
        std::string_view words, word;
        if (!next_line(words)) refuse(fmt::format("is cut off: {} is missing", entry(element, k)));
        const auto take = [&] {
            word = next_word(words);
            if (word.empty()) refuse_line(fmt::format("{} has too few numbers", entry(element, k)));
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
                for (std::size_t i = 0; i < std::size_t(length); ++i)
                    p.role == Role::corners ? take_corner(k, i, take_whole("corner")) : take();
            } else if (p.role == Role::other) {
                take();
            } else if (p.kind != NumberKind::real) {
                take_coordinate(k, p.role,
                                double(take_whole("coordinate of the type in the head")));
            } else {
                take();
                const auto number = real_number(word);
                if (!number)
                    refuse_line(fmt::format("{}: {}", entry(element, k), no_coordinate(word)));
                take_coordinate(k, p.role, *number);
            }
        }
    }

    void read_bytes(const Element& element, std::uint64_t k) {
        const auto take = [&](int count) {
            if (rest_.size() < std::size_t(count))
                refuse(fmt::format("is cut off: {} is missing", entry(element, k)));
            std::uint64_t number = 0;
            for (int i = 0; i < count; ++i)
                number = number << 8 | static_cast<unsigned char>(
                                           rest_[std::size_t(is_big_ ? i : count - 1 - i)]);
            rest_.remove_prefix(std::size_t(count));
            return number;
        };
        for (const Property& p : element.properties) {
            if (p.count_bytes == 0) {
                const std::uint64_t number = take(p.bytes);
                if (p.role != Role::other) take_coordinate(k, p.role, value_of(p, number));
                continue;
            }
            const std::uint64_t length = take(p.count_bytes);  // negative ones are large
            check_length(element, k, p, length);
            for (std::size_t i = 0; i < length; ++i) {
                const std::uint64_t number = take(p.bytes);
                if (p.role == Role::corners) take_corner(k, i, std::int64_t(number));
            }
        }
    }
    static double value_of(const Property& p, std::uint64_t bits) {
        if (p.kind == NumberKind::real)
            return p.bytes == 8 ? std::bit_cast<double>(bits)
                                : double(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
        const bool is_negative =
            p.kind == NumberKind::whole && (bits >> (8 * p.bytes - 1) & 1) != 0;
        return double(bits) - (is_negative ? double(std::uint64_t(1) << 8 * p.bytes) : 0);
    }

    std::string_view rest_;
    const std::uint64_t size_;
    const std::string& place_;
    std::vector<Element> elements_;
    std::uint64_t points_ = 0;
    bool is_text_ = false, is_big_ = false;
    int line_ = 0;
    TriangleSurface surface_;
};

}  // namespace

TriangleSurface surface_of_ply(std::string_view bytes, const std::string& place) {
    return PlyReader(bytes, place).read();
}

}  // namespace solenoid
