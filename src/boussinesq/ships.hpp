// Ships as pulses of pressure that move over the water, and what the waves do to them
// (docs/boussinesq.md). The hull of a ship is as deep as
//   s d,  s = (1 - xi^4)^2 (1 - eta^2)^2,  d = draught - heave + x' pitch - y' roll,
// xi = x' / (length / 2) and eta = y' / (beam / 2) between -1 and 1; x' is forward, y' to port. Its
// pressure over density is P = g s d, under which the surface rests at zeta = -s d. A ship that
// moves in waves also has its weight, that of the water displaced at rest, and the buoyancy of its
// hull.
#pragma once

#include <array>
#include <vector>

#include "boussinesq/boussinesq_model.hpp"
#include "boussinesq/ship_course.hpp"
#include "core/state_values.hpp"

namespace solenoid {

struct ShipSettings {
    double length = 0, beam = 0, draught = 0;  // [m]
    ShipCourse course{ShipPose(), 0};
    double rise = 0;  // time in which the draught grows to its full size [s]
    bool heaves = false, pitches = false, rolls = false;
    // radii of inertia: of pitch over the length, of roll over the beam
    double pitch_radius = 0.25, roll_radius = 0.35;
};

// Of the waves on a ship: what its energy rho / (2 g) integral of w^2, w = g zeta + P, loses as it
// moves. Zero at rest in still water.
struct ShipForces {
    double surge = 0, sway = 0, lift = 0;  // along x', y', up [N]
    double roll = 0, pitch = 0, yaw = 0;   // moments about x', y' and up [N m]
};

// Degrees of freedom in the order heave [m], pitch, roll [rad]: pitch lowers the bow, roll the
// starboard side.
struct ShipMotion {
    std::array<double, 3> value{}, rate{};
};

template <class Real>
class Ships {
  public:
    // density: of the water [kg/m^3], which forces are proportional to. Throws InputError where a
    // size is not above 0.
    Ships(const Communicator& comm, Device& device, std::vector<ShipSettings> ships,
          double density = 1000);

    std::size_t count() const { return ships_.size(); }
    // The model's largest step, made smaller by motions of ships in waves [s].
    double largest_step(const BoussinesqModel<Real>& model) const;
    // The surface under the ships as they are, 0 elsewhere [m]: with it as the first elevation and
    // no rise, ships at rest lie in still water.
    double rest_elevation(double x, double y) const;
    // How deep the hull of a ship is at a place: where the ship is, at its full draught, without
    // its motion [m].
    double hull(std::size_t ship, double x, double y) const;

    // The pressure of the ships on a model that has started or resumed. Throws InputError where its
    // step is above largest_step(). Collective.
    void start(BoussinesqModel<Real>& model);
    // A step of the model with the ships: afterwards they are, and press, where they are at the
    // model's time. Collective.
    RrbReport step(BoussinesqModel<Real>& model);

    ShipCourse& course(std::size_t ship) { return ships_[ship].course; }
    const ShipMotion& motion(std::size_t ship) const { return states_[ship].now; }
    void set_motion(std::size_t ship, const ShipMotion& motion) { states_[ship].now = motion; }
    // What a step leaves to the next; a load presses anew on the model.
    // names: of the ships, by which they go on whatever their order is then.
    void register_state(const StateValues& state, const std::vector<std::string>& names,
                        BoussinesqModel<Real>& model);
    // What a step leaves to the next beside the course, for saved states: the motion of the level
    // before, and with it and motion() set, as the course, ships go on with a model that resumed.
    const ShipMotion& motion_before(std::size_t ship) const { return states_[ship].old; }
    void set_motion_before(std::size_t ship, const ShipMotion& motion) {
        states_[ship].old = motion;
    }
    // Mass of a ship: of the water that it displaces [kg].
    double mass(std::size_t ship) const { return density_ * states_[ship].volume; }
    // Collective.
    ShipForces forces(const BoussinesqModel<Real>& model, std::size_t ship);

  private:
    struct State {
        double volume = 0;                // displaced [m^3]
        std::array<double, 3> inertia{};  // over density: of heave [m^3], pitch, roll [m^5]
        // over density and gravity: of buoyancy, and of the pressure in water held still
        std::array<double, 3> stiffness{}, held{};
        ShipMotion now, old;
    };
    double draught(std::size_t ship) const;
    std::array<double, 3> profile(std::size_t ship, double x, double y) const;
    void press(BoussinesqModel<Real>& model);
    Range rows_under(const BoussinesqModel<Real>& model, std::size_t ship) const;

    Communicator comm_;
    Device& device_;
    std::vector<ShipSettings> ships_;
    const double density_;
    std::vector<State> states_;
    std::vector<Real> numbers_;
    Buffer<Real> table_;  // twelve numbers a ship: shaders/boussinesq/boussinesq_ship.include.glsl
    std::vector<Range> pressed_;  // entries that have pressure
};

}  // namespace solenoid
