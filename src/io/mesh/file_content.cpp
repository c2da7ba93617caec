#include "io/mesh/file_content.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "core/error.hpp"

namespace solenoid {

namespace fs = std::filesystem;

FileContent read_whole(const fs::path& path, const char* expected) {
    const std::string place = path.string();
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw InputError(place, "there is no such file");
    if (fs::is_directory(status))
        throw InputError(place, fmt::format("this is a directory; {} was expected", expected));
    if (!fs::is_regular_file(status)) throw InputError(place, "this is not a regular file");

    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               std::fclose);
    if (!file) throw InputError(place, fmt::format("cannot be opened: {}", std::strerror(errno)));
    FileContent content;
    content.size = fs::file_size(path, error);
    if (error) throw InputError(place, fmt::format("cannot be read: {}", error.message()));
    content.bytes.reset(new char[content.size]);
    content.size = std::fread(content.bytes.get(), 1, content.size, file.get());
    if (std::ferror(file.get()))
        throw InputError(place, fmt::format("cannot be read: {}", std::strerror(errno)));
    if (content.size == 0) throw InputError(place, "the file is empty");
    return content;
}

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

FileContent unpacked(std::string_view bytes, const std::string& place, std::size_t most) {
    const auto damaged = [&](const char* what) {
        return InputError(place,
                          fmt::format("{}: unpack it (gunzip) to see whether it is whole, or "
                                      "write it anew",
                                      what));
    };
    constexpr int gzip_alone = 16, least = 1 << 16;
    constexpr std::size_t most_at_once = std::size_t(1) << 30;  // zlib counts with 32 bits
    z_stream stream{};
    if (inflateInit2(&stream, gzip_alone + MAX_WBITS) != Z_OK)
        throw InputError(place, "there is not memory enough to unpack it");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> end(&stream, inflateEnd);
    FileContent content;
    std::size_t room = 0, taken = 0;
    const auto grow = [&] {
        const std::size_t wanted = std::min(most, std::max<std::size_t>(least, 2 * room));
        std::unique_ptr<char[]> larger(new (std::nothrow) char[wanted]);
        if (!larger) throw InputError(place, "there is not memory enough to unpack it");
        std::copy_n(content.bytes.get(), content.size, larger.get());
        content.bytes = std::move(larger);
        room = wanted;
    };
    while (content.size < most) {
        if (content.size == room) grow();
        const std::size_t in = std::min(bytes.size() - taken, most_at_once),
                          out = std::min(room - content.size, most_at_once);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + taken));
        stream.avail_in = static_cast<uInt>(in);
        stream.next_out = reinterpret_cast<Bytef*>(content.bytes.get() + content.size);
        stream.avail_out = static_cast<uInt>(out);
        const int result = inflate(&stream, Z_NO_FLUSH);
        taken += in - stream.avail_in;
        content.size += out - stream.avail_out;
        if (result == Z_STREAM_END) {
            // another member, or what is no part of the file
            if (!is_gzip(bytes.substr(taken))) return content;
            inflateReset(&stream);
        } else if (result == Z_MEM_ERROR) {
            throw InputError(place, "there is not memory enough to unpack it");
        } else if (result != Z_OK) {
            throw damaged(result == Z_BUF_ERROR ? "is compressed by gzip, and cut off"
                                                : "is compressed by gzip, and damaged");
        }
    }
    return content;
}

}  // namespace solenoid
