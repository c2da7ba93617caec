// Incompressible flow as a physics of cases. Reading is in flow/case, running in flow/run.
#pragma once

#include "case/physics.hpp"

namespace solenoid {

class FlowPhysics final : public Physics {
  public:
    std::unique_ptr<RunMesh> make_mesh(Run& run) const override;
    std::unique_ptr<Simulation> simulation_in_single(Run& run) const override;
    std::unique_ptr<Simulation> simulation_in_double(Run& run) const override;
    std::string starter(const std::filesystem::path& mesh_file, const Mesh& mesh) const override;
    struct StarterBoundary {
        std::string name, type = "wall";
        Vec3 velocity{0};  // [m/s]; 0: none is written
    };
    // length: of the mesh [m]; the viscosity gives a Reynolds number of 100.
    std::string starter(const std::filesystem::path& mesh_file, int dimension,
                        const std::vector<StarterBoundary>& boundaries, double length) const;

    std::string name() const override { return "flow"; }
    std::string summary() const override { return "incompressible flow"; }
    std::vector<std::string> tables() const override {
        return {"fluid", "viscosity", "flow", "scalar"};
    }
    void read(const TableReader& root, const OtherPhysics& others,
              CaseSettings& settings) const override;
    void check(const CaseSettings& settings, const MeshNames& mesh) const override;
    std::vector<ConditionPlace> conditions_of(const CaseSettings& settings) const override;
    RegionChoice regions_of(const CaseSettings& settings) const override;
    // Gives interfaces walls at rest.
    void close_interfaces(CaseSettings& settings,
                          const std::vector<std::string>& groups) const override;
    void with_default(CaseSettings& settings,
                      const std::vector<std::string>& groups) const override;
    std::vector<std::string> baffles(const CaseSettings& settings) const override;
    std::vector<InitialField> initial_fields(CaseSettings& settings) const override;
    std::vector<SolverSettings*> solvers(CaseSettings& settings) const override;
    void steer(CaseSettings& settings, const CaseSettings& changed) const override;

    std::vector<KeyTable> key_tables() const override;
    std::vector<ConditionSummary> conditions() const override;
    QuantityList quantities(const CaseSettings* settings, int dimension) const override;
    std::vector<MonitorKind> monitor_kinds() const override;
    std::vector<std::pair<std::string, std::string>> monitor_files(
        const CaseSettings& settings) const override;
};

}  // namespace solenoid
