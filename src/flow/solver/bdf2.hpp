// BDF2 of variable step (Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I,
// section III.5), for y' = f:
//   (a y_next - (1 + w) y + w^2 / (1 + w) y_before) / dt = f_next,
//   a = (1 + 2 w) / (1 + w),
//   w: dt over the step before; 0: Euler's step.
#pragma once

namespace solenoid {

struct Bdf2 {
    double dt, w;  // [s]

    double a() const { return (1 + 2 * w) / (1 + w); }
    double shift() const { return a() / dt; }  // of y_next [1/s]
    // s [s]: y_next = s (c1 y + c2 y_before + f_next)
    double reach() const { return dt / a(); }
    double c1() const { return (1 + w) / dt; }           // of y [1/s]
    double c2() const { return -w * w / (1 + w) / dt; }  // of y_before [1/s]
    // y_next - y = kept (y - y_before) + s f_next
    double kept() const { return w * w / (1 + 2 * w); }
};

// The local error of its step, `before` [s] after the one before, over the third divided difference
// of y [s^3] (Kay, Gresho, Griffiths & Silvester 2010).
inline double bdf2_error(double dt, double before) {
    return Bdf2{dt, dt / before}.reach() * dt * (dt + before);
}

}  // namespace solenoid
