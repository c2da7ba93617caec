#include "flow/run/flow_data.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>

#include "core/threads.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

constexpr FlowData::Range nothing{HUGE_VAL, -HUGE_VAL};

void widen(FlowData::Range& range, double value) {
    range[0] = std::min(range[0], value);
    range[1] = std::max(range[1], value);
}

bool depends_on_time(const VectorFormula& v) {
    return std::ranges::any_of(
        v, [](const Formula& component) { return component.depends_on_time(); });
}

// Whether any formula that `formula_of` picks from a boundary's settings depends on time.
template <class FormulaOf>
bool any_depends_on_time(const FlowCase& flow, const FormulaOf& formula_of) {
    return std::ranges::any_of(flow.boundaries, [&](const FlowBoundary& b) {
        const Formula* formula = formula_of(b);
        return formula && formula->depends_on_time();
    });
}

const ScalarCondition* condition_of(const FlowBoundary& boundary, const std::string& scalar) {
    const auto found = boundary.scalars.find(scalar);
    return found == boundary.scalars.end() ? nullptr : &found->second;
}

}  // namespace

FlowData::FlowData(const Communicator& comm, const DistributedMesh& mesh, const Geometry& sizes,
                   const FlowCase& flow)
    : comm_(comm),
      mesh_(mesh),
      flow_(flow),
      boundary_speed_(std::ranges::any_of(
          flow.boundaries, [](const auto& b) { return depends_on_time(b.condition->velocity()); })),
      pressure_speed_(any_depends_on_time(
          flow, [](const FlowBoundary& b) { return &b.condition->pressure(); })),
      body_acceleration_(depends_on_time(flow.flow.body_force)),
      inflow_rate_(boundary_speed_) {
    const Mesh& m = mesh.mesh;
    const Index owned = mesh.range(Kind::cell).owned;
    centroids_.assign(sizes.cell_centroid.begin(), sizes.cell_centroid.begin() + owned);
    volume_ = sum_over_ranks(comm, owned, [&](Index cell) { return sizes.cell_volume[cell]; });
    area_over_volume_ = comm.max(largest_of_each(0, owned, [&](Index cell) {
        double largest = 0;
        for (int j = 0; j <= m.dimension; ++j)
            largest =
                std::max(largest, glm::length(sizes.face_area[entity_of(m.cell_faces(cell, j))]) /
                                      sizes.cell_volume[cell]);
        return largest;
    }));
    for (const PeriodicPair& pair : m.periodic_map.pairs)
        period_ = std::max(period_, glm::length(pair.offset));
    if (const double g = glm::length(flow.fluid.gravity); g > 0) {
        Range heights = nothing;
        for (Index c = 0; c < owned; ++c)
            for (int j = 0; j <= m.dimension; ++j)
                widen(heights, glm::dot(m.corner(c, j), flow.fluid.gravity) / g);
        const auto [low, high] = over_all(heights);
        height_ = high - low;
    }
    add_faces(sizes);
    add_scalars();
    drop_centroids();
}

// Centroids are needed only where data vary in space and time.
void FlowData::drop_centroids() {
    bool varies = depends_on_time(flow_.flow.body_force);
    for (const ScalarSettings& s : flow_.scalars) varies = varies || !s.source.is_constant();
    body_acceleration(0);
    if (!varies) centroids_ = {};
}

void FlowData::add_faces(const Geometry& g) {
    const Mesh& mesh = mesh_.mesh;
    std::vector<RankSum> duct_area(1);
    std::map<std::string, const FlowBoundary*> conditions;
    for (const FlowBoundary& b : flow_.boundaries) conditions[b.name] = &b;
    for (const Side& side : mesh.sides) {
        const auto found = conditions.find(mesh.boundaries[side.boundary]);
        const Index one = mesh.face_cells(side.face, 0), other = mesh.face_cells(side.face, 1);
        if (found == conditions.end() || (one == none) == (other == none)) continue;
        const Index cell = one == none ? other : one;
        faces_.push_back({found->second, g.face_centroid[side.face], g.face_area[side.face], cell,
                          g.cell_volume[cell]});
        const FlowCondition& condition = *found->second->condition;
        if (condition.drives() && !condition.is_total() &&
            side.face < mesh_.range(Kind::face).owned)
            duct_area[0] += glm::length(g.face_area[side.face]);
    }
    duct_area_ = totals(comm_, std::move(duct_area))[0];
}

void FlowData::add_scalars() {
    for (const ScalarSettings& s : flow_.scalars) {
        const bool values_change = any_depends_on_time(flow_, [&](const FlowBoundary& b) {
            const ScalarCondition* condition = condition_of(b, s.name);
            return condition ? &condition->value : nullptr;
        });
        scalars_.push_back({over_cells(s.initial, 0), Held<Range>(values_change),
                            Held<Range>(values_change || s.source.depends_on_time())});
    }
}

Vec3 FlowData::velocity(const Face& face, double time) const {
    Vec3 u(0);
    for (int k = 0; k < mesh_.mesh.dimension && !face.boundary->condition->is_open(); ++k)
        u[k] = face.boundary->condition->velocity()[k](face.centroid, time);
    return u;
}

FlowData::Range FlowData::over_all(Range local) const {
    return {comm_.min(local[0]), comm_.max(local[1])};
}

FlowData::Range FlowData::over_cells(const Formula& formula, double time) const {
    if (formula.is_constant()) return {formula(Vec3(0)), formula(Vec3(0))};
    Range range = nothing;
    std::vector<double> values(centroids_.size());
    formula.evaluate(centroids_, time, values);
    for (const double value : values) widen(range, value);
    return over_all(range);
}

double FlowData::boundary_speed(double time) {
    return boundary_speed_.found([&] {
        double speed = 0;
        for (const Face& face : faces_) speed = std::max(speed, glm::length(velocity(face, time)));
        return comm_.max(speed);
    });
}

double FlowData::pressure_speed(double time) {
    return pressure_speed_.found([&] {
        Range pressures = nothing;
        for (const Face& face : faces_)
            if (face.boundary->condition->is_open())
                widen(pressures, face.boundary->condition->pressure()(face.centroid, time));
        const auto [lowest, highest] = over_all(pressures);
        return highest > lowest ? std::sqrt(2 * (highest - lowest) / flow_.fluid.density) : 0;
    });
}

double FlowData::imposed_speed(double time) const {
    double flux = 0;
    for (const PeriodicSettings& pair : flow_.periodic)
        if (pair.flux) flux += std::abs((*pair.flux)(Vec3(0), time));
    return flux * period_ / volume_;
}

double FlowData::imposed_rate(double time) const { return imposed_speed(time) * area_over_volume_; }

double FlowData::body_acceleration(double time) {
    return body_acceleration_.found([&] {
        double square = 0;
        for (int k = 0; k < mesh_.mesh.dimension; ++k) {
            const auto [least, greatest] = over_cells(flow_.flow.body_force[k], time);
            square += std::max(least * least, greatest * greatest);
        }
        return std::sqrt(square);
    });
}

double FlowData::boundary_rate(double time) {
    const double by_pressure = pressure_speed(time);
    double rate = 0;
    for (const Face& face : faces_) {
        const double speed =
            face.boundary->condition->is_open() ? by_pressure : glm::length(velocity(face, time));
        rate = std::max(rate, speed * glm::length(face.area) / face.volume);
    }
    return comm_.max(rate);
}

double FlowData::inflow_rate(const Face& face, double time) const {
    if (!face.boundary->condition->is_inflow()) return 0;
    return std::abs(glm::dot(velocity(face, time), face.area)) / face.volume;
}

double FlowData::inflow_rate(double time) {
    return inflow_rate_.found([&] {
        double rate = 0;
        for (const Face& face : faces_) rate = std::max(rate, inflow_rate(face, time));
        return comm_.max(rate);
    });
}

void FlowData::raise_to_inflow(double time, std::vector<double>& of_cells) const {
    for (const Face& face : faces_)
        if (face.cell < of_cells.size())
            of_cells[face.cell] = std::max(of_cells[face.cell], inflow_rate(face, time));
}

double FlowData::carried_rate(double time) const {
    const Geometry g = geometry(mesh_.mesh);
    double rate = 0;
    for (const Face& face : faces_) {
        const Vec3 u = velocity(face, time);
        double through = 0;
        for (int j = 0; j <= mesh_.mesh.dimension; ++j)
            through +=
                std::abs(glm::dot(u, g.face_area[entity_of(mesh_.mesh.cell_faces(face.cell, j))]));
        rate = std::max(rate, 0.5 * through / face.volume);
    }
    return comm_.max(rate);
}

double FlowData::buoyancy(int i, double difference) const {
    return std::abs(flow_.scalars[i].expansion) * glm::length(flow_.fluid.gravity) * difference;
}

double FlowData::buoyancy_rate(double time, const std::vector<Range>& scalars) {
    double square = 0;
    for (int i = 0; i < static_cast<int>(scalars.size()) && height_ > 0; ++i) {
        const auto [least, greatest] = boundary_scalar(i, time);
        square += buoyancy(i, std::max(scalars[i][1], greatest) - std::min(scalars[i][0], least)) /
                  height_;
    }
    return std::sqrt(square);
}

double FlowData::acceleration_rate(double time) {
    double acceleration = body_acceleration(time);
    for (int i = 0; i < static_cast<int>(scalars_.size()); ++i) {
        double difference = 0;
        for (const Range& range : {scalars_[i].initial, boundary_scalar(i, time)})
            for (const double value : range)
                if (std::isfinite(value))
                    difference = std::max(difference, std::abs(value - flow_.scalars[i].reference));
        acceleration += buoyancy(i, difference);
    }
    return acceleration * area_over_volume_;
}

double FlowData::acceleration_growth(double time) {
    double growth = 0;
    for (int i = 0; i < static_cast<int>(scalars_.size()); ++i) {
        const auto [down, up] = scalar_growth(i, time);
        growth += buoyancy(i, std::max(up, -down));
    }
    return growth * area_over_volume_;
}

FlowData::Range FlowData::boundary_scalar(int i, double time) {
    return scalars_[i].boundary.found([&] {
        Range range = nothing;
        for (const Face& face : faces_)
            if (const ScalarCondition* c = condition_of(*face.boundary, flow_.scalars[i].name);
                c && c->is_value)
                widen(range, c->value(face.centroid, time));
        return over_all(range);
    });
}

// A flux counts as spread over its cell only.
FlowData::Range FlowData::scalar_growth(int i, double time) {
    return scalars_[i].growth.found([&] {
        const ScalarSettings& s = flow_.scalars[i];
        Range flux{0, 0};
        for (const Face& face : faces_)
            if (const ScalarCondition* c = condition_of(*face.boundary, s.name); c && !c->is_value)
                widen(flux, c->value(face.centroid, time) * glm::length(face.area) / face.volume);
        const Range of_sources = over_cells(s.source, time), of_fluxes = over_all(flux);
        return Range{std::min(of_sources[0], 0.0) + of_fluxes[0],
                     std::max(of_sources[1], 0.0) + of_fluxes[1]};
    });
}

}  // namespace solenoid
