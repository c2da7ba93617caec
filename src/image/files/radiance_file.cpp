#include "image/files/radiance_file.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>

#include "core/error.hpp"
#include "image/files/image_limits.hpp"
#include "image/files/primaries.hpp"
#include "io/mesh/cursor.hpp"

namespace solenoid {
namespace {

using Rgbe = std::array<std::uint8_t, 4>;

// One direction of the line of sizes: "-Y 512".
struct Axis {
    char name = 0;  // X or Y
    bool is_positive = true;
    std::int64_t size = 0;
};

class RadianceReader {
  public:
    RadianceReader(const std::string& name, std::string_view bytes) : name_(name), bytes_(bytes) {}

    Image read() {
        read_header();
        const Axis scan = axis(), along = axis();
        if (scan.name == along.name) fail_at(place_, "both sizes are of one direction");
        if (next_line_is_over()) fail_at(place_, "the line of sizes ends in something else");
        const bool is_upright = scan.name == 'Y';
        const std::int64_t width = is_upright ? along.size : scan.size,
                           height = is_upright ? scan.size : along.size;
        check_image_size(name_, width, height, bytes_.size());
        Image image;
        image.width = static_cast<int>(width);
        image.height = static_cast<int>(height);
        const auto pixels = static_cast<std::size_t>(width * height);
        for (std::vector<float>* channel : {&image.red, &image.green, &image.blue})
            channel->resize(pixels);
        std::vector<Rgbe> line(static_cast<std::size_t>(along.size));
        for (std::int64_t n = 0; n < scan.size; ++n) {
            read_line(line);
            // x goes to the right where its sign is +, y upward
            const auto place_of = [](const Axis& axis, std::int64_t k) {
                return axis.is_positive == (axis.name == 'X') ? k : axis.size - 1 - k;
            };
            const std::int64_t across = place_of(scan, n);
            for (std::int64_t k = 0; k < along.size; ++k) {
                const std::int64_t up = place_of(along, k);
                const auto to = static_cast<std::size_t>(is_upright ? across * width + up
                                                                    : up * width + across);
                const Rgbe& pixel = line[static_cast<std::size_t>(k)];
                if (pixel[3] == 0) continue;
                const double unit = std::ldexp(1.0, pixel[3] - 136);
                image.red[to] = static_cast<float>((pixel[0] + 0.5) * unit / exposure_[0]);
                image.green[to] = static_cast<float>((pixel[1] + 0.5) * unit / exposure_[1]);
                image.blue[to] = static_cast<float>((pixel[2] + 0.5) * unit / exposure_[2]);
            }
        }
        take_primaries(image, primaries_, name_);
        return image;
    }

  private:
    [[noreturn]] void fail_at(std::size_t place, const std::string& what) const {
        throw InputError(fmt::format("{}: byte {}", name_, place), what);
    }
    [[noreturn]] void fail(const std::string& what) const { fail_at(place_, what); }

    // ---- the header: lines of text

    // Without its end.
    std::string_view header_line() {
        const std::size_t end = bytes_.find('\n', place_);
        if (end == std::string_view::npos)
            fail("the header has no end: the file is cut off, or no Radiance HDR");
        std::string_view line = bytes_.substr(place_, end - place_);
        place_ = end + 1;
        if (line.ends_with('\r')) line.remove_suffix(1);
        return line;
    }

    void read_header() {
        header_line();  // #?RADIANCE or another program's name
        while (true) {
            const std::size_t start = place_;
            const std::string_view line = header_line();
            if (line.empty()) break;
            if (const auto format = behind("FORMAT=", line)) {
                if (*format == "32-bit_rle_xyze")
                    fail_at(start,
                            "colours in X, Y and Z are not read: convert the picture to RGB "
                            "(ra_xyze -r)");
                if (*format != "32-bit_rle_rgbe")
                    fail_at(start, fmt::format("FORMAT is '{}', 32-bit_rle_rgbe is read",
                                               printable(format->substr(0, 60))));
            } else if (const auto exposure = behind("EXPOSURE=", line)) {
                const double factor = factors<1>(start, "EXPOSURE", *exposure)[0];
                for (double& of_channel : exposure_) of_channel *= factor;
            } else if (const auto colours = behind("COLORCORR=", line)) {
                const auto three = factors<3>(start, "COLORCORR", *colours);
                for (std::size_t c = 0; c < 3; ++c) exposure_[c] *= three[c];
            } else if (const auto colours = behind("PRIMARIES=", line)) {
                const auto n = numbers<8>(start, "PRIMARIES", *colours);
                primaries_ = {{n[0], n[1]}, {n[2], n[3]}, {n[4], n[5]}, {n[6], n[7]}};
                to_rec709(primaries_, fmt::format("{}: byte {}", name_, start));  // checks them
            }
            for (const double factor : exposure_)
                if (!(factor > 1e-30 && factor < 1e30))
                    fail_at(start, "the exposures so far come to " + fmt::format("{:g}", factor) +
                                       ": they must lie between 1e-30 and 1e30");
        }
        line_end_ = bytes_.find('\n', place_);
        if (line_end_ == std::string_view::npos)
            fail("the line of sizes (-Y 512 +X 768) is missing");
    }

    static std::optional<std::string_view> behind(std::string_view key, std::string_view line) {
        if (!line.starts_with(key)) return std::nullopt;
        line.remove_prefix(key.size());
        while (line.starts_with(' ')) line.remove_prefix(1);
        while (line.ends_with(' ')) line.remove_suffix(1);
        return line;
    }

    // Numbers with blanks between them.
    template <std::size_t count>
    std::array<double, count> numbers(std::size_t start, const char* key,
                                      std::string_view text) const {
        std::array<double, count> result{};
        const char* at = text.data();
        const char* const end = at + text.size();
        for (double& number : result) {
            while (at < end && (*at == ' ' || *at == '\t')) ++at;
            if (at < end && *at == '+') ++at;
            const auto [next, error] = std::from_chars(at, end, number);
            if (error != std::errc{} || !std::isfinite(number))
                fail_at(start, fmt::format("{} needs {}", key,
                                           count == 1 ? std::string("a number above 0")
                                                      : fmt::format("{} numbers", count)));
            at = next;
        }
        return result;
    }
    template <std::size_t count>
    std::array<double, count> factors(std::size_t start, const char* key,
                                      std::string_view text) const {
        const auto result = numbers<count>(start, key, text);
        for (const double factor : result)
            if (!(factor > 0)) fail_at(start, fmt::format("{}: {:g} is not above 0", key, factor));
        return result;
    }

    Axis axis() {
        while (place_ < line_end_ && bytes_[place_] == ' ') ++place_;
        const auto fault = [&] { fail("two sizes are expected here, such as -Y 512 +X 768"); };
        if (place_ + 2 > line_end_) fault();
        const char sign = bytes_[place_], name = bytes_[place_ + 1];
        if ((sign != '+' && sign != '-') || (name != 'X' && name != 'Y')) fault();
        place_ += 2;
        while (place_ < line_end_ && bytes_[place_] == ' ') ++place_;
        Axis result{name, sign == '+', 0};
        const auto [next, error] =
            std::from_chars(bytes_.data() + place_, bytes_.data() + line_end_, result.size);
        if (error != std::errc{}) fault();
        place_ = static_cast<std::size_t>(next - bytes_.data());
        return result;
    }

    // Goes behind the line of sizes; true where there is more in it.
    bool next_line_is_over() {
        while (place_ < line_end_ && (bytes_[place_] == ' ' || bytes_[place_] == '\r')) ++place_;
        if (place_ != line_end_) return true;
        ++place_;
        return false;
    }

    // ---- pixels

    std::uint8_t byte() {
        if (place_ >= bytes_.size())
            fail("the file ends within the pixels: it was cut off, or its sizes are wrong");
        return static_cast<std::uint8_t>(bytes_[place_++]);
    }
    Rgbe pixel() {
        Rgbe result;
        for (std::uint8_t& part : result) part = byte();
        return result;
    }

    void read_line(std::vector<Rgbe>& line) {
        constexpr std::size_t least = 8, most = 0x7fff;  // of a line encoded by components
        const std::size_t start = place_;
        if (line.size() >= least && line.size() <= most && place_ + 4 <= bytes_.size()) {
            const Rgbe first = pixel();
            if (first[0] == 2 && first[1] == 2 && first[2] < 128) {
                const std::size_t length = first[2] * std::size_t(256) + first[3];
                if (length != line.size())
                    fail_at(start,
                            fmt::format("an encoded line of {} pixels, the picture's have {}",
                                        length, line.size()));
                return read_components(line);
            }
            place_ = start;
        }
        read_pixels(line);
    }

    // The newer encoding: the red of all pixels, then green, blue and exponents; runs of up to 127
    // bytes, or up to 128 bytes as they are.
    void read_components(std::vector<Rgbe>& line) {
        for (std::size_t c = 0; c < 4; ++c)
            for (std::size_t k = 0; k < line.size();) {
                const std::size_t start = place_;
                const std::uint8_t code = byte();
                const bool is_run = code > 128;
                const std::size_t count = is_run ? code - 128u : code;
                if (count == 0) fail_at(start, "a run of no bytes");
                if (count > line.size() - k)
                    fail_at(start, fmt::format("a run of {} bytes where {} are left in the line",
                                               count, line.size() - k));
                const std::uint8_t value = is_run ? byte() : std::uint8_t(0);
                for (std::size_t n = 0; n < count; ++n) line[k++][c] = is_run ? value : byte();
            }
    }

    // Plain pixels, or the older encoding: (1, 1, 1, n) repeats the last pixel n times, 256 n times
    // right behind such a one, and so on.
    void read_pixels(std::vector<Rgbe>& line) {
        int shift = 0;
        for (std::size_t k = 0; k < line.size();) {
            const std::size_t start = place_;
            const Rgbe next = pixel();
            if (next[0] != 1 || next[1] != 1 || next[2] != 1) {
                line[k++] = next;
                shift = 0;
                continue;
            }
            if (k == 0) fail_at(start, "a line begins with the repetition of a pixel");
            const std::uint64_t count =
                shift > 24 ? line.size() + 1 : static_cast<std::uint64_t>(next[3]) << shift;
            if (count > line.size() - k)
                fail_at(start, fmt::format("a pixel is repeated {} times where {} are left in the "
                                           "line",
                                           count, line.size() - k));
            for (std::uint64_t n = 0; n < count; ++n, ++k) line[k] = line[k - 1];
            shift += 8;
        }
    }

    const std::string& name_;
    std::string_view bytes_;
    std::size_t place_ = 0, line_end_ = 0;
    std::array<double, 3> exposure_{1, 1, 1};
    Primaries primaries_;
};

}  // namespace

bool is_radiance(std::string_view bytes) { return bytes.starts_with("#?"); }

Image read_radiance(const std::string& name, std::string_view bytes) {
    return RadianceReader(name, bytes).read();
}

}  // namespace solenoid
