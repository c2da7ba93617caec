// A matrix of a mesh's cells whose products are made wrong on purpose, as they are where values of
// other ranks come late or false.
#pragma once

#include <memory>
#include <optional>

#include "device/expression.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "support/fields.hpp"

namespace solenoid::test {

enum class Lie {
    none,
    stale,  // what came from other ranks is that of the product before
    off     // and is too large by one part in a thousand
};

// Which products lie, counted from 0, on rank 0 alone.
struct Plan {
    Lie lie = Lie::none;
    int first = 0, last = 0;
    bool is_of_residuals = false;  // those of b - A x rather than of A x
};

// -div(k grad) + shift over the triangles of a box, k in [1, jump]; all times `scale`. Some rows
// lean to one side by `turn`.
struct CellProblem {
    CellProblem(double jump, double shift, double scale = 1, double skew = 0, Index cells = 300)
        : comm(Communicator::world()),
          mesh(distribute(comm, comm.is_root()
                                    ? std::optional(box_mesh({.dimension = 2, .cells = cells}))
                                    : std::nullopt)) {
        const Mesh& m = mesh.mesh;
        for (Index c = 0; c < ranges().owned; ++c) {
            double diagonal = shift;
            for (int j = 0; j <= m.dimension; ++j) {
                const Index f = entity_of(m.cell_faces(c, j)), other = m.face_cells(f, 0) == c
                                                                           ? m.face_cells(f, 1)
                                                                           : m.face_cells(f, 0);
                if (other == none) continue;
                const double k =
                    std::pow(jump, 0.5 + 0.5 * random_value(key_of(m, Kind::face, f), 1));
                diagonal += k;
                matrix.append(
                    other, scale * (-k + (m.cell_number[c] < m.cell_number[other] ? skew : -skew)));
            }
            matrix.append(c, scale * diagonal);
            matrix.end_row();
        }
    }
    const EntityRanges& ranges() const { return mesh.range(Kind::cell); }
    const HaloPlan& halo() const { return mesh.halo(Kind::cell); }
    std::vector<double> random(int seed, double scale = 1) const {
        std::vector<double> values(ranges().all, 0.0);
        for (Index c = 0; c < ranges().owned; ++c)
            values[c] = scale * random_value(key_of(mesh.mesh, Kind::cell, c), seed);
        return values;
    }

    Communicator comm;
    DistributedMesh mesh;
    HostMatrix matrix;
};

template <class Real>
class LyingOperator final : public LinearOperator<Real> {
  public:
    LyingOperator(const CellProblem& problem, Device& device, const Plan& plan)
        : problem_(problem),
          device_(device),
          plan_(plan),
          owned_(problem.comm, device, problem.ranges(), problem.halo(), problem.matrix),
          matrix_(owned_) {
        if constexpr (std::is_same_v<Real, double>)
            rounded_.reset(new LyingOperator<float>(problem, device, plan, owned_.rounded()));
    }

    Device& device() const override { return device_; }
    Range range() const override { return matrix_.range(); }
    Index size() const override { return matrix_.size(); }
    void apply(Buffer<Real>& x, Buffer<Real>& y) override {
        matrix_.apply(x, y);
        if (!plan_.is_of_residuals) lie(x, y, 1);
    }
    ColumnSums residual(const SummingRanks& ranks, const Buffer<Real>& b, Buffer<Real>& x,
                        Buffer<Real>& r) override {
        matrix_.residual(ranks, b, x, r);
        if (plan_.is_of_residuals) lie(x, r, -1);
        return column_dots(ranks, device_, range(), r, r);
    }
    LinearOperator<float>& rounded() override {
        if constexpr (std::is_same_v<Real, double>)
            return *rounded_;
        else
            return *this;
    }

  private:
    template <class>
    friend class LyingOperator;
    LyingOperator(const CellProblem& problem, Device& device, const Plan& plan,
                  LinearOperator<float>& matrix) requires(std::is_same_v<Real, float>)
        : problem_(problem),
          device_(device),
          plan_(plan),
          owned_(problem.comm, device, problem.ranges(), problem.halo(), problem.matrix),
          matrix_(matrix) {}

    // On one rank the last quarter of the cells is as if another's.
    bool is_foreign(Index cell) const {
        return problem_.comm.size() > 1 ? cell >= problem_.ranges().owned
                                        : 4 * cell >= 3 * problem_.ranges().owned;
    }

    void lie(const Buffer<Real>& x, Buffer<Real>& y, double sign) {
        const int product = count_++;
        if (plan_.lie == Lie::none || !problem_.comm.is_root() || product > plan_.last) return;
        const std::vector<Real> now = x.download();
        if (product >= plan_.first) {
            std::vector<Real> image = y.download();
            const HostMatrix& a = problem_.matrix;
            for (Index i = 0; i < a.rows.rows(); ++i)
                for (Index k = a.rows.start[i]; k < a.rows.start[i + 1]; ++k) {
                    const Index j = a.rows.index[k];
                    if (!is_foreign(j)) continue;
                    const double error = plan_.lie == Lie::off
                                             ? 1e-3 * now[j]
                                             : (before_.empty() ? 0.0 : before_[j]) - now[j];
                    image[i] += static_cast<Real>(sign * a.entries[k] * error);
                }
            y.upload(image);
        }
        before_ = now;
    }

    const CellProblem& problem_;
    Device& device_;
    const Plan plan_;
    RowMatrix<Real> owned_;
    LinearOperator<Real>& matrix_;
    std::unique_ptr<LyingOperator<float>> rounded_;
    std::vector<Real> before_;
    int count_ = 0;
};

}  // namespace solenoid::test
