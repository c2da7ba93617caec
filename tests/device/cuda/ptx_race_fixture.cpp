#include "ptx_race_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/binned_sum.hpp"
#include "device/cuda/arguments.hpp"
#include "device/kernel.hpp"

namespace solenoid::test::ptx {
namespace {

// Memory with the weather of a seed, and a machine on it.
struct Site {
    Site(std::size_t bytes, int ranks, std::uint64_t seed)
        : seed(seed),
          chance(seed),
          memory(bytes, ranks),
          machine(memory, ranks),
          residents(1 + chance.below(4)) {
        machine.set_residents(residents);
    }

    void run(const Module& module) {
        const unsigned through[] = {1, 4, 32, 256}, stale[] = {0, 2, 4};
        memory.start(seed, {through[chance.below(4)], stale[chance.below(3)]},
                     module.target() >= 70);
        machine.run(seed);
    }

    std::uint64_t seed;
    Chance chance;
    Memory memory;
    Machine machine;
    unsigned residents;
};

unsigned blocks_of(unsigned entities) {
    return std::max(1u, (entities + cuda::group_size - 1) / cuda::group_size);
}

std::string told(const char* what, int rank, std::size_t n, double is, double wanted) {
    return std::string(what) + ", rank " + std::to_string(rank) + ", number " + std::to_string(n) +
           ": " + std::to_string(is) + ", not " + std::to_string(wanted);
}

// Where reductions go, launch by launch, as the device places them.
struct Reductions {
    Reductions(Memory& memory, unsigned blocks)
        : partials(memory.allocate<double>(blocks * 4)),
          finished(memory.allocate<unsigned>(1)),
          kept(memory.allocate<cuda::Kept>(1)) {}

    cuda::Reducing of_launch(Memory& memory, bool keeps) {
        if (keeps) return {partials, finished, nullptr, 0, kept, launches++ > 0 ? 1u : 0u, nullptr};
        results.push_back(memory.allocate<cuda::Results>(1));
        return {partials, finished, results.back(), ++launches, nullptr, 0, nullptr};
    }

    double* partials;
    unsigned* finished;
    cuda::Kept* kept;
    std::vector<cuda::Results*> results;
    unsigned launches = 0;
};

}  // namespace

std::string add_over_ranks(const Module& sums, int ranks, int rounds, std::uint64_t seed) {
    Site site(1 << 18, ranks, seed);
    using Word = unsigned long long;
    std::vector<std::vector<Word*>> allocations(ranks);  // in each rank's memory, of each sender
    std::vector<std::vector<cuda::Kept*>> kept(ranks);
    const auto number = [](int rank, int round, unsigned k) {
        return 1.0 / 1024 + 10 * k + 100 * round + 10000 * (rank + 1);
    };
    for (int r = 0; r < ranks; ++r) {
        for (int s = 0; s < ranks; ++s)
            allocations[r].push_back(site.memory.allocate<Word>(2 * cuda::sum_words));
        for (int n = 0; n < rounds; ++n) {
            kept[r].push_back(site.memory.allocate<cuda::Kept>(1));
            for (unsigned k = 0; k < cuda::kept_count; ++k) kept[r][n]->values[k] = number(r, n, k);
        }
    }
    const int entry = sums.entry("add_ranks");
    for (int r = 0; r < ranks; ++r) {
        auto* const send_slots = site.memory.allocate<Word*>(ranks);
        auto* const receive_slots = site.memory.allocate<Word*>(ranks);
        auto* const round = site.memory.allocate<Word>(1);
        for (int s = 0; s < ranks; ++s)
            send_slots[s] = allocations[s][r], receive_slots[s] = allocations[r][s];
        for (int n = 0; n < rounds; ++n)
            site.machine.launch(r, sums, entry, 1,
                                cuda::RankSumArguments{kept[r][n], send_slots, receive_slots, round,
                                                       static_cast<unsigned>(ranks)});
    }
    site.run(sums);
    for (int r = 0; r < ranks; ++r)
        for (int n = 0; n < rounds; ++n)
            for (unsigned k = 0; k < cuda::kept_count; ++k) {
                double wanted = 0;
                for (int s = 0; s < ranks; ++s) wanted += number(s, n, k);
                if (kept[r][n]->values[k] != wanted)
                    return told("a sum", r, n, kept[r][n]->values[k], wanted);
            }
    return "";
}

std::string show_sums(const Module& sums, std::uint64_t seed) {
    Site site(1 << 16, 1, seed);
    auto* const shown = site.memory.allocate<cuda::Shown>(1);
    cuda::ShowArguments arguments{{}, shown, cuda::most_shown, 7};
    for (unsigned n = 0; n < cuda::most_shown; ++n) {
        auto* const kept = site.memory.allocate<cuda::Kept>(1);
        for (unsigned k = 0; k < cuda::kept_count; ++k) kept->values[k] = 1 + n + 10 * k;
        arguments.kept[n] = kept;
    }
    std::string fault = "nothing was shown";
    site.memory.watch(&shown->sequence, 7, [&] {
        fault = "";
        for (unsigned n = 0; n < cuda::most_shown; ++n)
            for (unsigned k = 0; k < cuda::kept_count; ++k)
                if (shown->values[n][k] != 1 + n + 10 * k)
                    fault = told("what is shown", 0, n, shown->values[n][k], 1 + n + 10 * k);
    });
    site.machine.launch(0, sums, sums.entry("show"), 1, arguments);
    site.run(sums);
    return fault;
}

std::string exchange(const Module& peers, bool at_once, int ranks, int columns, unsigned bytes,
                     unsigned most, std::uint64_t seed) {
    constexpr int rounds = 4;
    Site site(1 << 23, ranks, seed);
    struct Message {  // from one rank to another
        unsigned count = 0, chunks = 1;
        std::byte* slots[2];
        unsigned long long* signals;
    };
    std::vector<std::vector<Message>> messages(ranks, std::vector<Message>(ranks));
    std::vector<unsigned> own(ranks), ghosts(ranks);
    for (int r = 0; r < ranks; ++r) {
        own[r] = 1 + site.chance.below(most + 1);
        for (int s = 0; s < ranks; ++s) {
            if (s == r) continue;
            Message& m = messages[r][s];
            m.count = site.chance.one_in(4)   ? 0
                      : site.chance.one_in(2) ? site.chance.below(20)
                                              : site.chance.below(most + 1);
            for (std::byte*& place : m.slots)
                place = site.memory.allocate<std::byte>(std::max(1u, m.count) * bytes * columns);
            m.chunks = std::max(1u, (m.count + cuda::chunk_entities - 1) / cuda::chunk_entities);
            m.signals = site.memory.allocate<unsigned long long>(m.chunks);
            ghosts[s] += m.count;
        }
    }
    const auto number = [&](int r, int round, unsigned entity, int column) {
        return 1u + entity + 5000u * column + 20000u * round + 100000u * r;
    };
    const auto write = [&](std::byte* at, unsigned value) {
        bytes == 8 ? void(*reinterpret_cast<std::uint64_t*>(at) = value * 0x100000001ull)
                   : void(*reinterpret_cast<unsigned*>(at) = value);
    };
    std::vector<std::vector<std::byte*>> fields(ranks);
    // sent by r to s; at the ghosts of s
    std::vector<std::vector<std::vector<unsigned>>> lists(
        ranks, std::vector<std::vector<unsigned>>(ranks)),
        where = lists;
    std::vector<unsigned> next(own);
    for (int r = 0; r < ranks; ++r)
        for (int s = 0; s < ranks; ++s)
            for (unsigned k = 0; k < messages[r][s].count; ++k) {
                lists[r][s].push_back(site.chance.below(own[r]));
                where[r][s].push_back(next[s]++);
            }
    for (int r = 0; r < ranks; ++r) {
        const unsigned pitch = own[r] + ghosts[r];
        for (int n = 0; n < rounds; ++n) {
            fields[r].push_back(
                site.memory.allocate<std::byte>(std::size_t(pitch) * columns * bytes));
            for (int j = 0; j < columns; ++j)
                for (unsigned i = 0; i < own[r]; ++i)
                    write(fields[r][n] + (std::size_t(j) * pitch + i) * bytes, number(r, n, i, j));
        }
        const auto direction = [&](bool sends) {
            std::vector<unsigned> list;
            std::vector<cuda::PeerChunk> chunks;
            for (int s = 0; s < ranks; ++s) {
                if (s == r) continue;
                const Message& m = sends ? messages[r][s] : messages[s][r];
                const std::vector<unsigned>& part = sends ? lists[r][s] : where[s][r];
                for (unsigned c = 0; c < m.chunks; ++c) {
                    const unsigned first = c * cuda::chunk_entities,
                                   at = static_cast<unsigned>(list.size()) + first;
                    chunks.push_back({{m.slots[0] + first * bytes, m.slots[1] + first * bytes},
                                      m.signals + c,
                                      at,
                                      std::min(cuda::chunk_entities, m.count - first),
                                      m.count});
                }
                list.insert(list.end(), part.begin(), part.end());
            }
            auto* const list_there = site.memory.allocate<unsigned>(list.size());
            auto* const chunks_there = site.memory.allocate<cuda::PeerChunk>(chunks.size());
            std::ranges::copy(list, list_there);
            std::ranges::copy(chunks, chunks_there);
            return cuda::PeerDirection{list_there, chunks_there,
                                       site.memory.allocate<unsigned long long>(chunks.size()),
                                       static_cast<unsigned>(chunks.size())};
        };
        const cuda::PeerDirection outgoing = direction(true), incoming = direction(false);
        const std::string size = bytes == 8 ? "_8" : "_4";
        // each waits while others send
        const auto blocks_for = [&](unsigned chunks) {
            return 1 + site.chance.below(std::min(chunks, site.residents));
        };
        for (int n = 0; n < rounds; ++n) {
            const cuda::PeerArguments arguments{fields[r][n], pitch, outgoing, incoming,
                                                static_cast<unsigned>(columns)};
            if (at_once) {
                site.machine.launch(r, peers, peers.entry("exchange" + size),
                                    blocks_for(std::max(outgoing.count, incoming.count)),
                                    arguments);
                continue;
            }
            site.machine.launch(r, peers, peers.entry("send" + size), blocks_for(outgoing.count),
                                arguments);
            site.machine.launch(r, peers, peers.entry("receive" + size), blocks_for(incoming.count),
                                arguments);
        }
    }
    site.run(peers);
    for (int r = 0; r < ranks; ++r)
        for (int n = 0; n < rounds; ++n)
            for (int s = 0; s < ranks; ++s)
                for (unsigned k = 0; k < messages[s][r].count; ++k)
                    for (int j = 0; j < columns; ++j) {
                        std::byte wanted[8];
                        write(wanted, number(s, n, lists[s][r][k], j));
                        const std::byte* const is =
                            fields[r][n] +
                            (std::size_t(j) * (own[r] + ghosts[r]) + where[s][r][k]) * bytes;
                        if (!std::equal(is, is + bytes, wanted))
                            return told("a ghost", r, n, *reinterpret_cast<const unsigned*>(is),
                                        *reinterpret_cast<const unsigned*>(wanted));
                    }
    return "";
}

namespace {

// Launches of one kernel that reduces, whose launch n has the arguments and the sums given; kept,
// they are added up.
template <class Fill, class Wanted>
std::string reduce(Site& site, const Module& module, const std::string& entry, unsigned entities,
                   unsigned lane_bits, bool keeps, unsigned count, Fill fill, Wanted wanted) {
    constexpr int launches = 3;
    const unsigned blocks = 1 + site.chance.below(blocks_of(entities << lane_bits));
    Reductions reductions(site.memory, blocks);
    std::string fault;
    int seen = 0;
    for (int n = 0; n < launches; ++n) {
        cuda::Arguments arguments{};
        fill(n, arguments);
        arguments.begin = 0;
        arguments.end = entities;
        arguments.lane_bits = lane_bits;
        arguments.reducing = reductions.of_launch(site.memory, keeps);
        site.machine.launch(0, module, module.entry(entry), blocks, arguments);
        if (keeps) continue;
        cuda::Results* const results = reductions.results.back();
        site.memory.watch(&results->sequence, arguments.reducing.sequence, [&, results, n] {
            ++seen;
            for (unsigned k = 0; k < count; ++k)
                if (results->values[k] != wanted(n, k))
                    fault = told("a reduction", 0, n, results->values[k], wanted(n, k));
        });
    }
    site.run(module);
    if (!keeps) return seen == launches ? fault : "not all results have come";
    for (unsigned k = 0; k < count; ++k) {
        double total = wanted(0, k);
        for (int n = 1; n < launches; ++n)
            total = k == 0 ? total + wanted(n, k) : std::min(total, wanted(n, k));
        if (reductions.kept->values[k] != total)
            return told("a kept reduction", 0, k, reductions.kept->values[k], total);
    }
    return fault;
}

}  // namespace

std::string step(const Module& cg_step, bool keeps, unsigned entities, std::uint64_t seed) {
    Site site(1 << 20, 1, seed);
    double* columns[4];  // p, q, x, r
    for (double*& column : columns) column = site.memory.allocate<double>(entities);
    for (unsigned i = 0; i < entities; ++i)
        columns[0][i] = 1, columns[1][i] = -1.0 - i % 3, columns[3][i] = i % 5;
    // r after n + 1 steps
    const auto left = [](int n, unsigned i) { return i % 5 + (n + 1) * (1.0 + i % 3); };
    return reduce(
        site, cg_step, "cg_step_double_3", entities, 0, keeps, 1,
        [&](int, cuda::Arguments& arguments) {
            std::copy(columns, columns + 4, arguments.data);
            arguments.uniforms[0] = 1;
        },
        [&](int n, unsigned) {
            double sum = 0;
            for (unsigned i = 0; i < entities; ++i) sum += left(n, i) * left(n, i);
            return sum;
        });
}

std::string dot(const Module& expression, bool keeps, unsigned entities, std::uint64_t seed) {
    Site site(1 << 18, 1, seed);
    std::vector<double*> x, y;
    for (int n = 0; n < 3; ++n) {
        x.push_back(site.memory.allocate<double>(entities)),
            y.push_back(site.memory.allocate<double>(entities));
        for (unsigned i = 0; i < entities; ++i) x[n][i] = 7 - n + i % 11, y[n][i] = 2 + i % 3;
    }
    return reduce(
        site, expression, "expression", entities, 0, keeps, 2,
        [&](int n, cuda::Arguments& arguments) {
            arguments.data[0] = arguments.data[2] = x[n], arguments.data[1] = y[n];
        },
        [&](int n, unsigned k) {
            return k == 0 ? std::inner_product(x[n], x[n] + entities, y[n], 0.0)
                          : *std::min_element(x[n], x[n] + entities);
        });
}

std::string binned(const Module& binned, unsigned entities, std::uint64_t seed) {
    Site site(1 << 19, 1, seed);
    constexpr unsigned launches = 3;
    const unsigned blocks = 1 + site.chance.below(blocks_of(entities));
    auto* const partials = site.memory.allocate<double>(blocks * 2 * cuda::binned_numbers);
    auto* const finished = site.memory.allocate<unsigned>(1);
    std::string fault;
    unsigned seen = 0;
    for (unsigned n = 0; n < launches; ++n) {
        auto* const each = site.memory.allocate<double>(2 * entities);
        auto* const results = site.memory.allocate<cuda::Results>(1);
        BinnedSum sum;
        double least = std::numeric_limits<double>::infinity();
        for (unsigned i = 0; i < entities; ++i) {
            each[i] = std::ldexp(1.0 + 0.1 * (i % 7), int((i + n) % 90) - 45);
            each[entities + i] = 7.0 - n + i % 11;
            sum.add(each[i]);
            least = std::min(least, each[entities + i]);
        }
        const cuda::BinnedArguments arguments{
            each,  partials, finished, results,
            n + 1, entities, 2,        unsigned(Reduction::sum) | unsigned(Reduction::min) << 2};
        site.machine.launch(0, binned, binned.entry("reduce_binned"), blocks, arguments);
        site.memory.watch(&results->sequence, n + 1, [&, results, n, sum, least] {
            ++seen;
            const auto number = [results](unsigned k) {
                return BinnedSum::unpacked(
                           std::span<const double, BinnedSum::numbers>(
                               results->values + k * BinnedSum::numbers, BinnedSum::numbers))
                    .value();
            };
            if (number(0) != sum.value()) fault = told("a sum", 0, n, number(0), sum.value());
            if (number(1) != least) fault = told("the least", 0, n, number(1), least);
        });
    }
    site.run(binned);
    return seen == launches ? fault : "not all results have come";
}

std::string spmv_dot(const Module& spmv_dot, unsigned lane_bits, unsigned rows,
                     std::uint64_t seed) {
    Site site(1 << 19, 1, seed);
    constexpr unsigned most = 9;
    auto* const table = site.memory.allocate<unsigned>(2 * rows);
    const unsigned slices = (rows + cuda::row_stride - 1) / cuda::row_stride,
                   slots = slices * cuda::row_stride * most;
    auto* const column = site.memory.allocate<unsigned>(slots);
    auto* const entry = site.memory.allocate<double>(slots);
    double* vectors[3];  // free, x, the product
    for (double*& vector : vectors) vector = site.memory.allocate<double>(rows);
    std::vector<double> wanted(rows);
    for (unsigned i = 0; i < rows; ++i) vectors[0][i] = 1, vectors[1][i] = 1 + i % 7;
    double total = 0;
    for (unsigned i = 0; i < rows; ++i) {
        table[i] = i / cuda::row_stride * cuda::row_stride * most + i % cuda::row_stride;
        table[rows + i] = site.chance.below(most + 1);
        for (unsigned j = 0; j < table[rows + i]; ++j) {
            const unsigned at = table[i] + j * cuda::row_stride;
            column[at] = site.chance.below(rows);
            entry[at] = 1 + j;
            wanted[i] += entry[at] * vectors[1][column[at]];
        }
        total += wanted[i] * vectors[1][i];
    }
    std::string fault = reduce(
        site, spmv_dot, "spmv_dot_double_3", rows, lane_bits, false, 1,
        [&](int, cuda::Arguments& arguments) {
            void* const data[] = {table, column, entry, vectors[0], vectors[1], vectors[2]};
            std::ranges::copy(data, arguments.data);
            arguments.pitch[0] = rows;
        },
        [&](int, unsigned) { return total; });
    for (unsigned i = 0; i < rows && fault.empty(); ++i)
        if (vectors[2][i] != wanted[i]) fault = told("a row", 0, i, vectors[2][i], wanted[i]);
    return fault;
}

}  // namespace solenoid::test::ptx
