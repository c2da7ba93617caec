// main() of a target without libFuzzer: gives it each file named, and each file of a folder named.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

constexpr double longest = 10;  // [s] for an input, also beside sanitizers

std::vector<fs::path> files_of(const fs::path& path) {
    if (!fs::is_directory(path)) return {path};
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t count = 0;
    for (int i = 1; i < argc; ++i)
        for (const fs::path& path : files_of(argv[i])) {
            std::ifstream stream(path, std::ios::binary);
            if (!stream) {
                std::fprintf(stderr, "fuzz: cannot read %s\n", path.c_str());
                return 1;
            }
            // exact bounds: a read beyond the end is seen by the address sanitizer
            const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
            std::fprintf(stderr, "fuzz: %s\n", path.c_str());
            const auto start = std::chrono::steady_clock::now();
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                   bytes.size());
            const double seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            if (seconds > longest) {
                std::fprintf(stderr, "fuzz: finding: %.1f s\n", seconds);
                return 1;
            }
            ++count;
        }
    if (count == 0) std::fprintf(stderr, "fuzz: no input\n");
    return count > 0 ? 0 : 1;
}
