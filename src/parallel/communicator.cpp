#include "parallel/communicator.hpp"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <new>
#include <numeric>
#include <type_traits>

#include "core/stop_signal.hpp"
#include "parallel/calls/checked_calls.hpp"
#include "parallel/communicator_handle.hpp"

namespace solenoid {
namespace {

bool has_agreed_to_fail = false;  // all ranks are unwinding the stack together

bool is_running() {
    int is_initialized = 0, is_finalized = 0;
    MPI_Initialized(&is_initialized);
    MPI_Finalized(&is_finalized);
    return is_initialized && !is_finalized;
}

// Whether this process was started without an MPI launcher.
bool is_alone() {
    constexpr const char* of_launchers[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK",
                                            "SLURM_PROCID"};
    return std::none_of(std::begin(of_launchers), std::end(of_launchers),
                        [](const char* variable) { return std::getenv(variable); });
}

// Settings for a single process. Without them Open MPI starts a daemon and searches for networks,
// which takes 0.4 s of a start of 0.44 s. All such processes of a user have one session folder,
// which one may remove while another makes it: none is made. Settings of the user take precedence.
void spare_the_search() {
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
    setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
    setenv("OMPI_MCA_pml", "ob1", 0);
    setenv("OMPI_MCA_btl", "self", 0);
}

void abort_on_terminate() {
    try {
        if (std::exception_ptr error = std::current_exception()) std::rethrow_exception(error);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
    } catch (...) {
        std::fprintf(stderr, "error: unknown exception\n");
    }
    if (is_running()) MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
}

template <class T>
MPI_Datatype mpi_type() {
    static_assert(std::is_same_v<T, double> || std::is_same_v<T, std::int64_t>);
    return std::is_same_v<T, double> ? MPI_DOUBLE : MPI_INT64_T;
}

template <class T>
T combined(T a, T b, MPI_Op operation) {
    return operation == MPI_SUM ? a + b : operation == MPI_MIN ? std::min(a, b) : std::max(a, b);
}

template <class T>
void reduce(Communicator::Handle& handle, std::span<T> values, MPI_Op operation) {
    const CheckedCall call(handle, "reduction");
    if (handle.size == 1 || values.empty()) return;  // all ranks have equally many values
    ++handle.traffic.sums;
    if (handle.local_size == handle.size && values.size() <= SharedWindow::most_values)
        if (SharedWindow* window = handle.window().get())
            return window->reduce(values, [&](T a, T b) { return combined(a, b, operation); });
    constexpr std::size_t most = 1 << 24;  // MPI counts with int
    for (std::size_t i = 0; i < values.size(); i += most)
        MPI_Allreduce(MPI_IN_PLACE, values.data() + i,
                      static_cast<int>(std::min(most, values.size() - i)), mpi_type<T>(), operation,
                      handle.comm);
}

// Calls step(offset, count) for each chunk of a message.
template <class Step>
void in_chunks(const Communicator::Handle& handle, std::size_t bytes, Step step) {
    for (std::size_t offset = 0; offset < bytes; offset += handle.chunk_bytes)
        step(offset, static_cast<int>(std::min(handle.chunk_bytes, bytes - offset)));
}

void send_message(const Communicator::Handle& handle, std::span<const std::byte> bytes, int rank,
                  int tag) {
    const std::int64_t size = static_cast<std::int64_t>(bytes.size());
    MPI_Send(&size, 1, MPI_INT64_T, rank, tag, handle.comm);
    in_chunks(handle, bytes.size(), [&](std::size_t offset, int count) {
        MPI_Send(bytes.data() + offset, count, MPI_BYTE, rank, tag, handle.comm);
    });
}

std::vector<std::byte> receive_message(const Communicator::Handle& handle, int rank, int tag) {
    std::int64_t size = 0;
    MPI_Recv(&size, 1, MPI_INT64_T, rank, tag, handle.comm, MPI_STATUS_IGNORE);
    std::vector<std::byte> bytes(size);
    in_chunks(handle, bytes.size(), [&](std::size_t offset, int count) {
        MPI_Recv(bytes.data() + offset, count, MPI_BYTE, rank, tag, handle.comm, MPI_STATUS_IGNORE);
    });
    return bytes;
}

struct Failure {
    int exit_code = 0;  // 0: none
    std::string message;
};

Failure outcome_of(const std::function<void()>& action) {
    try {
        const Breakable here;
        action();
        if (stop_is_overdue()) throw Stopped();
        return {};
    } catch (const DifferentCalls&) {  // already thrown on all ranks
        throw;
    } catch (const Error& error) {
        return {error.exit_code(), error.what()};
    } catch (const std::bad_alloc&) {
        return {1,
                "not enough memory: use more ranks, on more machines, or a coarser mesh (of "
                "commands on one rank: a smaller file)"};
    } catch (const std::exception& error) {
        return {1, error.what()};
    } catch (...) {
        return {1, "unknown exception"};
    }
}

}  // namespace

// ---- Session

MpiSession::MpiSession(int& argc, char**& argv) : has_started_(!is_running()) {
    if (!has_started_) return;
    if (is_alone()) spare_the_search();
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    std::set_terminate(abort_on_terminate);
}

MpiSession::~MpiSession() {
    if (!has_started_) return;
    if (std::uncaught_exceptions() && !has_agreed_to_fail) {  // no handler will be reached
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        std::fprintf(stderr, "error: rank %d failed; all ranks stop\n", rank);
        abort(1);
    }
    MPI_Finalize();
}

void MpiSession::abort(int exit_code) {
    std::fflush(nullptr);
    if (is_running()) MPI_Abort(MPI_COMM_WORLD, exit_code);
    std::_Exit(exit_code);
}

// ---- Ranks and hosts

Communicator::Handle::~Handle() {
    for (MPI_Comm* mine : {&local, &comm})
        if (*mine != MPI_COMM_NULL && is_running()) MPI_Comm_free(mine);
}

CallingRanks Communicator::Handle::calling() {
    return {comm, size, [this](std::array<std::int64_t, 2>& values) {
                const auto larger = [](std::int64_t a, std::int64_t b) { return std::max(a, b); };
                if (SharedWindow* shared = local_size == size ? window().get() : nullptr)
                    return shared->reduce(std::span<std::int64_t>(values), larger);
                MPI_Allreduce(MPI_IN_PLACE, values.data(), 2, MPI_INT64_T, MPI_MAX, comm);
            }};
}

const std::shared_ptr<SharedWindow>& Communicator::Handle::window() {
    if (!has_asked_ && transport != Transport::mpi && local_size > 1) {
        window_ = std::make_shared<SharedWindow>(local);
        if (!window_->works()) window_ = nullptr;
        has_asked_ = true;
    }
    static const std::shared_ptr<SharedWindow> none;
    return transport == Transport::mpi ? none : window_;
}

namespace {

// For each rank of a communicator its number among the ranks of this host, or -1.
std::vector<int> local_ranks(MPI_Comm all, MPI_Comm local, int size) {
    MPI_Group of_all, of_host;
    MPI_Comm_group(all, &of_all);
    MPI_Comm_group(local, &of_host);
    std::vector<int> ranks(size), result(size);
    std::iota(ranks.begin(), ranks.end(), 0);
    MPI_Group_translate_ranks(of_all, size, ranks.data(), of_host, result.data());
    for (int& rank : result)
        if (rank == MPI_UNDEFINED) rank = -1;
    MPI_Group_free(&of_all);
    MPI_Group_free(&of_host);
    return result;
}

}  // namespace

Communicator Communicator::world() {
    if (!is_running()) throw std::logic_error("Communicator::world() needs an MpiSession");
    auto handle = std::make_shared<Handle>();
    MPI_Comm_dup(MPI_COMM_WORLD, &handle->comm);
    MPI_Comm_rank(handle->comm, &handle->rank);
    MPI_Comm_size(handle->comm, &handle->size);
    MPI_Comm_split_type(handle->comm, MPI_COMM_TYPE_SHARED, handle->rank, MPI_INFO_NULL,
                        &handle->local);
    MPI_Comm_rank(handle->local, &handle->local_rank);
    MPI_Comm_size(handle->local, &handle->local_size);
    handle->local_rank_of = local_ranks(handle->comm, handle->local, handle->size);
    choose_checks_of_calls(handle->comm);
    return Communicator(std::move(handle));
}

Communicator Communicator::self() { return Communicator(std::make_shared<Handle>()); }

int Communicator::rank() const { return handle_->rank; }
int Communicator::size() const { return handle_->size; }
int Communicator::local_rank() const { return handle_->local_rank; }
int Communicator::local_size() const { return handle_->local_size; }

std::string Communicator::host_name() const {
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return name;
}

void Communicator::set_transport(Transport transport) const { handle_->transport = transport; }

const Traffic& Communicator::traffic() const { return handle_->traffic; }

void Communicator::set_chunk_bytes(std::size_t bytes) {
    handle_->chunk_bytes = std::min<std::size_t>(bytes, INT_MAX);
}

// ---- Reductions

void Communicator::sum(std::span<double> values) const { reduce(*handle_, values, MPI_SUM); }
void Communicator::min(std::span<double> values) const { reduce(*handle_, values, MPI_MIN); }
void Communicator::max(std::span<double> values) const { reduce(*handle_, values, MPI_MAX); }
void Communicator::sum(std::span<std::int64_t> values) const { reduce(*handle_, values, MPI_SUM); }

void Communicator::sum(std::span<BinnedSum> values) const {
    if (size() == 1) return;
    std::vector<double> tops, parts;
    for (const BinnedSum& sum : values) tops.push_back(sum.top());
    max(tops);
    for (std::size_t n = 0; n < values.size(); ++n) {
        values[n].raise(static_cast<int>(tops[n]));
        parts.insert(parts.end(), values[n].parts().begin(), values[n].parts().end());
    }
    sum(parts);
    for (std::size_t n = 0; n < values.size(); ++n)
        std::copy_n(parts.begin() + n * BinnedSum::bins, BinnedSum::bins,
                    values[n].parts().begin());
}

void Communicator::sum(std::span<RankSum> values) const {
    if (is_reproducible()) {
        std::vector<BinnedSum> sums;
        for (RankSum& value : values) sums.push_back(value.binned());
        sum(sums);
        for (std::size_t n = 0; n < values.size(); ++n) values[n].binned() = sums[n];
        return;
    }
    std::vector<double> sums(values.begin(), values.end());
    sum(sums);
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = RankSum(sums[n]);
}

double Communicator::sum(double value) const { return sum(std::span(&value, 1)), value; }
double Communicator::min(double value) const { return min(std::span(&value, 1)), value; }
double Communicator::max(double value) const { return max(std::span(&value, 1)), value; }
std::int64_t Communicator::sum(std::int64_t value) const {
    return sum(std::span(&value, 1)), value;
}
bool Communicator::any(bool value) const { return sum(std::int64_t(value)) > 0; }

void Communicator::begin_sums(std::string_view launch) const {
    if (!CheckedCall::is_on) [[likely]]
        return;
    const CheckedCall call(*handle_, ("launch with sums (" + std::string(launch) + ")").c_str());
}

void Communicator::add_to_first(std::span<BinnedSum> parts) const {
    if (size() == 1) return;
    sum(parts);
    if (!is_root()) std::ranges::fill(parts, BinnedSum());
}

// ---- Messages

void Communicator::barrier() const {
    const CheckedCall call(*handle_, "barrier");
    if (size() > 1) MPI_Barrier(handle_->comm);
}

void Communicator::broadcast(std::vector<std::byte>& bytes, int root) const {
    const CheckedCall call(*handle_, "broadcast");
    if (size() == 1) return;
    std::int64_t length = static_cast<std::int64_t>(bytes.size());
    MPI_Bcast(&length, 1, MPI_INT64_T, root, handle_->comm);
    bytes.resize(length);
    in_chunks(*handle_, bytes.size(), [&](std::size_t offset, int count) {
        MPI_Bcast(bytes.data() + offset, count, MPI_BYTE, root, handle_->comm);
    });
}

void Communicator::broadcast(std::string& text, int root) const {
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    std::vector<std::byte> bytes(first, first + text.size());
    broadcast(bytes, root);
    text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::vector<std::vector<std::byte>> Communicator::gather(std::span<const std::byte> bytes,
                                                         int root) const {
    const CheckedCall call(*handle_, "gather");
    if (rank() != root) {
        send_message(*handle_, bytes, root, tags::gather);
        return {};
    }
    std::vector<std::vector<std::byte>> all(size());
    for (int r = 0; r < size(); ++r) {
        if (r == root)
            all[r].assign(bytes.begin(), bytes.end());
        else
            all[r] = receive_message(*handle_, r, tags::gather);
    }
    return all;
}

std::vector<std::string> Communicator::texts(const std::string& mine) const {
    std::string all;
    for (const auto& text : gather(std::as_bytes(std::span(mine.data(), mine.size()))))
        all += std::string(reinterpret_cast<const char*>(text.data()), text.size()) + "\n";
    broadcast(all);
    std::vector<std::string> result;
    for (std::size_t at = 0, end; (end = all.find('\n', at)) != std::string::npos; at = end + 1)
        result.push_back(all.substr(at, end - at));
    return result;
}

void Communicator::send(std::span<const std::byte> bytes, int rank, int tag) const {
    send_message(*handle_, bytes, rank, tag);
}

std::vector<std::byte> Communicator::receive(int rank, int tag) const {
    return receive_message(*handle_, rank, tag);
}

std::map<int, std::vector<std::byte>> Communicator::exchange(
    const std::map<int, std::vector<std::byte>>& outgoing) const {
    const CheckedCall call(*handle_, "exchange");
    std::map<int, std::vector<std::byte>> incoming;
    if (const auto own = outgoing.find(rank()); own != outgoing.end() && !own->second.empty())
        incoming[rank()] = own->second;
    if (size() == 1) return incoming;

    std::vector<std::int64_t> lengths(size(), 0), expected(size());
    for (const auto& [to, bytes] : outgoing) lengths[to] = static_cast<std::int64_t>(bytes.size());
    MPI_Alltoall(lengths.data(), 1, MPI_INT64_T, expected.data(), 1, MPI_INT64_T, handle_->comm);

    std::vector<MPI_Request> requests;
    for (int from = 0; from < size(); ++from) {
        if (from == rank() || !expected[from]) continue;
        std::vector<std::byte>& bytes = incoming[from];
        bytes.resize(expected[from]);
        in_chunks(*handle_, bytes.size(), [&](std::size_t offset, int count) {
            MPI_Irecv(bytes.data() + offset, count, MPI_BYTE, from, tags::exchange, handle_->comm,
                      &requests.emplace_back());
        });
    }
    for (const auto& [to, bytes] : outgoing) {
        if (to == rank()) continue;
        in_chunks(*handle_, bytes.size(),
                  [&, to = to, data = bytes.data()](std::size_t offset, int count) {
                      MPI_Isend(data + offset, count, MPI_BYTE, to, tags::exchange, handle_->comm,
                                &requests.emplace_back());
                  });
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    return incoming;
}

// ---- Failures

void Communicator::agree(const std::function<void()>& action) const {
    Failure failure = outcome_of(action);
    const CheckedCall call(*handle_, "agree");
    if (size() > 1) {
        int first = failure.exit_code ? rank() : size();
        MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, handle_->comm);
        if (first == size()) return;
        broadcast(failure.message, first);
        MPI_Bcast(&failure.exit_code, 1, MPI_INT, first, handle_->comm);
    }
    if (!failure.exit_code) return;
    has_agreed_to_fail = true;
    throw AgreedError(failure.message, failure.exit_code);
}

}  // namespace solenoid
