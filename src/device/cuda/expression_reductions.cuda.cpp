// The end of an expression's reductions, which its PTX calls with each thread's totals.
#include "device/cuda/arguments.hpp"
#include "prologue.cuda.hpp"

SOLENOID_FUNCTION void finish_totals(double total_0, double total_1, double total_2, double total_3,
                                     unsigned count, unsigned operations, double* partials,
                                     unsigned* finished, solenoid::cuda::Results* results,
                                     unsigned sequence, solenoid::cuda::Kept* kept, unsigned adds) {
    using namespace solenoid::cuda;
    Tree& tree = group_tree();
    EACH_THREAD(thread) {
        tree[0][thread] = total_0;
        tree[1][thread] = total_1;
        tree[2][thread] = total_2;
        tree[3][thread] = total_3;
    }
    finish_reductions(count, operations,
                      {partials, finished, results, sequence, kept, adds, nullptr});
}
