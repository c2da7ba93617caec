#include "library/session.hpp"

#include "core/log.hpp"
#include "parallel/agreed.hpp"
#include "parallel/communicator.hpp"
#include "parallel/reported.hpp"

namespace solenoid {

struct Session::State {
    MpiSession mpi;
    Communicator comm = Communicator::world();
};

Session::Session(int& argc, char**& argv, bool is_quiet)
    : state_(new State{MpiSession(argc, argv)}) {
    log::configure(rank() != 0, is_quiet);
}

Session::~Session() = default;

int Session::rank() const { return state_->comm.rank(); }
int Session::ranks() const { return state_->comm.size(); }
double Session::sum(double value) const { return state_->comm.sum(value); }
double Session::min(double value) const { return state_->comm.min(value); }
double Session::max(double value) const { return state_->comm.max(value); }
const Communicator& Session::communicator() const { return state_->comm; }

int Session::reported(const std::string& program, const std::function<int()>& action) const {
    return solenoid::reported(state_->comm, program.c_str(), [&] {
        try {
            return action();
        } catch (const Error& error) {
            if (is_agreed(error)) throw AgreedError(error.what(), error.exit_code());
            throw;
        }
    });
}

}  // namespace solenoid
