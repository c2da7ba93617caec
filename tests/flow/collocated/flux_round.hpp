// What a velocity keeps of itself on its way to the flux, through the projection's gradient and
// back to the cells, R (1 - P) I, as a matrix. On one rank.
#pragma once

#include "flow/collocated/flux_coupling.hpp"
#include "flow/projection/flow_method.hpp"
#include "frozen_cases.hpp"
#include "support/domain_fields.hpp"
#include "support/momentum_bench.hpp"

namespace solenoid::test {

class FluxRound {
  public:
    explicit FluxRound(const FrozenCase& one)
        : bench_("cpu", one.mesh, one.boundaries, 1),
          coupling_(bench_.domain, bench_.boundaries, bench_.momentum) {}

    // R (1 - P) I, P by a method.
    Matrix matrix(const std::string& method) {
        const Matrix star = interpolation();
        return product(reconstruction(), star - (method == "exact" ? nearest_solenoidal(star)
                                                                   : corrected(method, star)));
    }

    // -1/V times diffusion of a velocity whose boundary values are zero, by viscosity [1/m^2].
    Matrix diffusion() {
        auto u = bench_.momentum.velocity();
        auto out = bench_.domain.vector_field<double>(Kind::cell);
        Matrix all(d() * cells(), d() * cells());
        for (int k = 0; k < d(); ++k) {
            const auto diagonal = bench_.momentum.component(0, k).diagonal.download();
            for (Index c = 0; c < cells(); ++c) {
                std::vector<double> values(std::size_t(u.size()) * d(), 0.0);
                values[std::size_t(k) * u.size() + c] = 1;
                u.upload(values);
                bench_.momentum.diffusion_whole(u, out);
                const auto found = out.download();
                for (int j = 0; j < d(); ++j)
                    for (Index i = 0; i < cells(); ++i)
                        all(j * cells() + i, k * cells() + c) =
                            ((i == c && j == k ? diagonal[c] : 0) -
                             found[std::size_t(j) * out.size() + i]) /
                            bench_.geometry.cell_volume[i];
            }
        }
        return all;
    }

  private:
    int d() const { return bench_.d(); }
    Index cells() const { return bench_.owned(); }
    Index faces() const { return bench_.mesh.range(Kind::face).owned; }
    bool is_given(Index f) const { return bench_.boundaries.prescribed()[f]; }

    Field<double> unit(Kind kind, int columns, Index entity, int column) {
        return field_of<double>(bench_.domain, kind, columns, [&](Index i, int k) {
            return i == entity && k == column ? 1.0 : 0.0;
        });
    }

    // I, 0 where the flux is given.
    Matrix interpolation() {
        auto u = bench_.momentum.velocity();
        auto flux = bench_.domain.field<double>(Kind::face);
        Matrix all(faces(), d() * cells());
        for (int k = 0; k < d(); ++k)
            for (Index c = 0; c < cells(); ++c) {
                std::vector<double> values(std::size_t(u.size()) * d(), 0.0);
                values[std::size_t(k) * u.size() + c] = 1;
                u.upload(values);
                bench_.momentum.to_faces(u, flux);
                bench_.momentum.boundary().constrain_flux(flux);
                const auto found = flux.download();
                for (Index f = 0; f < faces(); ++f) all(f, k * cells() + c) = found[f];
            }
        return all;
    }
    // R
    Matrix reconstruction() {
        auto q = bench_.domain.vector_field<double>(Kind::cell);
        Matrix all(d() * cells(), faces());
        for (Index f = 0; f < faces(); ++f) {
            coupling_.to_cells(unit(Kind::face, 1, f, 0), q);
            const auto found = q.download();
            for (int k = 0; k < d(); ++k)
                for (Index c = 0; c < cells(); ++c)
                    all(k * cells() + c, f) = found[std::size_t(k) * q.size() + c];
        }
        return all;
    }
    Matrix divergence() const {
        Matrix all = Matrix::Zero(cells(), faces());
        for (Index c = 0; c < cells(); ++c)
            for (int j = 0; j <= d(); ++j) {
                const Index f = bench_.mesh.mesh.cell_faces(c, j);
                all(c, entity_of(f)) += orientation_of(f);
            }
        return all;
    }
    // Fluxes of the gradient of a pressure of one cell each.
    Matrix gradients(const std::string& method) {
        const auto projection = flow_method(method).projection.of<double>()(
            bench_.domain, bench_.boundaries, bench_.momentum.stencil(),
            {{1.0, 1}, {}, {}, {}, {}, {}});
        Matrix all(faces(), cells());
        auto flux = bench_.domain.field<double>(Kind::face);
        for (Index c = 0; c < cells(); ++c) {
            Field<double>& p = projection->potential();
            std::vector<double> values(p.size(), 0.0);
            values[c] = 1;
            p.upload(values);
            projection->take_gradient(flux);
            const auto found = flux.download();
            for (Index f = 0; f < faces(); ++f) all(f, c) = is_given(f) ? 0 : found[f];
        }
        return all;
    }
    // U - G p with D G p = D U, G a method's pressure gradient.
    Matrix corrected(const std::string& method, const Matrix& star) {
        const Matrix gradient = gradients(method), divergence = this->divergence();
        const Matrix pressure =
            least_squares(product(divergence, gradient), product(divergence, star));
        return star - product(gradient, pressure);
    }
    // Of all fluxes free of divergence those whose cell velocities W U are nearest. W:
    // reconstruction from all faces.
    Matrix nearest_solenoidal(const Matrix& star) {
        std::vector<Index> free;
        for (Index f = 0; f < faces(); ++f)
            if (!is_given(f)) free.push_back(f);
        const Index count = static_cast<Index>(free.size());
        Matrix velocities(d() * cells(), count), divergence(cells(), count),
            at_free(count, star.cols());
        const Matrix of_all = this->divergence();
        auto v = bench_.domain.vector_field<double>(Kind::cell);
        for (Index i = 0; i < count; ++i) {
            bench_.operators.interpolation(unit(Kind::face, 1, free[i], 0), v);
            const auto found = v.download();
            for (int k = 0; k < d(); ++k)
                for (Index c = 0; c < cells(); ++c)
                    velocities(k * cells() + c, i) = std::sqrt(bench_.geometry.cell_volume[c]) *
                                                     found[std::size_t(k) * v.size() + c];
            divergence.col(i) = of_all.col(free[i]);
            at_free.row(i) = star.row(free[i]);
        }
        const Matrix solenoidal = null_space(divergence);
        const Matrix found = product(solenoidal, least_squares(product(velocities, solenoidal),
                                                               product(velocities, at_free)));
        Matrix all = Matrix::Zero(faces(), star.cols());
        for (Index i = 0; i < count; ++i) all.row(free[i]) = found.row(i);
        return all;
    }

    MomentumBench<double> bench_;
    FluxCoupling<double> coupling_;
};

}  // namespace solenoid::test
