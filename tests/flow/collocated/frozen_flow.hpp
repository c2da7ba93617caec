// The time step of collocated momentum about a frozen flow, in matrices made by steps of the flow
// itself. On one rank.
#pragma once

#include <glm/geometric.hpp>

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/collocated/collocated_flow.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/eigen_problems.hpp"
#include "support/flows.hpp"

namespace solenoid::test {

// Boundary velocities at t = 0; later all are zero, so that a step is linear in the state.
inline std::string at_start(const std::string& formula) { return "t < 0.5 ? " + formula + " : 0"; }

inline Matrix random_matrix(Index rows, Index columns) {
    Matrix values(rows, columns);
    for (Index j = 0; j < columns; ++j)
        for (Index i = 0; i < rows; ++i) values(i, j) = random_value({i, j, 0, 0}, 5);
    return values;
}

class FrozenFlow {
  public:
    FrozenFlow(const SimplexMesh& whole, double viscosity,
               const std::vector<FlowBoundary>& boundaries, const VectorFormula& velocity,
               const FlowSettings& settings, double tolerance = 1e-13)
        : device_(make_device("cpu")),
          mesh_(distribute(comm_, whole)),
          domain_(comm_, *device_, mesh_),
          is_exact_(settings.method == "exact"),
          flow_(domain_, {{viscosity, 1}, settings, boundaries, velocity, solvers(tolerance), {}}) {
        const FlowBoundaries all(domain_, boundaries);
        is_unsteady_ = all.has_unsteady_inflow();
        const std::vector<bool> given = all.prescribed();
        for (Index f = 0; f < faces(); ++f)
            if (!given[f]) free_faces_.push_back(f);
        length_ = length();
        courant_rate_ = flow_.courant(1);
        flow_.freeze();
        set(Vector::Zero(size()));
        set_time(0, 0);
        flow_.step(courant_rate_ > 0 ? 1 / courant_rate_ : 1);  // sees the boundary's later values
    }

    double courant_rate() const { return courant_rate_; }
    Index cells() const { return mesh_.range(Kind::cell).owned; }
    Index faces() const { return mesh_.range(Kind::face).owned; }

    // Of states of three equal steps behind one another, all parts scaled to velocities, on the
    // range of its third power: what the first steps do not forget. Its eigenvalues are those of
    // the step.
    Matrix step(double dt) {
        scale_ = dt;
        const Vector of_any = after(random_matrix(size(), 1), dt);
        Matrix all = Matrix::Zero(size(), size());
        for (Index j = 0; j < size(); ++j)  // what is always zero at the end needs no column
            if (of_any[j] != 0) all.col(j) = after(Vector::Unit(size(), j), dt);
        const Index kept =
            std::min<Index>(size(), 3 * (d() * cells() + null_space().cols()) + 2 * faces() +
                                        levels_of_pressure() * cells());
        const Matrix basis =
            orthonormal(product(all, product(all, product(all, random_matrix(size(), kept)))));
        return transposed_product(basis, product(all, basis));
    }

    // The mean factor of a random state in a step, of so many steps after as many.
    double growth(double dt, int steps) {
        scale_ = dt;
        Vector x = random_matrix(size(), 1);
        double logarithm = 0;
        for (int n = 0; n < 2 * steps; ++n) {
            x = after(x, dt);
            if (n >= steps) logarithm += std::log(x.norm()) / steps;
            x.normalize();
        }
        return std::exp(logarithm);
    }

    // Of velocity and flux in continuous time, dz/dt = M z: the limit of Euler steps that start
    // with the pressure gradient that they end with. shortest: of the steps from which it is
    // extrapolated.
    Matrix semi_discrete(double shortest, int levels = 5) {
        scale_ = 1 / courant_rate_;
        const Matrix states = basis_of_states(), pressures = basis_of_pressures();
        const Index n = states.cols(), m = pressures.cols();
        Matrix change = Matrix::Zero(n + m, n + m);
        for (int l = 1; l <= levels; ++l) {
            double weight = 1;  // of the polynomial through all levels, at zero
            for (int k = 1; k <= levels; ++k)
                if (k != l) weight *= k / double(k - l);
            change += weight * euler_step(states, pressures, l * shortest);
        }
        const Matrix loop = Matrix::Identity(m, m) - change.bottomRightCorner(m, m);
        const Matrix pressure = least_squares(loop, change.bottomLeftCorner(m, n));
        return change.topLeftCorner(n, n) + product(change.topRightCorner(n, m), pressure);
    }

  private:
    static FlowSolvers solvers(double tolerance) {
        FlowSolvers solvers;
        for (SolverSettings* one : {&solvers.stream_function, &solvers.pressure, &solvers.momentum})
            one->tolerance = tolerance;
        return solvers;
    }
    int d() const { return mesh_.mesh.dimension; }
    // Of the state: p, and that of the last step where it is extrapolated in time.
    int levels_of_pressure() const { return is_exact_ ? 0 : is_unsteady_ ? 2 : 1; }
    Index size() const { return 5 * d() * cells() + 4 * faces() + levels_of_pressure() * cells(); }
    double area(Index f) const { return glm::length(domain_.geometry.face_area[f]); }

    double length() const {  // of a cell [m]
        double volume = 0;
        for (Index c = 0; c < cells(); ++c) volume += domain_.geometry.cell_volume[c];
        return std::pow(volume / cells(), 1.0 / d());
    }

    // The state a step after x.
    Vector after(const Vector& x, double dt) {
        set(x);
        set_time(dt, dt);
        flow_.step(dt);
        return taken();
    }

    // ---- the state as a vector, every part a velocity: (u, u_before, n_before, n_earlier, q,
    // flux, lag_before, rest_before, gradient, p, p_before)

    // A field of the state, and what a velocity is multiplied by in each entry of a column.
    struct Part {
        std::string name;
        int columns;
        std::function<double(Index)> unit;
    };
    std::vector<Part> parts() const {
        const auto& volume = domain_.geometry.cell_volume;
        const auto velocity = [](Index) { return 1.0; };
        const auto transport = [&, scale = scale_](Index c) { return volume[c] / scale; };
        const auto gradient = [scale = scale_](Index) { return 1 / scale; };
        const auto flux = [this](Index f) { return area(f); };
        const auto face_gradient = [this, scale = scale_](Index f) { return area(f) / scale; };
        std::vector<Part> all{{"velocity", d(), velocity},
                              {"velocity_before", d(), velocity},
                              {"scheme/transport_before", d(), transport},
                              {"scheme/transport_earlier", d(), transport},
                              {"cell_gradient", d(), gradient},
                              {"flux", 1, flux},
                              {"coupling/lag_before", 1, flux},
                              {"coupling/rest_before", 1, face_gradient},
                              {"face_gradient", 1, face_gradient}};
        const auto pressure = [u = scale_ / length_](Index) { return 1 / u; };
        if (levels_of_pressure() > 0) all.push_back({"projection/pressure", 1, pressure});
        if (levels_of_pressure() > 1) all.push_back({"projection/pressure_before", 1, pressure});
        return all;
    }
    const StateRegistry::Entry& entry(const std::string& name) {
        return flow_.state().entry("flow/" + name);
    }
    void set(const Vector& x) {
        Index at = 0;
        for (const Part& part : parts()) {
            StateArray array = entry(part.name).wanted();
            auto& values = std::get<std::vector<double>>(array.values);
            for (int k = 0; k < part.columns; ++k)
                for (Index i = 0; i < array.entity.size(); ++i)
                    values.push_back(x[at++] * part.unit(i));
            entry(part.name).load(array);
        }
        if (!is_unsteady_) return;
        StateArray given = entry("projection/inflow/flux_before").wanted();  // 0 as it is now
        given.values = std::vector<double>(given.entity.size(), 0.0);
        entry("projection/inflow/flux_before").load(given);
    }
    Vector taken() {
        Vector x(size());
        Index at = 0;
        for (const Part& part : parts()) {
            const StateArray array = entry(part.name).save();
            const auto& values = std::get<std::vector<double>>(array.values);
            const std::size_t count = array.entity.size();
            for (std::size_t k = 0; k < values.size(); ++k)
                x[at++] = values[k] / part.unit(static_cast<Index>(k % count));
        }
        return x;
    }
    // last: 0 for an Euler step
    void set_time(double last, double before) {
        std::vector<std::pair<std::string, double>> times{
            {"time", 1.0}, {"last_step", last}, {"step_before", before}};
        if (levels_of_pressure() > 1)
            times.insert(times.end(),
                         {{"projection/time", 1.0}, {"projection/time_before", 1.0 - last}});
        for (const auto& [name, value] : times) {
            StateArray array = entry(name).wanted();
            array.values = std::vector{value};
            entry(name).load(array);
        }
    }

    // ---- parts of the state

    // Fluxes free of divergence that pass no face whose flux is given, orthonormal; over the area.
    const Matrix& null_space() {
        if (null_space_.size()) return null_space_;
        Matrix divergence = Matrix::Zero(cells(), static_cast<Index>(free_faces_.size()));
        std::vector<int> place(faces(), -1);
        for (std::size_t k = 0; k < free_faces_.size(); ++k) place[free_faces_[k]] = k;
        for (Index c = 0; c < cells(); ++c)
            for (int j = 0; j <= d(); ++j) {
                const Index f = mesh_.mesh.cell_faces(c, j);
                if (place[entity_of(f)] >= 0)
                    divergence(c, place[entity_of(f)]) = orientation_of(f) * area(entity_of(f));
            }
        const Matrix free = test::null_space(divergence);
        null_space_ = Matrix::Zero(faces(), free.cols());
        for (std::size_t k = 0; k < free_faces_.size(); ++k)
            null_space_.row(free_faces_[k]) = free.row(k);
        return null_space_;
    }
    Matrix basis_of_states() {
        const Index u = d() * cells(), n = u + null_space().cols();
        Matrix basis = Matrix::Zero(size(), n);
        basis.topLeftCorner(u, u).setIdentity();
        basis.block(5 * u, u, faces(), null_space().cols()) = null_space();
        return basis;
    }
    Matrix basis_of_pressures() {
        const Index u = d() * cells(), p = is_exact_ ? 0 : cells();  // Euler steps see no p_before
        Matrix basis = Matrix::Zero(size(), u + faces() + p);
        basis.block(4 * u, 0, u, u).setIdentity();
        basis.block(5 * u + 3 * faces(), u, faces() + p, faces() + p).setIdentity();
        return basis;
    }
    // Of both parts: the rate at which the states change, and the pressures at the end.
    Matrix euler_step(const Matrix& states, const Matrix& pressures, double dt) {
        const Index n = states.cols(), m = pressures.cols();
        Matrix result(n + m, n + m);
        for (Index j = 0; j < n + m; ++j) {
            const Vector x = j < n ? states.col(j) : pressures.col(j - n);
            set(x);
            set_time(0, 0);
            flow_.step(dt);
            const Vector end = taken();
            result.col(j).head(n) =
                transposed_times(states, (end - (j < n ? x : Vector::Zero(size()))) / dt);
            result.col(j).tail(m) = transposed_times(pressures, end);
        }
        return result;
    }
    Communicator comm_ = Communicator::self();
    std::unique_ptr<Device> device_;
    DistributedMesh mesh_;
    Domain domain_;
    const bool is_exact_;
    bool is_unsteady_ = false;  // an inflow's formula depends on time
    CollocatedFlow<double> flow_;
    std::vector<Index> free_faces_;
    double courant_rate_ = 0, scale_ = 1, length_ = 1;
    Matrix null_space_;
};

// On half of its columns' number where its range, to rounding, fits in there.
inline bool is_halved(Matrix& a) {
    const Index n = a.rows(), half = (n + 1) / 2;
    const Matrix basis = orthonormal(product(a, random_matrix(n, half))),
                 rows = transposed_product(basis, a);
    if (half == n || (a - product(basis, rows)).norm() > 1e-14 * a.norm()) return false;
    a = product(rows, basis);
    return true;
}

// The largest magnitude of an eigenvalue, by squaring: ||A^m||^(1/m), m = 2^40, is above it by a
// part of log(m)/m only. What falls to rounding beside the rest is left out on the way.
inline double spectral_radius(Matrix a) {
    double logarithm = 0, part = 1;
    for (int k = 0; k < 40; ++k) {
        const double norm = a.norm();
        if (!(norm > 0)) return 0;
        logarithm += part * std::log(norm);
        a /= norm;
        a = product(a, a);
        part /= 2;
        while (k % 2 == 1 && is_halved(a)) {
        }
    }
    return std::exp(logarithm + part * std::log(a.norm()));
}

inline double largest_rate(const Matrix& a) { return eigenvalues(a).real().maxCoeff(); }

}  // namespace solenoid::test
