// Which block the texts' kernels compute next.
#include "device/cuda/arguments.hpp"
#include "prologue.cuda.hpp"

void set_host_block(unsigned index, unsigned count) { solenoid::cuda::host_block = {index, count}; }
