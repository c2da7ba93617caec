#include "case/case_text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/version.hpp"

namespace solenoid {
namespace {

constexpr std::size_t largest_file = 8 << 20;  // bytes
constexpr int longest_wait = 5000;             // for a pipe [ms]

class OpenFile {
  public:
    // Does not wait for who writes into a pipe.
    explicit OpenFile(const std::filesystem::path& file)
        : fd_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
    ~OpenFile() {
        if (fd_ >= 0) ::close(fd_);
    }
    OpenFile(const OpenFile&) = delete;
    int number() const { return fd_; }

  private:
    int fd_;
};

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& why) {
    throw InputError(file.string(), why);
}

std::string content(const std::filesystem::path& file, int fd) {
    struct stat status {};
    ::fstat(fd, &status);
    std::string text, chunk(1 << 16, '\0');
    while (text.size() <= largest_file) {
        if (!S_ISREG(status.st_mode)) {
            pollfd wait{fd, POLLIN, 0};
            const int ready = ::poll(&wait, 1, longest_wait);
            if (ready < 0 && errno == EINTR) continue;
            if (ready == 0)
                fail(file, fmt::format("nothing came through this pipe within {} s",
                                       longest_wait / 1000));
        }
        const auto size = ::read(fd, chunk.data(), chunk.size());
        if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (size < 0) fail(file, fmt::format("cannot be read: {}", std::strerror(errno)));
        if (size == 0) return text;
        text.append(chunk, 0, static_cast<std::size_t>(size));
    }
    fail(file, "larger than 8 MiB: not a case file");
}

// As a string of TOML, on one line.
std::string in_quotes(const std::string& text) {
    std::string line = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            line += {'\\', c};
        else if (static_cast<unsigned char>(c) < ' ' || c == 0x7F)
            line += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
            line += c;
    }
    return line + '"';
}

}  // namespace

CaseText read_case_text(const std::filesystem::path& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) fail(file, "no such file");
    if (std::filesystem::is_directory(file, error)) fail(file, "a folder, not a case file");
    const OpenFile open(file);
    if (open.number() < 0) fail(file, "cannot be opened for reading");
    std::string text = content(file, open.number());
    if (text.find_first_not_of(" \t\r\n") == text.npos) fail(file, "the file is empty");
    return {file, std::move(text)};
}

std::string hash_of(const std::string& text) {
    std::uint64_t hash = mixed(text.size());
    for (std::size_t at = 0; at < text.size(); at += 8) {
        std::uint64_t word = 0;  // of eight bytes, the first one the lowest
        for (std::size_t i = std::min(at + 8, text.size()); i-- > at;)
            word = word << 8 | static_cast<unsigned char>(text[i]);
        hash = mixed(hash ^ word);
    }
    return fmt::format("{:016x}", hash);
}

std::string as_run(const CaseText& text, const std::vector<std::string>& overrides) {
    std::string copy = text.text;
    if (!copy.ends_with('\n')) copy += '\n';
    copy += fmt::format("\n# As run by solenoid {}.\n# file {}\n# hash {}\n", version,
                        in_quotes(std::filesystem::absolute(text.file).lexically_normal().string()),
                        hash_of(text.text));
    for (const std::string& override : overrides)
        copy += fmt::format("# set {}\n", in_quotes(override));
    return copy;
}

}  // namespace solenoid
