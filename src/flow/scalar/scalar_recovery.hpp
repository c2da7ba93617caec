// What a scalar of cells is at nodes and boundary faces: recovered, and as its boundary conditions
// give it.
#pragma once

#include "device/upload.hpp"
#include "flow/discretization/cell_field.hpp"
#include "flow/discretization/kinked_nodes.hpp"
#include "flow/scalar/scalar_boundaries.hpp"

namespace solenoid {

template <class Real>
class ScalarRecovery final : public Recovery<Real> {
  public:
    // kinks: of the diffusivity. first: of the boundary faces' values behind those of the cells.
    // Stencil and kinks must outlive this.
    ScalarRecovery(const CellStencil<Real>& stencil, const KinkedNodes<Real>& kinks,
                   const ScalarBoundaries& boundaries, Index first)
        : stencil_(stencil), kinks_(kinks), device_(stencil.domain.device), first_(first) {
        take(boundaries);
    }

    // The lists of these boundaries, with values 0 until the next update().
    void take(const ScalarBoundaries& boundaries) {
        std::vector<Index> positions = boundaries.given();
        for (Index& place : positions) place += first_;
        node_entry_ = uploaded(device_, boundaries.nodes());
        face_entry_ = uploaded(device_, positions);
        face_value_ = device_.template buffer<Real>(face_entry_.size());
        node_value_ = device_.template buffer<Real>(node_entry_.size());
        ++version_;
    }

    // From now on: at ScalarBoundaries::given() and nodes().
    void update(const std::vector<double>& at_faces, const std::vector<double>& at_nodes) {
        face_value_.upload(std::vector<Real>(at_faces.begin(), at_faces.end()));
        node_value_.upload(std::vector<Real>(at_nodes.begin(), at_nodes.end()));
        ++version_;
    }
    const Buffer<Real>& face_values() const { return face_value_; }

    void to_nodes(const Field<Real>& cells, Field<Real>& at_nodes) override {
        recover_at_nodes(stencil_, cells, at_nodes);
        kinks_.interpolate(cells, at_nodes);
        constrain_at_nodes(at_nodes);
    }
    void constrain_at_nodes(Field<Real>& at_nodes) {
        device_.scatter(node_value_, node_entry_, at_nodes);
    }
    void to_boundary(CellField<Real>& cells) override {
        device_.scatter(face_value_, face_entry_, cells.write_further());
    }
    std::uint64_t version() const override { return version_ + kinks_.version(); }

    CellField<Real> scalar() { return {stencil_.domain, 1, stencil_.boundary_faces.size(), *this}; }

  private:
    const CellStencil<Real>& stencil_;
    const KinkedNodes<Real>& kinks_;
    Device& device_;
    const Index first_;
    Buffer<std::uint32_t> face_entry_, node_entry_;
    Buffer<Real> face_value_, node_value_;
    std::uint64_t version_ = 0;
};

}  // namespace solenoid
