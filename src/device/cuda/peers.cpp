#include "device/cuda/peers.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "device/cuda/arguments.hpp"
#include "device/cuda/cuda_storage.hpp"
#include "device/cuda/embedded.hpp"
#include "device/cuda/kept_sums.hpp"

namespace solenoid::cuda {
namespace {

class CudaPeerMemory : public PeerMemory {
  public:
    CudaPeerMemory(std::shared_ptr<Session> session, Address address) : session_(std::move(session)), address_(address) {}
    Address address() const { return address_; }
    void clear(std::size_t offset, std::size_t bytes) override {
        session_->make_current();
        session_->check(session_->driver().fill(address_ + offset, 0, bytes, session_->stream()), "cuMemsetD8Async");
        session_->finish();
    }

  protected:
    std::shared_ptr<Session> session_;
    Address address_;
};

class OwnMemory final : public CudaPeerMemory {
  public:
    OwnMemory(const std::shared_ptr<Session>& session, std::size_t bytes) : CudaPeerMemory(session, session->allocate(bytes)), bytes_(bytes) {}
    ~OwnMemory() override { session_->release(address_, bytes_); }
    std::vector<std::byte> name() const override {
        MemoryName name;
        session_->make_current();
        session_->check(session_->driver().name_memory(&name, address_), "cuIpcGetMemHandle");
        const auto* first = reinterpret_cast<const std::byte*>(name.bytes);
        return {first, first + sizeof name.bytes};
    }

  private:
    std::size_t bytes_;
};

class OpenedMemory final : public CudaPeerMemory {
  public:
    OpenedMemory(const std::shared_ptr<Session>& session, Address address) : CudaPeerMemory(session, address) {}
    ~OpenedMemory() override {
        session_->settle();
        session_->driver().close_memory(address_);
    }
    std::vector<std::byte> name() const override { throw std::logic_error("memory of another process has its name there"); }
};

std::vector<PeerShare> shares_of(std::span<const PeerBox> boxes, std::size_t entity_bytes) {
    std::vector<PeerShare> shares;
    for (const PeerBox& box : boxes) {
        const Address signal = static_cast<const CudaPeerMemory&>(*box.memory).address() + box.offset, places = signal + PeerBox::line;
        const auto at = [](Address address) { return reinterpret_cast<void*>(address); };
        shares.push_back({box.first, box.count, {at(places), at(places + PeerBox::place_bytes(box.count * entity_bytes))}, static_cast<unsigned long long*>(at(signal))});
    }
    return shares;
}

// In the GPU's memory.
template <class T>
class Table {
  public:
    Table(const std::shared_ptr<Session>& session, std::span<const T> values)
        : storage_(ElementType::uint32, static_cast<Index>(values.size_bytes() / sizeof(Index)), 1, session), size_(static_cast<unsigned>(values.size())) {
        static_assert(sizeof(T) % sizeof(Index) == 0);
        if (!values.empty()) storage_.write(values.data(), 0);
    }
    const T* on_gpu() const { return static_cast<const T*>(storage_.data(0)); }
    unsigned size() const { return size_; }

  private:
    CudaStorage storage_;
    unsigned size_;
};

// A list of entities and the shares in it, on the GPU.
class Direction {
  public:
    Direction(const std::shared_ptr<Session>& session, std::span<const Index> list, std::span<const PeerBox> boxes, std::size_t entity_bytes)
        : list_(session, list), shares_(session, shares_of(boxes, entity_bytes)) {
        if (boxes.size() > group_size) throw ComputationError("CUDA: more neighbours on a host than a block has threads: use --transport host");
    }

    PeerArguments arguments(const Storage& field, const CudaStorage& counters) const {
        auto* const round = static_cast<unsigned long long*>(counters.data(0));
        return {on_gpu(field).data(0), on_gpu(field).pitch, list_.on_gpu(), shares_.on_gpu(), round,
                reinterpret_cast<unsigned*>(round + 1), shares_.size(), list_.size(), static_cast<unsigned>(field.columns)};
    }
    unsigned blocks() const { return std::max(1u, (list_.size() + group_size - 1) / group_size); }

  private:
    Table<Index> list_;
    Table<PeerShare> shares_;
};

class CudaPeerExchange final : public PeerExchange {
  public:
    CudaPeerExchange(const std::shared_ptr<Session>& session, KernelFunctions& kernels, const PeerLists& lists, ElementType type, int columns)
        : session_(session),
          outgoing_(session, lists.send, lists.outgoing, bytes_of(type) * columns),
          incoming_(session, lists.receive, lists.incoming, bytes_of(type) * columns),
          counters_(ElementType::float64, 2, 1, session),
          send_(kernels.of_text(peers_ptx, bytes_of(type) == 8 ? "send_8" : "send_4")),
          receive_(kernels.of_text(peers_ptx, bytes_of(type) == 8 ? "receive_8" : "receive_4")) {}

    void send(const Storage& field) override { launch(send_, outgoing_.blocks(), outgoing_.arguments(field, counters_)); }
    void receive(Storage& field) override {
        constexpr unsigned most_waiting = 64;
        launch(receive_, std::min(most_waiting, incoming_.blocks()), incoming_.arguments(field, counters_));
    }

  private:
    void launch(FunctionHandle function, unsigned blocks, const PeerArguments& arguments) const {
        session_->make_current();
        session_->launch(function, blocks, &arguments);
    }

    std::shared_ptr<Session> session_;
    Direction outgoing_, incoming_;
    CudaStorage counters_;  // of messages, 64 bits; of blocks that have finished
    FunctionHandle send_, receive_;
};

std::vector<RankPost> posts_of(std::span<const PeerBox> boxes) {
    std::vector<RankPost> posts;
    for (const PeerBox& box : boxes) {
        const Address signal = static_cast<const CudaPeerMemory&>(*box.memory).address() + box.offset, values = signal + PeerBox::line;
        const auto at = [](Address address) { return reinterpret_cast<double*>(address); };
        posts.push_back({{at(values), at(values + PeerBox::line / 2)}, reinterpret_cast<unsigned long long*>(signal)});
    }
    return posts;
}

class CudaPeerSum final : public PeerSum {
  public:
    CudaPeerSum(const std::shared_ptr<Session>& session, KernelFunctions& kernels, std::span<const PeerBox> outgoing, std::span<const PeerBox> incoming)
        : session_(session),
          posts_(session, posts_of(outgoing)),
          arrivals_(session, posts_of(incoming)),
          round_(ElementType::float64, 1, 1, session),
          add_(kernels.of_text(sums_ptx, "add_ranks")) {}

    void add(KeptSums& sums) override {
        const RankSumArguments arguments{on_gpu(sums).on_gpu(), posts_.on_gpu(), arrivals_.on_gpu(), static_cast<unsigned long long*>(round_.data(0)), posts_.size()};
        session_->make_current();
        session_->launch(add_, 1, &arguments);
    }

  private:
    std::shared_ptr<Session> session_;
    Table<RankPost> posts_, arrivals_;
    CudaStorage round_;  // of sums, 64 bits
    FunctionHandle add_;
};

}  // namespace

std::unique_ptr<PeerSum> CudaPeers::peer_sum(std::span<const PeerBox> outgoing, std::span<const PeerBox> incoming) {
    if (outgoing.size() > group_size) throw ComputationError("CUDA: more ranks on a host than a block has threads: use --transport host");
    return std::make_unique<CudaPeerSum>(session_, kernels_, outgoing, incoming);
}

std::unique_ptr<PeerMemory> CudaPeers::allocate_shared(std::size_t bytes) { return std::make_unique<OwnMemory>(session_, bytes); }

std::unique_ptr<PeerMemory> CudaPeers::open_shared(std::span<const std::byte> name) {
    MemoryName copy{};
    std::memcpy(copy.bytes, name.data(), std::min(name.size(), sizeof copy.bytes));
    Address address = 0;
    session_->make_current();
    session_->check(session_->driver().open_memory(&address, copy, peer_access_when_needed), "cuIpcOpenMemHandle");
    return std::make_unique<OpenedMemory>(session_, address);
}

std::unique_ptr<PeerExchange> CudaPeers::peer_exchange(const PeerLists& lists, ElementType type, int columns) {
    return std::make_unique<CudaPeerExchange>(session_, kernels_, lists, type, columns);
}

}  // namespace solenoid::cuda
