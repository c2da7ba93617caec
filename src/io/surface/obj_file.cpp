#include "io/surface/obj_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "io/surface/number_words.hpp"

namespace solenoid {
namespace {

class ObjReader {
  public:
    ObjReader(std::string_view bytes, const std::string& place) : rest_(bytes), place_(place) {
        if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // as some editors begin
    }

    TriangleSurface read() {
        while (!rest_.empty()) {
            std::string_view line = next_line();
            const std::string_view keyword = next_word(line);
            if (keyword == "v")
                read_point(line);
            else if (keyword == "f")
                read_face(line);
            else if (!keyword.empty())
                ++others_[std::string(shown(keyword))];
        }
        for (const auto& [line, corner] : ahead_)
            if (corner > std::int64_t(surface_.points.size())) refuse_corner(line, corner);
        surface_.left_out = words_of_others();
        return std::move(surface_);
    }

  private:
    [[noreturn]] void refuse(std::int64_t line, const std::string& what) const {
        throw InputError(fmt::format("{}:{}", place_, line), what);
    }
    [[noreturn]] void refuse_corner(std::int64_t line, std::int64_t corner) const {
        refuse(line, fmt::format("a face has the point {}, but there are {} points{}: points count "
                                 "from 1, and from -1 backward; write the file anew",
                                 corner, surface_.points.size(), corner < 0 ? " above it" : ""));
    }

    std::string words_of_others() const {
        static const std::map<std::string_view, std::string_view> names{
            {"vn", "normals"},         {"vt", "texture coordinates"},
            {"vp", "parameters"},      {"l", "lines"},
            {"p", "single points"},    {"g", "groups"},
            {"o", "names of objects"}, {"s", "smoothing groups"},
            {"usemtl", "materials"},   {"mtllib", "files of materials"}};
        std::string words = points_have_more_ ? "weights or colours of the points" : "";
        constexpr std::size_t most = 200;
        for (const auto& [keyword, count] : others_) {
            if (words.size() > most) return words + ", and more";
            const auto name = names.find(keyword);
            words += fmt::format(
                "{}{} {}", words.empty() ? "" : ", ", count,
                name == names.end() ? "lines '" + keyword + "'" : std::string(name->second));
        }
        return words;
    }

    // With the lines that it goes on in, behind a backslash, and without a comment.
    std::string_view next_line() {
        line_ += lines_;
        lines_ = 0;
        std::string_view part = next_part();
        if (!part.ends_with('\\')) return part;
        joined_.clear();
        for (; part.ends_with('\\'); part = next_part())
            joined_.append(part.substr(0, part.size() - 1)) += ' ';
        joined_.append(part);
        return joined_;
    }
    std::string_view next_part() {
        const std::size_t end = rest_.find('\n');
        std::string_view part = rest_.substr(0, end);
        rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
        ++lines_;
        if (part.ends_with('\r')) part.remove_suffix(1);
        return part.substr(0, part.find('#'));
    }

    // Further words are weights or colours.
    void read_point(std::string_view words) {
        Vec3 point;
        for (int k = 0; k < 3; ++k) {
            const std::string_view word = next_word(words);
            if (word.empty())
                refuse(line_, fmt::format("a point has {} coordinates: 'v' needs three", k));
            const auto number = real_number(word);
            if (!number) refuse(line_, no_coordinate(word));
            point[k] = *number;
        }
        points_have_more_ = points_have_more_ || !next_word(words).empty();
        surface_.points.push_back(point);
    }

    void read_face(std::string_view words) {
        std::array<Index, 3> triangle{};
        std::size_t corners = 0;
        for (std::string_view word = next_word(words); !word.empty(); word = next_word(words)) {
            const Index corner = read_corner(word);
            if (corners < 3) triangle[corners] = corner;
            ++corners;
        }
        if (corners != 3)
            refuse(line_, fmt::format("a face has {} corners: write triangles alone, as by "
                                      "ParaView's filter Triangulate",
                                      corners));
        surface_.triangles.push_back(triangle);
    }

    // "a", "a/b", "a//c" or "a/b/c", of which a is the point; what is empty is not given.
    Index read_corner(std::string_view word) {
        const std::size_t slash = std::min(word.find('/'), word.size());
        const auto point = whole_number(word.substr(0, slash));
        bool is_good = point && std::ranges::count(word, '/') <= 2;
        for (std::size_t at = slash; at < word.size() && is_good;) {
            const std::size_t end = std::min(word.find('/', at + 1), word.size());
            const std::string_view part = word.substr(at + 1, end - at - 1);
            is_good = part.empty() || whole_number(part);
            at = end;
        }
        if (!is_good)
            refuse(line_, fmt::format("'{}' is no corner: write a, a/b, a//c or a/b/c with whole "
                                      "numbers",
                                      shown(word)));
        const std::int64_t corner = *point;
        const auto points = std::int64_t(surface_.points.size());
        if (corner == 0 || corner < -points || corner >= std::int64_t(none))
            refuse_corner(line_, corner);
        if (corner > points) ahead_.emplace_back(line_, corner);
        return static_cast<Index>(corner > 0 ? corner - 1 : points + corner);
    }

    std::string_view rest_;
    const std::string& place_;
    TriangleSurface surface_;
    std::string joined_;
    bool points_have_more_ = false;
    std::map<std::string, std::int64_t> others_;  // how many lines of each other keyword
    std::int64_t line_ = 1, lines_ = 0;           // where the line begins, and how many it takes
    std::vector<std::pair<std::int64_t, std::int64_t>> ahead_;  // line and point that may come
};

}  // namespace

TriangleSurface surface_of_obj(std::string_view bytes, const std::string& place) {
    return ObjReader(bytes, place).read();
}

std::string obj_text(const TriangleSurface& surface) {
    std::string text = "# a surface of solenoid\n";
    auto to = std::back_inserter(text);
    for (const Vec3& p : surface.points) fmt::format_to(to, "v {} {} {}\n", p.x, p.y, p.z);
    for (const auto& [a, b, c] : surface.triangles)
        fmt::format_to(to, "f {} {} {}\n", a + 1, b + 1, c + 1);
    return text;
}

}  // namespace solenoid
