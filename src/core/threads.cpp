#include "core/threads.hpp"

#include <exception>
#include <memory>

#ifdef __SANITIZE_THREAD__
#include <atomic>
#include <thread>
#else
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace solenoid {
namespace {

#ifdef __SANITIZE_THREAD__
// oneTBB is compiled without the thread sanitizer, which takes its own work for races. These
// threads it sees: parts have no order but by the start and the end of the loop.
struct Pool {
    explicit Pool(int count) : count(count) {}
    template <class Run>
    void run(int parts, const Run& run) const {
        std::atomic<int> next{0};
        const auto work = [&] {
            for (int k; (k = next.fetch_add(1, std::memory_order_relaxed)) < parts;) run(k);
        };
        std::vector<std::thread> others;
        for (int i = 1; i < std::min(count, parts); ++i) others.emplace_back(work);
        work();
        for (std::thread& other : others) other.join();
    }
    const int count;
};
#else
// Threads that sleep while idle. A loop does not wait for a thread that the system has suspended:
// the others take its parts.
struct Pool {
    explicit Pool(int count)
        : limit(tbb::global_control::max_allowed_parallelism, count), arena(count) {}
    template <class Run>
    void run(int parts, const Run& run) {
        arena.execute([&] { tbb::parallel_for(0, parts, 1, run, tbb::simple_partitioner()); });
    }
    tbb::global_control limit;
    tbb::task_arena arena;
};
#endif

int count_of_threads = 1;
std::unique_ptr<Pool> pool;

}  // namespace

int threads() { return count_of_threads; }

void set_threads(int count) {
    count_of_threads = std::max(count, 1);
    pool = count_of_threads > 1 ? std::make_unique<Pool>(count_of_threads) : nullptr;
}

void in_threads(int parts, const std::function<void(int)>& part) {
    if (!pool || parts < 2) {
        for (int k = 0; k < parts; ++k) part(k);
        return;
    }
    std::vector<std::exception_ptr> thrown(parts);
    const auto run = [&](int k) {
        try {
            part(k);
        } catch (...) {
            thrown[k] = std::current_exception();
        }
    };
    pool->run(parts, run);
    for (const std::exception_ptr& error : thrown)
        if (error) std::rethrow_exception(error);
}

}  // namespace solenoid
