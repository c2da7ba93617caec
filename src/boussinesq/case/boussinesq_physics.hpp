// Waves over a bottom of varying depth as a case may name them. Their reading is in
// boussinesq/case, their running in boussinesq/run.
#pragma once

#include "case/physics.hpp"

namespace solenoid {

class BoussinesqPhysics final : public Physics {
  public:
    std::unique_ptr<RunMesh> make_mesh(Run& run) const override;
    std::unique_ptr<Simulation> simulation_in_single(Run& run) const override;
    std::unique_ptr<Simulation> simulation_in_double(Run& run) const override;
    std::string grid_starter() const override;

    std::string name() const override { return "boussinesq"; }
    std::string summary() const override { return "water waves and ships over a varying depth"; }
    std::vector<std::string> mesh_tables() const override { return {"grid"}; }
    std::vector<std::string> tables() const override { return {"boussinesq", "ship"}; }
    void read(const TableReader& root, const OtherPhysics& others,
              CaseSettings& settings) const override;
    void check(const CaseSettings& settings, const MeshNames&) const override;
    std::vector<ConditionPlace> conditions_of(const CaseSettings& settings) const override;
    void with_default(CaseSettings& settings,
                      const std::vector<std::string>& groups) const override;
    std::vector<InitialField> initial_fields(CaseSettings& settings) const override;
    std::vector<SolverSettings*> solvers(CaseSettings&) const override { return {}; }

    std::vector<KeyTable> key_tables() const override;
    std::vector<ConditionSummary> conditions() const override;
    QuantityList quantities(const CaseSettings* settings, int dimension) const override;
    std::vector<MonitorKind> monitor_kinds() const override;
    std::vector<std::pair<std::string, std::string>> monitor_files(
        const CaseSettings& settings) const override;
};

}  // namespace solenoid
