// The PTX in the program: every kernel's entries with the parameter that is passed, rounding as the
// texts say, nothing spilled. What the driver makes of it is for tests on hardware; where ptxas is
// on the path, it assembles all of it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <sstream>

#include "device/cuda/arguments.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/cuda/cuda_kernels.hpp"
#include "device/cuda/embedded.hpp"
#include "device/cuda/expression_ptx.hpp"
#include "device/cuda/kernel_listener.hpp"
#include "device/cuda/ptx_edits.hpp"
#include "device/kernels.hpp"
#include "device/test_kernels.hpp"

namespace solenoid::ptx_test {
namespace {

std::vector<const KernelInfo*> all_kernels() {
    std::vector<const KernelInfo*> kernels(kernels::all().begin(), kernels::all().end());
    kernels.insert(kernels.end(), test_kernels::all().begin(), test_kernels::all().end());
    return kernels;
}

using test::KernelListener;

// Of each kind of operation one.
template <class T>
void launch_expressions(KernelListener& device) {
    auto x = device.buffer<T>(10), y = device.buffer<T>(10), u = device.buffer<T>(10, 3),
         w = device.buffer<T>(10, 3), v = device.buffer<T>(10, 2);
    auto single = device.buffer<float>(10);
    const Over over(device, {0, 10});
    over[x] += 2 * y / (3 + single);
    over[single] = min(x, 0.5) - max(-x, abs(y)) * sqrt(y);
    over[x] = where(x > y, quotient(x, y), 0) + exp(x) * pow(y, 0.3) - ln(y);
    over[u] = x * u - square(w) * u;
    over[column(u, 2)] = dot(w, w);
    over[v] = 0.5;
    over.reduce(ThisRank(), sum(product(x, y) + product(y, y)), least(x),
                greatest(pow(square(u), 0.5)), sum(x));
}

std::vector<std::string> expression_texts() {
    KernelListener device;
    launch_expressions<float>(device);
    launch_expressions<double>(device);
    std::vector<std::string> texts;
    for (const Launch& launch : device.heard)
        texts.push_back(cuda::expression_ptx(*launch.kernel, launch.real, launch.dimension));
    return texts;
}

std::vector<std::string> all_texts() {
    std::vector<std::string> texts = expression_texts();
    std::vector<std::string> modules{cuda::moves_ptx,
                                     cuda::peers_ptx,
                                     cuda::sums_ptx,
                                     cuda::binned_ptx,
                                     cuda::expression_functions_ptx,
                                     cuda::expression_reductions_ptx};
    for (const KernelInfo* kernel : all_kernels()) modules.push_back(kernel->ptx);
    for (const std::string& text : modules)
        if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
    return texts;
}

class Ptx : public testing::Test {
  protected:
    void SetUp() override {
        if (!cuda::has_kernels()) GTEST_SKIP() << "built without clang";
    }
};

TEST_F(Ptx, EveryKernelHasItsEntriesWithTheirParameter) {
    for (const KernelInfo* kernel : all_kernels())
        for (const ElementType real : {ElementType::float32, ElementType::float64})
            for (const int dimension : {2, 3}) {
                if (dimension == 2 && !kernel->needs_dimension) continue;
                const std::string name = cuda::entry_name(*kernel, real, dimension),
                                  text = kernel->ptx;
                const std::string entry =
                    ".visible .entry " + name + "(\n\t.param .align 8 .b8 " + name + "_param_0[" +
                    std::to_string(sizeof(cuda::Arguments)) + "]\n)\n.maxntid 256, 1, 1";
                EXPECT_NE(text.find(entry), std::string::npos) << name;
                EXPECT_EQ(text.find(".visible .entry " + name + "_each(") != std::string::npos,
                          !kernel->reductions.empty())
                    << name;
            }
    for (const char* name : {"gather_4", "gather_8", "scatter_4", "scatter_8"})
        EXPECT_NE(std::string(cuda::moves_ptx).find(std::string(".visible .entry ") + name + "("),
                  std::string::npos)
            << name;
}

// What the driver gets: one entry with all that it names.
TEST_F(Ptx, EntriesAreCutOut) {
    const std::regex variable(R"(\b_Z\w+)");
    for (const KernelInfo* kernel : all_kernels()) {
        const std::string name = cuda::entry_name(*kernel, ElementType::float64, 3),
                          text = cuda::entry_text(kernel->ptx, name);
        EXPECT_NE(text.find(".visible .entry " + name + "("), std::string::npos);
        if (text.find(".func") == std::string::npos) {
            EXPECT_EQ(text.find(".visible .entry "), text.rfind(".visible .entry ")) << name;
        }
        for (std::sregex_iterator m(text.begin(), text.end(), variable), end; m != end; ++m) {
            const std::size_t first = text.find(m->str()), line = text.rfind('\n', first) + 1;
            EXPECT_NE(text.substr(line, first - line).find(".shared"), std::string::npos)
                << name << ": " << m->str();
        }
    }
}

// Products and sums without a rounding may be contracted by the driver; .ftz, approximate quotients
// and roots differ from the processor's; what is read through the texture path (.nc) must not be
// written by the same kernel.
TEST_F(Ptx, RoundsAsTheProcessorDoes) {
    const std::regex contracted(R"(\b(fma|mad)\.(rn\.)?f(32|64))"),
        loose(R"(\b(add|sub|mul|div|sqrt|rcp)\.f(32|64)|\.approx|\.full|\.ftz|ex2|lg2)");
    for (const std::string& text : all_texts()) {
        std::smatch found;
        EXPECT_FALSE(std::regex_search(text, found, contracted)) << found.str();
        EXPECT_FALSE(std::regex_search(text, found, loose)) << found.str();
        EXPECT_EQ(text.find("ld.global.nc"), std::string::npos);
    }
}

TEST_F(Ptx, SpillsNothing) {
    for (const std::string& text : all_texts())
        EXPECT_EQ(text.find(".local"), std::string::npos) << text.substr(0, 2000);
}

// LLVM may move a read of shared memory before the barrier that others write it behind; of volatile
// memory it may not.
TEST_F(Ptx, ReadsSharedMemoryBehindTheBarrier) {
    int reads = 0;
    for (const std::string& text : all_texts()) {
        EXPECT_EQ(text.find("ld.shared"), std::string::npos) << text.substr(0, 2000);
        EXPECT_EQ(text.find("st.shared"), std::string::npos) << text.substr(0, 2000);
        reads += text.find("ld.volatile.shared") != std::string::npos;
    }
    EXPECT_GT(reads, 3);  // of what reduces
}

// ---- the rules of docs/devices.md, "Rules of the PTX"

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

// Each tells the first line of a text that breaks its rule, and counts the places that the rule is
// about.
using Rule = std::string (*)(const std::string& text, int& occurrences);

// Does a loop store, or compute what its next turn goes on from?
bool gets_on(std::span<const std::string> loop) {
    static const std::regex store(R"(^\s+(@!?%p\d+ )?(st|atom|red|call)\b)"), load(R"(^\s+ld\.)"),
        name(R"(%[a-z]+\d+)"), has_result(R"(^\s+(?!bra|bar|membar|fence)[a-z][\w.]*\s+\{?%)");
    std::set<std::string> taken, written, computed;  // taken: from the turn before
    for (const std::string& line : loop) {
        if (std::regex_search(line, store)) return true;
        std::vector<std::string> names{std::sregex_token_iterator(line.begin(), line.end(), name),
                                       {}};
        const bool writes = std::regex_search(line, has_result) && !names.empty();
        for (std::size_t n = writes ? 1 : 0; n < names.size(); ++n)
            if (!written.contains(names[n])) taken.insert(names[n]);
        if (!writes) continue;
        written.insert(names[0]);
        if (!std::regex_search(line, load)) computed.insert(names[0]);
    }
    return std::ranges::any_of(computed,
                               [&](const std::string& one) { return taken.contains(one); });
}

// A loop that loads and does not get on waits for others: one of its loads must see what they
// store.
std::string weak_wait(const std::string& text, int& occurrences) {
    static const std::regex label(R"(^(\$?\w+):)"), branch(R"(^\s+@!?%p\d+ bra\s+(\$?\w+);)"),
        load(R"(^\s+ld\.(?!param|volatile\.shared))"),
        strong(R"(^\s+ld\.(volatile|relaxed|acquire))");
    const std::vector<std::string> lines = lines_of(text);
    std::map<std::string, std::size_t> labels;
    for (std::size_t n = 0; n < lines.size(); ++n) {
        std::smatch m;
        if (std::regex_search(lines[n], m, label)) labels[m[1]] = n;
        if (!std::regex_search(lines[n], m, branch) || !labels.contains(m[1])) continue;
        const std::span loop(lines.begin() + std::ptrdiff_t(labels[m[1]]),
                             lines.begin() + std::ptrdiff_t(n));
        const auto has = [&](const std::regex& word) {
            return std::ranges::any_of(
                loop, [&](const std::string& line) { return std::regex_search(line, word); });
        };
        if (!has(load) || gets_on(loop)) continue;
        ++occurrences;
        if (!has(strong)) return lines[n];
    }
    return "";
}

// What stands under a predicate only some threads reach.
std::string conditional_meeting(const std::string& text, int& occurrences) {
    static const std::regex meeting(R"(\b(bar|barrier|shfl|vote)\.)"),
        plain(R"(^\s+(bar\.sync\s+0;|shfl\.sync\.))");
    for (const std::string& line : lines_of(text)) {
        if (!std::regex_search(line, meeting)) continue;
        ++occurrences;
        if (!std::regex_search(line, plain)) return line;
    }
    return "";
}

// Additions are relaxed: who sees that a block has counted itself sees what it has stored only
// where a fence stands between.
std::string unfenced_count(const std::string& text, int& occurrences) {
    static const std::regex ends(R"(^\S+:|\sbra\b)"),
        fence(R"(^\s+(membar\.(gl|sys)|fence\.(acq_rel|sc)\.(gpu|sys));)"),
        addition(R"(^\s+(@!?%p\d+ )?(atom|red)\.)");
    bool is_fenced = false;
    for (const std::string& line : lines_of(text)) {
        if (std::regex_search(line, ends)) is_fenced = false;
        if (std::regex_search(line, fence)) is_fenced = true;
        if (!std::regex_search(line, addition)) continue;
        ++occurrences;
        if (!is_fenced) return line;
    }
    return "";
}

void expect_kept(Rule rule, int least_places) {
    int occurrences = 0;
    for (const std::string& text : all_texts())
        EXPECT_EQ(rule(text, occurrences), "") << text.substr(0, 300);
    EXPECT_GE(occurrences, least_places);
}

std::string broken_by(Rule rule, const char* text, const std::string& word, const std::string& by) {
    int occurrences = 0;
    return rule(test::ptx::replaced(text, word, by), occurrences);
}

TEST_F(Ptx, WaitsByStrongLoads) {
    expect_kept(weak_wait, 3);  // of sums and peers
    EXPECT_NE(broken_by(weak_wait, cuda::peers_ptx, "ld.acquire.sys.u64", "ld.u64"), "");
    EXPECT_NE(broken_by(weak_wait, cuda::sums_ptx, "ld.relaxed.sys.u64", "ld.global.u64"), "");
}

TEST_F(Ptx, MeetsWithoutConditions) {
    expect_kept(conditional_meeting, 100);
    EXPECT_NE(broken_by(conditional_meeting, cuda::sums_ptx, "bar.sync", "@%p1 bar.sync"), "");
    EXPECT_NE(broken_by(conditional_meeting, cuda::sums_ptx, "bar.sync \t0;", "bar.sync \t1, 64;"),
              "");
}

TEST_F(Ptx, CountsBehindAFence) {
    expect_kept(unfenced_count, 3);
    EXPECT_NE(broken_by(unfenced_count, cuda::expression_reductions_ptx, "membar.gl", "membar.cta"),
              "");
}

TEST_F(Ptx, IsForOldDriversToo) {
    for (const std::string& text : all_texts()) {
        EXPECT_NE(text.find(".version 6.3\n.target sm_70\n.address_size 64\n"), std::string::npos)
            << text.substr(0, 300);
        EXPECT_EQ(text.find(".version"), text.rfind(".version"));
    }
}

TEST_F(Ptx, Assembles) {
    if (std::system("ptxas --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ptxas on the path";
    const auto folder =
        std::filesystem::temp_directory_path() / ("solenoid_ptx_" + std::to_string(std::rand()));
    std::filesystem::create_directories(folder);
    int number = 0;
    std::vector<std::string> texts = all_texts();
    for (const KernelInfo* kernel : all_kernels())
        texts.push_back(
            cuda::entry_text(kernel->ptx, cuda::entry_name(*kernel, ElementType::float64, 3)));
    for (const std::string& text : texts) {
        const auto file = folder / ("text_" + std::to_string(number++) + ".ptx");
        std::ofstream(file) << text;
        // functions alone
        const std::string only = text.find(".entry") == std::string::npos ? "-c " : "";
        EXPECT_EQ(std::system(("ptxas -arch=sm_90 " + only + file.string() + " -o " +
                               (folder / "out").string())
                                  .c_str()),
                  0)
            << text.substr(0, 500);
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace solenoid::ptx_test
