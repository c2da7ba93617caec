#include "surface/flow/mean_curvature_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>
#include <optional>

#include "core/error.hpp"
#include "core/threads.hpp"
#include "core/transposed_incidence.hpp"
#include "device/expression.hpp"
#include "device/sell_rows.hpp"
#include "device/surface_kernels.hpp"
#include "parallel/communicator.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/single_preconditioner.hpp"
#include "solvers/matrix/graph_laplacian.hpp"
#include "surface/flow/flow_limits.hpp"

namespace solenoid {
namespace {

// The order in which a flow numbers points and triangles: part by part, so that a part is a range,
// and in each from neighbour to neighbour, so that what is read together lies together.
struct Order {
    std::vector<Index> points, triangles;  // the file's number of each
    std::vector<Index> place;              // of each of the file's points
    std::vector<Range> part_points, part_triangles;
};

Order order_of(const CheckedSurface& checked) {
    const auto& surface = checked.surface;
    const std::size_t n = surface.points.size();
    const Rows neighbours = [&] {
        Rows rows = transposed_incidence(2 * checked.edges.size(), n, [&](std::size_t k) {
            return checked.edges[k / 2][k % 2];
        });
        for (Index& k : rows.index) k = checked.edges[k / 2][1 - k % 2];
        return rows;
    }();
    Order order;
    order.place.assign(n, none);
    std::vector<Index> first(checked.parts(), none);  // a point of each part
    for (Index i = 0; i < n; ++i)
        if (first[checked.part_of_point[i]] == none) first[checked.part_of_point[i]] = i;
    for (const Index start : first) {
        const auto begin = static_cast<Index>(order.points.size());
        const auto add = [&](Index i) {
            order.place[i] = static_cast<Index>(order.points.size());
            order.points.push_back(i);
        };
        add(start);
        for (std::size_t at = begin; at < order.points.size(); ++at) {
            const Index i = order.points[at];
            for (const Index* j = neighbours.begin(i); j != neighbours.end(i); ++j)
                if (order.place[*j] == none) add(*j);
        }
        order.part_points.push_back({begin, static_cast<Index>(order.points.size())});
    }
    order.triangles.resize(surface.triangles.size());
    std::iota(order.triangles.begin(), order.triangles.end(), Index(0));
    const auto lowest = [&](Index t) {
        const auto& [a, b, c] = surface.triangles[t];
        return std::min({order.place[a], order.place[b], order.place[c]});
    };
    std::vector<Index> key(order.triangles.size());
    for (Index t = 0; t < key.size(); ++t) key[t] = lowest(t);
    std::stable_sort(order.triangles.begin(), order.triangles.end(),
                     [&](Index s, Index t) { return key[s] < key[t]; });
    Index at = 0;
    for (Index part = 0; part < checked.parts(); ++part) {
        const Index begin = at;
        while (at < order.triangles.size() && checked.part_of_triangle[order.triangles[at]] == part)
            ++at;
        order.part_triangles.push_back({begin, at});
    }
    return order;
}

// Lengths on the device are those of the file from the middle of the bounds, over a power of two
// near the extent: exact to undo, and neither squares nor cubes of them overflow.
struct Frame {
    Vec3 centre{0};
    double length = 1;

    explicit Frame(const std::vector<Vec3>& points) {
        Vec3 low = points[0], high = points[0];
        for (const Vec3& p : points) low = glm::min(low, p), high = glm::max(high, p);
        centre = 0.5 * low + 0.5 * high;
        const Vec3 extent = high - low;
        length = std::exp2(std::ceil(std::log2(std::max({extent.x, extent.y, extent.z}))));
    }
};

// Triangles below this shape: their cotangents are rounding.
template <class Real>
constexpr double lost_shape = std::is_same_v<Real, double> ? 1e-10 : 1e-5;

template <class Real>
class Flow final : public MeanCurvatureFlow {
  public:
    Flow(Device& device, const CheckedSurface& surface, const CurvatureFlowSettings& settings)
        : device_(device),
          surface_(surface),
          settings_(settings),
          frame_(surface.surface.points),
          order_(order_of(surface)),
          n_(static_cast<Index>(surface.surface.points.size())),
          points_(device, {0, n_}) {
        upload_points();
        make_tables();
        make_matrix();
        solver_.emplace(comm_, *matrix_);
        measure();
        if (least_ < lost_shape<Real>) refuse_shape();
        for (const PartState& part : parts_) volume_at_start_.push_back(part.volume);
    }

    FlowStep step(double dt) override {
        device_.copy(x_, before_);
        try {
            return made_step(dt);
        } catch (const ComputationError&) {
            device_.copy(before_, x_);
            measure();
            throw;
        }
    }

    // 2 dt (cot + cot) at edges, 4 A_i, and of them b = -2 dt sum (cot + cot) (x_i - x_j).
    void assemble(double dt) override {
        const double scaled = dt / (frame_.length * frame_.length);
        surface_kernels::SurfaceEdgeWeight<Real>{.dimension = 3,
                                                 .node = edge_points_,
                                                 .x = complete(x_),
                                                 .value = edge_weight_,
                                                 .scale = 2 * scaled}
            .run(device_, Range{0, edge_weight_.size()});
        matrix_->set_values(complete(edge_weight_));
        surface_kernels::SurfaceNodeArea<Real>{.dimension = 3,
                                               .around = around_,
                                               .second = second_,
                                               .third = third_,
                                               .x = complete(x_),
                                               .value = point_area_}
            .run(device_, Range{0, n_});
        points_[matrix_->shift()] = 0;
        matrix_->apply(x_, b_);
        points_[b_] = -b_;
        points_[matrix_->shift()] = 4 * point_area_;
        points_[inverse_] = quotient(matrix_->free(), matrix_->shift() + matrix_->diagonal());
        if constexpr (std::is_same_v<Real, double>)
            if (auto* rounded = dynamic_cast<RoundedDiagonal*>(jacobi_.get())) rounded->round();
    }

    SolveReport solve() override {
        Preconditioner<Real>* const each[] = {jacobi_.get(), jacobi_.get(), jacobi_.get()};
        const double usual = std::is_same_v<Real, double> ? 1e-10 : 1e-5;
        return slowest(
            solver_->solve(each, b_, d_,
                           {.tolerance = settings_.tolerance > 0 ? settings_.tolerance : usual,
                            .max_iterations = settings_.max_iterations,
                            .takes_rounding = true,
                            .from_zero = true}));
    }

    void move() override { points_[x_] += d_; }

    std::vector<Vec3> times_matrix(const std::vector<Vec3>& v) override {
        Buffer<Real> from = matrix_->vector(), to = matrix_->vector();
        std::vector<Real> numbers(3 * std::size_t(n_));
        for (Index i = 0; i < n_; ++i)
            for (int k = 0; k < 3; ++k)
                numbers[std::size_t(k) * n_ + i] = static_cast<Real>(v[order_.points[i]][k]);
        from.upload(numbers);
        matrix_->apply(from, to);
        return in_file_order(to, [&](double y) { return y * frame_.length * frame_.length; });
    }
    void repeat_product() override { matrix_->apply_dot(comm_, x_, d_); }
    void repeat_reduction() override { column_dots(comm_, device_, Range{0, n_}, x_, b_); }

    std::vector<Vec3> points() const override {
        std::vector<Vec3> points = in_file_order(x_, [&](double x) { return x * frame_.length; });
        for (Vec3& p : points) p += frame_.centre;
        for (Index i = 0; i < n_; ++i)
            if (stays(i)) points[i] = surface_.surface.points[i];
        return points;
    }
    double area() const override { return area_ * frame_.length * frame_.length; }
    double volume() const override {
        double sum = 0;
        for (const PartState& part : parts_) sum += part.volume;
        return sum * std::pow(frame_.length, 3);
    }

  private:
    struct PartState {
        double area = 0, volume = 0;
    };

    bool is_fixed(Index part) const {
        return !settings_.fixed_parts.empty() && settings_.fixed_parts[part];
    }
    // Of a point of the file.
    bool stays(Index i) const {
        return surface_.is_border[i] || is_fixed(surface_.part_of_point[i]);
    }

    FlowStep made_step(double dt) {
        const double area_before = area_;
        FlowStep done;
        assemble(dt);
        done.solve = solve();
        if (!done.solve.converged())
            throw ComputationError("its solve " + done.solve.explanation());
        move();
        measure();
        if (!(least_ >= lost_shape<Real>)) throw ComputationError(lost_words());
        done.area_after = area_ / area_before;
        if (settings_.keeps_volume) restore_volumes();
        done.area = area();
        done.volume = volume();
        done.least = least_;
        return done;
    }

    template <class Unscaled>
    std::vector<Vec3> in_file_order(const Buffer<Real>& buffer, const Unscaled& unscaled) const {
        const std::vector<Real> numbers = buffer.download();
        std::vector<Vec3> values(n_);
        for (Index i = 0; i < n_; ++i)
            for (int k = 0; k < 3; ++k)
                values[order_.points[i]][k] = unscaled(numbers[std::size_t(k) * n_ + i]);
        return values;
    }

    void upload_points() {
        std::vector<Real> numbers(3 * std::size_t(n_));
        for (Index i = 0; i < n_; ++i) {
            const Vec3 p =
                (surface_.surface.points[order_.points[i]] - frame_.centre) / frame_.length;
            for (int k = 0; k < 3; ++k) numbers[std::size_t(k) * n_ + i] = static_cast<Real>(p[k]);
        }
        x_ = device_.buffer<Real>(std::span<const Real>(numbers), 3);
        for (Buffer<Real>* vector : {&before_, &b_, &d_}) *vector = device_.buffer<Real>(n_, 3);
        for (Buffer<Real>* numbers_of : {&point_area_, &inverse_})
            *numbers_of = device_.buffer<Real>(n_);
    }

    // Corners of triangles, points of edges, and the triangles round each point.
    void make_tables() {
        const auto& triangles = surface_.surface.triangles;
        const auto count = static_cast<Index>(triangles.size());
        std::vector<std::uint32_t> corners(3 * std::size_t(count));
        std::vector<Index> corner_point(corners.size());  // of corner k of triangle t, 3 t + k
        for (Index t = 0; t < count; ++t)
            for (int k = 0; k < 3; ++k)
                corners[std::size_t(k) * count + t] = corner_point[3 * std::size_t(t) + k] =
                    order_.place[triangles[order_.triangles[t]][k]];
        corners_ = device_.buffer<std::uint32_t>(std::span<const std::uint32_t>(corners), 3);
        shape_ = device_.buffer<Real>(count);

        const Rows around = transposed_incidence(corner_point.size(), n_,
                                                 [&](std::size_t c) { return corner_point[c]; });
        std::vector<Index> second(around.index.size()), third(second.size());
        for (std::size_t e = 0; e < second.size(); ++e) {
            const Index c = around.index[e], first = c / 3 * 3;
            second[e] = corner_point[first + (c + 1 - first) % 3];
            third[e] = corner_point[first + (c + 2 - first) % 3];
        }
        const RowLayout layout(around, device_.row_stride());
        around_ = layout.table(device_);
        second_ = layout.upload<std::uint32_t>(device_, std::span<const Index>(second));
        third_ = layout.upload<std::uint32_t>(device_, std::span<const Index>(third));

        const auto edges = static_cast<Index>(surface_.edges.size());
        std::vector<std::uint32_t> points(4 * std::size_t(edges));
        edge_order_.resize(edges);
        std::iota(edge_order_.begin(), edge_order_.end(), Index(0));
        const auto lower = [&](Index e) {
            const auto& ends = surface_.edges[e];
            return std::min(order_.place[ends[0]], order_.place[ends[1]]);
        };
        std::stable_sort(edge_order_.begin(), edge_order_.end(),
                         [&](Index e, Index f) { return lower(e) < lower(f); });
        for (Index e = 0; e < edges; ++e)
            for (int k = 0; k < 4; ++k) {
                const Index point = surface_.edges[edge_order_[e]][k];
                points[std::size_t(k) * edges + e] = point == none ? none : order_.place[point];
            }
        edge_points_ = device_.buffer<std::uint32_t>(std::span<const std::uint32_t>(points), 4);
        edge_weight_ = device_.buffer<Real>(edges);
    }

    // A row for each point with its neighbours; the entries follow the edges' weights.
    void make_matrix() {
        const auto edges = static_cast<Index>(edge_order_.size());
        const auto end = [&](std::size_t k) {
            return order_.place[surface_.edges[edge_order_[k / 2]][k % 2]];
        };
        Rows neighbours = transposed_incidence(2 * std::size_t(edges), n_, end);
        std::vector<Index> from(neighbours.index.size());
        for (std::size_t e = 0; e < from.size(); ++e) {
            const Index k = neighbours.index[e];
            from[e] = k / 2;
            neighbours.index[e] = end(k ^ 1);
        }
        const std::vector<double> zeros(from.size(), 0.0), ones(from.size(), 1.0);
        const EntityRanges ranges{n_, n_, n_, n_};
        matrix_ = std::make_unique<GraphLaplacian<Real>>(comm_, device_, ranges, HaloPlan{},
                                                         neighbours, zeros, 3);
        matrix_->follow(neighbours, from, ones);
        std::vector<Real> free(n_);
        for (Index i = 0; i < n_; ++i) free[i] = stays(order_.points[i]) ? Real(0) : Real(1);
        matrix_->free().upload(free);
        jacobi_ = make_diagonal(device_, settings_.precision == "mixed", inverse_);
    }

    // Areas, volumes and the worst shape of the surface as it is.
    void measure() {
        parts_.clear();
        area_ = 0;
        least_ = std::numeric_limits<double>::infinity();
        for (const Range& range : order_.part_triangles) {
            const surface_kernels::SurfaceShape<Real> shape{
                .dimension = 3, .corner = corners_, .x = complete(x_), .value = shape_};
            const auto found = shape.run(comm_, device_, range);
            parts_.push_back({found.area, found.volume});
            area_ += found.area;
            // of what is not finite a device's least may be any number
            least_ = std::isfinite(found.area) ? std::min(least_, double(found.least)) : -1;
        }
    }

    // Each part is scaled about the mean of its points.
    void restore_volumes() {
        for (std::size_t k = 0; k < parts_.size(); ++k) {
            if (is_fixed(static_cast<Index>(k))) continue;
            const double ratio = volume_at_start_[k] / parts_[k].volume;
            if (!(ratio > 0) || !std::isfinite(ratio))
                throw ComputationError(
                    "a part of the surface has no volume left that could be restored: a shorter "
                    "step");
            const double scale = std::cbrt(ratio);
            const Over part(device_, order_.part_points[k]);
            const auto sums =
                part.reduce(comm_, sum(product(point_area_, column(x_, 0))),
                            sum(product(point_area_, column(x_, 1))),
                            sum(product(point_area_, column(x_, 2))), sum(point_area_));
            for (int j = 0; j < 3; ++j) {
                const double middle = sums[j] / sums[3];
                part[column(x_, j)] = middle + scale * (column(x_, j) - middle);
            }
        }
        measure();
    }

    TriangleSurface now() const { return {points(), surface_.surface.triangles}; }

    // The worst triangle as it is now.
    Index worst() const {
        const std::vector<Real> shape = shape_.download();
        Index worst = 0;
        for (Index t = 0; t < shape.size(); ++t)
            if (!(shape[t] >= shape[worst])) worst = t;
        return worst;
    }
    std::string lost_words() const {
        return fmt::format(
            "{} has lost its shape: the surface closes in on a line or a point there, and what "
            "follows is beyond triangles that stay the same",
            triangle_text(now(), order_.triangles[worst()]));
    }
    void refuse_shape() const {
        throw InputError(fmt::format(
            "{} is too flat for {} precision (its shape is {:.1e}): improve the triangles{}",
            triangle_text(surface_.surface, order_.triangles[worst()]), settings_.precision, least_,
            std::is_same_v<Real, float> ? ", or take --precision double" : ""));
    }

    const Communicator comm_ = Communicator::self();
    Device& device_;
    const CheckedSurface& surface_;
    const CurvatureFlowSettings settings_;
    const Frame frame_;
    const Order order_;
    const Index n_;
    const Over points_;
    std::vector<Index> edge_order_;
    Buffer<std::uint32_t> corners_, around_, second_, third_, edge_points_;
    Buffer<Real> x_, before_, b_, d_, point_area_, inverse_, shape_, edge_weight_;
    std::unique_ptr<GraphLaplacian<Real>> matrix_;
    std::unique_ptr<Preconditioner<Real>> jacobi_;
    std::optional<ConjugateGradients<Real>> solver_;
    std::vector<PartState> parts_;
    std::vector<double> volume_at_start_;
    double area_ = 0, least_ = 0;
};

// Throws InputError where a part has no volume that could be kept.
void check_volumes(const CheckedSurface& surface, const std::vector<bool>& fixed) {
    if (!surface.is_closed()) {
        const auto at = std::ranges::find(surface.is_border, true) - surface.is_border.begin();
        const Vec3& x = surface.surface.points[static_cast<std::size_t>(at)];
        throw InputError(fmt::format(
            "a surface with borders has no volume to keep: one goes through point {} at ({:.6g}, "
            "{:.6g}, {:.6g}); close it, or leave --keep-volume out",
            at + 1, x.x, x.y, x.z));
    }
    const std::vector<PartMeasures> parts = measures_of(surface);
    for (Index part = 0; part < surface.parts(); ++part)
        if ((fixed.empty() || !fixed[part]) && !has_volume(parts[part]))
            throw InputError(fmt::format(
                "the closed part of {} has no volume to keep: remove it, or leave --keep-volume "
                "out",
                triangle_of(surface, part)));
}

}  // namespace

std::unique_ptr<MeanCurvatureFlow> make_flow(Device& device, const CheckedSurface& surface,
                                             const CurvatureFlowSettings& settings) {
    if (settings.keeps_volume) check_volumes(surface, settings.fixed_parts);
    if (settings.precision == "single")
        return std::make_unique<Flow<float>>(device, surface, settings);
    return std::make_unique<Flow<double>>(device, surface, settings);
}

}  // namespace solenoid
