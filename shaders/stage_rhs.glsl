// Right-hand side of an implicit stage for the change of temperature, on free rows:
// m s (T_0 - T) + c0 F_0 + c1 F_1 + F.
KERNEL(stage_rhs)
    UNIFORM(real, s)                    // 1 / (d dt) [1/s]
    UNIFORM(real, c0)
    UNIFORM(real, c1)
    IN(real, mass)                      // m_i [J/K]
    IN(real, free)
    IN(real, t0)                        // temperature at the step's start
    IN(real, t)                         // the guess that the change is added to
    IN(real, f0)                        // net heat flow into each node [W], earlier stages
    IN(real, f1)
    IN(real, f)                         // and at the guess
VALUE(real, i)
{
    precise real sum = mass(i) * (s * (t0(i) - t(i))) + (c0 * f0(i) + c1 * f1(i)) + f(i);
    return free(i) * sum;
}
