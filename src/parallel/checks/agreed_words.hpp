// The error text of any rank, on all ranks.
#pragma once

#include <exception>
#include <functional>
#include <string>

#include "parallel/communicator_handle.hpp"

namespace solenoid {

// The text that `check` returns or throws on the lowest rank that has one; "" where none has. Uses
// MPI only. Collective; `check` must not communicate.
inline std::string agreed_words(const Communicator& comm,
                                const std::function<std::string()>& check) {
    std::string words;
    try {
        words = check();
    } catch (const std::exception& error) {
        words = error.what();
    }
    int first = words.empty() ? comm.size() : comm.rank();
    if (comm.size() > 1)
        MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm.handle().comm);
    if (first < comm.size()) comm.broadcast(words, first);
    return words;
}

}  // namespace solenoid
