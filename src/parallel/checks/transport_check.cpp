#include "parallel/checks/transport_check.hpp"

#include <optional>

#include "core/timer.hpp"
#include "parallel/checks/agreed_words.hpp"
#include "parallel/checks/exchange_check.hpp"
#include "parallel/checks/sum_check.hpp"
#include "parallel/checks/watchdog.hpp"
#include "parallel/communicator_handle.hpp"

namespace solenoid {

TransportCheck check_transport(const Communicator& comm, Device& device) {
    constexpr std::uint64_t seed = 20;
    constexpr std::int64_t sums = 2000, exchanges = 300;
    constexpr double patience = 30;  // s
    const Stopwatch watch;
    const Traffic before = comm.traffic();
    TransportCheck result;
    const Watchdog watchdog(comm, patience,
                            "--transport auto: a message from GPU to GPU has not arrived within 30 "
                            "s: use --transport host");
    std::optional<SumCheck> of_sums;
    std::optional<ExchangeCheck> of_exchanges;
    result.wrong = agreed_words(comm, [&] {  // all ranks throw what these throw
        of_sums.emplace(comm, device, seed);
        of_exchanges.emplace(comm, device,
                             ExchangeSettings{.seed = seed, .halos = 8, .most_entities = 600});
        return "";
    });
    if (result.wrong.empty() && of_sums->has_device_sums())
        result.wrong = of_sums->run_on_device(result.sums = sums);
    if (result.wrong.empty()) result.wrong = of_exchanges->run(result.exchanges = exchanges);
    comm.handle().traffic = before;  // the run's, without this check
    result.seconds = watch.seconds();
    return result;
}

}  // namespace solenoid
