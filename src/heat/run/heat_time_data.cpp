#include "heat/run/heat_time_data.hpp"

#include "heat/case/heat_settings.hpp"
#include "run/sample_points.hpp"

namespace solenoid {

std::vector<TimeDatum> heat_time_data(const Run& run) {
    const HeatSettings& heat = settings_of<HeatSettings>(run.settings);
    std::vector<TimeDatum> data;
    for (const auto& [name, material] : heat.materials)
        if (material.source.depends_on_time()) {
            const bool is_region = name != "default";
            data.push_back({"material." + name + ".source", material.source,
                            cell_samples(run.comm, run.topology(), is_region ? name : ""), true});
        }
    for (const HeatBoundary& b : heat.boundaries) {
        const auto add = [&](const char* key, const Formula* formula, bool is_integrated) {
            if (formula && formula->depends_on_time())
                data.push_back({"boundary." + b.name + "." + key, *formula,
                                boundary_samples(run.comm, run.topology(), b.name), is_integrated});
        };
        add("value", b.condition->temperature(), false);
        add("value", b.condition->flux(), true);
        if (const auto* exchange = b.condition->exchange()) {
            add("h", &exchange->coefficient, false);
            add("T_inf", &exchange->ambient, !exchange->coefficient.depends_on_time());
        }
    }
    return data;
}

}  // namespace solenoid
