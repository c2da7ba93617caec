#include "device/cuda/peers.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "device/cuda/arguments.hpp"
#include "device/cuda/cuda_storage.hpp"
#include "device/cuda/device_sums.hpp"
#include "device/cuda/embedded.hpp"

namespace solenoid::cuda {
namespace {

class CudaPeerMemory : public PeerMemory {
  public:
    CudaPeerMemory(std::shared_ptr<Session> session, Address address)
        : session_(std::move(session)), address_(address) {}
    Address address() const { return address_; }
    void clear(std::size_t offset, std::size_t bytes) override {
        session_->make_current();
        session_->check(session_->driver().fill(address_ + offset, 0, bytes, session_->stream()),
                        "cuMemsetD8Async");
        session_->finish();
    }

  protected:
    std::shared_ptr<Session> session_;
    Address address_;
};

class OwnMemory final : public CudaPeerMemory {
  public:
    OwnMemory(const std::shared_ptr<Session>& session, std::size_t bytes)
        : CudaPeerMemory(session, session->allocate(bytes)), bytes_(bytes) {}
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
    OpenedMemory(const std::shared_ptr<Session>& session, Address address)
        : CudaPeerMemory(session, address) {}
    ~OpenedMemory() override {
        session_->settle();
        session_->driver().close_memory(address_);
    }
    std::vector<std::byte> name() const override {
        throw std::logic_error("memory of another process has its name there");
    }
};

static_assert(PeerMailbox::chunk == chunk_entities);

std::vector<PeerChunk> chunks_of(std::span<const PeerMailbox> mailboxes, ElementType type,
                                 int columns) {
    std::vector<PeerChunk> chunks;
    for (const PeerMailbox& box : mailboxes) {
        const Address signals =
                          static_cast<const CudaPeerMemory&>(*box.memory).address() + box.offset,
                      place = signals + PeerMailbox::signal_bytes(box.count);
        const std::size_t number = bytes_of(type),
                          other = PeerMailbox::place_bytes(box.count, number * columns);
        const auto at = [](Address address) { return reinterpret_cast<void*>(address); };
        for (Index k = 0; k < PeerMailbox::chunks(box.count); ++k) {
            const Index first = k * PeerMailbox::chunk;
            const Address from = place + first * number;
            chunks.push_back(
                {{at(from), at(from + other)},
                 static_cast<unsigned long long*>(at(signals + k * sizeof(std::uint64_t))),
                 box.first + first,
                 std::min(PeerMailbox::chunk, box.count - first),
                 box.count});
        }
    }
    return chunks;
}

// In the GPU's memory.
template <class T>
class Table {
  public:
    Table(const std::shared_ptr<Session>& session, std::span<const T> values)
        : storage_(ElementType::uint32, static_cast<Index>(values.size_bytes() / sizeof(Index)), 1,
                   session),
          size_(static_cast<unsigned>(values.size())) {
        static_assert(sizeof(T) % sizeof(Index) == 0);
        if (!values.empty()) storage_.write(values.data(), 0);
    }
    const T* on_gpu() const { return static_cast<const T*>(storage_.data(0)); }
    unsigned size() const { return size_; }

  private:
    CudaStorage storage_;
    unsigned size_;
};

// A list of entities and its chunks, on the GPU.
class Direction {
  public:
    Direction(const std::shared_ptr<Session>& session, std::span<const Index> list,
              std::span<const PeerMailbox> mailboxes, ElementType type, int columns)
        : list_(session, list),
          chunks_(session, chunks_of(mailboxes, type, columns)),
          rounds_(ElementType::float64, static_cast<Index>(chunks_.size()), 1, session) {}

    PeerDirection arguments() const {
        return {list_.on_gpu(), chunks_.on_gpu(), static_cast<unsigned long long*>(rounds_.data(0)),
                chunks_.size()};
    }
    unsigned chunks() const { return chunks_.size(); }

  private:
    Table<Index> list_;
    Table<PeerChunk> chunks_;
    CudaStorage rounds_;  // of messages, 64 bits a chunk
};

class CudaPeerExchange final : public PeerExchange {
  public:
    CudaPeerExchange(const std::shared_ptr<Session>& session, KernelFunctions& kernels,
                     const PeerLists& lists, ElementType type, int columns)
        : session_(session),
          outgoing_(session, lists.send, lists.outgoing, type, columns),
          incoming_(session, lists.receive, lists.incoming, type, columns),
          send_(session, kernels, "send", type),
          receive_(session, kernels, "receive", type),
          exchange_(session, kernels, "exchange", type) {}

    void send(const Storage& field) override { launch(send_, outgoing_.chunks(), field); }
    void receive(Storage& field) override { launch(receive_, incoming_.chunks(), field); }
    void exchange(Storage& field) override {
        launch(exchange_, std::max(outgoing_.chunks(), incoming_.chunks()), field);
    }

  private:
    // A kernel, and how many of its blocks run at once.
    struct Kernel {
        Kernel(const std::shared_ptr<Session>& session, KernelFunctions& kernels,
               const std::string& name, ElementType type)
            : function(kernels.of_text(peers_ptx, name + (bytes_of(type) == 8 ? "_8" : "_4"))),
              most_blocks(session->resident_blocks(function)) {}
        FunctionHandle function;
        unsigned most_blocks;
    };
    void launch(const Kernel& kernel, unsigned chunks, const Storage& field) const {
        const PeerArguments arguments{on_gpu(field).data(0), on_gpu(field).pitch,
                                      outgoing_.arguments(), incoming_.arguments(),
                                      static_cast<unsigned>(field.columns)};
        session_->make_current();
        session_->launch(kernel.function, std::min(chunks, kernel.most_blocks), &arguments);
    }

    std::shared_ptr<Session> session_;
    Direction outgoing_, incoming_;
    Kernel send_, receive_, exchange_;
};

static_assert(2 * sum_words * sizeof(unsigned long long) <= PeerSum::box_bytes);

std::vector<unsigned long long*> words_of(std::span<const PeerMailbox> mailboxes) {
    std::vector<unsigned long long*> words;
    for (const PeerMailbox& box : mailboxes)
        words.push_back(reinterpret_cast<unsigned long long*>(
            static_cast<const CudaPeerMemory&>(*box.memory).address() + box.offset));
    return words;
}

class CudaPeerSum final : public PeerSum {
  public:
    CudaPeerSum(const std::shared_ptr<Session>& session, KernelFunctions& kernels,
                std::span<const PeerMailbox> outgoing, std::span<const PeerMailbox> incoming)
        : session_(session),
          send_slots_(session, words_of(outgoing)),
          receive_slots_(session, words_of(incoming)),
          round_(ElementType::float64, 1, 1, session),
          add_(kernels.of_text(sums_ptx, "add_ranks")) {}

    void add(DeviceSums& sums) override {
        const RankSumArguments arguments{
            on_gpu(sums).on_gpu(), send_slots_.on_gpu(), receive_slots_.on_gpu(),
            static_cast<unsigned long long*>(round_.data(0)), send_slots_.size()};
        session_->make_current();
        session_->launch(add_, 1, &arguments);
    }

  private:
    std::shared_ptr<Session> session_;
    Table<unsigned long long*> send_slots_, receive_slots_;
    CudaStorage round_;  // of sums, 64 bits
    FunctionHandle add_;
};

}  // namespace

std::unique_ptr<PeerSum> CudaPeers::peer_sum(std::span<const PeerMailbox> outgoing,
                                             std::span<const PeerMailbox> incoming) {
    if (outgoing.size() > group_size)
        throw ComputationError(
            "CUDA: more ranks on a host than a block has threads: use --transport host");
    return std::make_unique<CudaPeerSum>(session_, kernels_, outgoing, incoming);
}

std::unique_ptr<PeerMemory> CudaPeers::allocate_shared(std::size_t bytes) {
    return std::make_unique<OwnMemory>(session_, bytes);
}

std::unique_ptr<PeerMemory> CudaPeers::open_shared(std::span<const std::byte> name) {
    MemoryName copy{};
    std::memcpy(copy.bytes, name.data(), std::min(name.size(), sizeof copy.bytes));
    Address address = 0;
    session_->make_current();
    session_->check(session_->driver().open_memory(&address, copy, peer_access_when_needed),
                    "cuIpcOpenMemHandle");
    return std::make_unique<OpenedMemory>(session_, address);
}

std::unique_ptr<PeerExchange> CudaPeers::peer_exchange(const PeerLists& lists, ElementType type,
                                                       int columns) {
    return std::make_unique<CudaPeerExchange>(session_, kernels_, lists, type, columns);
}

}  // namespace solenoid::cuda
