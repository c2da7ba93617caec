// What the case gives to set a flow in motion and its scalars' values: velocities, pressures,
// fluxes and forces at a time.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "flow/settings/flow_case.hpp"
#include "mesh/geometry.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// A value that is found anew only where it depends on time.
template <class T>
class Held {
  public:
    explicit Held(bool depends_on_time = true) : depends_on_time_(depends_on_time) {}
    bool depends_on_time() const { return depends_on_time_; }
    template <class Find>
    const T& found(const Find& find) {
        if (!value_ || depends_on_time_) value_ = find();
        return *value_;
    }

  private:
    bool depends_on_time_;
    std::optional<T> value_;
};

class FlowData {
  public:
    // References must outlive this. Collective, as all below. What does not depend on time is found
    // once, when it is first asked for.
    FlowData(const Communicator& comm, const DistributedMesh& mesh, const Geometry& sizes,
             const FlowCase& flow);

    // what is given on boundaries
    bool moves() const {
        return boundary_speed_.depends_on_time() || pressure_speed_.depends_on_time();
    }
    double boundary_speed(double time);  // the largest of walls and inflows [m/s]
    // what differences of given pressures can give a fluid without friction [m/s]
    double pressure_speed(double time);
    // What they give the fluid of a duct between them in the mean, where a static one lets in what
    // is as fast as what is inside [m/s^2]: their force by the mass.
    double pressure_acceleration(double time) {
        return duct_area_ > 0
                   ? 0.5 * pressure_speed(time) * pressure_speed(time) * duct_area_ / volume_
                   : 0;
    }
    // the mean of a flux imposed between periodic sides [m/s]
    double imposed_speed(double time) const;
    double body_acceleration(double time);  // the largest body force [m/s^2]

    // largest |u| A / V of a boundary face and its cell, of an open one by the pressures [1/s]
    double boundary_rate(double time);
    // largest |u . A| / V of a face through which the flow is given [1/s]
    double inflow_rate(double time);
    // the same, in every cell
    void raise_to_inflow(double time, std::vector<double>& of_cells) const;
    // the largest Courant number in a second of a cell that moves with its boundary [1/s]
    double carried_rate(double time) const;

    // From rest: the largest a A / V of a cell, a the acceleration by the body force and by
    // buoyancy that the scalars' first values allow [1/s^2], and the same of the rate at which
    // sources and fluxes let that grow [1/s^3].
    double acceleration_rate(double time);
    double acceleration_growth(double time);

    using Range = std::array<double, 2>;  // least, greatest
    Range initial_scalar(int i) const { return scalars_[i].initial; }
    // where values are given; none: the greatest below the least
    Range boundary_scalar(int i, double time);
    // what sources and fluxes through the boundary make in a second
    Range scalar_growth(int i, double time);

    // the acceleration that a difference of a scalar makes [m/s^2]
    double buoyancy(int i, double difference) const;
    // The rate N at which a fluid swings, or turns over, that differs by the scalars' ranges and by
    // what boundaries give over the domain's height [1/s].
    double buoyancy_rate(double time, const std::vector<Range>& scalars);

    // of the domain [m]
    double size() const { return std::pow(volume_, 1.0 / mesh_.mesh.dimension); }
    double volume() const { return volume_; }  // of the domain [m^3, in 2D m^2]

  private:
    struct Face {
        const FlowBoundary* boundary;
        Vec3 centroid, area;
        Index cell;
        double volume;  // of the cell
    };
    struct Scalar {
        Range initial;
        Held<Range> boundary, growth;
    };
    void add_faces(const Geometry& geometry);
    void add_scalars();
    void drop_centroids();
    Vec3 velocity(const Face& face, double time) const;
    double inflow_rate(const Face& face, double time) const;
    Range over_cells(const Formula& formula, double time) const;
    Range over_all(Range local) const;

    const Communicator& comm_;
    const DistributedMesh& mesh_;
    const FlowCase& flow_;
    std::vector<Face> faces_;      // of the boundary, with their conditions
    std::vector<Vec3> centroids_;  // of this rank's own cells
    std::vector<Scalar> scalars_;
    // the longest period; the largest A / V of a face and its cell
    double volume_, duct_area_ = 0, period_ = 0, area_over_volume_ = 0;
    double height_ = 0;  // along gravity [m]; 0: there is none
    Held<double> boundary_speed_, pressure_speed_, body_acceleration_, inflow_rate_;
};

}  // namespace solenoid
