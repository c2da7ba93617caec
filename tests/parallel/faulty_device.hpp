// A device that does one thing wrong, once: on what a rank receives, or on a sum that stays on the
// devices.
#pragma once

#include <cstring>
#include <vector>

#include "device/device.hpp"

namespace solenoid {

enum class Fault {
    none,
    lost_ghost,     // one ghost stays as it was
    lost_message,   // all of them do: what came with the message before
    changed_ghost,  // one number too much by one
    wrong_sum       // the second of four numbers likewise
};

class FaultyDevice final : public Device {
  public:
    // at: the number of the receive, or of the sum, from 1. id: of the GPU that it says to be.
    FaultyDevice(Device& inner, Fault fault, int at, const std::string& id = "")
        : inner_(inner), info_(inner.info()), fault_(fault), at_(at), peers_(*this) {
        if (!id.empty()) info_.id = id;
    }

    const DeviceInfo& info() const override { return info_; }
    Index row_stride() const override { return inner_.row_stride(); }
    bool is_synchronous() const override { return inner_.is_synchronous(); }
    std::size_t allocated_bytes() const override { return inner_.allocated_bytes(); }
    void launch(const Launch& launch, Range range, std::span<double> reductions) override {
        inner_.launch(launch, range, reductions);
    }
    std::unique_ptr<DeviceSums> device_sums() override { return inner_.device_sums(); }
    void keep(DeviceSums* sums) override { inner_.keep(sums); }
    std::vector<std::array<double, DeviceSums::most>> read_back(
        std::span<DeviceSums* const> sums) override {
        return inner_.read_back(sums);
    }
    void scatter(const Storage& value, const Storage& where, Storage& out) override {
        inner_.scatter(value, where, out);
    }
    void copy(const Storage& from, Storage& to) override { inner_.copy(from, to); }
    std::unique_ptr<Staging> staging(std::size_t bytes) override { return inner_.staging(bytes); }
    void gather(const Storage& field, const Storage& where, Staging& to) override {
        inner_.gather(field, where, to);
    }
    void scatter(Staging& from, const Storage& where, Storage& field) override {
        receive(field, [&] { inner_.scatter(from, where, field); });
    }
    PeerAccess* peers() override { return inner_.peers() ? &peers_ : nullptr; }
    void finish() override { inner_.finish(); }
    std::unique_ptr<Storage> allocate(ElementType type, Index size, int columns) override {
        return inner_.allocate(type, size, columns);
    }

  private:
    class Exchange final : public PeerExchange {
      public:
        Exchange(FaultyDevice& device, std::unique_ptr<PeerExchange> inner)
            : device_(device), inner_(std::move(inner)) {}
        void send(const Storage& field) override { inner_->send(field); }
        void receive(Storage& field) override {
            device_.receive(field, [&] { inner_->receive(field); });
        }
        void exchange(Storage& field) override {
            device_.receive(field, [&] { inner_->exchange(field); });
        }

      private:
        FaultyDevice& device_;
        std::unique_ptr<PeerExchange> inner_;
    };

    class Sum final : public PeerSum {
      public:
        Sum(FaultyDevice& device, std::unique_ptr<PeerSum> inner)
            : device_(device), inner_(std::move(inner)) {}
        void add(DeviceSums& sums) override {
            inner_->add(sums);
            if (device_.fault_ != Fault::wrong_sum || ++device_.count_ != device_.at_) return;
            DeviceSums* const one[] = {&sums};
            std::array<double, DeviceSums::most> values = device_.read_back(one)[0];
            values[1] += 1;
            sums.set(values);
        }

      private:
        FaultyDevice& device_;
        std::unique_ptr<PeerSum> inner_;
    };

    class Peers final : public PeerAccess {
      public:
        explicit Peers(FaultyDevice& device) : device_(device) {}
        std::unique_ptr<PeerMemory> allocate_shared(std::size_t bytes) override {
            return device_.inner_.peers()->allocate_shared(bytes);
        }
        std::unique_ptr<PeerMemory> open_shared(std::span<const std::byte> name) override {
            return device_.inner_.peers()->open_shared(name);
        }
        std::unique_ptr<PeerExchange> peer_exchange(const PeerLists& lists, ElementType type,
                                                    int columns) override {
            return std::make_unique<Exchange>(
                device_, device_.inner_.peers()->peer_exchange(lists, type, columns));
        }
        std::unique_ptr<PeerSum> peer_sum(std::span<const PeerMailbox> outgoing,
                                          std::span<const PeerMailbox> incoming) override {
            return std::make_unique<Sum>(device_,
                                         device_.inner_.peers()->peer_sum(outgoing, incoming));
        }

      private:
        FaultyDevice& device_;
    };

    using Columns = std::vector<std::vector<std::byte>>;

    static Columns read(Storage& field) {
        Columns columns(field.columns, std::vector<std::byte>(field.size * bytes_of(field.type)));
        for (int j = 0; j < field.columns; ++j) field.read(columns[j].data(), j);
        return columns;
    }

    // A receive that changes nothing is none.
    template <class Action>
    void receive(Storage& field, const Action& action) {
        if (fault_ == Fault::none || fault_ == Fault::wrong_sum || count_ >= at_) return action();
        Columns before = read(field);
        action();
        Columns after = read(field);
        if (before == after || ++count_ < at_) return;
        if (fault_ == Fault::lost_message) after = before;
        const std::size_t bytes = bytes_of(field.type), last = after.size() - 1;
        for (std::size_t i = 0; i < after[last].size() && fault_ != Fault::lost_message;
             i += bytes) {
            if (std::memcmp(&before[last][i], &after[last][i], bytes) == 0) continue;
            if (fault_ == Fault::lost_ghost)
                std::memcpy(&after[last][i], &before[last][i], bytes);
            else
                field.type == ElementType::float64 ? add_one<double>(&after[last][i])
                                                   : add_one<float>(&after[last][i]);
            break;
        }
        for (int j = 0; j < field.columns; ++j) field.write(after[j].data(), j);
    }

    template <class Real>
    static void add_one(std::byte* at) {
        Real value;
        std::memcpy(&value, at, sizeof value);
        value += 1;
        std::memcpy(at, &value, sizeof value);
    }

    Device& inner_;
    DeviceInfo info_;
    Fault fault_;
    int at_, count_ = 0;
    Peers peers_;
};

}  // namespace solenoid
