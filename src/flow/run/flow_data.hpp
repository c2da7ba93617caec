// The data of a case that drive a flow and its scalars, at a time: velocities, pressures, fluxes
// and forces.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "core/state_values.hpp"
#include "flow/settings/flow_case.hpp"
#include "mesh/geometry.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// A value that is computed again only where it depends on time.
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
    // All references must outlive this. Collective, as all below. What does not depend on time is
    // computed once, at its first use.
    FlowData(const Communicator& comm, const DistributedMesh& mesh, const Geometry& sizes,
             const FlowCase& flow);

    // Whether boundary data depend on time.
    bool moves() const {
        return boundary_speed_.depends_on_time() || pressure_speed_.depends_on_time();
    }
    double boundary_speed(double time);  // of walls and inflows, the largest [m/s]
    // The speed that differences of given pressures can give a fluid without friction [m/s].
    double pressure_speed(double time);
    // The mean acceleration of the fluid in a duct between given pressures, where static pressures
    // let fluid enter as fast as it is inside [m/s^2]: their force divided by the mass.
    double pressure_acceleration(double time) {
        return duct_area_ > 0
                   ? 0.5 * pressure_speed(time) * pressure_speed(time) * duct_area_ / volume_
                   : 0;
    }
    // The mean velocity of a flux imposed between periodic sides [m/s].
    double imposed_speed(double time) const;
    // The largest |u| A / V of a cell's faces at that velocity [1/s].
    double imposed_rate(double time) const;
    double body_acceleration(double time);  // the largest body force [m/s^2]

    // The largest |u| A / V of a boundary face and its cell [1/s]; at an open face with the speed
    // by the pressures.
    double boundary_rate(double time);
    // The largest |u . A| / V of a face with a given flux [1/s].
    double inflow_rate(double time);
    // Raises each cell's value to |u . A| / V of its faces with a given flux [1/s].
    void raise_to_inflow(double time, std::vector<double>& of_cells) const;
    // The largest Courant number per second of a cell that moves with its boundary [1/s].
    double carried_rate(double time) const;

    // For a fluid at rest. acceleration_rate(): the largest a A / V of a cell [1/s^2], with a the
    // acceleration by the body force and by buoyancy within the initial range of the scalars.
    // acceleration_growth(): its growth by sources and fluxes [1/s^3].
    double acceleration_rate(double time);
    double acceleration_growth(double time);

    using Range = std::array<double, 2>;  // least, greatest
    // What the initial state has: a run that goes on begins with another.
    void register_state(const StateValues& state) {
        for (std::size_t i = 0; i < scalars_.size(); ++i)
            state.off_stack()
                .owned_by("scalar", flow_.scalars[i].name)
                .part(flow_.scalars[i].name)
                .add("initial", scalars_[i].initial, perhaps_infinite);
    }
    Range initial_scalar(int i) const { return scalars_[i].initial; }
    // The range of the given values; without any the greatest is below the least.
    Range boundary_scalar(int i, double time);
    // The range of changes per second by sources and boundary fluxes.
    Range scalar_growth(int i, double time);

    // The acceleration by a difference of a scalar [m/s^2].
    double buoyancy(int i, double difference) const;
    // The Brunt-Vaisala frequency N [1/s] of the scalars' ranges and boundary values over the
    // domain's height: the rate of oscillation or overturning.
    double buoyancy_rate(double time, const std::vector<Range>& scalars);

    // The size of the domain [m]: its volume^(1/d).
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
    std::vector<Face> faces_;      // boundary faces with conditions
    std::vector<Vec3> centroids_;  // of this rank's own cells
    std::vector<Scalar> scalars_;
    // period_: the longest period; area_over_volume_: the largest A / V of a face and its cell
    double volume_, duct_area_ = 0, period_ = 0, area_over_volume_ = 0;
    double height_ = 0;  // along gravity [m]; 0 without gravity
    Held<double> boundary_speed_, pressure_speed_, body_acceleration_, inflow_rate_;
};

}  // namespace solenoid
