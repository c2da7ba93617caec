// Algebraic multigrid by smoothed aggregation, one V-cycle as a preconditioner. docs/numerics.md,
// "Multigrid".
#pragma once

#include "parallel/recorded_exchanges.hpp"
#include "solvers/krylov/preconditioner.hpp"
#include "solvers/multigrid/hierarchy.hpp"
#include "solvers/multigrid/smoother.hpp"

namespace solenoid {

template <class Real>
class Multigrid final : public Preconditioner<Real> {
  public:
    // matrix: symmetric positive (semi-)definite; fixed: marked entities that are no unknowns;
    // columns: of the vectors, 1, 2 or 3, each as if it were alone, but that rows are read and
    // messages sent for all at once. Collective.
    Multigrid(const Communicator& comm, Device& device, const EntityRanges& ranges,
              const HaloPlan& halo, const HostMatrix& matrix, const std::vector<Index>& fixed = {},
              const MultigridSettings& settings = {}, int columns = 1);
    ~Multigrid() override;

    double apply(const Buffer<Real>& r, Buffer<Real>& z) override;  // of one column
    // of all, without r . z: waits for nothing
    void correct(const Buffer<Real>& r, Buffer<Real>& z);

    const std::vector<LevelSummary>& levels() const { return summary_; }
    double operator_complexity() const;  // nonzeros of all levels over those of the finest
    std::size_t bytes() const;           // on the devices of all ranks
    PreconditionerSummary summary() const override { return {setup_seconds_, summary_}; }

  private:
    struct Level {
        Index own = 0, first = 0, arriving = 0;
        // the last three where they have something to do
        std::unique_ptr<Halo<Real>> halo, gather, scatter, prolongation_halo;
        std::unique_ptr<Smoother<Real>> smoother;  // null: `inverse` does it all
        // single precision is enough for them
        SplitRows<Real> inverse, restriction, prolongation;
        Buffer<Real> b, solution;
    };

    Level uploaded_level(const Communicator& comm, const HierarchyLevel& host);
    std::size_t first_quiet_level() const;
    void iterate(std::size_t depth, const Buffer<Real>& b);
    Buffer<Real>& cycle(std::size_t depth, const Buffer<Real>& b);
    void sum(const SplitRows<Real>& rows, const Gathered<Real>& x, Buffer<Real>& y, Range range);
    void correct_by_coarse(std::size_t depth, Buffer<Real>& defect, Buffer<Real>& x);
    void prolong(std::size_t depth, Buffer<Real>& x);

    Communicator comm_;
    Device& device_;
    MultigridSettings settings_;
    int columns_;
    std::vector<Level> levels_;
    // of the coarse correction, behind `levels_`: it goes before their buffers
    RecordedExchanges coarse_;
    std::vector<LevelSummary> summary_;
    std::size_t quiet_ = 0;  // from this level on no message takes the host
    double setup_seconds_ = 0;
};

}  // namespace solenoid
