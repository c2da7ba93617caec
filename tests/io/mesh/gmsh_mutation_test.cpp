// Damaged files: whatever is wrong with one, it is read or refused; it never crashes or takes much
// memory.
#include <cstdlib>
#include <limits>
#include <random>

#include "core/log.hpp"
#include "counted_new.hpp"
#include "support/gmsh_samples.hpp"

namespace solenoid::test::gmsh_mutation_test {
namespace {

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t n) { return n ? random() % n : 0; }

void cut(std::string& bytes, Random& random) { bytes.resize(below(random, bytes.size())); }

void flip_byte(std::string& bytes, Random& random) {
    bytes[below(random, bytes.size())] ^= 1 << below(random, 8);
}

void remove_or_repeat(std::string& bytes, Random& random) {
    const std::size_t begin = below(random, bytes.size()), size = below(random, 40);
    const std::string piece = bytes.substr(begin, size);
    if (random() % 2)
        bytes.erase(begin, size);
    else
        bytes.insert(begin, piece);
}

void replace_word(std::string& bytes, Random& random) {
    static const char* const words[] = {"0",
                                        "-1",
                                        "1",
                                        "2",
                                        "3",
                                        "5",
                                        "99",
                                        "4294967295",
                                        "2147483648",
                                        "-2147483648",
                                        "nan",
                                        "-inf",
                                        "1e400",
                                        "9223372036854775807",
                                        "18446744073709551616",
                                        "-9223372036854775808",
                                        "x",
                                        "",
                                        "$",
                                        "$Nodes",
                                        "$EndNodes",
                                        "\"",
                                        "\n",
                                        "1.5",
                                        "+7",
                                        "1e5"};
    const std::size_t begin = bytes.find_first_of(" \n", below(random, bytes.size()));
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(bytes.find_first_of(" \n", begin + 1), bytes.size());
    bytes.replace(begin + 1, end - begin - 1, words[below(random, std::size(words))]);
}

void replace_raw(std::string& bytes, Random& random) {
    static const std::int64_t values[] = {0,
                                          1,
                                          -1,
                                          2,
                                          11,
                                          15,
                                          1 << 20,
                                          0x7fffffff,
                                          0x80000000,
                                          0x01000000,
                                          std::numeric_limits<std::int64_t>::max(),
                                          std::numeric_limits<std::int64_t>::min(),
                                          0x7ff0000000000000,
                                          0x7ff8000000000000};
    const std::size_t at = below(random, bytes.size());
    std::int64_t value = values[below(random, std::size(values))];
    char raw[8];
    std::memcpy(raw, &value, 8);
    if (random() % 2) std::reverse(raw, raw + 8);
    const std::size_t size = std::min<std::size_t>(random() % 2 ? 4 : 8, bytes.size() - at);
    bytes.replace(at, size, raw, size);
}

void damage(std::string& bytes, Random& random) {
    using Mutation = void (*)(std::string&, Random&);
    static constexpr Mutation mutations[] = {
        cut, flip_byte, flip_byte, remove_or_repeat, replace_word, replace_word, replace_raw};
    for (std::size_t i = 0; i <= below(random, 3) && !bytes.empty(); ++i)
        mutations[below(random, std::size(mutations))](bytes, random);
}

TEST(GmshMutation, ReadOrRefused) {
    log::configure(true, true);
    std::vector<std::string> samples;
    for (const Coding coding : {Coding::text, Coding::native, Coding::swapped}) {
        samples.push_back(sample_2(coding));
        samples.push_back(sample_4(coding));
    }
    for (const char* name : {"22_parametric", "41_parametric", "41_partitioned"})
        samples.push_back(bytes_of(data(std::string("two_boxes_") + name + ".msh")));

    const char* count = std::getenv("SOLENOID_MUTATIONS");
    const int rounds = count ? std::atoi(count) : 500;
    Random random(20240229);
    int read = 0, refused = 0;
    for (int round = 0; round < rounds; ++round)
        for (const std::string& sample : samples) {
            std::string bytes = sample;
            damage(bytes, random);
            const TemporaryFile file(bytes);
            largest_request = 0;
            try {
                read_mesh(file.path);
                ++read;
            } catch (const InputError& error) {
                ++refused;
                ASSERT_TRUE(std::string(error.what()).starts_with(file.path.string()))
                    << error.what();
            }
            ASSERT_LT(largest_request, 1u << 20) << bytes;
        }
    log::configure(false, false);
    EXPECT_GT(read, 0);
    EXPECT_GT(refused, read);
}

}  // namespace
}  // namespace solenoid::test::gmsh_mutation_test
