#include "flow/topology/harmonic_basis.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "device/expression.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

// A remainder below this fraction of its random flux counts as zero. A harmonic flux holds about 1
// / sqrt(faces) of a random flux in norm, 1e-4 for 1e8 faces; for a zero remainder the solves, to a
// tolerance of 1e-10, leave less.
constexpr double null_share = 1e-7;

// In [-1, 1), from the nodes of the face: equal on all ranks.
double random_value(const Mesh& mesh, Index face, std::uint64_t seed) {
    std::uint64_t h = seed * 0x9E3779B97F4A7C15ull + 1;
    for (int j = 0; j < mesh.dimension; ++j) {
        h ^= static_cast<std::uint64_t>(mesh.node_number[mesh.nodes_of(Kind::face, face)[j]]) +
             0x9E3779B97F4A7C15ull + (h << 6) + (h >> 2);
        h *= 0xBF58476D1CE4E5B9ull;
        h ^= h >> 31;
    }
    return static_cast<double>(h >> 11) / 4503599627370496.0 - 1;
}

void divide(std::vector<double>& flux, double size) {
    for_each(0, flux.size(), [&](std::size_t f) { flux[f] /= size; });
}

double farthest_corner(const Domain& domain) {
    const Mesh& m = domain.mesh.mesh;
    return std::sqrt(domain.comm.max(largest_of_each(0, domain.cells.owned, [&](Index c) {
        double square = 0;
        for (int j = 0; j <= m.dimension; ++j)
            square = std::max(square, glm::dot(m.corner(c, j), m.corner(c, j)));
        return square;
    })));
}

}  // namespace

HarmonicBasis::HarmonicBasis(const Domain& domain, const Cohomology& topology,
                             const std::vector<bool>& prescribed, const std::vector<Index>& fixed,
                             const Codim2Solve& codim2_entities)
    : prescribed_(prescribed),
      fixed_(fixed),
      balance_(domain, topology, prescribed),
      codim2_entities_(codim2_entities),
      domain_(domain, *codim2_entities.device),
      operators_(domain_.operators<double>()),
      flux_(domain_.field<double>(Kind::face)),
      circulation_(domain_.field<double>(Kind::face)),
      velocity_(domain_.vector_field<double>(Kind::cell)),
      rhs_(domain_.field<double>(domain.codim2_kind)),
      change_(domain_.field<double>(domain.codim2_kind)),
      reach_(farthest_corner(domain)) {}

std::vector<double> HarmonicBasis::random_flux(std::uint64_t seed) const {
    std::vector<double> flux(domain_.faces.all, 0.0);
    for_each(0, flux.size(), [&](Index f) {
        if (!prescribed_[f]) flux[f] = random_value(domain_.mesh.mesh, f, seed);
    });
    return flux;
}

// The flux of a uniform velocity, zero on prescribed faces: round a period most of it is harmonic.
std::vector<double> HarmonicBasis::stream(const Vec3& along) const {
    std::vector<double> flux(domain_.faces.all, 0.0);
    for_each(0, flux.size(), [&](Index f) {
        if (!prescribed_[f]) flux[f] = glm::dot(domain_.geometry.face_area[f], along);
    });
    return flux;
}

std::vector<double> HarmonicBasis::circulation(const std::vector<double>& flux) {
    flux_.upload(flux);
    operators_.interpolation(flux_, velocity_);
    operators_.integration(velocity_, circulation_);
    return circulation_.download();
}

double HarmonicBasis::product(const std::vector<double>& a, const std::vector<double>& b) const {
    return sum_over_ranks(domain_.comm, domain_.faces.owned, [&](Index f) { return a[f] * b[f]; });
}

double HarmonicBasis::norm(const std::vector<double>& flux) {
    return std::sqrt(product(flux, circulation(flux)));
}

// The norm of the error of C^T H U by the rounding of positions in x_f - x_c, for the flux of the
// last circulation().
double HarmonicBasis::position_rounding() {
    const double square =
        domain_.comm.sum(domain_.own(Kind::cell).sum(domain_.comm, dot(velocity_, velocity_)));
    return 2 * std::numeric_limits<double>::epsilon() * reach_ * std::sqrt(square);
}

// Subtracts the flux's part that is a curl, to a tolerance relative to C^T H U. Returns whether
// that was more than rounding.
bool HarmonicBasis::part_off_curls(std::vector<double>& flux, double tolerance) {
    const std::vector<double> h = circulation(flux);
    operators_.rotation(circulation_, rhs_);
    std::vector<double> rhs = rhs_.download();
    for (Index r : fixed_) rhs[r] = 0;
    const double left = std::sqrt(sum_over_ranks(domain_.comm, domain_.codim2_entities.owned,
                                                 [&](Index r) { return rhs[r] * rhs[r]; }));
    const double rounding = std::max(1e-13 * std::sqrt(product(h, h)), position_rounding());
    if (left <= rounding) return false;
    rhs_.upload(rhs);
    change_.upload(std::vector<double>(change_.size(), 0.0));
    const SolveReport report = codim2_entities_.solve(
        rhs_, change_.write(),
        {.tolerance = tolerance, .max_iterations = 10000, .rounding = rounding});
    domain_.comm.agree([&] {
        if (report.is_fault() || (!report.converged() && left > 1e3 * rounding))
            throw ComputationError("the solve for harmonic fluxes, at the start: " +
                                   report.explanation());
    });
    operators_.curl(change_, flux_);
    const std::vector<double> curl = flux_.download();
    for_each(0, domain_.faces.shared, [&](Index f) { flux[f] -= curl[f]; });
    return true;
}

// Removes divergence and curls, refining until C^T H U is rounding.
void HarmonicBasis::clean(std::vector<double>& flux) {
    balance_.balance(flux);
    for (int round = 0; round < 5 && part_off_curls(flux, 1e-8); ++round) {
    }
}

void HarmonicBasis::part_off(const std::vector<Flux>& others, std::vector<double>& flux) const {
    for (const Flux& other : others) {
        const double share = product(flux, other.circulation);
        for_each(0, flux.size(), [&](std::size_t f) { flux[f] -= share * other.values[f]; });
    }
}

void HarmonicBasis::keep(std::vector<double> flux, std::vector<Flux>& found) {
    part_off(found, flux);
    part_off(found, flux);
    std::vector<double> h = circulation(flux);
    const double size = std::sqrt(product(flux, h));
    divide(flux, size);
    divide(h, size);
    found.push_back({std::move(flux), std::move(h)});
}

// Adds the harmonic part of a flux to `found` and returns true, or returns false where nothing
// remains. A remainder that is small relative to the random flux is not clean after the first pass;
// a second pass cleans it and decides.
bool HarmonicBasis::find_next(std::vector<double> flux, std::vector<Flux>& found) {
    const double start = norm(flux);
    balance_.roughly_balance(flux);
    part_off_curls(flux, 1e-10);
    part_off(found, flux);
    double left = norm(flux);
    if (!(left > null_share * start)) return false;
    divide(flux, left);
    clean(flux);
    part_off(found, flux);
    left = norm(flux);
    if (!(left > 0.5)) return false;
    divide(flux, left);
    balance_.balance(flux);
    keep(std::move(flux), found);
    return true;
}

std::vector<std::vector<double>> HarmonicBasis::find(std::optional<std::int64_t> number,
                                                     std::vector<std::vector<double>> known) {
    std::vector<Flux> found;
    for (auto& flux : known) keep(std::move(flux), found);
    const std::size_t before = found.size();
    const auto goes_on = [&] {
        return !number || found.size() < before + static_cast<std::size_t>(*number);
    };
    for (const PeriodicPair& pair : domain_.mesh.mesh.periodic_map.pairs)
        if (goes_on()) find_next(stream(pair.offset / glm::length(pair.offset)), found);
    for (std::uint64_t seed = 1; goes_on() && find_next(random_flux(seed), found); ++seed) {
    }
    std::vector<std::vector<double>> fluxes;
    for (std::size_t k = before; k < found.size(); ++k)
        fluxes.push_back(std::move(found[k].values));
    return fluxes;
}

}  // namespace solenoid
