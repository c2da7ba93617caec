// The operators on a periodic box, cut through its seam.
#pragma once

#include "mesh/geometry.hpp"
#include "operators/operators.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/devices.hpp"
#include "support/domain_fields.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::test {

struct PeriodicCalculus {
    PeriodicCalculus(int dimension, const std::string& device_name = "cpu")
        : comm(Communicator::world()),
          device(make_device(device_name)),
          mesh(distribute(
              comm, comm.is_root()
                        ? std::optional(closed(plain_box(dimension, dimension == 2 ? 500 : 2500),
                                               dimension == 2 ? "xy" : "zxy"))
                        : std::nullopt)),
          domain(comm, *device, mesh),
          operators(domain.operators<double>()),
          g(domain.geometry) {}

    Field<double> integers(Kind kind) {
        return owned_field_of<double>(domain, kind, 1, [&](Index i, int) {
            return random_integer(key_of(mesh.mesh, kind, i), 7);
        });
    }
    double largest(Kind kind, const Buffer<double>& field) const {
        const auto values = field.download();
        double worst = 0;
        for (int k = 0; k < field.columns(); ++k)
            for (Index i = 0; i < mesh.range(kind).shared; ++i)
                worst = std::max(worst, std::abs(values[std::size_t(k) * field.size() + i]));
        return comm.max(worst);
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    Operators<double>& operators;
    const Geometry& g;
};

}  // namespace solenoid::test
