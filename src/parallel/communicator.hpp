// MPI, kept behind one small class: no other room includes mpi.h.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"

namespace solenoid {

// What every rank throws where one failed in Communicator::agree: the ranks stop together, and rank
// 0 alone reports.
class AgreedError : public Error {
  public:
    using Error::Error;
};

// MPI_Init and MPI_Finalize, once, in main; neither where MPI runs already. A rank that dies of an
// exception that the others do not know of takes them along (MPI_Abort), so that nobody hangs.
class MpiSession {
  public:
    MpiSession(int& argc, char**& argv);
    ~MpiSession();
    // stops all ranks: after an error that was not agreed on
    [[noreturn]] static void abort(int exit_code);
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;

  private:
    const bool has_started_;  // MPI, here
};

// What carries messages between ranks of one host; between hosts it is MPI. automatic: not decided
// yet (choose_transport), as host.
enum class Transport {
    automatic,
    gpu,   // ghosts: GPUs write into each other's memory, also where ranks share one
    host,  // ghosts and small sums: memory that the ranks share
    mpi
};

// What this rank has taken part in so far: exchanges of halos with their messages and bytes, those
// sent, and reductions over the ranks.
struct Traffic {
    std::int64_t exchanges = 0, messages = 0, bytes = 0, sums = 0;

    Traffic& operator+=(const Traffic& t) {
        return *this = {exchanges + t.exchanges, messages + t.messages, bytes + t.bytes,
                        sums + t.sums};
    }
    friend Traffic operator-(const Traffic& a, const Traffic& b) {
        return {a.exchanges - b.exchanges, a.messages - b.messages, a.bytes - b.bytes,
                a.sums - b.sums};
    }
};

class Communicator {
  public:
    static Communicator world();  // a duplicate of MPI_COMM_WORLD
    static Communicator self();   // this process alone; needs no MpiSession

    int rank() const;
    int size() const;
    int local_rank() const;  // among the ranks of this host
    int local_size() const;
    bool is_root() const { return rank() == 0; }
    std::string host_name() const;

    // Reductions over all ranks, in place, elementwise, in double or in 64-bit integers.
    void sum(std::span<double> values) const;
    void min(std::span<double> values) const;
    void max(std::span<double> values) const;
    void sum(std::span<std::int64_t> values) const;
    double sum(double value) const;
    double min(double value) const;
    double max(double value) const;
    std::int64_t sum(std::int64_t value) const;
    bool any(bool value) const;

    void barrier() const;
    void broadcast(std::vector<std::byte>& bytes, int root = 0) const;
    void broadcast(std::string& text, int root = 0) const;
    // Every rank's bytes on the root (rank order), nothing elsewhere.
    std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes,
                                               int root = 0) const;
    // Every rank's text, without line breaks, on every rank (rank order). Collective.
    std::vector<std::string> texts(const std::string& mine) const;
    // of any length; tag < 20000
    void send(std::span<const std::byte> bytes, int rank, int tag) const;
    std::vector<std::byte> receive(int rank, int tag) const;
    // Sparse all-to-all: the messages for each rank go out, those of the others come in, keyed by
    // rank. Empty ones are not sent. Collective.
    std::map<int, std::vector<std::byte>> exchange(
        const std::map<int, std::vector<std::byte>>& outgoing) const;

    // Runs `action` here and agrees on the outcome: where any rank throws, every rank throws an
    // AgreedError with the exit code and message of the lowest rank that failed, so that nobody
    // hangs and one message appears. Collective; the action itself must not communicate but through
    // nested calls that every rank reaches.
    void agree(const std::function<void()>& action) const;

    void set_transport(Transport transport) const;  // of halos and sums from now on
    const Traffic& traffic() const;

    // Messages beyond this many bytes travel in several (default 2^30; smaller in tests).
    void set_chunk_bytes(std::size_t bytes);

    struct Handle;  // holds the MPI_Comm
    Handle& handle() const { return *handle_; }

  private:
    explicit Communicator(std::shared_ptr<Handle> handle) : handle_(std::move(handle)) {}
    std::shared_ptr<Handle> handle_;
};

}  // namespace solenoid
