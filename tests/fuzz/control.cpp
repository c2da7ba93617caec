// Requests of control.toml to a run of each physics: the first byte chooses the case.
#include "case/control_request.hpp"

#include <array>

#include "core/error.hpp"
#include "fuzz/cases.hpp"
#include "fuzz/target.hpp"

namespace solenoid::fuzz {
namespace {

const std::array<CaseText, 3> cases{
    CaseText{"heat.toml",
             "[mesh.box]\ncells = 100\n[material.default]\nconductivity = 1\nheat_capacity = 1\n"
             "[boundary.default]\ntype = \"insulated\"\n[time]\nend = 10\n[output]\nevery = 2\n"},
    CaseText{"flow.toml",
             "physics = \"flow\"\n[mesh.box]\ncells = 100\n[fluid]\nviscosity = 0.01\n[time]\n"
             "end = 10\n[boundary.default]\ntype = \"wall\"\n[average]\nfrom = 2\n"},
    CaseText{"wave.toml",
             "physics = \"wave\"\n[mesh.box]\ncells = 100\n[wave]\nspeed = 1\n[time]\nend = 10\n"
             "step = 0.1\n[boundary.default]\ntype = \"fixed\"\n[output]\ninterval = 0.5\n"}};

void compare(const CaseSettings& a, const CaseSettings& b) {
    const TimeSettings &s = a.time, &t = b.time;
    const OutputSettings &o = a.output, &p = b.output;
    if (s.end != t.end || s.steps != t.steps || s.largest_step != t.largest_step ||
        s.tolerance != t.tolerance || s.steady_tolerance != t.steady_tolerance ||
        o.every != p.every || o.interval != p.interval || o.wall_interval != p.wall_interval)
        finding("the changes of a request, as overrides, give another case");
}

}  // namespace

void read_input(std::string_view bytes) {
    if (bytes.empty()) return;
    const CaseText& of_run = cases[static_cast<unsigned char>(bytes.front()) % cases.size()];
    const std::string text(bytes.substr(1));
    accepts("", [&] {
        const ControlRequest request =
            read_control(text, "control.toml", of_run, {}, all_physics());
        if (request.is_empty()) finding("a request that asks for nothing");
        check_settings(request.settings);
        try {
            compare(request.settings, read_case(of_run, all_physics(), request.changes));
        } catch (const Error& error) {
            finding(std::string("the changes of a request are no overrides: ") + error.what());
        }
    });
}

}  // namespace solenoid::fuzz
