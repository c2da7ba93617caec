#include "run/run_summary.hpp"

#include <cmath>
#include <optional>

#include "core/log.hpp"
#include "core/stop_signal.hpp"
#include "io/files/unwritten.hpp"
#include "parallel/transport.hpp"

namespace solenoid {

void finish_summary(Run& run, const std::string& status) {
    Summary& summary = run.summary;
    OutputFolder& folder = *run.folder;
    run.is_summed_up = true;
    std::optional<PhaseClock::In> phase(std::in_place, run.phases, &PhaseSeconds::output);
    if (summary.steps > 0 || status == "done") folder.keep();
    if (folder.has_earlier_results()) {  // they come back
        if (status == "stopped")
            log::warning("{}: stopped before a step ended: the earlier results stay",
                         folder.path().string());
        return;
    }
    folder.begin();
    phase.reset();
    summary.status = status;
    if (run.device) summary.transport = transport_name(run.comm, *run.device);  // of all halos
    const Traffic traffic = run.comm.traffic();
    summary.exchanges = traffic.exchanges;
    summary.sums = traffic.sums;
    summary.halo_bytes = run.comm.sum(traffic.bytes);
    summary.memory_bytes = run.comm.sum(static_cast<std::int64_t>(peak_resident_bytes()));
    run.phases.update();
    summary.seconds.total = run.total.seconds();
    run.comm.agree([&] {
        if (!run.comm.is_root()) return;
        summary.not_written = unwritten();
        write_or_note(folder.summary(), [&] { write_summary(folder.summary(), summary); });
    });
}

void finish_summary(Run& run, const AgreedError& error) {
    if (run.is_summed_up) return;
    set_stop_patience(HUGE_VAL);
    try {
        const bool is_stopped = error.exit_code() == stopped_exit_code;
        if (is_stopped)
            run.summary.reason = name_of_signal(static_cast<int>(run.comm.max(stop_signal())));
        finish_summary(run, is_stopped ? "stopped" : "failed");
    } catch (const AgreedError&) {
    }
}

}  // namespace solenoid
