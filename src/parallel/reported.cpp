#include "parallel/reported.hpp"

#include <cstdio>
#include <new>

#include "core/plain_text.hpp"

namespace solenoid {

int reported(const Communicator& comm, const char* program, const std::function<int()>& action) {
    try {
        return action();
    } catch (const AgreedError& error) {
        if (comm.is_root())
            std::fprintf(stderr, "%s: %s\n", program, without_controls(error.what()).c_str());
        return error.exit_code();
    } catch (const Error& error) {
        std::fprintf(stderr, "%s: %s\n", program, without_controls(error.what()).c_str());
        if (comm.size() > 1) MpiSession::abort(error.exit_code());
        return error.exit_code();
    } catch (const std::bad_alloc&) {
        std::fprintf(
            stderr,
            "%s: out of memory on rank %d: use more ranks on more machines, or a coarser mesh\n",
            program, comm.rank());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: internal error on rank %d: %s\n", program, comm.rank(),
                     error.what());
    }
    MpiSession::abort(1);
}

}  // namespace solenoid
