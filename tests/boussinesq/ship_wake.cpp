// The wake of a ship 20 to 80 depths behind it against the steady solution (tools/validate wake):
//
//     ship_wake [--froude 0.85] [--nodes 8] [--rise 200] [--way 550] [--width 8] [--step 0.41]
//               [--device cpu]
//
// Ends with 1 where they differ by more than 3 % in the 2-norm.
#include "boussinesq/ship_wake.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "support/devices.hpp"

int main(int argc, char** argv) {
    using namespace solenoid;
    test::Wake wake;
    double nodes = wake.a_depth;
    std::string device_name = "cpu";
    const std::map<std::string, double*> numbers{
        {"--froude", &wake.froude}, {"--nodes", &nodes},      {"--rise", &wake.rise},
        {"--way", &wake.way},       {"--width", &wake.width}, {"--step", &wake.way_of_step}};
    for (int n = 1; n + 1 < argc; n += 2) {
        const auto found = numbers.find(argv[n]);
        if (found != numbers.end())
            *found->second = std::atof(argv[n + 1]);
        else if (std::string(argv[n]) == "--device")
            device_name = argv[n + 1];
        else
            return std::fprintf(stderr, "ship_wake: no option %s\n", argv[n]), 2;
    }
    wake.a_depth = static_cast<int>(nodes);
    const auto device = test::make_device(device_name);
    const test::WakeErrors errors = test::wake_errors<float>(Communicator::self(), *device, wake);
    std::printf(
        "Froude %.2f, %d nodes a depth: difference %.2f %% (thirds %.2f, %.2f, %.2f), rms %.4f, "
        "highest %.4f of the "
        "draught\n",
        wake.froude, wake.a_depth, 100 * errors.difference, 100 * errors.thirds[0],
        100 * errors.thirds[1], 100 * errors.thirds[2], errors.root_mean_square, errors.highest);
    return errors.difference <= 0.03 ? 0 : 1;
}
