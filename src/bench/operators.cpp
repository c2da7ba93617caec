// Time of the discrete operators, ghosts included, and of every kernel that computations on a box
// launch, compared with a copy of equally many bytes.
#include "operators/operators.hpp"

#include <fmt/format.h>

#include "bench/bench_meshes.hpp"
#include "bench/benchmark.hpp"
#include "bench/kernel_meter.hpp"
#include "bench/kernel_tour.hpp"
#include "core/log.hpp"
#include "device/kernels.hpp"
#include "parallel/slices/distribute.hpp"

namespace solenoid::bench {
namespace {

std::vector<std::string> stage_names() {
    std::vector<std::string> names;
    for (const TourStage& stage : tour_stages()) names.push_back(stage.name);
    return names;
}

// Kernels of structured grids: nothing on a mesh launches them.
bool is_of_grids(std::string_view kernel) {
    for (const char* const part : {"grid_", "stencil_", "multigrid_", "rrb_", "boussinesq_", "strided_"})
        if (kernel.starts_with(part)) return true;
    return false;
}

class OperatorsBenchmark : public Benchmark {
  public:
    std::string name() const override { return "operators"; }
    std::string help() const override {
        return "the discrete operators; on one rank every kernel, compared with a copy of as many "
               "bytes";
    }
    std::string size_help() const override { return "cells of an unstructured box"; }
    std::vector<Index> default_sizes() const override { return {5000, 20000, 100000}; }
    void add_options(CLI::App& command) override {
        command.add_option("--dimension", dimension_, "3: tets, 2: triangles")
            ->check(CLI::IsMember({2, 3}))
            ->capture_default_str();
        command
            .add_option("--stages", stages_,
                        "computations whose kernels are measured, on the largest box only; none: "
                        "no kernels")
            ->type_name("operators,heat,flow,schemes")
            ->delimiter(',')
            ->check(CLI::IsMember(with_none(stage_names())));
    }

    void run(const Session& session) override {
        const std::unique_ptr<Device> device = session.device();
        const Index largest = *std::ranges::max_element(session.settings.sizes);
        for (Index size : session.settings.sizes) {
            const DistributedMesh mesh =
                distribute(session.comm, box_of(session.comm, size, dimension_));
            session.is_double() ? measure_operators<double>(session, *device, mesh)
                                : measure_operators<float>(session, *device, mesh);
            if (size == largest && session.comm.size() == 1 && !wanted("none"))
                measure_kernels(session, *device, mesh);
        }
    }

  private:
    static std::vector<std::string> with_none(std::vector<std::string> names) {
        names.push_back("none");
        return names;
    }
    bool wanted(const std::string& stage) const {
        return std::ranges::find(stages_, stage) != stages_.end();
    }

    // Measures operators on entities of a kind; the input is written before each call, so that its
    // ghosts are exchanged.
    template <class Real>
    void measure_operators(const Session& session, Device& device,
                           const DistributedMesh& mesh) const {
        const Domain domain(session.comm, device, mesh);
        Operators<Real>& operators = domain.operators<Real>();
        auto p = operators.field(Kind::cell), q = operators.field(Kind::face),
             g = operators.field(Kind::face), s = operators.field(domain.codim2_kind);
        auto u = operators.vector_field(Kind::cell);
        const Timer timer(session.comm, device, session.settings.repeats);
        const auto add = [&](const char* name, Kind to, auto& input,
                             const std::function<void()>& call) {
            const Timing time = timer.of([&] {
                input.write();
                call();
            });
            const double entities = double(mesh.global_count[static_cast<int>(to)]);
            session.results.add({{"what", "operator"},
                                 {"name", name},
                                 {"dimension", dimension_},
                                 {"precision", session.settings.precision},
                                 {"cells", mesh.global_count[3]},
                                 {"faces", mesh.global_count[2]},
                                 {"entities", entities},
                                 {"seconds", time.seconds},
                                 {"spread", time.relative_quartiles},
                                 {"seconds_per_entity", time.seconds / entities}});
        };
        add("gradient", Kind::face, p, [&] { operators.gradient(p, g); });
        add("divergence", Kind::cell, q, [&] { operators.divergence(q, p); });
        add("curl", Kind::face, s, [&] { operators.curl(s, q); });
        add("rotation", domain.codim2_kind, q, [&] { operators.rotation(q, s); });
        add("interpolation", Kind::cell, q, [&] { operators.interpolation(q, u); });
        add("integration", Kind::face, u, [&] { operators.integration(u, g); });
    }

    void measure_kernels(const Session& session, Device& device,
                         const DistributedMesh& mesh) const {
        KernelMeter meter(session.comm, device, session.settings.repeats);
        {
            const Domain domain(session.comm, meter, mesh);
            for (const TourStage& stage : tour_stages())
                if (wanted(stage.name)) stage.visit(domain, session.is_double());
        }
        std::vector<std::string> reached;
        for (const KernelMeasurement& m : meter.measurements()) {
            reached.push_back(m.kernel);
            session.results.add({{"what", "kernel"},
                                 {"name", m.kernel},
                                 {"dimension", dimension_},
                                 {"precision", session.settings.precision},
                                 {"cells", mesh.global_count[3]},
                                 {"entities", m.entities},
                                 {"bytes", m.bytes},
                                 {"seconds", m.time.seconds},
                                 {"spread", m.time.relative_quartiles},
                                 {"gb_per_s", m.bytes / m.time.seconds * 1e-9},
                                 {"copy_gb_per_s", m.bytes / m.copy.seconds * 1e-9},
                                 {"fraction_of_copy", m.copy.seconds / m.time.seconds}});
        }
        Row missing = Row::array();
        for (const KernelInfo* kernel : kernels::all())
            if (!is_of_grids(kernel->name) &&
                std::ranges::find(reached, kernel->name) == reached.end())
                missing.push_back(std::string(kernel->name));
        if (!missing.empty())
            log::info("{} kernels of {} were not launched: {}", missing.size(),
                      kernels::all().size(), missing.dump());
        session.results.note("not_launched", missing);
    }

    int dimension_ = 3;
    std::vector<std::string> stages_ = stage_names();
};

}  // namespace

Benchmark& operators() {
    static OperatorsBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
