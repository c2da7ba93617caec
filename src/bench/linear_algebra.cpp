// The linear algebra of the library (docs/linear-algebra.md), beside two studies: table 44-1 of
// Krueger & Westermann (2005) on a GeForce 6800 GT, and the times of Bolz, Farmer, Grinspun &
// Schroeder (2003) on a pre-release GeForce FX at 500 MHz, for the matrix of a triangulated surface
// with 37 000 nodes.
#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <numbers>
#include <random>

#include "algebra/space.hpp"
#include "bench/benchmark.hpp"
#include "bench/timing.hpp"
#include "core/timer.hpp"

namespace solenoid::bench {
namespace {

using solenoid::algebra::Context;
using solenoid::algebra::Matrix;
using solenoid::algebra::SolveLimits;
using solenoid::algebra::SparseForm;
using solenoid::algebra::SparseRows;
using solenoid::algebra::Vector;

// Table 44-1, by numbers a vector: [s] and frames a second.
struct Published {
    double reduction, operation, frames;
};
const std::map<std::int64_t, Published>& table() {
    static const std::map<std::int64_t, Published> of_study{
        {2048 * 1024, {1.11e-3, 0.89e-3, 12}}, {1024 * 1024, {0.49e-3, 0.31e-3, 27}},
        {1024 * 512, {0.28e-3, 0.15e-3, 52}},  {512 * 512, {0.17e-3, 0.08e-3, 102}},
        {512 * 256, {0.16e-3, 0.04e-3, 185}},  {256 * 256, {0.14e-3, 0.02e-3, 335}}};
    return of_study;
}

// The study's waves on a membrane: explicit, and with the average of now and next.
class Waves {
  public:
    Waves(const Context& algebra, std::int64_t width, std::int64_t height, double courant)
        : width_(width),
          height_(height),
          explicit_step_(five_points(algebra, 2 - 4 * 0.49, 0.49)),
          implicit_step_(five_points(algebra, 1 + 2 * courant * courant, -courant * courant / 2)),
          right_side_(five_points(algebra, 2 - 2 * courant * courant, courant * courant / 2)),
          now_(algebra.vector(width * height,
                              [&](std::int64_t i) {
                                  const double x = double(i % width) / double(width) - 0.4,
                                               z = double(i / width) / double(height) - 0.3;
                                  return std::exp(-(x * x + z * z) / 0.001);
                              })),
          before_(now_),
          next_(now_),
          right_(now_) {}

    void step_explicitly() {
        next_ = explicit_step_ * now_ - before_;
        take_over();
    }
    int step_implicitly(const SolveLimits& limits) {
        right_ = right_side_ * now_ - before_;
        next_ = 2 * now_ - before_;
        const int iterations =
            conjugate_gradients(implicit_step_, right_, next_, limits).iterations;
        take_over();
        return iterations;
    }

  private:
    Matrix five_points(const Context& algebra, double diagonal, double beside) const {
        const std::int64_t all = width_ * height_, w = width_;
        const auto same = [=](std::int64_t) { return beside; };
        return algebra.banded(all, all,
                              {{0, [=](std::int64_t) { return diagonal; }},
                               {-1, [=](std::int64_t i) { return i % w > 0 ? beside : 0; }},
                               {1, [=](std::int64_t i) { return i % w < w - 1 ? beside : 0; }},
                               {-w, same},
                               {w, same}});
    }
    void take_over() {
        std::swap(before_, now_);
        std::swap(now_, next_);
    }

    const std::int64_t width_, height_;
    const Matrix explicit_step_, implicit_step_, right_side_;
    Vector now_, before_, next_, right_;
};

// A bumpy torus of `around` x `along` nodes whose squares are cut along random diagonals, and an
// implicit step of its mean curvature flow: a_ij = -l (cot alpha_ij + cot beta_ij),
// a_ii = 4 A_i - sum of a_ij.
class Surface {
  public:
    explicit Surface(std::int64_t nodes)
        : around_(std::max<std::int64_t>(3, std::int64_t(std::sqrt(double(nodes) / 2.5)))),
          along_(std::max<std::int64_t>(3, nodes / around_)),
          rows_(size()) {
        std::mt19937 generator(1);
        std::vector<double> area(size());
        double all = 0;
        for (std::int64_t j = 0; j < along_; ++j)
            for (std::int64_t i = 0; i < around_; ++i) {
                const std::int64_t a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1),
                                   d = node(i, j + 1);
                const bool cuts_ac = generator() & 1;
                for (const auto& t : cuts_ac ? std::array{std::array{a, b, c}, std::array{a, c, d}}
                                             : std::array{std::array{a, b, d}, std::array{b, c, d}})
                    all += add(t, area);
            }
        // l: what smooths over the distance of two nodes
        const double l = all / double(size());
        for (std::int64_t i = 0; i < size(); ++i) {
            double diagonal = 4 * area[i];
            for (auto& [j, cotangents] : rows_[i]) {
                cotangents *= -l;
                diagonal -= cotangents;
            }
            rows_[i][i] = diagonal;
        }
    }

    std::int64_t size() const { return around_ * along_; }
    std::size_t entries() const {
        std::size_t count = 0;
        for (const auto& row : rows_) count += row.size();
        return count;
    }
    Matrix matrix(const Context& algebra, SparseForm form) const {
        SparseRows mine;
        const auto range = algebra.rows(size());
        for (std::int64_t i = range.begin; i < range.end; ++i) {
            for (const auto& [j, entry] : rows_[i]) mine.append(j, entry);
            mine.end_row();
        }
        return algebra.sparse(size(), size(), mine, form);
    }

  private:
    std::int64_t node(std::int64_t i, std::int64_t j) const {
        return j % along_ * around_ + i % around_;
    }
    glm::dvec3 position(std::int64_t k) const {
        const double u = 2 * std::numbers::pi * double(k % around_) / double(around_),
                     v = 2 * std::numbers::pi * double(k / around_) / double(along_),
                     tube = 1 + 0.1 * std::sin(5 * u) * std::cos(7 * v);
        const double from_axis = 2.5 + tube * std::cos(u);
        return {from_axis * std::cos(v), from_axis * std::sin(v), tube * std::sin(u)};
    }
    // Returns the area of the triangle.
    double add(const std::array<std::int64_t, 3>& t, std::vector<double>& area) {
        double size = 0;
        for (int k = 0; k < 3; ++k) {
            const std::int64_t a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
            const glm::dvec3 p = position(a) - position(c), q = position(b) - position(c);
            const double doubled = glm::length(glm::cross(p, q)),
                         cotangent = glm::dot(p, q) / doubled;
            rows_[a][b] += cotangent;
            rows_[b][a] += cotangent;
            size = doubled / 2;
            area[c] += size / 3;
        }
        return size;
    }

    const std::int64_t around_, along_;
    std::vector<std::map<std::int64_t, double>> rows_;
};

class LinearAlgebraBenchmark : public Benchmark {
  public:
    std::string name() const override { return "algebra"; }
    std::string help() const override {
        return "the library's linear algebra: reductions, vectors, waves, sparse products";
    }
    std::string size_help() const override { return "numbers a vector, of all ranks together"; }
    std::vector<Index> default_sizes() const override {
        std::vector<Index> sizes;
        for (const auto& [size, published] : table()) sizes.push_back(static_cast<Index>(size));
        return sizes;
    }
    void add_options(CLI::App& command) override {
        command.add_option("--frames", frames_, "steps of the waves that are timed")
            ->check(CLI::Range(1, 1000000))
            ->capture_default_str();
        command.add_option("--courant", courant_, "number of the implicit waves, c dt / h")
            ->check(CLI::Range(0.01, 1000.0))
            ->capture_default_str();
        command
            .add_option("--tolerance", tolerance_, "of each solve, over the right-hand side's norm")
            ->check(CLI::Range(1e-12, 0.1))
            ->capture_default_str();
        command.add_option("--surface", surface_, "nodes of the triangulated surface; 0: none")
            ->check(CLI::Range(0, 10000000))
            ->capture_default_str();
    }

    void run(const Session& session) override {
        const Context algebra(
            solenoid::algebra::make_space(session.comm, session.device(), session.is_double()));
        const Timer timer(session.comm, algebra.space().device(), session.settings.repeats);
        for (const Index size : session.settings.sizes) measure(session, algebra, timer, size);
        if (surface_ > 0) measure_surface(session, algebra, timer);
    }

  private:
    // there: the published time; 0: none.
    static Row row_of(const Session& session, const std::string& what, std::int64_t numbers,
                      const Timing& t, double there) {
        Row row{{"measured", what},
                {"numbers", numbers},
                {"precision", session.settings.precision},
                {"seconds", t.seconds},
                {"spread", t.relative_quartiles}};
        if (there > 0) row["seconds_there"] = there;
        return row;
    }

    void measure(const Session& session, const Context& algebra, const Timer& timer,
                 std::int64_t size) const {
        std::int64_t width = 1;
        while (width * width < size) width *= 2;
        const std::int64_t height = std::max<std::int64_t>(1, size / width), all = width * height;
        const auto found = table().find(all);
        const Published there = found == table().end() ? Published{} : found->second;
        {
            const Vector x = algebra.vector(all,
                                            [](std::int64_t i) { return 1.0 / double(1 + i); }),
                         y = algebra.vector(all, [](std::int64_t i) { return double(i % 7); });
            Vector z = x;
            session.results.add(row_of(session, "vector reduction", all,
                                       timer.of([&] { (void)sum(x); }), there.reduction));
            session.results.add(row_of(session, "vector operation", all,
                                       timer.of([&] { z = x + y; }), there.operation));
        }
        Waves waves(algebra, width, height, courant_);
        session.results.add(
            row_of(session, "waves, explicit", all, timer.of([&] { waves.step_explicitly(); }), 0));
        Waves implicit(algebra, width, height, courant_);
        const SolveLimits limits{.tolerance = tolerance_, .most_iterations = 1000};
        for (int k = 0; k < 3; ++k) implicit.step_implicitly(limits);  // warm
        std::vector<double> seconds;
        double iterations = 0;
        for (int k = 0; k < frames_; ++k) {
            algebra.finish();
            const Stopwatch watch;
            iterations += implicit.step_implicitly(limits);
            algebra.finish();
            seconds.push_back(session.comm.max(watch.seconds()));
        }
        const Timing frame = timing_of(seconds);
        Row row = row_of(session, "waves, implicit", all, frame, 0);
        row["iterations"] = iterations / frames_;
        row["frames_per_s"] = 1 / frame.seconds;
        if (there.frames > 0) row["frames_per_s_there"] = there.frames;
        session.results.add(row);
    }

    void measure_surface(const Session& session, const Context& algebra, const Timer& timer) const {
        const Surface surface(surface_);
        const std::int64_t n = surface.size();
        const bool is_theirs = surface_ == 37000;
        const Vector x =
            algebra.vector(n, [](std::int64_t i) { return std::sin(0.1 * double(i)); });
        Vector y = x;
        const std::vector<std::pair<std::string, SparseForm>> forms{
            {"product by rows", SparseForm::rows},
            {"product by batches", SparseForm::batches},
            {"product by points", SparseForm::points}};
        for (const auto& [what, form] : forms) {
            if (form == SparseForm::points && algebra.space().device().info().kind != "fragment")
                continue;
            const Matrix a = surface.matrix(algebra, form);
            Row row =
                row_of(session, what, n, timer.of([&] { y = a * x; }), is_theirs ? 1.0 / 100 : 0);
            row["entries"] = surface.entries();
            session.results.add(row);
        }
        session.results.add(row_of(session, "surface, reduction", n,
                                   timer.of([&] { (void)dot(x, y); }), is_theirs ? 1.0 / 1900 : 0));
        const Matrix a = surface.matrix(algebra, SparseForm::rows);
        int iterations = 0;
        const Timing solve = timer.of_each(
            [&] { y.fill(0); },
            [&] {
                iterations =
                    conjugate_gradients(a, x, y, {.tolerance = tolerance_, .most_iterations = 1000})
                        .iterations;
            });
        Row row = row_of(session, "surface, conjugate gradients", n, solve, is_theirs ? 0.05 : 0);
        row["iterations"] = iterations;
        session.results.add(row);
    }

    int frames_ = 10, surface_ = 37000;
    double courant_ = 1, tolerance_ = 1e-5;
};

}  // namespace

Benchmark& linear_algebra() {
    static LinearAlgebraBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
