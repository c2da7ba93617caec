#include "image/files/exr_file.hpp"

#include "core/error.hpp"

#ifdef SOLENOID_OPENEXR
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfChromaticitiesAttribute.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfTileDescription.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "image/files/image_limits.hpp"
#include "image/files/primaries.hpp"
#include "io/mesh/cursor.hpp"
#endif

namespace solenoid {

namespace {
constexpr std::string_view magic = "\x76\x2f\x31\x01";
}

bool is_exr(std::string_view bytes) { return bytes.starts_with(magic); }

#ifdef SOLENOID_OPENEXR

bool reads_openexr() { return true; }

namespace {

using namespace OPENEXR_IMF_NAMESPACE;

// The bytes of a file, the first of them replaced.
class BytesStream final : public IStream {
  public:
    BytesStream(const std::string& name, std::string_view bytes, std::string_view first)
        : IStream(name.c_str()), bytes_(bytes), first_(first) {}
    // False where these are the last ones.
    bool read(char to[], int count) override {
        if (count < 0 || place_ > bytes_.size() ||
            static_cast<std::size_t>(count) > bytes_.size() - place_)
            throw InputError("the file ends before its contents do: it was cut off");
        for (; count > 0 && place_ < first_.size(); --count) *to++ = first_[place_++];
        std::memcpy(to, bytes_.data() + place_, static_cast<std::size_t>(count));
        place_ += static_cast<std::size_t>(count);
        return place_ < bytes_.size();
    }
    std::uint64_t tellg() override { return place_; }
    void seekg(std::uint64_t place) override { place_ = place; }

  private:
    std::string_view bytes_, first_;
    std::uint64_t place_ = 0;
};

// The attributes that a picture is read by; size: 0 where it varies.
struct Attribute {
    std::string_view name, type;
    std::uint32_t size;
};
constexpr Attribute needed[] = {{"channels", "chlist", 0},
                                {"chromaticities", "chromaticities", 32},
                                {"chunkCount", "int", 4},
                                {"compression", "compression", 1},
                                {"dataWindow", "box2i", 16},
                                {"displayWindow", "box2i", 16},
                                {"lineOrder", "lineOrder", 1},
                                {"name", "string", 0},
                                {"pixelAspectRatio", "float", 4},
                                {"screenWindowCenter", "v2f", 8},
                                {"screenWindowWidth", "float", 4},
                                {"tiles", "tiledesc", 9},
                                {"type", "string", 0},
                                {"version", "int", 4}};

// The headers of a file, before OpenEXR reads them. It makes room for what an attribute's value or
// the table of chunks says of its length, and goes on where a value ends, not where its size says:
// here sizes are those of the types, and lie in the file, and pictures are of bearable sizes. A
// header is a list of name, 0, type, 0, size and value that ends with a 0; parts have one each, and
// several parts end with another 0.
class Headers {
  public:
    Headers(const std::string& name, std::string_view bytes) : name_(name), bytes_(bytes) {}

    // Their bytes, with other types for attributes that are not needed: OpenEXR leaves these alone.
    std::string checked() {
        constexpr std::uint32_t has_parts = 1u << 12;
        place_ = magic.size();
        const bool is_one = (number() & has_parts) == 0;
        while (read_header() > 0 && !is_one) {
        }
        std::string result(bytes_.substr(0, place_));
        for (const std::size_t type : others_) result[type] = '?';
        return result;
    }

  private:
    [[noreturn]] static void cut_off() {
        throw InputError("the header ends beyond the file: it was cut off, or it is damaged");
    }
    std::uint32_t number() {
        if (bytes_.size() - place_ < 4) cut_off();
        std::uint32_t value = 0;
        for (std::size_t k = 0; k < 4; ++k)
            value |= std::uint32_t(static_cast<unsigned char>(bytes_[place_ + k])) << (8 * k);
        place_ += 4;
        return value;
    }
    std::string_view text() {
        const std::size_t end = bytes_.find('\0', place_);
        if (end == std::string_view::npos || end - place_ > 255) cut_off();
        const std::string_view result = bytes_.substr(place_, end - place_);
        place_ = end + 1;
        return result;
    }
    // How many attributes it has.
    int read_header() {
        int count = 0;
        for (std::string_view name = text(); !name.empty(); name = text(), ++count) {
            const std::size_t start = place_;
            const std::string_view type = text();
            const std::uint32_t size = number();
            if (size > bytes_.size() - place_) cut_off();
            const std::size_t end = place_ + size;
            const auto* const found =
                std::find_if(std::begin(needed), std::end(needed),
                             [&](const Attribute& attribute) { return attribute.name == name; });
            if (found == std::end(needed))
                others_.push_back(start);
            else if (type != found->type)  // a program's own, of the same name
                others_.push_back(start);
            else if (found->size && size != found->size)
                throw InputError(fmt::format("the attribute {} is damaged", found->name));
            if (type.empty()) throw InputError("an attribute without a type");
            if (name == "dataWindow") check_window();
            if (name == "channels") check_channels(end);
            place_ = end;
        }
        return count;
    }
    void check_window() {
        const auto coordinate = [&] { return std::int64_t(static_cast<int>(number())); };
        const std::int64_t left = coordinate(), top = coordinate();
        const std::int64_t width = coordinate() - left + 1, height = coordinate() - top + 1;
        check_image_size(name_, width, height, bytes_.size());
    }
    // A channel is a name, 0 and 16 bytes; an empty name ends them.
    void check_channels(std::size_t end) {
        constexpr std::size_t of_channel = 16;
        bool is_over = false;
        while (!is_over && place_ < end) {
            is_over = text().empty();
            if (!is_over) place_ += of_channel;
        }
        if (!is_over || place_ != end) throw InputError("the attribute channels is damaged");
    }

    const std::string& name_;
    std::string_view bytes_;
    std::size_t place_ = 0;
    std::vector<std::size_t> others_;
};

int lines_of_chunk(Compression compression) {
    switch (compression) {
        case NO_COMPRESSION:
        case RLE_COMPRESSION:
        case ZIPS_COMPRESSION:
            return 1;
        case ZIP_COMPRESSION:
        case PXR24_COMPRESSION:
            return 16;
        case PIZ_COMPRESSION:
        case B44_COMPRESSION:
        case B44A_COMPRESSION:
        case DWAA_COMPRESSION:
            return 32;
        default:
            return 256;
    }
}

// What is decompressed at a time, a tile or some lines of all channels, and the row of tiles that
// OpenEXR keeps of those that are read: a header of a few bytes must not cost any memory that it
// likes.
void check_chunk(const Header& header, std::int64_t width, std::size_t bytes) {
    constexpr std::int64_t mebibyte = std::int64_t(1) << 20, kept = 3 * sizeof(float);
    const auto size = static_cast<std::int64_t>(bytes);
    const auto check = [&](std::int64_t lines, std::int64_t across, std::int64_t a_pixel,
                           std::int64_t most) {
        if (a_pixel > 0 && lines * across > most / a_pixel)
            throw InputError(
                fmt::format("{} lines of {} bytes at a time in a file of {} bytes: that is not "
                            "believed: is the file cut off?",
                            lines, across * a_pixel, bytes));
    };
    std::int64_t a_pixel = 0;
    for (auto at = header.channels().begin(); at != header.channels().end(); ++at)
        a_pixel += at.channel().type == HALF ? 2 : 4;
    const std::int64_t most = 32 * mebibyte + 64 * size;
    if (!header.hasTileDescription())
        return check(lines_of_chunk(header.compression()), width, a_pixel, most);
    const std::int64_t tile = header.tileDescription().xSize,
                       lines = header.tileDescription().ySize;
    check(lines, tile, a_pixel, most);
    if (tile > 0) check(lines, (width + tile - 1) / tile * tile, kept, 48 * mebibyte + 192 * size);
}

Primaries primaries_of(const Chromaticities& of_file) {
    const auto place = [](const auto& p) { return Primaries::Place{p.x, p.y}; };
    return {place(of_file.red), place(of_file.green), place(of_file.blue), place(of_file.white)};
}

Image read(const std::string& name, std::string_view bytes) {
    const std::string headers = Headers(name, bytes).checked();
    BytesStream stream(name, bytes, headers);
    MultiPartInputFile file(stream, 0, false);
    const Header& header = file.header(0);
    if (header.hasType() && header.type() != SCANLINEIMAGE && header.type() != TILEDIMAGE)
        throw InputError("the first part is deep (many samples a pixel): flatten it");
    const auto window = header.dataWindow();
    const std::int64_t width = std::int64_t(window.max.x) - window.min.x + 1,
                       height = std::int64_t(window.max.y) - window.min.y + 1;
    check_image_size(name, width, height, bytes.size());
    check_chunk(header, width, bytes.size());

    const ChannelList& channels = header.channels();
    const bool has_colours =
        channels.findChannel("R") && channels.findChannel("G") && channels.findChannel("B");
    if (!has_colours && !channels.findChannel("Y")) {
        std::string all;
        for (auto at = channels.begin(); at != channels.end() && all.size() < 200; ++at)
            all += std::string(all.empty() ? "" : ", ") + printable(at.name());
        throw InputError("the first part has neither channels R, G and B nor Y: it has " +
                         (all.empty() ? "none" : all));
    }
    if (!has_colours && (channels.findChannel("RY") || channels.findChannel("BY")))
        throw InputError(
            "luminance and chroma (Y, RY, BY) are not read: convert the picture to RGB");
    Image image;
    image.width = static_cast<int>(width);
    image.height = static_cast<int>(height);
    std::vector<std::pair<const char*, std::vector<float>*>> wanted;
    if (has_colours)
        wanted = {{"R", &image.red}, {"G", &image.green}, {"B", &image.blue}};
    else
        wanted = {{"Y", &image.red}};
    FrameBuffer frame;
    constexpr float half_max = 65504;
    bool is_half = true;
    for (const auto& [channel, values] : wanted) {
        const Channel& of_file = channels[channel];
        if (of_file.xSampling != 1 || of_file.ySampling != 1)
            throw InputError(
                fmt::format("the channel {} has fewer values than pixels: resample it", channel));
        is_half = is_half && of_file.type == HALF;
        values->resize(static_cast<std::size_t>(width * height));
        frame.insert(channel, Slice::Make(FLOAT, values->data(), window, sizeof(float),
                                          sizeof(float) * static_cast<std::size_t>(width)));
    }
    InputPart part(file, 0);
    part.setFrameBuffer(frame);
    part.readPixels(window.min.y, window.max.y);
    if (!has_colours) image.green = image.blue = image.red;
    // before other primaries make differences of what is infinite
    bound_infinite(image, is_half ? half_max : 0);
    if (!has_colours) return image;
    if (const auto* const of_file =
            header.findTypedAttribute<ChromaticitiesAttribute>("chromaticities"))
        take_primaries(image, primaries_of(of_file->value()), name);
    return image;
}

}  // namespace

Image read_exr(const std::string& name, std::string_view bytes) {
    const auto fault = [&](const std::string& what) {
        return InputError(name,
                          what.starts_with(name + ": ") ? what.substr(name.size() + 2) : what);
    };
    try {
        return read(name, bytes);
    } catch (const InputError& error) {
        throw fault(error.what());
    } catch (const std::bad_alloc&) {
        throw fault("there is not memory enough for this picture");
    } catch (const std::exception& error) {
        throw fault("OpenEXR does not read it: " +
                    printable(std::string(error.what()).substr(0, 300)));
    }
}

#else

bool reads_openexr() { return false; }

Image read_exr(const std::string& name, std::string_view) {
    throw InputError(
        name,
        "this build does not read OpenEXR: install OpenEXR (Debian: libopenexr-dev) and "
        "build again, or convert the picture to Radiance HDR");
}

#endif

}  // namespace solenoid
