// Frames of a harbour by the variational Boussinesq model: a basin behind two moles and a quay with
// docks, waves that come in from the sea and are absorbed, and a ship that sails in.
#include <algorithm>
#include <cmath>

#include "bench/benchmark.hpp"
#include "bench/timing.hpp"
#include "boussinesq/dispersion.hpp"
#include "boussinesq/incident_waves.hpp"
#include "boussinesq/ships.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/timer.hpp"
#include "device/timed_device.hpp"

namespace solenoid::bench {
namespace {

// A harbour 3 : 2, its width in nodes that are 4 m apart; the sea is in the south.
struct Harbour {
    int nx, ny;
    static constexpr double spacing = 4, sea_depth = 18, wave_period = 8;

    explicit Harbour(double nodes)
        : nx(std::max(96, static_cast<int>(std::lround(std::sqrt(1.5 * nodes))))),
          ny(std::max(64, static_cast<int>(std::lround(nodes / nx)))) {}

    double wave_length() const {
        const double pi = 3.14159265358979323846;
        return 2 * pi / wave_number(2 * pi / wave_period, sea_depth, 9.81);
    }
    // In shares u, v of the width and the height: 18 m at sea, 12 m in the basin with an uneven
    // bottom and a channel through the entrance; land.
    double depth(double x, double y) const {
        const double u = x / (nx * spacing), v = y / (ny * spacing);
        const bool is_mole = v > 0.5 && v < 0.515 && (u < 0.44 || u > 0.56),
                   is_quay = v > 0.8 && std::fmod(u, 0.2) > 0.06,
                   is_shore = u < 0.04 + 0.1 * v * v || u > 0.97 - 0.12 * v * v;
        if (is_mole || (is_quay && v > 0.8) || (is_shore && v > 0.5)) return 0;
        const double inside = std::clamp((v - 0.3) / 0.2, 0.0, 1.0),
                     channel = std::exp(-std::pow((u - 0.5) / 0.05, 2));
        return sea_depth - 6 * inside * (1 - channel) +
               std::sin(0.01 * x + 0.3) * std::cos(0.013 * y);
    }
    BoussinesqSettings settings() const {
        BoussinesqSettings s;
        s.nx = nx;
        s.ny = ny;
        s.dx = s.dy = spacing;
        s.depth = [*this](double x, double y) { return depth(x, y); };
        s.damping = border_damping(s, {.sides = {GridSide::south, GridSide::west, GridSide::east},
                                       .width = std::min(wave_length(), 0.1 * ny * spacing),
                                       .frequency = 2 * 3.14159265358979323846 / wave_period});
        return s;
    }
};

template <class Real>
class HarbourRun {
  public:
    HarbourRun(const Communicator& comm, Device& device, const Harbour& harbour, double frame)
        : model_(comm, device, harbour.settings()),
          ships_(comm, device, {ship(harbour)}, 1025),
          substeps_(static_cast<int>(std::ceil(frame / (0.98 * model_.largest_step())))) {
        const auto nothing = [](double, double) { return 0.0; };
        model_.start(frame / substeps_, nothing, nothing);
        ships_.start(model_);
        waves_ = std::make_unique<IncidentWaves<Real>>(
            comm, device, model_,
            IncidentWaveSettings{
                .side = GridSide::south,
                .distance = std::min(harbour.wave_length(), 0.1 * harbour.ny * Harbour::spacing),
                .components = irregular_waves({.significant_height = 1.5,
                                               .peak_period = Harbour::wave_period,
                                               .direction = 1.4,
                                               .components = 32}),
                .rise = 1});
    }

    // A frame; iterations of its solves.
    int frame() {
        int iterations = 0;
        for (int n = 0; n < substeps_; ++n) {
            waves_->set_source(model_);
            iterations += ships_.step(model_).iterations;
        }
        return iterations;
    }
    int substeps() const { return substeps_; }
    double largest_step() const { return model_.largest_step(); }
    double resistance() { return -ships_.forces(model_, 0).surge; }

  private:
    static ShipSettings ship(const Harbour& harbour) {
        const double x = 0.5 * harbour.nx * Harbour::spacing,
                     y = 0.3 * harbour.ny * Harbour::spacing;
        return {.length = 150,
                .beam = 30,
                .draught = 8,
                .course = ShipCourse(ShipPose{x, y, 1.5708}, 7),
                .rise = 5};
    }
    BoussinesqModel<Real> model_;
    Ships<Real> ships_;
    std::unique_ptr<IncidentWaves<Real>> waves_;
    const int substeps_;
};

class BoussinesqBenchmark : public Benchmark {
  public:
    std::string name() const override { return "boussinesq"; }
    std::string help() const override {
        return "a harbour with waves and a sailing ship: time, iterations and bytes of a frame";
    }
    std::string size_help() const override { return "nodes of the harbour"; }
    std::vector<Index> default_sizes() const override { return {100000, 1500000}; }
    void add_options(CLI::App& command) override {
        command.add_option("--frames", frames_, "frames that are measured")
            ->check(CLI::Range(1, 100000))
            ->capture_default_str();
        command.add_option("--frame", frame_, "time of a frame in the harbour [s]")
            ->check(CLI::Range(1e-3, 10.0))
            ->capture_default_str();
        command
            .add_option("--rate", rate_,
                        "searches the largest harbour that computes so many frames a second, from "
                        "the first size on")
            ->check(CLI::Range(0.0, 1e6));
    }

    void run(const Session& session) override {
        const std::unique_ptr<Device> device = session.device();
        const auto measured = [&](double nodes) {
            return session.is_double() ? measure<double>(session, *device, nodes)
                                       : measure<float>(session, *device, nodes);
        };
        if (rate_ > 0)
            search(session.settings.sizes.front(), measured);
        else
            for (const Index size : session.settings.sizes) measured(size);
        for (const auto& row : session.results.rows())
            if (row.at("seconds_per_frame") <= 1 / rate_)
                most_ = std::max<double>(most_, row.at("nodes"));
        if (rate_ > 0) session.results.note("most_nodes_at_rate", most_);
    }

  private:
    // Sizes, doubled or halved until one is too large and one is not, then three between.
    template <class Measured>
    void search(double nodes, const Measured& measured) const {
        double low = 0, high = 0;
        while (low == 0 || high == 0) {
            if (nodes < 1e4 || nodes > 1e9) return;
            (measured(nodes) <= 1 / rate_ ? low : high) = nodes;
            nodes = high == 0 ? 2 * low : low == 0 ? high / 2 : nodes;
        }
        for (int n = 0; n < 3; ++n) {
            const double middle = std::sqrt(low * high);
            (measured(middle) <= 1 / rate_ ? low : high) = middle;
        }
    }

    // Seconds of a frame.
    template <class Real>
    double measure(const Session& session, Device& device, double nodes) const {
        const Harbour harbour(nodes);
        HarbourRun<Real> run(session.comm, device, harbour, frame_);
        for (int n = 0; n < std::min(20, frames_); ++n) run.frame();
        std::vector<double> seconds;
        double iterations = 0;
        int most = 0;
        for (int n = 0; n < frames_; ++n) {
            device.finish();
            session.comm.barrier();
            const Stopwatch watch;
            const int count = run.frame();
            device.finish();
            seconds.push_back(session.comm.max(watch.seconds()));
            iterations += count;
            most = std::max(most, count);
        }
        const Timing timing = timing_of(seconds);
        double sum = 0;
        for (const double one : seconds) sum += one;
        Row row{{"nodes", double(harbour.nx) * harbour.ny},
                {"nx", harbour.nx},
                {"ny", harbour.ny},
                {"precision", session.settings.precision},
                {"steps_per_frame", run.substeps()},
                {"iterations", iterations / frames_},
                {"most_iterations", most},
                {"seconds_per_frame", timing.seconds},
                {"mean_seconds_per_frame", sum / frames_},
                {"spread", timing.relative_quartiles}};
        if (rate_ <= 0) {
            TimedDevice timed(session.device());
            HarbourRun<Real> again(session.comm, timed, harbour, frame_);
            for (int n = 0; n < 5; ++n) again.frame();
            timed.forget();
            const int counted = 5;
            for (int n = 0; n < counted; ++n) again.frame();
            double bytes = 0, launches = 0;
            row["kernels"] = Row::array();
            for (const KernelTime& t : timed.times()) {
                bytes += t.bytes / counted;
                launches += double(t.launches) / counted;
                row["kernels"].push_back({{"kernel", t.kernel},
                                          {"entities", t.entities},
                                          {"launches_per_frame", double(t.launches) / counted},
                                          {"seconds_per_frame", t.seconds / counted},
                                          {"bytes_per_frame", t.bytes / counted}});
            }
            row["launches_per_frame"] = launches;
            row["bytes_per_frame"] = bytes;
            row["gb_per_s"] = bytes / timing.seconds / 1e9;
        }
        session.results.add(row);
        return timing.seconds;
    }

    int frames_ = 100;
    double frame_ = 0.05, rate_ = 0, most_ = 0;
};

}  // namespace

Benchmark& boussinesq() {
    static BoussinesqBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
