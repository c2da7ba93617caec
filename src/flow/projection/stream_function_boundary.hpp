// The stream function on the boundary: values s with C s = the prescribed flux through every face
// where one is prescribed, walls included. Any flux C s is free of divergence, so through-flow
// needs no lifting of its own.
//
// s = C_b^T phi with C_b C_b^T phi = flux, C_b the curl from the boundary's codim-2 entities to its
// faces: of all such s the one of least norm. With fluxes counted outward C_b C_b^T is the graph
// Laplacian of the boundary's faces: solved in double by conjugate gradients and multigrid on the
// device (on the host, where that has no double).
#pragma once

#include "operators/domain.hpp"
#include "parallel/entity_subset.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "solvers/multigrid/multigrid.hpp"

namespace solenoid {

class StreamFunctionBoundary {
  public:
    // prescribed: one flag a face held. The domain must outlive this. Collective.
    StreamFunctionBoundary(const Domain& domain, const std::vector<bool>& prescribed);

    // The marked codim-2 entities of prescribed faces: where s is fixed.
    const std::vector<Index>& codim2_entities() const { return codim2_entities_; }

    // flux: through each prescribed face, in the order of faces(), along the face's normal [m^3/s,
    // in 2D m^2/s]. whole: what it was formed from by taking other fluxes away, whose rounding it
    // holds. Returns s at codim-2 entities(). Throws InputError with the boundaries where the
    // fluxes through a closed part of the boundary do not cancel. Collective.
    std::vector<double> solve(const std::vector<double>& flux, const std::vector<double>& whole);
    // marked ones first, ghosts last
    const std::vector<Index>& faces() const { return faces_.members; }
    // In a registry as operators/snapshot.hpp: from what a solve starts.
    template <class Registry>
    void keep_in(Registry& registry) {
        registry.template add_state<std::vector<double>>(
            [this] { return start(); },
            [this](const std::vector<double>& phi) { start_from(phi); });
    }

  private:
    // What a solve needs: made for the first flux that is not zero.
    struct System {
        System(const Communicator& comm, Device& device, const EntitySubset& faces,
               const HostMatrix& entries);
        RowMatrix<double> matrix;
        Multigrid<double> multigrid;
        ConjugateGradients<double> cg;
        Buffer<double> flux, phi;
    };
    // empty: none
    std::vector<double> start() const {
        return system_ ? system_->phi.download() : std::vector<double>();
    }
    void start_from(const std::vector<double>& phi);
    HostMatrix assemble() const;
    // +1, -1 where the normal points inward; face: its place among faces_
    double outward(Index face) const;
    double norm(const std::vector<double>& flux) const;
    double trace(const std::vector<double>& phi, Index codim2) const;
    double missed(const std::vector<double>& flux, const std::vector<double>& phi) const;
    [[noreturn]] void refuse();

    const Communicator& comm_;
    const Mesh& mesh_;
    EntitySubset faces_;
    // of every codim-2 entity: oriented prescribed faces, as places among faces_
    Rows codim2_faces_;
    std::vector<Index> codim2_entities_;
    Device& device_;
    std::unique_ptr<System> system_;
};

}  // namespace solenoid
