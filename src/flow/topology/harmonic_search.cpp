#include "flow/topology/harmonic_search.hpp"

#include <algorithm>
#include <cmath>

#include "flow/discretization/stream_function_matrix.hpp"

namespace solenoid {
namespace {

// Of a random flux a harmonic one holds the share of one in the number of faces, a ten-thousandth in norm where that is a
// hundred million; of what is null the solves leave 1e-10.
constexpr double null_share = 1e-7;

// In [-1, 1), from the face's nodes: the same on every rank.
double random_value(const Mesh& mesh, Index face, std::uint64_t seed) {
    std::uint64_t h = seed * 0x9E3779B97F4A7C15ull + 1;
    for (int j = 0; j < mesh.dimension; ++j) {
        h ^= static_cast<std::uint64_t>(mesh.node_number[mesh.nodes_of(Kind::face, face)[j]]) + 0x9E3779B97F4A7C15ull + (h << 6) + (h >> 2);
        h *= 0xBF58476D1CE4E5B9ull;
        h ^= h >> 31;
    }
    return static_cast<double>(h >> 11) / 4503599627370496.0 - 1;
}

}  // namespace

HarmonicSearch::HarmonicSearch(const Domain& domain, const FluxTopology& topology, const std::vector<bool>& prescribed, const std::vector<Index>& fixed)
    : prescribed_(prescribed),
      fixed_(fixed),
      balance_(domain.comm, domain.mesh, topology, prescribed),
      device_(make_cpu_device()),
      domain_(domain, *device_),
      operators_(domain_.operators<double>()),
      matrix_(domain.comm, *device_, domain.ridges, domain.mesh.halo(domain.ridge_kind), stream_function_matrix(domain.mesh)),
      cg_(domain.comm, *device_, matrix_),
      flux_(domain_.field<double>(Kind::face)),
      circulation_(domain_.field<double>(Kind::face)),
      velocity_(domain_.vector_field<double>(Kind::cell)),
      rhs_(domain_.field<double>(domain.ridge_kind)),
      change_(domain_.field<double>(domain.ridge_kind)) {
    matrix_.fix(fixed);
}

std::vector<double> HarmonicSearch::random_flux(std::uint64_t seed) const {
    std::vector<double> flux(domain_.faces.all, 0.0);
    for (Index f = 0; f < flux.size(); ++f)
        if (!prescribed_[f]) flux[f] = random_value(domain_.mesh.mesh, f, seed);
    return flux;
}

std::vector<double> HarmonicSearch::circulation(const std::vector<double>& flux) {
    flux_.upload(flux);
    operators_.interpolation(flux_, velocity_);
    operators_.integration(velocity_, circulation_);
    return circulation_.download();
}

double HarmonicSearch::product(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (Index f = 0; f < domain_.faces.owned; ++f) sum += a[f] * b[f];
    return domain_.comm.sum(sum);
}

// The flux less its curls, refined until what C^T H leaves of it is rounding. Returns its norm in H.
double HarmonicSearch::part_off_curls(std::vector<double>& flux) {
    for (int round = 0;; ++round) {
        const std::vector<double> h = circulation(flux);
        operators_.rotation(circulation_, rhs_);
        std::vector<double> rhs = rhs_.download();
        for (Index r : fixed_) rhs[r] = 0;
        double left = 0;
        for (Index r = 0; r < domain_.mesh.range(domain_.mesh.mesh.ridge_kind()).owned; ++r) left += rhs[r] * rhs[r];
        left = std::sqrt(domain_.comm.sum(left));
        const double rounding = 1e-13 * std::sqrt(product(h, h));
        if (round == 5 || left <= rounding) return std::sqrt(product(flux, h));
        rhs_.upload(rhs);
        change_.upload(std::vector<double>(change_.size(), 0.0));
        const SolveReport report = cg_.solve(matrix_.inverse_diagonal(), rhs_, change_.write(), {.tolerance = 1e-8, .max_iterations = 200000, .rounding = rounding});
        domain_.comm.agree([&] {
            if (!report.converged() && round == 0) throw ComputationError("the harmonic fluxes, a solve of their own at the start: " + report.explanation());
        });
        operators_.curl(change_, flux_);
        const std::vector<double> curl = flux_.download();
        for (Index f = 0; f < domain_.faces.shared; ++f) flux[f] -= curl[f];
    }
}

double HarmonicSearch::part_off(const std::vector<Flux>& others, std::vector<double>& flux) {
    for (const Flux& other : others) {
        const double share = product(flux, other.circulation);
        for (std::size_t f = 0; f < flux.size(); ++f) flux[f] -= share * other.values[f];
    }
    return std::sqrt(product(flux, circulation(flux)));
}

void HarmonicSearch::keep(std::vector<double> flux, std::vector<Flux>& found) {
    part_off(found, flux);
    const double size = part_off(found, flux);
    for (double& value : flux) value /= size;
    auto h = circulation(flux);
    found.push_back({std::move(flux), std::move(h)});
}

// What the first pass leaves is small beside the flux that it started from, and so is not clean: a second one makes it so.
bool HarmonicSearch::find_next(std::uint64_t seed, std::vector<Flux>& found) {
    std::vector<double> flux = random_flux(seed);
    balance_.balance(flux);
    const double start = std::sqrt(product(flux, circulation(flux)));
    for (int pass = 0; pass < 2; ++pass) {
        part_off_curls(flux);
        const double left = part_off(found, flux);
        if (!(left > (pass == 0 ? null_share * start : 0.5))) return false;
        for (double& value : flux) value /= left;
        balance_.balance(flux);
    }
    keep(std::move(flux), found);
    return true;
}

std::vector<std::vector<double>> HarmonicSearch::find(std::optional<std::int64_t> number, std::vector<std::vector<double>> known) {
    std::vector<Flux> found;
    for (auto& flux : known) keep(std::move(flux), found);
    const std::size_t before = found.size();
    for (std::uint64_t seed = 1; !number || seed <= static_cast<std::uint64_t>(*number); ++seed)
        if (!find_next(seed, found)) break;
    std::vector<std::vector<double>> fluxes;
    for (std::size_t k = before; k < found.size(); ++k) fluxes.push_back(std::move(found[k].values));
    return fluxes;
}

}  // namespace solenoid
