// Boundary-value problems on structured grids as a case may name them. Their reading is in
// poisson/case, their running in poisson/run.
#pragma once

#include "case/physics.hpp"

namespace solenoid {

class PoissonPhysics final : public Physics {
  public:
    std::unique_ptr<RunMesh> make_mesh(Run& run) const override;
    std::unique_ptr<Simulation> simulation_in_single(Run& run) const override;
    std::unique_ptr<Simulation> simulation_in_double(Run& run) const override;
    std::string grid_starter() const override;

    std::string name() const override { return "poisson"; }
    std::string summary() const override { return "boundary-value problems on a grid"; }
    std::vector<std::string> mesh_tables() const override { return {"grid"}; }
    std::vector<std::string> tables() const override { return {"poisson"}; }
    void read(const TableReader& root, const OtherPhysics& others,
              CaseSettings& settings) const override;
    void check(const CaseSettings&, const MeshNames&) const override {}
    std::vector<ConditionPlace> conditions_of(const CaseSettings& settings) const override;
    void with_default(CaseSettings& settings,
                      const std::vector<std::string>& groups) const override;
    std::vector<InitialField> initial_fields(CaseSettings&) const override { return {}; }
    std::vector<SolverSettings*> solvers(CaseSettings&) const override { return {}; }

    std::vector<KeyTable> key_tables() const override;
    std::vector<ConditionSummary> conditions() const override;
    QuantityList quantities(const CaseSettings* settings, int dimension) const override;
    std::vector<MonitorKind> monitor_kinds() const override;
    std::vector<std::pair<std::string, std::string>> monitor_files(
        const CaseSettings&) const override {
        return {{"boundaries", "what flows in through each boundary"}};
    }
};

}  // namespace solenoid
