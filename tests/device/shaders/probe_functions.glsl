// exp, log and pow of numbers.
KERNEL(probe_functions)
    IN(real, x)
    IN(real, y)
    OUT(real, exponential)
    OUT(real, logarithm)
    OUT(real, power)
UPDATE(i)
{
    exponential_new = exp(y(i));
    logarithm_new = log(x(i));
    power_new = pow(x(i), y(i));
}
