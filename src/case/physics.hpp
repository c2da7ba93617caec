// A physics: it reads, checks, documents and runs its cases. Each is one object and one line of
// app/physics.cpp.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "case/condition_kinds.hpp"
#include "case/monitor_kinds.hpp"
#include "case/quantity_info.hpp"
#include "case/settings.hpp"
#include "case/table_reader.hpp"
#include "mesh/mesh.hpp"

namespace solenoid {

struct Run;
class RunMesh;     // run/run.hpp
class Simulation;  // run/simulation.hpp
class OtherPhysics;

// A boundary with a condition in the case.
struct ConditionPlace {
    std::string boundary, place;
};

class Physics {
  public:
    virtual ~Physics() = default;

    virtual std::string name() const = 0;     // value of `physics`
    virtual std::string summary() const = 0;  // a few words

    // The tables that may give its mesh, of "mesh" and "grid"; a case has one of them.
    virtual std::vector<std::string> mesh_tables() const { return {"mesh"}; }
    // Its own top-level tables, in addition to those of every case. read(): reads these tables and
    // boundary, time, initial and solver, which every physics has; sets settings.time, .periodic
    // and .own.
    virtual std::vector<std::string> tables() const = 0;
    virtual void read(const TableReader& root, const OtherPhysics& others,
                      CaseSettings& settings) const = 0;
    // Checks the case against the mesh. Throws InputError.
    virtual void check(const CaseSettings& settings, const MeshNames& mesh) const = 0;
    // All boundary conditions except periodic ones.
    virtual std::vector<ConditionPlace> conditions_of(const CaseSettings& settings) const = 0;
    // Copies the condition of [boundary.default] to each of these groups, and removes "default"
    // unless it is one of them.
    virtual void with_default(CaseSettings& settings,
                              const std::vector<std::string>& groups) const = 0;
    // regions_of(): the regions of the computation; other regions are removed from the mesh; none
    // named: all. close_interfaces(): sets a condition on faces to removed regions
    // ("interface_REGION"), where no table names them.
    virtual RegionChoice regions_of(const CaseSettings&) const { return {}; }
    virtual void close_interfaces(CaseSettings&, const std::vector<std::string>&) const {}
    // The groups along whose faces inside the domain the mesh is slit: they have a condition on
    // both sides of a thin wall.
    virtual std::vector<std::string> baffles(const CaseSettings&) const { return {}; }
    // Whether equations on one side of some baffles read values of the other side.
    virtual bool couples_baffles(const CaseSettings&) const { return false; }
    virtual std::vector<SolverSettings*> solvers(CaseSettings& settings) const = 0;

    // What starts from a quantity of [initial] file, each of its columns a formula; the constant 0
    // is replaced. stored: its name in a checkpoint; empty: there is none.
    struct InitialField {
        std::string quantity;
        std::vector<Formula*> columns;
        std::string stored;
    };
    virtual std::vector<InitialField> initial_fields(CaseSettings& settings) const = 0;

    // Takes over the values of steerable keys. changed: the case with other values of these alone.
    virtual void steer(CaseSettings& settings, const CaseSettings& changed) const;

    // For messages and docs.
    virtual std::vector<KeyTable> key_tables() const = 0;
    // The kinds of boundary conditions except "periodic", which every physics has.
    virtual std::vector<ConditionSummary> conditions() const = 0;

    // What can be told of its states. settings: null for those of every case. dimension: 0 where it
    // is not known. The first that is drawn is the default of pictures.
    virtual QuantityList quantities(const CaseSettings* settings, int dimension) const = 0;
    virtual std::vector<MonitorKind> monitor_kinds() const = 0;
    // Its own tables of output: name and content.
    virtual std::vector<std::pair<std::string, std::string>> monitor_files(
        const CaseSettings& settings) const = 0;

    // The mesh that it computes on; its kind is the physics' own matter. Throws Error. Collective.
    virtual std::unique_ptr<RunMesh> make_mesh(Run& run) const = 0;
    // What runs the case on it (run/driver.hpp drives it). Throw Error. Collective.
    virtual std::unique_ptr<Simulation> simulation_in_single(Run& run) const = 0;
    virtual std::unique_ptr<Simulation> simulation_in_double(Run& run) const = 0;
    // The text that `solenoid init` writes: a commented case that runs unchanged. mesh_file: as the
    // case names it.
    virtual std::string starter(const std::filesystem::path& mesh_file, const Mesh& mesh) const;
    virtual std::string grid_starter() const;  // the same on a grid, of those that take one
};

const Physics& physics_named(const PhysicsList& all, const std::string& name);
std::vector<std::string> names_of(const PhysicsList& all);
// All fields that the case may draw; the first is the default.
std::vector<std::string> picture_fields_of(const CaseSettings& settings);
// The tables of every case and of all physics.
std::vector<KeyTable> key_tables(const PhysicsList& all);

// The physics other than the case's, for messages about their keys.
class OtherPhysics {
  public:
    // References must outlive this.
    OtherPhysics(const PhysicsList& all, const Physics& own) : all_(all), own_(own) {}

    // Throws InputError for keys of the table that only other physics have. section: "" for the top
    // level, "[time]", "[solver]" or "[boundary.NAME]", as in Physics::key_tables().
    void refuse_keys(const TableReader& table, const std::string& section,
                     const std::vector<std::string>& also_known = {}) const;
    // Throws InputError for the `type` of a boundary that is not in `types` but exists in another
    // physics.
    void refuse_types(const TableReader& table, const std::vector<std::string>& types) const;
    const PhysicsList& all() const { return all_; }

  private:
    const PhysicsList& all_;
    const Physics& own_;
};

}  // namespace solenoid
