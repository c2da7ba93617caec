// The boundary conditions of a flow on one rank: velocities at boundary faces and nodes, fluxes
// through prescribed faces.
//
// The velocity at a boundary face or node is u_b = P u_in + g, u_in what the flow inside gives
// there and P a projection on kept directions: none where the velocity g is given (wall, inflow),
// all where the boundary is open (outflow, pressure), the boundary's own plane in symmetry.
#pragma once

#include "flow/discretization/flow_discretization.hpp"
#include "flow/settings/flow_case.hpp"
#include "operators/domain.hpp"
#include "parallel/entity_subset.hpp"

namespace solenoid {

class FlowBoundaries {
  public:
    // Throws InputError where a group of the domain's boundary is unknown. Collective.
    FlowBoundaries(const Domain& domain, const std::vector<FlowBoundary>& settings);

    const BoundaryFaces& faces() const { return faces_; }
    const std::vector<FlowBoundary>& settings() const { return settings_; }
    // Of a face held; null inside the domain.
    bool is_open(Index face) const { return condition_[face] >= 0 && at(face).is_open(); }
    // it is given there
    bool has_pressure(Index face) const { return is_open(face) && !at(face).follows(); }
    bool follow() const;          // whether any condition does
    bool gives_pressure() const;  // whether any condition does that drives the flow
    const FlowBoundary* boundary(Index face) const {
        return condition_[face] < 0 ? nullptr : &settings_[condition_[face]];
    }
    // of faces().faces[k]
    const FlowCondition& condition(std::size_t k) const { return at(faces_.faces[k]); }
    // entities: places among faces()
    const FreeDirections& free_faces() const { return free_faces_; }
    // In symmetry a face drags a cell by conduction times n n^T. Of that the diagonal matrix with
    // |n_k| (|n_1| + |n_2| +
    // ...) is implicit, the least that exceeds it and takes a component by itself (n n^T where n is
    // an axis); the excess, given back, is the sum of f f^T over `dimension` vectors a free face.
    Vec3 implicit_drag(std::size_t k) const;                         // of faces().faces[k]
    const std::vector<Vec3>& deferred() const { return deferred_; }  // of free_faces()
    // a face held: its flux is given
    const std::vector<bool>& prescribed() const { return prescribed_; }
    // Faces whose dp/dn the projection gives: those inside, open ones, and those in symmetry, where
    // it is zero.
    std::vector<bool> gradient_known() const;
    bool has_symmetry() const { return has_symmetry_; }  // on any rank
    bool depends_on_time() const;
    const Vec3& area(Index face) const { return domain_.geometry.face_area[face]; }
    // of a prescribed face
    Vec3 given_velocity(Index face, const Vec3& x, double t) const {
        return velocity(condition_[face], x, t);
    }

    // Among [0, shared): nodes with a given velocity, and those where symmetry takes a part of it.
    // Where groups meet the given velocity wins over symmetry, symmetry over outflow.
    const std::vector<Index>& nodes() const { return nodes_; }
    const FreeDirections& symmetry_nodes() const { return symmetry_nodes_; }
    // what planes of symmetry keep at all nodes in them, also where another group gives the
    // velocity
    FreeDirections mirrors() const;
    // Velocities g at time t, column by column: at faces() and at nodes() (the slowest where groups
    // meet: a corner of a moving lid rests).
    std::vector<double> face_velocity(double t) const;
    std::vector<double> node_velocity(double t) const;
    // Flux through the prescribed faces at time t, along their normals; where no boundary is open
    // their sum is made zero. Throws InputError with the boundaries where more flows in than out
    // then. Says once of a boundary that it takes fluid out beside an open one, or that a wall
    // moves across itself. Collective.
    const EntitySubset& prescribed_faces() const { return prescribed_faces_; }
    // followed: one for each of prescribed_faces(), along its normal, taken where its condition
    // follows; what is missing there of the outflow is spread over these faces.
    std::vector<double> flux(double t, const std::vector<double>& followed) const;

  private:
    void sort_faces();
    void sort_nodes(const DistributedMesh& mesh);
    // orthonormal; faces that turn by less than 20 degrees are of one
    std::vector<Vec3> normals_of_planes(std::vector<Index> faces) const;
    const FlowCondition& at(Index face) const { return *settings_[condition_[face]].condition; }
    Vec3 velocity(int condition, const Vec3& x, double t) const;
    Vec3 finite_velocity(int condition, const Vec3& x, double t) const;  // throws InputError
    double flux_through(Index face, double t) const;
    struct Throughput {
        double in = 0, out = 0;  // of the domain
    };
    std::vector<Throughput> throughput(const std::vector<double>& flux) const;
    void check_balance(const std::vector<Throughput>& through, double t) const;
    void balance(const std::vector<Throughput>& through, std::vector<double>& flux) const;
    void balance_followed(std::vector<double>& flux) const;
    void remark_outward(const std::vector<Throughput>& through, double t) const;
    void remark_crossing(double t) const;
    void find_regions(const DistributedMesh& mesh);

    const Domain& domain_;
    const Mesh& mesh_;
    std::vector<FlowBoundary> settings_;
    BoundaryFaces faces_;
    FreeDirections free_faces_, symmetry_nodes_;
    std::vector<Vec3> deferred_;
    bool has_symmetry_ = false;
    std::vector<bool> prescribed_;
    EntitySubset prescribed_faces_;
    Index closed_regions_ = 0;  // without a free boundary: their fluxes must balance
    // of each marked prescribed face; closed_regions_: one with a free boundary
    std::vector<Index> region_;
    // of each region, of all ranks: prescribed faces whose condition is open all the same, as one
    // that follows
    std::vector<double> open_faces_;
    std::unique_ptr<std::vector<bool>> is_remarked_;  // a condition of which something was said
    std::vector<int> condition_;                      // of every face held, -1 inside
    std::vector<Index> nodes_;
    Rows node_conditions_;  // of each of nodes_
};

}  // namespace solenoid
