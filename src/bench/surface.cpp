// Mean curvature flow of a surface, with the measurements of the study of sparse solvers (Bolz,
// Farmer, Grinspun & Schroeder): product, reduction and a solve on about 37 000 elements, beside
// its times on an NV30 at 500 MHz; and the new entries of the matrix, and whole steps.
#include <cmath>

#include "bench/benchmark.hpp"
#include "bench/timing.hpp"
#include "surface/flow/mean_curvature_flow.hpp"

namespace solenoid::bench {
namespace {

class SurfaceBenchmark : public Benchmark {
  public:
    std::string name() const override { return "surface"; }
    std::string help() const override {
        return "mean curvature flow of a surface: product, reduction, entries, solve and step";
    }
    std::string size_help() const override { return "triangles of a rough sphere, about"; }
    std::vector<Index> default_sizes() const override { return {37000, 4000000}; }
    std::vector<std::string> precisions() const override { return {"single", "double", "mixed"}; }
    void add_options(CLI::App& command) override {
        command
            .add_option("--step", step_,
                        "in squares of the mean edge: the larger, the more iterations has a solve")
            ->check(CLI::Range(1e-6, 1e6))
            ->capture_default_str();
    }

    void run(const Session& session) override {
        const std::unique_ptr<Device> device = session.device();
        for (const Index size : session.settings.sizes) measure(session, *device, size);
    }

  private:
    // On each rank the whole sphere: a surface is not distributed.
    void measure(const Session& session, Device& device, Index size) const {
        const int parts = std::max(1, static_cast<int>(std::lround(std::sqrt(size / 20.0))));
        TriangleSurface sphere = sphere_surface(parts);
        for (std::size_t i = 0; i < sphere.points.size(); ++i) {
            const double x = double(i) * 0.6180339887498949;
            sphere.points[i] *= 1 + 0.2 / parts * (x - std::floor(x) - 0.5);
        }
        const double edge2 =
                         4 * area_of(sphere) / (std::sqrt(3.0) * double(sphere.triangles.size())),
                     dt = step_ * edge2;
        const CheckedSurface checked = check_surface(std::move(sphere), "sphere");
        std::unique_ptr<MeanCurvatureFlow> flow;
        const auto restart = [&] {
            flow.reset();
            flow = make_flow(device, checked, {.precision = session.settings.precision});
            flow->assemble(dt);
            flow->solve();
        };
        const Timer timer(session.comm, device, session.settings.repeats);
        const double elements = double(checked.surface.triangles.size());
        const auto add = [&](const char* what, const Timing& timing, double study, int iterations) {
            Row row{{"measured", what},
                    {"elements", elements},
                    {"points", checked.surface.points.size()},
                    {"precision", session.settings.precision},
                    {"seconds", timing.seconds},
                    {"spread", timing.relative_quartiles}};
            if (iterations > 0) row["iterations"] = iterations;
            // of three columns, where the study's has one
            if (study > 0 && elements < 40000) row["study_seconds"] = study;
            session.results.add(row);
        };
        restart();
        add("product", timer.of([&] { flow->repeat_product(); }), 1.0 / 100, 0);
        add("reduction", timer.of([&] { flow->repeat_reduction(); }, true), 1.0 / 1900, 0);
        add("entries", timer.of([&] { flow->assemble(dt); }), 0, 0);
        SolveReport solve;
        const Timing of_solve = timer.of_each([] {}, [&] { solve = flow->solve(); });
        add("solve", of_solve, 1.0 / 20, solve.iterations);
        FlowStep step;
        const Timing of_step = timer.of_each(restart, [&] { step = flow->step(dt); });
        add("step", of_step, 0, step.solve.iterations);
    }

    double step_ = 1;
};

}  // namespace

Benchmark& surface() {
    static SurfaceBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
