// Messages between GPUs of a host: values gathered straight into the receiver's memory, a signal
// behind each chunk of them, and spread from there once the signal has come. For PTX, as a kernel's
// text.
#include "device/cuda/arguments.hpp"
#include "prologue.cuda.hpp"

namespace solenoid::cuda {
namespace {

// entities of a thread, read before the first is written
constexpr uint at_a_time = chunk_entities / group_size;

// From the field into the chunks' places.
template <class Element>
SOLENOID_INLINED void send(const PeerArguments& a) {
    const Element* const field = static_cast<const Element*>(a.field);
    for (uint c = block_index(); c < a.outgoing.count; c += block_count()) {
        const PeerChunk& chunk = a.outgoing.chunks[c];
        const uint first = chunk.first, count = chunk.count;
        const Size pitch = chunk.pitch;
        volatile Size* const round = a.outgoing.rounds + c;
        const Size number = *round + 1;
        Element* const place = static_cast<Element*>(number % 2 ? chunk.slots[1] : chunk.slots[0]);
        EACH_THREAD(thread) {
            uint from[at_a_time];
            for (uint n = 0; n < at_a_time; ++n) {
                const uint k = thread + n * group_size;
                from[n] = k < count ? a.outgoing.list[first + k] : 0;
            }
            for (uint j = 0; j < a.columns; ++j) {
                Element values[at_a_time];
                for (uint n = 0; n < at_a_time; ++n)
                    if (thread + n * group_size < count) values[n] = field[j * a.pitch + from[n]];
                for (uint n = 0; n < at_a_time; ++n)
                    if (thread + n * group_size < count)
                        place[j * pitch + thread + n * group_size] = values[n];
            }
        }
        barrier();
        EACH_THREAD(thread) {
            if (thread == 0) {
                store_release(chunk.signal, number);
                *round = number;
            }
        }
    }
}

// From the chunks' places into the field, each once its signal has come.
template <class Element>
SOLENOID_INLINED void receive(const PeerArguments& a) {
    Element* const field = static_cast<Element*>(a.field);
    for (uint c = block_index(); c < a.incoming.count; c += block_count()) {
        const PeerChunk& chunk = a.incoming.chunks[c];
        const uint first = chunk.first, count = chunk.count;
        const Size pitch = chunk.pitch;
        volatile Size* const round = a.incoming.rounds + c;
        const Size number = *round + 1;
        const Element* const place =
            static_cast<const Element*>(number % 2 ? chunk.slots[1] : chunk.slots[0]);
        EACH_THREAD(thread) {
            if (thread == 0)
                while (load_acquire(chunk.signal) < number) wait_a_little();
        }
        barrier();
        EACH_THREAD(thread) {
            uint to[at_a_time];
            for (uint n = 0; n < at_a_time; ++n) {
                const uint k = thread + n * group_size;
                to[n] = k < count ? a.incoming.list[first + k] : 0;
            }
            for (uint j = 0; j < a.columns; ++j) {
                Element values[at_a_time];
                for (uint n = 0; n < at_a_time; ++n)
                    if (thread + n * group_size < count)
                        values[n] = place[j * pitch + thread + n * group_size];
                for (uint n = 0; n < at_a_time; ++n)
                    if (thread + n * group_size < count) field[j * a.pitch + to[n]] = values[n];
            }
            if (thread == 0) *round = number;
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
// Both in one launch. Blocks wait for what blocks of the neighbours send: all blocks of the launch
// must run at once.
SOLENOID_ENTRY(exchange_4, PeerArguments) {
    solenoid::cuda::send<unsigned>(arguments);
    solenoid::cuda::receive<unsigned>(arguments);
}
SOLENOID_ENTRY(exchange_8, PeerArguments) {
    solenoid::cuda::send<unsigned long long>(arguments);
    solenoid::cuda::receive<unsigned long long>(arguments);
}
