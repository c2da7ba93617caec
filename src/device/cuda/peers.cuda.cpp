// Messages between GPUs of a host: values gathered straight into the receiver's memory with a signal behind them, and spread from there
// once the signal has come. For PTX, as a kernel's text.
#include "device/cuda/arguments.hpp"
#include "prologue.cuda.hpp"

namespace solenoid::cuda {
namespace {

SOLENOID_INLINED const PeerShare& share_of(const PeerArguments& a, uint k) {
    uint s = 0;
    while (k >= a.shares[s].first + a.shares[s].count) ++s;
    return a.shares[s];
}

// The block that finishes last signals: what all of them have written is there before.
template <class Element>
SOLENOID_INLINED void send(const PeerArguments& a) {
    SOLENOID_SHARED volatile uint is_last;
    const Element* const field = static_cast<const Element*>(a.field);
    volatile Size* const round = a.round;
    const Size number = *round + 1;
    EACH_THREAD(thread) {
        const uint k = block_index() * group_size + thread;
        if (k < a.count) {
            const PeerShare& share = share_of(a, k);
            Element* const place = static_cast<Element*>(share.places[number % 2]) + (k - share.first);
            for (uint j = 0; j < a.columns; ++j) place[Size(j) * share.count] = field[j * a.pitch + a.where[k]];
        }
    }
    barrier();
    EACH_THREAD(thread) {
        if (thread == 0) {
            fence_of_system();
            is_last = add_atomically(a.finished, 1) == block_count() - 1;
        }
    }
    barrier();
    if (!is_last) return;
    EACH_THREAD(thread) {
        fence_of_system();
        if (thread < a.share_count) {
            volatile Size* const signal = a.shares[thread].signal;
            *signal = number;
        }
        if (thread == 0) {
            *a.finished = 0;
            *round = number;
        }
    }
}

// Few blocks, each striding over the list: those that wait leave room for others on a GPU that several ranks share.
template <class Element>
SOLENOID_INLINED void receive(const PeerArguments& a) {
    Element* const field = static_cast<Element*>(a.field);
    const volatile Size* const round = a.round;
    const Size number = *round;
    EACH_THREAD(thread) {
        if (thread < a.share_count) {
            const volatile Size* const signal = a.shares[thread].signal;
            while (*signal < number) wait_a_little();
        }
        fence_of_system();
    }
    barrier();
    EACH_THREAD(thread) {
        for (uint k = block_index() * group_size + thread; k < a.count; k += block_count() * group_size) {
            const PeerShare& share = share_of(a, k);
            const volatile Element* const place = static_cast<const volatile Element*>(share.places[number % 2]) + (k - share.first);
            for (uint j = 0; j < a.columns; ++j) field[j * a.pitch + a.where[k]] = place[Size(j) * share.count];
        }
    }
}

}  // namespace
}  // namespace solenoid::cuda

using solenoid::cuda::PeerArguments;
SOLENOID_ENTRY(send_4, PeerArguments) { solenoid::cuda::send<unsigned>(arguments); }
SOLENOID_ENTRY(send_8, PeerArguments) { solenoid::cuda::send<unsigned long long>(arguments); }
SOLENOID_ENTRY(receive_4, PeerArguments) { solenoid::cuda::receive<unsigned>(arguments); }
SOLENOID_ENTRY(receive_8, PeerArguments) { solenoid::cuda::receive<unsigned long long>(arguments); }
