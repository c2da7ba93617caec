// The fluxes through prescribed faces.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "core/log.hpp"
#include "flow/boundary/flow_boundaries.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

constexpr double most_imbalance = 5e-3;  // of inflow and outflow: by the mesh and its quadrature
// Largest normal velocity of a wall that moves along itself, relative to its speed, as root mean
// square: the faces of a curved wall are flat.
constexpr double most_crossing = 0.05;

}  // namespace

// The flux through a face by Simpson's rule on a side (2D) and the rule of the three mid-sides on a
// triangle (3D); both are exact for quadratic velocities.
double FlowBoundaries::flux_through(Index face, double t) const {
    const int c = condition_[face];
    if (!at(face).is_inflow()) return 0;
    const auto [a, b, d] = mesh_.face_corners(face);
    Vec3 mean;
    if (mesh_.dimension == 2) {
        mean = (finite_velocity(c, a, t) + 4.0 * finite_velocity(c, 0.5 * (a + b), t) +
                finite_velocity(c, b, t)) /
               6.0;
    } else {
        mean = (finite_velocity(c, 0.5 * (a + b), t) + finite_velocity(c, 0.5 * (b + d), t) +
                finite_velocity(c, 0.5 * (d + a), t)) /
               3.0;
    }
    return glm::dot(mean, domain_.geometry.face_area[face]);
}

std::vector<double> FlowBoundaries::flux(double t, const std::vector<double>& followed) const {
    const std::vector<Index>& faces = prescribed_faces_.members;
    std::vector<double> flux(faces.size());
    domain_.comm.agree([&] {
        for (std::size_t k = 0; k < faces.size(); ++k)
            flux[k] = at(faces[k]).follows() ? followed[k] : flux_through(faces[k], t);
    });
    if (follow()) balance_followed(flux);
    const std::vector<Throughput> through = throughput(flux);
    domain_.comm.agree([&] { check_balance(through, t); });
    balance(through, flux);
    remark_outward(through, t);
    remark_crossing(t);
    return flux;
}

// Inflow and outflow by condition, for each closed region and, last, for all others together.
std::vector<FlowBoundaries::Throughput> FlowBoundaries::throughput(
    const std::vector<double>& flux) const {
    const std::size_t conditions = settings_.size(), n = (closed_regions_ + 1) * conditions;
    std::vector<RankSum> parts(2 * n);
    for (Index k = 0; k < prescribed_faces_.ranges.owned; ++k) {
        const Index f = prescribed_faces_.members[k];
        const double out = (mesh_.face_cells(f, 1) == none ? 1 : -1) * flux[k];
        parts[(out > 0 ? n : 0) + region_[k] * conditions + condition_[f]] += std::abs(out);
    }
    const std::vector<double> sums = totals(domain_.comm, std::move(parts));
    std::vector<Throughput> through(n);
    for (std::size_t i = 0; i < n; ++i) through[i] = {sums[i], sums[n + i]};
    return through;
}

void FlowBoundaries::check_balance(const std::vector<Throughput>& through, double t) const {
    const std::size_t conditions = settings_.size();
    for (Index region = 0; region < closed_regions_; ++region) {
        double in = 0, out = 0;
        std::string place, list;
        for (std::size_t c = 0; c < conditions; ++c) {
            const Throughput& of = through[region * conditions + c];
            if (of.in == 0 && of.out == 0) continue;
            in += of.in;
            out += of.out;
            if (place.empty()) place = settings_[c].place;
            for (const auto& [rate, way] :
                 {std::pair(of.in, "enters"), std::pair(of.out, "leaves")})
                if (rate > 0)
                    list += fmt::format("{}{:.6g} {} through \"{}\"", list.empty() ? "" : ", ",
                                        rate, way, settings_[c].name);
        }
        if (std::abs(out - in) <= most_imbalance * (in + out)) continue;
        const std::string message = fmt::format(
            "at t = {:.6g} s the inflow does not equal the outflow: {}; change a velocity, or give "
            "a boundary the type "
            "\"outflow\", which lets the rest pass",
            t, list);
        throw place.empty() ? InputError(message) : InputError(place, message);
    }
}

// In regions without an open boundary the fluxes add up to zero only up to the mesh's error; the
// rest is spread over the fluxes in proportion to them.
void FlowBoundaries::balance(const std::vector<Throughput>& through,
                             std::vector<double>& flux) const {
    const std::size_t conditions = settings_.size();
    std::vector<double> part(closed_regions_ + 1, 0.0);
    for (Index region = 0; region < closed_regions_; ++region) {
        double net = 0, gross = 0;
        for (std::size_t c = 0; c < conditions; ++c) {
            const Throughput& of = through[region * conditions + c];
            net += of.out - of.in;
            gross += of.out + of.in;
        }
        if (gross > 0) part[region] = net / gross;
    }
    for (Index k = 0; k < prescribed_faces_.ranges.owned; ++k) {
        const double outward = mesh_.face_cells(prescribed_faces_.members[k], 1) == none ? 1 : -1;
        flux[k] -= outward * part[region_[k]] * std::abs(flux[k]);
    }
}

// Makes outflow equal inflow in regions without a given pressure, by changing the fluxes of
// conditions that follow the flow.
void FlowBoundaries::balance_followed(std::vector<double>& flux) const {
    // of each region: net outflow, area of the faces that follow the flow
    std::vector<RankSum> parts(2 * (closed_regions_ + 1));
    const auto outward = [&](Index face) { return mesh_.face_cells(face, 1) == none ? 1.0 : -1.0; };
    for (Index k = 0; k < prescribed_faces_.ranges.owned; ++k) {
        const Index f = prescribed_faces_.members[k];
        parts[2 * region_[k]] += outward(f) * flux[k];
        if (at(f).follows())
            parts[2 * region_[k] + 1] += glm::length(domain_.geometry.face_area[f]);
    }
    const std::vector<double> sums = totals(domain_.comm, std::move(parts));
    for (Index k = 0; k < prescribed_faces_.ranges.owned; ++k) {
        const Index f = prescribed_faces_.members[k], region = region_[k];
        if (at(f).follows() && region < closed_regions_)
            flux[k] -= outward(f) * glm::length(domain_.geometry.face_area[f]) * sums[2 * region] /
                       sums[2 * region + 1];
    }
}

// Reports once a boundary with given velocity that takes fluid out next to an open boundary.
void FlowBoundaries::remark_outward(const std::vector<Throughput>& through, double t) const {
    for (std::size_t c = 0; c < settings_.size(); ++c) {
        Throughput of;
        for (Index region = 0; region <= closed_regions_; ++region) {
            if (region < closed_regions_ && open_faces_[region] == 0) continue;
            of.in += through[region * settings_.size() + c].in;
            of.out += through[region * settings_.size() + c].out;
        }
        if ((*is_remarked_)[c] || !settings_[c].condition->is_inflow() || of.out == 0 || of.in > 0)
            continue;
        (*is_remarked_)[c] = true;
        log::warning(
            "{}: [boundary.{}] the velocity of this inflow points out of the domain at t = {:.6g} "
            "s, with a flux of {:.6g}, and the fluid comes in through open boundaries: reverse the "
            "velocity if fluid is to enter here",
            settings_[c].place, settings_[c].name, t, of.out);
    }
}

// Reports once a wall whose given velocity crosses it.
void FlowBoundaries::remark_crossing(double t) const {
    const auto moves = [](const VectorFormula& v) {
        return std::ranges::any_of(
            v, [](const Formula& f) { return !f.is_constant() || f(Vec3(0)) != 0; });
    };
    for (std::size_t c = 0; c < settings_.size(); ++c) {
        if ((*is_remarked_)[c] || !settings_[c].condition->is_wall() ||
            !moves(settings_[c].condition->velocity()))
            continue;
        std::array<RankSum, 2> crossing_and_whole;
        double largest = 0;
        domain_.comm.agree([&] {
            for (Index k = 0; k < prescribed_faces_.ranges.owned; ++k) {
                const Index f = prescribed_faces_.members[k];
                if (condition_[f] != static_cast<int>(c)) continue;
                const double area = glm::length(domain_.geometry.face_area[f]);
                const Vec3 u = finite_velocity(condition_[f], domain_.geometry.face_centroid[f], t);
                const double across = glm::dot(u, domain_.geometry.face_area[f]) / area;
                crossing_and_whole[0] += area * across * across;
                crossing_and_whole[1] += area * glm::dot(u, u);
                largest = std::max(largest, std::abs(across));
            }
        });
        domain_.comm.sum(std::span<RankSum>(crossing_and_whole));
        largest = domain_.comm.max(largest);
        if (crossing_and_whole[0] <= most_crossing * most_crossing * crossing_and_whole[1])
            continue;
        (*is_remarked_)[c] = true;
        log::warning(
            "{}: [boundary.{}] a wall moves along itself only: the normal part of its velocity, up "
            "to {:.6g} m/s at t = {:.6g} s, is ignored; where fluid is to pass, take the type "
            "\"inflow\"",
            settings_[c].place, settings_[c].name, largest, t);
    }
}

}  // namespace solenoid
