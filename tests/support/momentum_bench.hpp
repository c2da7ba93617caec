// Momentum and what it stands on, for tests of its parts.
#pragma once

#include "flow/collocated/momentum.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/flows.hpp"

namespace solenoid::test {

// The same condition on all sides of a box.
inline std::vector<FlowBoundary> everywhere(int dimension, const std::string& type,
                                            const std::vector<std::string>& velocity) {
    std::vector<FlowBoundary> boundaries;
    for (const char* side : {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"})
        if (dimension == 3 || side[0] != 'z')
            boundaries.push_back(test::boundary(side, type, vector_formula(velocity)));
    return boundaries;
}

// What collocated momentum is made of, on one mesh and device, with the default convection.
template <class Real>
struct MomentumBench {
    MomentumBench(const std::string& device_name, const SimplexMesh& whole,
                  const std::vector<FlowBoundary>& settings, double viscosity = 0,
                  double jump_penalty = 0)
        : comm(Communicator::world()),
          device(make_device(device_name)),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          domain(comm, *device, mesh),
          geometry(domain.geometry),
          operators(domain.operators<Real>()),
          boundaries(domain, settings),
          momentum(domain, boundaries, viscosity, {.jump_penalty = jump_penalty}, {}) {
        momentum.update(0);
    }

    // What `flux` carries of u, given at owned cells, into them.
    std::vector<Real> transported(const std::function<double(Index, int)>& u,
                                  const Field<Real>& flux) {
        auto field = momentum.velocity();
        std::vector<Real> values(std::size_t(field.size()) * d(), Real(1e10));
        for (int k = 0; k < d(); ++k)
            for (Index c = 0; c < owned(); ++c)
                values[std::size_t(k) * field.size() + c] = static_cast<Real>(u(c, k));
        field.upload(values);
        auto out = domain.vector_field<Real>(Kind::cell);
        momentum.transport(field, flux, out);
        return out.download();
    }

    // From now on the velocity that carries is this one, beside the flux.
    void freeze(const std::function<double(Index, int)>& u) {
        auto field = momentum.velocity();
        std::vector<Real> values(std::size_t(field.size()) * d(), Real(0));
        for (int k = 0; k < d(); ++k)
            for (Index c = 0; c < owned(); ++c)
                values[std::size_t(k) * field.size() + c] = static_cast<Real>(u(c, k));
        field.upload(values);
        momentum.freeze(field);
    }

    int d() const { return mesh.mesh.dimension; }
    Index owned() const { return mesh.range(Kind::cell).owned; }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    const Geometry& geometry;
    Operators<Real>& operators;
    FlowBoundaries boundaries;
    Momentum<Real> momentum;
};

}  // namespace solenoid::test
