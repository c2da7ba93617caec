#include "program/program.hpp"

#include <cstdlib>
#include <iostream>
#include <limits>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "core/log.hpp"
#include "core/plain_text.hpp"

namespace solenoid {
namespace {

// From now on the process keeps what it frees for what it allocates next, large arrays too: the
// system clears every page that it is asked for.
void keep_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_TOP_PAD, 64 << 20);
#endif
}

// Before MPI starts.
int& with_memory_kept(int& argc) {
    keep_memory();
    return argc;
}

}  // namespace

Program::Program(int& argc, char**& argv)
    : session_(with_memory_kept(argc), argv), comm(Communicator::world()) {
    log::configure(!comm.is_root(), false);
}

std::string refused_count(const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    const bool is_good = !text.empty() && *end == '\0' && number >= 1 && number <= 5e8;
    return is_good ? "" : "must be a number from 1 to 5e8, found " + text;
}

int told(const Communicator& comm, const CLI::App& app, const CLI::ParseError& error,
         const std::string& mistake) {
    const bool asked = error.get_exit_code() == 0;  // --help or --version
    if (comm.is_root() && asked) app.exit(error);
    if (comm.is_root() && !asked) std::cerr << without_controls(mistake) << std::endl;
    return asked ? 0 : 2;
}

}  // namespace solenoid
