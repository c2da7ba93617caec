// The boundary conditions of a flow on one rank: velocities at boundary faces and nodes, fluxes
// through prescribed faces.
//
// The velocity at a boundary face or node is u_b = P u_in + g, where u_in is extrapolated from
// inside, g is the given velocity and P projects on the free directions: P = 0 where the velocity
// is given (wall, inflow), P = 1 where the boundary is open (outflow, pressure), P = 1 - n n^T in
// symmetry: where the fluid slips. On a plane that is its mirror image's plane; along a curved wall
// du_t/dn = S u_t, S the surface gradient of the outward normal, so that no shear stress acts.
#pragma once

#include <optional>

#include "flow/boundary/surface_curvature.hpp"
#include "flow/discretization/flow_discretization.hpp"
#include "flow/settings/flow_case.hpp"
#include "operators/domain.hpp"
#include "parallel/entity_subset.hpp"

namespace solenoid {

class FlowBoundaries {
  public:
    // Throws InputError where a group of the domain's boundary is unknown, or a face lies in two
    // groups whose conditions differ. Collective.
    FlowBoundaries(const Domain& domain, const std::vector<FlowBoundary>& settings);

    const BoundaryFaces& faces() const { return faces_; }
    const std::vector<FlowBoundary>& settings() const { return settings_; }
    bool is_open(Index face) const { return condition_[face] >= 0 && at(face).is_open(); }
    bool is_inflow(Index face) const { return condition_[face] >= 0 && at(face).is_inflow(); }
    // Whether the pressure is given at a face.
    bool has_pressure(Index face) const { return is_open(face) && !at(face).follows(); }
    bool follow() const;          // whether any condition follows the flow
    bool gives_pressure() const;  // whether any condition gives a pressure that drives the flow
    // Of a face; null inside the domain.
    const FlowBoundary* boundary(Index face) const {
        return condition_[face] < 0 ? nullptr : &settings_[condition_[face]];
    }
    // Of faces().faces[k].
    const FlowCondition& condition(std::size_t k) const { return at(faces_.faces[k]); }
    // Faces that are open or in symmetry, by their index in faces().
    const FreeDirections& free_faces() const { return free_faces_; }
    // Of faces().faces[k]; null unless the fluid slips there along a curved wall.
    const CurvedFace* curved(std::size_t k) const {
        return condition(k).slips() ? curved_wall(k) : nullptr;
    }
    bool has_curved_slip() const { return has_curved_slip_; }  // on any rank
    // The same also of a curved wall with a velocity of its own.
    const CurvedFace* curved_wall(std::size_t k) const { return curved_->at(faces_.faces[k]); }
    // Of a curved face: by how much du_t/dn = S u_t changes the velocity along each principal
    // direction from the cell's centroid to the face, over the value at the face: the curvature
    // times the distance, at most 1/2.
    std::array<double, 2> slip_reach(std::size_t k) const;
    // The drag of a symmetry face on its cell is conduction times n n^T, and of a curved one with a
    // negative curvature that times r / (1 + r) e e^T, r = -slip_reach() along e. The implicit part
    // is the diagonal matrix D_k = |n_k| (|n_1| + |n_2| + ...), the smallest one with D >= n n^T
    // (equal where n is an axis), and likewise that of e. On planes the deferred correction is D -
    // n n^T = sum of f f^T over `dimension` vectors f for each face.
    // Diagonal of D for faces().faces[k].
    Vec3 implicit_drag(std::size_t k) const;
    // The vectors f of planes, `dimension` for each of free_faces().
    const std::vector<Vec3>& deferred() const { return deferred_; }
    // One flag for each face of this rank, ghosts included: whether its flux is given.
    const std::vector<bool>& prescribed() const { return prescribed_; }
    // One flag for each face: whether dp/dn is known there. True inside the domain, at open
    // boundaries, and where the fluid slips: 0 at planes, at curved walls what bends the flow.
    std::vector<bool> gradient_known() const;
    bool has_symmetry() const { return has_symmetry_; }  // on any rank
    bool depends_on_time() const;
    bool has_unsteady_inflow() const;  // a velocity that is given and depends on time
    const Vec3& area(Index face) const { return domain_.geometry.face_area[face]; }
    Vec3 outward_normal(Index face) const;  // of length 1
    // At a point of a prescribed face [m/s].
    Vec3 given_velocity(Index face, const Vec3& x, double t) const {
        return velocity(condition_[face], x, t);
    }

    // Nodes of [0, shared) with a given velocity, and nodes in symmetry. Where groups meet, a given
    // velocity takes precedence over symmetry, and symmetry over outflow.
    const std::vector<Index>& nodes() const { return nodes_; }
    const FreeDirections& symmetry_nodes() const { return symmetry_nodes_; }
    // Of symmetry_nodes() those on curved walls: the faces of these there, each with its part in
    // the area of its wall's faces, its wall's outward normal at the node, and the principal
    // directions and curvatures that the wall has at the node by the face (zero by a plane one).
    struct CurvedNode {
        struct Face {
            Index face;
            double part;
            Vec3 normal;
            std::array<Vec3, 2> direction;
            std::array<double, 2> curvature;
        };
        Index node;
        std::vector<Face> faces;
    };
    const std::vector<CurvedNode>& curved_nodes() const { return curved_nodes_; }
    // Likewise nodes of curved walls with a velocity of their own.
    const std::vector<CurvedNode>& moving_nodes() const { return moving_nodes_; }
    bool has_moving_nodes() const { return has_moving_nodes_; }  // on any rank
    // The directions along symmetry planes, at all nodes of these, also where another group gives
    // the velocity.
    FreeDirections mirrors() const;
    // Given velocities g at time t [m/s], column by column: at faces(), and at nodes(), where the
    // slowest of the groups that meet is taken (a corner of a moving lid rests). Flat walls move
    // along themselves.
    std::vector<double> face_velocity(double t) const;
    std::vector<double> node_velocity(double t) const;
    // The flux through the prescribed faces at time t, along their normals. Where no boundary is
    // open their sum is made zero. Throws InputError with the boundaries where inflow and outflow
    // then differ too much. Reports once a boundary that takes fluid out next to an open one, and a
    // wall whose velocity crosses it. Collective.
    const EntitySubset& prescribed_faces() const { return prescribed_faces_; }
    // followed: fluxes of the faces whose condition follows the flow, one for each of
    // prescribed_faces() along its normal. Their sum is corrected so that inflow equals outflow.
    std::vector<double> flux(double t, const std::vector<double>& followed) const;

  private:
    void set_condition(Index face, int condition);
    void sort_faces();
    void sort_nodes(const DistributedMesh& mesh);
    struct Meeting {                               // of surfaces at a node
        std::vector<Vec3> normals, plane_normals;  // of all, of planes alone; orthonormal
        std::vector<CurvedNode::Face> curved;
    };
    // Faces that turn by less than 20 degrees form one surface.
    Meeting surfaces_at(Index node, std::vector<Index> faces) const;
    Vec3 flat_normal(Index node, const std::vector<Index>& faces) const;
    const FlowCondition& at(Index face) const { return *settings_[condition_[face]].condition; }
    Vec3 velocity(int condition, const Vec3& x, double t) const;
    Vec3 finite_velocity(int condition, const Vec3& x, double t) const;  // throws InputError
    double flux_through(Index face, double t) const;
    struct Throughput {
        double in = 0, out = 0;  // [m^3/s, in 2D m^2/s]
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
    std::vector<CurvedNode> curved_nodes_, moving_nodes_;
    std::optional<CurvedFaces> curved_;
    std::vector<Vec3> deferred_;
    bool has_symmetry_ = false, has_curved_slip_ = false, has_moving_nodes_ = false;
    std::vector<bool> prescribed_;
    EntitySubset prescribed_faces_;
    Index closed_regions_ = 0;  // regions without a free boundary, where fluxes must balance
    // region of each owned prescribed face; closed_regions_ where it has a free boundary
    std::vector<Index> region_;
    // for each region, over all ranks: number of prescribed faces whose condition is open, such as
    // one that follows the flow
    std::vector<double> open_faces_;
    std::unique_ptr<std::vector<bool>> is_remarked_;  // conditions already reported
    std::vector<int> condition_;                      // of every face held, -1 inside
    std::vector<Index> nodes_;
    Rows node_conditions_;            // of each of nodes_
    std::vector<Vec3> node_normals_;  // of flat walls, else 0; one an entry of node_conditions_
};

}  // namespace solenoid
