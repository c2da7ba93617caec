// The stream function on the boundary: values s with C s = the prescribed flux through each
// prescribed face, walls included. Through-flow needs no lifting, since C s is divergence-free for
// any s.
//
// s = C_b^T phi with C_b C_b^T phi = flux, where C_b is the curl from the boundary's codim-2
// entities to its faces: the s of least norm. For outward fluxes C_b C_b^T is the graph Laplacian
// of the boundary's faces. It is solved in double precision by conjugate gradients with multigrid
// on the device, or on the host if the device has no doubles.
#pragma once

#include "operators/state.hpp"
#include "parallel/entity_subset.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid {

class StreamFunctionBoundary {
  public:
    // prescribed: one flag for each face held. The domain must outlive this. Collective.
    StreamFunctionBoundary(const Domain& domain, const std::vector<bool>& prescribed);

    // The owned codim-2 entities of prescribed faces, where s is fixed.
    const std::vector<Index>& codim2_entities() const { return codim2_entities_; }

    // Returns s at codim2_entities(). flux: through each prescribed face along its normal, in the
    // order of faces() [m^3/s, in 2D m^2/s]. whole: the fluxes from which others were subtracted to
    // get `flux`; their rounding is left in it. Throws InputError with the boundaries where the
    // fluxes through a closed part of the boundary do not add up to zero. Collective.
    std::vector<double> solve(const std::vector<double>& flux, const std::vector<double>& whole);
    // Owned ones first, ghosts last.
    const std::vector<Index>& faces() const { return faces_.members; }
    // Registers the first guess of the next solve.
    template <class Real>
    void register_state(const State<Real>& state) {
        const auto get = [this] { return system_->phi.download(); };
        const auto set = [this](const std::vector<double>& phi) { system_->phi.upload(phi); };
        state.add_list("guess", Kind::face, faces_.members, get, set,
                       {[this] { return system_ != nullptr; }, [this] { make_system(); },
                        [this] { system_.reset(); }});
        using Guess = std::optional<std::vector<double>>;  // none before the first solve
        state.template stack<Guess>([=, this] { return system_ ? Guess(get()) : std::nullopt; },
                                    [=, this](const Guess& phi) {
                                        if (phi)
                                            set(*phi);
                                        else
                                            system_.reset();
                                    });
    }

  private:
    // The solver, made for the first flux that is not zero.
    struct System {
        System(const Communicator& comm, Device& device, const EntitySubset& faces,
               const HostMatrix& entries);
        RowMatrix<double> matrix;
        Multigrid<double> multigrid;
        ConjugateGradients<double> cg;
        Buffer<double> flux, phi;
    };
    void make_system() { system_ = std::make_unique<System>(comm_, device_, faces_, assemble()); }
    HostMatrix assemble() const;
    // +1, or -1 where the normal points inward. face: index into faces_.
    double outward(Index face) const;
    double norm(const std::vector<double>& flux) const;
    double trace(const std::vector<double>& phi, Index codim2) const;
    double missed(const std::vector<double>& flux, const std::vector<double>& phi) const;
    [[noreturn]] void refuse();

    const Communicator& comm_;
    const Mesh& mesh_;
    EntitySubset faces_;
    // for each codim-2 entity its oriented prescribed faces, as indices into faces_
    Rows codim2_faces_;
    std::vector<Index> codim2_entities_;
    Device& device_;
    std::unique_ptr<System> system_;
};

}  // namespace solenoid
