// MPI behind one class. Only src/parallel includes mpi.h.
#pragma once

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/reproducible.hpp"
#include "core/types.hpp"

namespace solenoid {

// Thrown on every rank where one failed in Communicator::agree(); rank 0 alone reports it.
class AgreedError : public Error {
  public:
    using Error::Error;
};

// Calls MPI_Init and MPI_Finalize; made once, in main(); neither where MPI
// runs already. A rank that ends with an exception that
// the others do not know of ends them too (MPI_Abort), so that none waits forever.
class MpiSession {
  public:
    MpiSession(int& argc, char**& argv);
    ~MpiSession();
    // Ends all ranks, after an error that was not agreed on.
    [[noreturn]] static void abort(int exit_code);
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;

  private:
    const bool has_started_;  // MPI, here
};

// The carrier of messages between the ranks of a host; between hosts it is MPI. automatic: not yet
// chosen (choose_transport), works as host.
enum class Transport {
    automatic,
    gpu,   // ghosts: GPUs write into each other's memory, also where ranks share a GPU
    host,  // ghosts and small sums: shared memory of the ranks
    mpi
};

// Counts of this rank so far: halo exchanges, messages and bytes sent by them, reductions over the
// ranks.
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

class Communicator : public SummingRanks {
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
    // Of sums that a reproducible run adds up in no order. After it every rank has the whole.
    void sum(std::span<BinnedSum> values) const;
    void sum(std::span<RankSum> values) const;
    double sum(double value) const;
    double min(double value) const;
    double max(double value) const;
    std::int64_t sum(std::int64_t value) const;
    bool any(bool value) const;

    // For launches with sums, which are collective calls (device/kernel.hpp).
    void begin_sums(std::string_view launch) const override;
    void add_to_first(std::span<BinnedSum> parts) const override;

    void barrier() const;
    void broadcast(std::vector<std::byte>& bytes, int root = 0) const;
    void broadcast(std::string& text, int root = 0) const;
    // The bytes of every rank on the root, in rank order; empty on other ranks.
    std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes,
                                               int root = 0) const;
    // The text of every rank, without line breaks, on every rank, in rank order. Collective.
    std::vector<std::string> texts(const std::string& mine) const;
    // Messages of any length; tag < 20000.
    void send(std::span<const std::byte> bytes, int rank, int tag) const;
    std::vector<std::byte> receive(int rank, int tag) const;
    // Sparse all-to-all: sends a message to each rank in `outgoing` and returns the messages
    // received, by rank. Empty messages are not sent. Collective.
    std::map<int, std::vector<std::byte>> exchange(
        const std::map<int, std::vector<std::byte>>& outgoing) const;

    // Runs `action` and agrees on its outcome. Where it throws on any rank, all ranks throw
    // AgreedError with the exit code and message of the lowest rank that failed. Collective. The
    // action may communicate only through nested calls that every rank reaches.
    void agree(const std::function<void()>& action) const;

    void set_transport(Transport transport) const;  // for later halos and sums
    const Traffic& traffic() const;

    // Longer messages are sent in chunks of this size (default 2^30; smaller in tests).
    void set_chunk_bytes(std::size_t bytes);

    struct Handle;  // contains the MPI_Comm
    Handle& handle() const { return *handle_; }

  private:
    explicit Communicator(std::shared_ptr<Handle> handle) : handle_(std::move(handle)) {}
    std::shared_ptr<Handle> handle_;
};

}  // namespace solenoid
