// The discrete calculus of docs/numerics.md on a distributed mesh: each operator is a gather kernel bound to the mesh's
// tables on the device and to the halo of its input.
//
// An operator fills the ghosts of its input while it computes in the interior, and gives its result on every entity of
// this rank's own cells, [0, shared): the same bits on each rank that holds it, on devices of one kind. A ridge is an
// entity of dimension d - 2: a node in 2D, an edge in 3D.
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "device/sliced_rows.hpp"
#include "mesh/geometry.hpp"
#include "parallel/distributed_mesh.hpp"
#include "parallel/halo.hpp"

namespace solenoid {

template <class Real>
class Operators {
  public:
    // The mesh must outlive the operators. Tables are put on the device when an operator first needs them.
    Operators(const Communicator& comm, Device& device, const DistributedMesh& mesh);
    ~Operators();

    void gradient(Buffer<Real>& p, Buffer<Real>& g);          // cells -> faces: p entered - p left; G = -D^T
    void divergence(Buffer<Real>& flux, Buffer<Real>& out);   // faces -> cells: net outflow
    void curl(Buffer<Real>& s, Buffer<Real>& flux);           // ridges -> faces: C
    void rotation(Buffer<Real>& q, Buffer<Real>& out);        // faces -> ridges: R = C^T
    void interpolation(Buffer<Real>& flux, Buffer<Real>& u);  // faces -> cells (vector), exact for constants
    void integration(Buffer<Real>& v, Buffer<Real>& out);     // cells (vector) -> faces: v . dl, exact for constants

    void node_gradient(Buffer<Real>& t, Buffer<Real>& g);     // nodes -> cells (vector), exact for linear fields
    // Over this rank's own cells, of a velocity given at nodes: integrals of |curl u|^2 and of 2 S : S, S the symmetric
    // part of its gradient [m^3/s^2, in 2D m^2/s^2].
    struct GradientSums {
        double rotation, strain;
    };
    GradientSums gradient_sums(const Buffer<Real>& u);
    void dual_flux(Buffer<Real>& q, Buffer<Real>& out);       // cells (vector) -> edges: through the dual face
    void dual_divergence(Buffer<Real>& flux, Buffer<Real>& out);  // edges -> nodes: net flux out of the dual cell

    // A zero field on the entities of a kind held here, ghosts included.
    Buffer<Real> field(Kind kind, int columns = 1) { return device_.buffer<Real>(mesh_.range(kind).all, columns); }
    Buffer<Real> vector_field(Kind kind) { return field(kind, mesh_.mesh.dimension); }
    Halo<Real>& halo(Kind kind, int columns = 1);

  private:
    struct Tables;
    using Sweep = std::function<void(Range)>;
    void overlapped(Kind from, Buffer<Real>& input, Kind to, const Sweep& sweep);

    const Communicator& comm_;
    Device& device_;
    const DistributedMesh& mesh_;
    std::unique_ptr<Tables> tables_;
    std::map<std::pair<Kind, int>, Halo<Real>> halos_;
};

}  // namespace solenoid
