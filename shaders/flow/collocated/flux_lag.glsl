// The flux to be projected, from the flux of the predicted velocity u*: the pressure gradient that
// u* has seen is given back, Q, and what flux and interpolated velocity differed by before, L,
// fades:
//   U* + s Q + [c1 L1 + c2 L2 + s (1 + b x) p Z + s x (1 - b + b x) (G - Q)] / (1 + x + b x^2),
//   x = s r,
//   r = fade (|U| / (A h) + viscous_fade 2 nu / h^2),
// the time scheme's implicit form of dL/dt = Q - G + Z - r L with the last G, h the distance of the
// centres, Z the part of G - Q that cells see, p = 1, in thin cells less. b = 0: BDF's, b = 1/2: of
// one step by itself, exp(-x) to second order. Kept whole (r = 0), the two velocities would drift
// apart; dropped whole, the result would depend on the step.
KERNEL(flux_lag)
    UNIFORM(real, c1)
    UNIFORM(real, c2)
    UNIFORM(real, s)          // length of the step [s]
    UNIFORM(real, curvature)  // b
    UNIFORM(real, fade)
    UNIFORM(real, viscous_fade)
    IN(real, spacing)  // h [m]
    IN(real, area)     // A
    IN(real, part)     // p
    IN(real, nu)
    IN(real, flux)  // U
    IN(real, lag1)
    IN(real, lag2)
    IN(real, rest)          // G - Q
    IN(real, smooth_rest)   // Z
    IN(real, interpolated)  // Q
    INOUT(real, star)
UPDATE(f)
{
    real h = spacing(f);
    real x =
        s * (fade * (abs(flux(f)) / (area(f) * h) + real(2) * (viscous_fade * nu(f)) / (h * h)));
    real bx = curvature * x;
    precise real lag = c1 * lag1(f) + c2 * lag2(f) +
                       s * (real(1) + bx) * (part(f) * smooth_rest(f)) +
                       s * x * (real(1) - curvature + bx) * rest(f);
    precise real sum = star(f) + s * interpolated(f) + lag / (real(1) + x + bx * x);
    star_new = sum;
}
