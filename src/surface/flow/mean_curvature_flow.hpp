// Mean curvature flow of a surface, implicit in time, on a device: each point moves along the
// normal by the sum of the principal curvatures (docs/surfaces.md).
#pragma once

#include <memory>
#include <vector>

#include "device/device.hpp"
#include "solvers/krylov/solve_report.hpp"
#include "surface/checked_surface.hpp"

namespace solenoid {

struct CurvatureFlowSettings {
    std::string precision = "double";  // "single"; "mixed": double, with iterations in single
    bool keeps_volume = false;         // of each part, by scaling it; of closed surfaces
    double tolerance = 0;              // of the residual; 0: 1e-10, in single precision 1e-5
    int max_iterations = 100000;
    std::vector<bool> fixed_parts = {};  // whose points stay where they are; empty: none
};

// What a step has done.
struct FlowStep {
    SolveReport solve;      // of the slowest coordinate
    double area = 0;        // [length^2]
    double volume = 0;      // of a closed surface [length^3]
    double least = 0;       // shape of the worst triangle
    double area_after = 0;  // over the area before the step, before the volume is restored
};

class MeanCurvatureFlow {
  public:
    virtual ~MeanCurvatureFlow() = default;

    // Moves the surface by dt > 0 [length^2]. Throws ComputationError where the solve fails, and
    // where a triangle has lost its shape: the surface is then as before the step.
    virtual FlowStep step(double dt) = 0;

    // The parts of a step, for benchmarks and tests: the matrix of the surface as it is, for dt,
    // with the right-hand side; the solve; x += d.
    virtual void assemble(double dt) = 0;
    virtual SolveReport solve() = 0;
    virtual void move() = 0;
    // A v for each of three columns of numbers at the points, in the file's order, as the matrix
    // was assembled: 0 on borders. [length^2 times v]
    virtual std::vector<Vec3> times_matrix(const std::vector<Vec3>& v) = 0;
    virtual void repeat_product() = 0;    // of the device alone: y = A x and x . y, in one pass
    virtual void repeat_reduction() = 0;  // x . y

    virtual std::vector<Vec3> points() const = 0;  // in the file's order
    virtual double area() const = 0;
    virtual double volume() const = 0;
};

// surface: outlives the flow.
std::unique_ptr<MeanCurvatureFlow> make_flow(Device& device, const CheckedSurface& surface,
                                             const CurvatureFlowSettings& settings);

}  // namespace solenoid
