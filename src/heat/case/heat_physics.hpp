// Heat conduction as a case may name it. Its reading is in heat/case, its running in heat/run.
#pragma once

#include "case/physics.hpp"

namespace solenoid {

class HeatPhysics final : public Physics {
  public:
    std::unique_ptr<RunMesh> make_mesh(Run& run) const override;
    std::unique_ptr<Simulation> simulation_in_single(Run& run) const override;
    std::unique_ptr<Simulation> simulation_in_double(Run& run) const override;
    std::string starter(const std::filesystem::path& mesh_file, const Mesh& mesh) const override;
    // A mesh with these names: the first boundary is hot, the last cold.
    std::string starter(const std::filesystem::path& mesh_file, int dimension,
                        const std::vector<std::string>& boundaries,
                        const std::vector<std::string>& regions) const;

    std::string name() const override { return "heat"; }
    std::string summary() const override { return "heat conduction"; }
    std::vector<std::string> tables() const override { return {"material"}; }
    void read(const TableReader& root, const OtherPhysics& others,
              CaseSettings& settings) const override;
    void check(const CaseSettings& settings, const MeshNames& mesh) const override;
    std::vector<ConditionPlace> conditions_of(const CaseSettings& settings) const override;
    void with_default(CaseSettings& settings,
                      const std::vector<std::string>& groups) const override;
    std::vector<std::string> baffles(const CaseSettings& settings) const override;
    bool couples_baffles(const CaseSettings& settings) const override;
    std::vector<InitialField> initial_fields(CaseSettings& settings) const override;
    std::vector<SolverSettings*> solvers(CaseSettings& settings) const override;

    std::vector<KeyTable> key_tables() const override;
    std::vector<ConditionSummary> conditions() const override;
    QuantityList quantities(const CaseSettings* settings, int dimension) const override;
    std::vector<MonitorKind> monitor_kinds() const override;
    std::vector<std::pair<std::string, std::string>> monitor_files(
        const CaseSettings&) const override {
        return {{"boundaries", "the heat flows"}};
    }
};

}  // namespace solenoid
