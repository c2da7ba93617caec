// The preconditioner of diffusion plus a diagonal that changes from solve to solve, as in time:
// multigrid where diffusion rules, Jacobi's where the diagonal does.
#pragma once

#include <optional>
#include <string>

#include "solvers/choice/preconditioner_kinds.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/single_preconditioner.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid {

template <class Real>
class DiffusionPreconditioner {
  public:
    // weights: w_ij of the neighbours, as in GraphLaplacian; fixed: marked entities that are no
    // unknowns.
    DiffusionPreconditioner(const Communicator& comm, Device& device, const EntityRanges& ranges,
                            const HaloPlan& halo, Rows neighbours, std::vector<double> weights,
                            std::vector<Index> fixed, const PreconditionerSettings& settings);
    ~DiffusionPreconditioner();

    // For the matrix with this diagonal added, one value a marked entity; inverse: the whole
    // diagonal's inverse, which must outlive the result. A hierarchy is kept while the added
    // diagonal changes by less than a factor of two.
    Preconditioner<Real>& prepare(const std::vector<double>& shift, const Buffer<Real>& inverse);

    // Other weights: a hierarchy is made anew.
    void replace(std::vector<double> weights);

    // What prepare() depends on besides its arguments and the weights, in a State of
    // operators/state.hpp: a hierarchy, which is saved as what it was made of. What prepare()
    // returned last is to be asked for anew after a restore or a load. kind: of the entities. After
    // a load of other weights these are replaced before.
    template <class State>
    void register_state(const State& state, Kind kind) {
        if (!has_weights_) return;
        state.stack(hierarchy_);
        state.add_list(
            "hierarchy", kind, std::nullopt,
            [this] {
                return hierarchy_.shift ? *hierarchy_.shift
                                        : std::vector<double>(ranges_.owned, 0.0);
            },
            [this](std::vector<double> shift) { loaded_shift_ = std::move(shift); },
            {[this] { return hierarchy_.multigrid != nullptr; }, [] {},
             [this] { hierarchy_.multigrid.reset(); }});
        state.off_stack().remade([this] {
            if (loaded_shift_) make_hierarchy(*loaded_shift_);
            loaded_shift_.reset();
        });
    }

    PreconditionerSummary summary() const;  // the time is that of all hierarchies so far

  private:
    double diffusion_number(const std::vector<double>& shift) const;
    double total(const std::vector<double>& shift) const;
    void make_hierarchy(const std::vector<double>& shift);
    Preconditioner<Real>& jacobi(const Buffer<Real>& inverse);

    const Communicator& comm_;
    Device& device_;
    EntityRanges ranges_;
    HaloPlan halo_;
    Rows neighbours_;           // none on a rank without entities, too
    bool has_weights_ = false;  // where the settings may ask for multigrid: alike on all ranks
    std::vector<Index> fixed_;
    PreconditionerSettings settings_;
    std::optional<DiagonalPreconditioner<Real>> jacobi_;
    std::unique_ptr<RoundedDiagonal> mixed_jacobi_;
    struct Weights {
        std::vector<double> of_neighbours, diagonal;
    };
    struct Hierarchy {
        std::shared_ptr<const Weights> weights;
        std::shared_ptr<Preconditioner<Real>> multigrid;  // none: to be made
        // that it was made for, and the sum of it over all ranks
        std::shared_ptr<const std::vector<double>> shift;
        double total = 0;
    } hierarchy_;
    std::optional<std::vector<double>> loaded_shift_;  // of a hierarchy that is to be made
    double setup_seconds_ = 0;
};

}  // namespace solenoid
