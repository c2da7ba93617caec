// A program of which one rank fails: the ranks end, none hangs, and the message appears.
//   parallel_failing_rank uncaught | unwound | aborted | agreed | stalled
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

#include "parallel/checks/watchdog.hpp"
#include "parallel/communicator.hpp"

using namespace solenoid;

namespace {

void fail(const Communicator& comm, const std::string& way) {
    if (way == "agreed") {
        comm.agree([&] {
            if (comm.rank() == comm.size() - 1) throw InputError("the last rank gives up");
        });
    }
    if (way == "stalled") {
        const Watchdog watchdog(comm, 0.3, "the last rank is missing");
        if (comm.rank() == comm.size() - 1) std::this_thread::sleep_for(std::chrono::seconds(100));
        comm.barrier();
    }
    if (comm.rank() == comm.size() - 1) {
        if (way != "aborted") throw std::runtime_error("the last rank gives up");
        std::fprintf(stderr, "error: the last rank gives up\n");
        MpiSession::abort(1);
    }
    comm.barrier();  // the others wait here for ever
}

void run(int argc, char** argv) {
    const MpiSession session(argc, argv);
    const auto comm = Communicator::world();
    try {
        fail(comm, argv[1]);
    } catch (const AgreedError& error) {
        if (comm.is_root()) std::fprintf(stderr, "error: %s, say all\n", error.what());
        throw;
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return 2;
    if (std::string(argv[1]) == "uncaught") run(argc, argv);
    try {
        run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
}
