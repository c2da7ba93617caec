#include "flow/topology/harmonic_fluxes.hpp"

#include <cmath>

#include "device/expression.hpp"
#include "device/upload.hpp"
#include "parallel/fill_ghosts.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

// Cholesky factorization in place of the upper left n x n of a symmetric positive definite matrix;
// stores the lower factor.
void factorize(std::vector<double>& a, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = a[i * n + j];
            for (std::size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = i == j ? std::sqrt(sum) : sum / a[j * n + j];
        }
}

void solve(const std::vector<double>& factor, std::size_t n, double* x) {
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) x[i] -= factor[i * n + k] * x[k];
        x[i] /= factor[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) x[i] -= factor[k * n + i] * x[k];
        x[i] /= factor[i * n + i];
    }
}

std::vector<double> product(const HostMatrix& matrix, const std::vector<double>& x) {
    std::vector<double> y(matrix.rows.rows(), 0.0);
    for (std::size_t i = 0; i < y.size(); ++i)
        for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1]; ++k)
            y[i] += matrix.entries[k] * x[matrix.rows.index[k]];
    return y;
}

std::vector<double> curl(const Mesh& mesh, const std::vector<double>& s) {
    std::vector<double> flux(mesh.faces(), 0.0);
    for (Index f = 0; f < mesh.faces(); ++f)
        for (int j = 0; j < mesh.dimension; ++j)
            flux[f] +=
                orientation_of(mesh.face_codim2(f)[j]) * s[entity_of(mesh.face_codim2(f)[j])];
    return flux;
}

constexpr double tolerance = 1e-12;

}  // namespace

template <class Real>
HarmonicFluxes<Real>::HarmonicFluxes(const Domain& domain, const Cohomology& topology,
                                     const std::vector<bool>& prescribed,
                                     const std::vector<Index>& fixed, const HostMatrix& matrix,
                                     const std::function<Codim2Solve()>& make_solve)
    : domain_(domain), constant_(topology.parts().size(), 0.0) {
    const bool has_constants = domain.dimension == 2 && topology.constants() > 0;
    std::optional<std::int64_t> others = topology.harmonic_fluxes();
    if (has_constants) *others -= topology.constants();
    const bool has_others = !others || *others > 0;
    if (!has_constants && !has_others) return;
    const Codim2Solve codim2_entities = make_solve();
    std::vector<std::vector<double>> curls;
    if (has_constants) curls = find_potentials(topology, fixed, matrix, codim2_entities);
    if (!has_others) return;
    HarmonicBasis search(domain, topology, prescribed, fixed, codim2_entities);
    for (const auto& flux : search.find(others, std::move(curls)))
        fluxes_.push_back(uploaded<Real>(domain_.device, flux));
    amount_.assign(fluxes_.size(), 0.0);
}

// Solves K phi = 0 off the prescribed boundary, in double precision. phi_i . K phi_j is then the
// product in H of their curls.
template <class Real>
std::vector<std::vector<double>> HarmonicFluxes<Real>::find_potentials(
    const Cohomology& topology, const std::vector<Index>& fixed, const HostMatrix& matrix,
    const Codim2Solve& codim2_entities) {
    const Communicator& comm = domain_.comm;
    const HaloPlan& halo = domain_.mesh.halo(Kind::node);
    auto x = codim2_entities.device->buffer<double>(domain_.codim2_entities.all),
         b = codim2_entities.device->buffer<double>(domain_.codim2_entities.all);
    std::vector<std::vector<double>> phi, k_phi, curls;
    for (Index part = 0; part < topology.parts().size(); ++part) {
        if (topology.parts()[part].leads) continue;
        std::vector<double> one(domain_.codim2_entities.all, 0.0);
        for (Index i = 0; i < domain_.codim2_entities.owned; ++i)
            one[i] = topology.part_of(i) == part;
        fill_ghosts(comm, halo, one);
        std::vector<double> rhs = product(matrix, one);
        rhs.resize(domain_.codim2_entities.all, 0.0);
        for (double& value : rhs) value = -value;
        for (Index i : fixed) rhs[i] = 0;
        b.upload(rhs);
        x.upload(std::vector<double>(domain_.codim2_entities.all, 0.0));
        const SolveReport report =
            codim2_entities.solve(b, x, {.tolerance = tolerance, .max_iterations = 10000});
        comm.agree([&] {
            if (report.is_fault() || !(report.residual <= 1e3 * tolerance))
                throw ComputationError(
                    "the solve for the circulation round a body, at the start: " +
                    report.explanation());
        });
        std::vector<double> values = x.download();
        fill_ghosts(comm, halo, values);
        for (Index i = 0; i < domain_.codim2_entities.all; ++i) values[i] += one[i];
        potentials_.push_back(domain_.field<Real>(domain_.codim2_kind));
        potentials_.back().upload(std::vector<Real>(values.begin(), values.end()));
        part_.push_back(part);
        curls.push_back(curl(domain_.mesh.mesh, values));
        phi.push_back(std::move(values));
        k_phi.push_back(product(matrix, phi.back()));
    }
    const std::size_t n = phi.size();
    std::vector<RankSum> products(n * n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
            for (Index k = 0; k < domain_.codim2_entities.owned; ++k)
                products[i * n + j] += phi[i][k] * k_phi[j][k];
    factor_ = totals(comm, std::move(products));
    factorize(factor_, n);
    return curls;
}

template <class Real>
std::vector<double> HarmonicFluxes<Real>::shares(const Buffer<Real>& circulation,
                                                 const Buffer<Real>& tested) const {
    std::vector<double> b;
    for (const auto& phi : potentials_)
        b.push_back(domain_.own(domain_.codim2_kind).dot(domain_.comm, phi, tested));
    for (const auto& w : fluxes_)
        b.push_back(domain_.own(Kind::face).dot(domain_.comm, w, circulation));
    domain_.comm.sum(b);
    solve_products(b);
    return b;
}

template <class Real>
void HarmonicFluxes<Real>::solve_products(std::vector<double>& b) const {
    solve(factor_, potentials_.size(), b.data());
}

template <class Real>
std::vector<bool> HarmonicFluxes<Real>::passes(const CutSurfaces<Real>& cut_surfaces) {
    const std::size_t n = cut_surfaces.count();
    through_.assign(n, {});
    std::vector<double> net(n, 0.0), gross(n, 0.0);
    const auto look_at = [&](const Buffer<Real>& w) {
        const auto flux = cut_surfaces.flux(w), size = cut_surfaces.gross(w);
        for (std::size_t i = 0; i < n; ++i) {
            through_[i].push_back(flux[i]);
            net[i] += flux[i] * flux[i];
            gross[i] += size[i] * size[i];
        }
    };
    auto curl = domain_.field<Real>(Kind::face);
    for (auto& phi : potentials_) {
        domain_.operators<Real>().curl(phi, curl);
        look_at(curl);
    }
    for (const auto& w : fluxes_) look_at(w);
    response_ = through_;
    std::vector<bool> passes;
    for (std::size_t i = 0; i < n; ++i) {
        solve_products(response_[i]);
        passes.push_back(net[i] > 1e-8 * gross[i]);
    }
    return passes;
}

// Finds the change that is least in H, with a multiplier for the flux of each cut surface.
template <class Real>
std::vector<double> HarmonicFluxes<Real>::constrain(
    std::vector<double>& change, const std::vector<std::optional<double>>& missing) const {
    const auto dot = [](const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0;
        for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
        return sum;
    };
    std::vector<std::size_t> bound;
    for (std::size_t i = 0; i < missing.size(); ++i)
        if (missing[i]) bound.push_back(i);
    const std::size_t n = bound.size();
    std::vector<double> matrix(n * n), multiplier(n), of_section(missing.size(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        multiplier[i] = dot(through_[bound[i]], change) - *missing[bound[i]];
        for (std::size_t j = 0; j < n; ++j)
            matrix[i * n + j] = dot(through_[bound[i]], response_[bound[j]]);
    }
    factorize(matrix, n);
    solve(matrix, n, multiplier.data());
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < change.size(); ++k)
            change[k] -= multiplier[i] * response_[bound[i]][k];
        of_section[bound[i]] = multiplier[i];
    }
    return of_section;
}

template <class Real>
void HarmonicFluxes<Real>::add(const std::vector<double>& change, Field<Real>& s) {
    for (std::size_t k = 0; k < potentials_.size(); ++k) {
        constant_[part_[k]] += change[k];
        domain_.shared(domain_.codim2_kind)[s] += change[k] * potentials_[k];
    }
    for (std::size_t k = 0; k < fluxes_.size(); ++k) amount_[k] += change[potentials_.size() + k];
}

template <class Real>
void HarmonicFluxes<Real>::add_fluxes(Field<Real>& flux) const {
    for (std::size_t k = 0; k < fluxes_.size(); ++k)
        domain_.shared(Kind::face)[flux] += amount_[k] * fluxes_[k];
}

template class HarmonicFluxes<float>;
template class HarmonicFluxes<double>;

}  // namespace solenoid
