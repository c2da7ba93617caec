// Where a ship is: on a path of points and times, or steered.
#pragma once

#include <array>
#include <vector>

namespace solenoid {

struct ShipPose {
    double x = 0, y = 0;  // of the middle [m]
    double heading = 0;   // from the x-axis to the y-axis [rad]
};

struct Waypoint {
    double t = 0, x = 0, y = 0;  // [s], [m]
};

class ShipCourse {
  public:
    // Through the points, smoothly (cubic Hermite polynomials, the velocity at a point that of the
    // parabola through it and its neighbours); at rest before the first and behind the last, and
    // between two points at one place. It heads the way that it goes. Throws InputError where there
    // is no point, times do not rise, numbers are not finite, or all points are the same.
    explicit ShipCourse(std::vector<Waypoint> path);
    // From a pose at a time at a speed [m/s], turning at a rate [rad/s]: the rudder.
    ShipCourse(const ShipPose& start, double speed, double turn_rate = 0, double time = 0);

    bool is_steered() const { return path_.empty(); }
    // From the present time on. Throws InputError on a path, or where a number is not finite.
    void steer(double speed, double turn_rate);
    double speed() const { return speed_; }  // as steered
    double speed_now() const;                // also on a path [m/s]
    double turn_rate() const { return turn_rate_; }

    // To a time; steered, not before the last one.
    void move_to(double t);
    // As it was at a time, of a ship that is steered.
    void set(const ShipPose& pose, double speed, double turn_rate, double t);
    double time() const { return time_; }
    const ShipPose& pose() const { return pose_; }

  private:
    std::array<double, 2> place_in(std::size_t segment, double s) const;
    std::array<double, 2> velocity_in(std::size_t segment, double s) const;
    std::vector<Waypoint> path_;  // empty: steered
    std::vector<std::array<double, 2>> velocities_;
    double on_path_ = 0;  // the speed there [m/s]
    double speed_ = 0, turn_rate_ = 0, time_ = 0;
    ShipPose pose_;
};

}  // namespace solenoid
