// A physics: what reads, checks and documents its cases, and what runs them. One object a physics,
// one line of app/physics.cpp; nothing else lists them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/condition_kinds.hpp"
#include "case/monitor_kinds.hpp"
#include "case/settings.hpp"
#include "case/table_reader.hpp"
#include "mesh/mesh.hpp"

namespace solenoid {

struct Run;
class OtherPhysics;

struct PictureField {
    std::string name;
    std::string note = {};  // for the docs: "2D"
};

// A condition of the case at a boundary.
struct ConditionPlace {
    std::string boundary, place;
};

class Physics {
  public:
    virtual ~Physics() = default;

    virtual std::string name() const = 0;     // `physics = "name"`
    virtual std::string summary() const = 0;  // what it is, in a few words

    // Its tables of the top level, beside those of every case; what reads these and those that
    // every physics has its own of: boundary, time, initial, solver. Fills settings.time, .periodic
    // and .own.
    virtual std::vector<std::string> tables() const = 0;
    virtual void read(const TableReader& root, const OtherPhysics& others,
                      CaseSettings& settings) const = 0;
    // against the mesh
    virtual void check(const CaseSettings& settings, const MeshNames& mesh) const = 0;
    // but periodic ones
    virtual std::vector<ConditionPlace> conditions_of(const CaseSettings& settings) const = 0;
    // The condition of [boundary.default] becomes that of each of these groups; "default" itself
    // stays only where it is one of them.
    virtual void with_default(CaseSettings& settings,
                              const std::vector<std::string>& groups) const = 0;
    // The regions that are computed, the others are left out of the mesh; none named: all. What
    // faces towards those left out have
    // ("interface_REGION"), where no table names them.
    virtual RegionChoice regions_of(const CaseSettings&) const { return {}; }
    virtual void close_interfaces(CaseSettings&, const std::vector<std::string>&) const {}
    // The groups along whose faces inside the domain the mesh is slit: a condition that holds on
    // both sides of a thin wall.
    virtual std::vector<std::string> baffles(const CaseSettings&) const { return {}; }
    // Whether equations on one side of some of them read values of the other side.
    virtual bool couples_baffles(const CaseSettings&) const { return false; }
    virtual std::vector<SolverSettings*> solvers(CaseSettings& settings) const = 0;

    // For messages and docs.
    virtual std::vector<KeyTable> key_tables() const = 0;
    // of boundaries, but "periodic", which every physics has
    virtual std::vector<ConditionSummary> conditions() const = 0;

    virtual std::vector<PictureField> picture_fields() const = 0;  // the first is the default
    // of this case
    virtual std::vector<std::string> further_fields(const CaseSettings&) const { return {}; }
    virtual std::vector<MonitorKind> monitor_kinds() const { return {}; }  // but "line" and "point"
    // of its own: name, what they hold
    virtual std::vector<std::pair<std::string, std::string>> monitor_files(
        const CaseSettings& settings) const = 0;

    // Solves the case and writes its results. Throws Error; collective.
    virtual void run_in_single(Run& run) const = 0;
    virtual void run_in_double(Run& run) const = 0;
    // What `solenoid init` writes: a commented case that runs as it is. mesh_file: as the case
    // names it.
    virtual std::string starter(const std::filesystem::path& mesh_file, const Mesh& mesh) const = 0;
};

const Physics& physics_named(const PhysicsList& all, const std::string& name);
std::vector<std::string> names_of(const PhysicsList& all);
std::vector<MonitorKind> monitor_kinds_of(const Physics& physics);  // with "line" and "point"
// all that the case may draw, the default first
std::vector<std::string> picture_fields_of(const CaseSettings& settings);
// those of every case, and those of every physics
std::vector<KeyTable> key_tables(const PhysicsList& all);

// The physics that a case does not have: what belongs to them is told so.
class OtherPhysics {
  public:
    // references must outlive this
    OtherPhysics(const PhysicsList& all, const Physics& own) : all_(all), own_(own) {}

    // Refuses keys that others have in this table, and the case's own has not. section: "" for the
    // top level, "[time]", "[solver]",
    // "[boundary.NAME]", as in Physics::key_tables.
    void refuse_keys(const TableReader& table, const std::string& section,
                     const std::vector<std::string>& also_known = {}) const;
    // Refuses the `type` of a boundary that is not one of `types`, and others have.
    void refuse_types(const TableReader& table, const std::vector<std::string>& types) const;
    const PhysicsList& all() const { return all_; }

  private:
    const PhysicsList& all_;
    const Physics& own_;
};

}  // namespace solenoid
