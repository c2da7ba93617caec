// What the PTX of an expression calls, made at build time: exp, log and pow of both precisions.
#include "device/cuda/functions.hpp"

using solenoid::cuda::Functions;
SOLENOID_FUNCTION float exp_float(float x) { return Functions<float>().exp(x); }
SOLENOID_FUNCTION float log_float(float x) { return Functions<float>().log(x); }
SOLENOID_FUNCTION float pow_float(float x, float y) { return Functions<float>().pow(x, y); }
SOLENOID_FUNCTION double exp_double(double x) { return Functions<double>().exp(x); }
SOLENOID_FUNCTION double log_double(double x) { return Functions<double>().log(x); }
SOLENOID_FUNCTION double pow_double(double x, double y) { return Functions<double>().pow(x, y); }
