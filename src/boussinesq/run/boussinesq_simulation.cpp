// A case of the Boussinesq model at work: its steps, its ships, what it tells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "boussinesq/absorbing_border.hpp"
#include "boussinesq/case/boussinesq_case.hpp"
#include "boussinesq/case/boussinesq_physics.hpp"
#include "boussinesq/incident_waves.hpp"
#include "boussinesq/run/array_fields.hpp"
#include "boussinesq/run/depth_check.hpp"
#include "boussinesq/run/fitting_step.hpp"
#include "boussinesq/run/wave_limits.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/stop_signal.hpp"
#include "device/any_above.hpp"
#include "device/expression.hpp"
#include "grid/run/grid_mesh.hpp"
#include "io/depth/depth_file.hpp"
#include "run/monitor.hpp"
#include "run/run.hpp"
#include "run/run_output.hpp"
#include "run/simulation.hpp"
#include "run/text.hpp"
#include "solvers/krylov/solve_totals.hpp"

namespace solenoid {
namespace {

using Of = QuantityInfo::Of;

constexpr double automatic_part = 0.9;  // of the limit, where the case gives no time.step
// An elevation beyond so many greatest depths is none of waves; looked for every so many steps.
constexpr double times_depth = 10;
constexpr int steps_of_check = 16;
// Of a ship steered by keys: rate of turn at full rudder [rad/s], and how the speed grows [m/s^2].
constexpr double full_rudder = 0.1, thrust = 0.5;

// The depth of a case [m], and the file that it may come from.
class DepthOfCase {
  public:
    DepthOfCase(const Communicator& comm, const WaterSettings& water) : formula_(water.depth) {
        if (formula_) return;
        auto grid = std::make_shared<DepthGrid>();
        comm.agree([&] {
            *grid =
                read_depth_file(water.depth_file, {.is_elevation = water.depth_sign == "elevation",
                                                   .water_level = water.water_level});
        });
        grid_ = std::move(grid);
        origin_ = water.origin;
    }
    double operator()(double x, double y) const {
        return grid_ ? grid_->at(x + origin_.x, y + origin_.y) : formula_->quantity({x, y, 0});
    }
    const DepthGrid* file() const { return grid_.get(); }  // null: a formula

  private:
    std::optional<Formula> formula_;
    Vec3 origin_{0};
    std::shared_ptr<const DepthGrid> grid_;
};

// The grid of a run with the depth at its nodes.
class WaterMesh final : public RunMesh {
  public:
    WaterMesh(std::unique_ptr<RunMesh> grid, DepthOfCase depth)
        : grid_(std::move(grid)), depth_(std::move(depth)) {}
    const Topology& topology() const override { return grid_->topology(); }
    // A shore needs no condition: it is a wall.
    MeshNames names(const Communicator& comm) const override {
        MeshNames names = grid_->names(comm);
        std::erase(names.boundaries, "land");
        if (grid().has_land()) names.inner_groups.emplace_back("land");
        return names;
    }
    const GridMesh& grid() const { return dynamic_cast<const GridMesh&>(*grid_); }
    const DepthOfCase& depth() const { return depth_; }

  private:
    std::unique_ptr<RunMesh> grid_;
    DepthOfCase depth_;
};

const WaterMesh& water_of(const Run& run) { return dynamic_cast<const WaterMesh&>(*run.mesh); }

std::optional<GridSide> side_named(const std::string& name) {
    if (name == "west") return GridSide::west;
    if (name == "east") return GridSide::east;
    if (name == "south") return GridSide::south;
    if (name == "north") return GridSide::north;
    return {};
}

double inward_direction(GridSide side) {
    constexpr double right_angle = 1.5707963267948966;
    switch (side) {
        case GridSide::west:
            return 0;
        case GridSide::east:
            return 2 * right_angle;
        case GridSide::south:
            return right_angle;
        default:
            return -right_angle;
    }
}

BoussinesqSettings model_settings(const Run& run) {
    const BoussinesqCase& water = settings_of<BoussinesqCase>(run.settings);
    const GridMesh& mesh = water_of(run).grid();
    const Vec3 first = mesh.position(0, 0);
    BoussinesqSettings s{.nx = mesh.extents().nx,
                         .ny = mesh.extents().ny,
                         .dx = mesh.spacing(0),
                         .dy = mesh.spacing(1),
                         .x = first.x,
                         .y = first.y,
                         .gravity = water.water.gravity,
                         .depth = nullptr,
                         .current = nullptr,
                         .damping = nullptr,
                         .solver = {}};
    s.depth = [&mesh, &depth = water_of(run).depth(), s](double x, double y) {
        const int i = static_cast<int>(std::lround((x - s.x) / s.dx)),
                  j = static_cast<int>(std::lround((y - s.y) / s.dy));
        return mesh.is_node(i, j) ? depth(x, y) : 0.0;
    };
    const VectorFormula& current = water.water.current;
    const bool is_at_rest = std::ranges::all_of(current, [](const Formula& component) {
        return component.is_constant() && component(Vec3{0}) == 0;
    });
    if (!is_at_rest)
        s.current = [current](double x, double y) {
            return std::array{current[0].quantity({x, y, 0}), current[1].quantity({x, y, 0})};
        };
    std::vector<BoussinesqSettings::Field> borders;
    for (const BoussinesqBoundary& b : water.boundaries)
        if (const auto side = side_named(b.name); side && b.condition->width > 0)
            borders.push_back(
                border_damping(s, {.sides = {*side},
                                   .width = b.condition->width,
                                   .frequency = 2 * std::acos(-1.0) / b.condition->period,
                                   .strength = b.condition->strength}));
    if (!borders.empty())
        s.damping = [borders](double x, double y) {
            double most = 0;
            for (const auto& border : borders) most = std::max(most, border(x, y));
            return most;
        };
    s.solver.reduction = water.tolerance;
    s.solver.max_iterations = water.max_iterations;
    return s;
}

QuantityInfo on_nodes(const std::string& name, const std::string& unit, const std::string& help,
                      bool is_in_tables) {
    QuantityInfo info{.name = name, .unit = unit, .help = help, .in_files = true, .is_drawn = true};
    if (is_in_tables) info.table_columns = {name};
    return info;
}
const QuantityInfo elevation = on_nodes("elevation", "m", "of the surface, zeta", true),
                   potential = on_nodes("potential", "m²/s", "at the surface, phi", true),
                   psi = on_nodes("psi", "m/s", "of the vertical profile of the potential", true),
                   depth = on_nodes("depth", "m", "of the water, h", false);

QuantityInfo figures_of_ship(const std::string& name) {
    return {
        .name = name,
        .of = Of::number,
        .columns = 13,
        .unit = "m, rad, m/s, N, N m",
        .help =
            "place, heading and speed of a ship, forces and moments of the waves on it, and "
            "its motion",
        .table_columns = {"x", "y", "heading", "speed", "surge_force", "sway_force", "lift_force",
                          "roll_moment", "pitch_moment", "yaw_moment", "heave", "pitch", "roll"}};
}

template <class Real>
class BoussinesqSimulation final : public Simulation {
  public:
    explicit BoussinesqSimulation(Run& run)
        : run_(run),
          water_(settings_of<BoussinesqCase>(run.settings)),
          model_(run.comm, *run.device, model_settings(run)),
          fields_(run.comm, *run.device, water_of(run).grid().grid(), model_.array()) {
        make_ships();
        check_ships();
        start();
        add_incident_waves();
        for (const std::string& warning :
             wave_warnings(run.comm, model_.settings(), model_.blocks().block(1), water_,
                           run.settings.time.end))
            log::warning("{}", warning);
        register_state();
        quantities_.add(elevation, [this] { return fields_.values(model_.zeta()); });
        quantities_.add(potential, [this] { return fields_.values(model_.phi()); });
        quantities_.add(psi, [this] { return fields_.values(model_.psi()); });
        quantities_.add(depth, [this] { return fields_.values(model_.depth()); });
        quantities_.add({.name = "step",
                         .of = Of::number,
                         .columns = 2,
                         .unit = "1, m⁵/s²",
                         .help = "iterations of the last solve, and the energy",
                         .table_columns = {"iterations", "energy"}},
                        [this] {
                            return std::vector{double(iterations_), model_.energy()};
                        });
        for (std::size_t n = 0; n < water_.ships.size(); ++n)
            quantities_.add(figures_of_ship(water_.ships[n].name),
                            [this, n] { return figures_of(n); });
    }

    StateRegistry& state() override { return state_; }
    double time() const override { return model_.time(); }

    void advance(double) override {
        for (auto& waves : incident_) waves->set_source(model_);
        const RrbReport report = ships_ ? ships_->step(model_) : model_.step();
        iterations_ = report.iterations;
        totals_.add({.iterations = report.iterations, .residual = report.reduction});
        if (is_steered_) {  // the keys hold it for a step
            ShipCourse& course = ships_->course(*steered_);
            course.steer(course.speed(), 0);
            is_steered_ = false;
        }
    }
    void end_step() override {
        const TimeSettings& time = run_.settings.time;
        const std::int64_t steps = run_.summary.steps;
        if (steps % steps_of_check == 0 || model_.time() >= time.end * (1 - 1e-12) ||
            (time.steps && steps >= *time.steps))
            check_bounded();
    }
    void conclude(Summary&) override { check_bounded(); }  // also where the run was stopped
    void check_change(const CaseSettings& changed, const std::string& place) const override {
        check_fit(changed, model_.dt(), place);
    }

    bool push(const Vec3& at, double radius, double height) override {
        model_.raise([&](double x, double y) {
            const double s =
                1 - (std::pow(x - at.x, 2) + std::pow(y - at.y, 2)) / (radius * radius);
            return s > 0 ? height * s * s * s : 0.0;
        });
        return true;
    }
    bool steer(double rudder, double faster) override {
        if (!steered_) return false;
        ShipCourse& course = ships_->course(*steered_);
        course.steer(course.speed() + faster * thrust * model_.dt(), rudder * full_rudder);
        is_steered_ = true;
        return true;
    }
    std::vector<Marker> markers() override {
        std::vector<Marker> markers;
        for (std::size_t n = 0; n < water_.ships.size(); ++n) {
            const ShipPose& pose = ships_->course(n).pose();
            const ShipSettings& s = water_.ships[n].settings;
            markers.push_back({.position = {pose.x, pose.y, 0},
                               .heading = pose.heading,
                               .length = s.length,
                               .width = s.beam});
        }
        return markers;
    }

    std::string figures() override { return plural(iterations_, "iteration"); }
    std::vector<std::unique_ptr<Monitor>> tables(const MonitorParts& parts) override {
        std::vector<std::unique_ptr<Monitor>> tables;
        tables.push_back(number_table(parts, "water", {"step"}));
        for (const NamedShip& ship : water_.ships)
            tables.push_back(number_table(parts, ship.name, {ship.name}));
        return tables;
    }
    std::vector<SolveSummary> solves() const override {
        return {{"psi", totals_.count, totals_.iterations, totals_.residual, 0}};
    }
    void report(const Summary& summary) override {
        log::info("solved   {} of {:.6g} s, {} ({:.1f} a step), {:.2f} s, {:.3g} ms a step",
                  plural(summary.steps, "step"), model_.dt(),
                  plural(totals_.iterations, "CG iteration"),
                  double(totals_.iterations) / double(std::max<std::int64_t>(1, summary.steps)),
                  summary.seconds.solve,
                  1e3 * summary.seconds.solve / double(std::max<std::int64_t>(1, summary.steps)));
        log::info("         longest stable step {:.6g} s", limit());
        report_ranges(summary);
        if (summary.steps > 0) log::info("energy   {:.6g} m^5/s^2", model_.energy());
        for (std::size_t n = 0; n < water_.ships.size(); ++n) {
            const ShipPose& pose = ships_->course(n).pose();
            log::info("ship     {}: at ({:.6g}, {:.6g}) m, heading {:.4g} rad",
                      water_.ships[n].name, pose.x, pose.y, pose.heading);
        }
    }

  private:
    double limit() const { return ships_ ? ships_->largest_step(model_) : model_.largest_step(); }
    void make_ships() {
        if (water_.ships.empty()) return;
        std::vector<ShipSettings> all;
        for (std::size_t n = 0; n < water_.ships.size(); ++n) {
            all.push_back(water_.ships[n].settings);
            if (!steered_ && all.back().course.is_steered()) steered_ = n;
        }
        ships_ = std::make_unique<Ships<Real>>(run_.comm, *run_.device, std::move(all),
                                               water_.water.density);
    }
    // Where they are at the start.
    void check_ships() const {
        run_.comm.agree([&] {
            for (std::size_t n = 0; n < water_.ships.size(); ++n) check_ship(n);
        });
    }
    void check_ship(std::size_t n) const {
        const BoussinesqSettings& grid = model_.settings();
        const auto& [name, place, ship] = water_.ships[n];
        const ShipPose& pose = ship.course.pose();
        const auto refuse = [&, of = &name, at = &place](const std::string& why) {
            throw InputError(*at, fmt::format("[[ship]] \"{}\": {}", *of, why));
        };
        const double west = grid.x - grid.dx / 2, east = west + grid.nx * grid.dx,
                     south = grid.y - grid.dy / 2, north = south + grid.ny * grid.dy;
        if (!(pose.x > west && pose.x < east && pose.y > south && pose.y < north))
            refuse(
                fmt::format("it starts at ({:g}, {:g}), outside of the grid, ({:g}, {:g}) to "
                            "({:g}, {:g}): start it within",
                            pose.x, pose.y, west, south, east, north));
        const double depth = grid.depth(pose.x, pose.y);
        if (!(depth > 0))
            refuse(fmt::format("it starts at ({:g}, {:g}), on land: start it where there is water",
                               pose.x, pose.y));
        const auto check_depth = [&](double hull, double x, double y, double h) {
            if (!(hull < h))
                refuse(
                    fmt::format("its hull is {:g} m deep at ({:g}, {:g}), where it starts and "
                                "the water is {:g} m deep: make its draught smaller or start it "
                                "in deeper water",
                                hull, x, y, h));
        };
        check_depth(ship.draught, pose.x, pose.y, depth);
        const double reach = std::hypot(ship.length, ship.beam) / 2;
        const auto nodes = [&](double middle, double first, double spacing, int count) {
            const auto clamped = [&](double k) {
                return static_cast<int>(std::clamp(k, 0.0, count - 1.0));
            };
            return std::pair(clamped(std::floor((middle - reach - first) / spacing)),
                             clamped(std::ceil((middle + reach - first) / spacing)));
        };
        const auto [i0, i1] = nodes(pose.x, grid.x, grid.dx, grid.nx);
        const auto [j0, j1] = nodes(pose.y, grid.y, grid.dy, grid.ny);
        for (int j = j0; j <= j1; ++j)
            for (int i = i0; i <= i1; ++i) {
                const double x = grid.x + i * grid.dx, y = grid.y + j * grid.dy,
                             hull = ships_->hull(n, x, y), h = grid.depth(x, y);
                if (hull > 0 && h > 0) check_depth(hull, x, y, h);
            }
        const double across =
            std::hypot(grid.dx * std::sin(pose.heading), grid.dy * std::cos(pose.heading));
        if (ship.beam < 2 * across)
            log::warning(
                "{}: [[ship]] \"{}\": its beam of {:g} m is less than two distances of "
                "nodes, {:g} m: the grid does not resolve what it presses on; refine it",
                place, name, ship.beam, 2 * across);
    }
    // Of a case of linear waves that are small no elevation comes near the bound.
    void check_bounded() {
        const Range nodes = model_.array().owned();
        if (!run_.comm.any(any_above(*run_.device, model_.zeta(), nodes, bound_))) return;
        const double highest =
            run_.comm.max(Over(*run_.device, nodes).greatest(abs(model_.zeta())));
        run_.comm.agree([&] {
            throw ComputationError(fmt::format(
                "the elevation at t = {:.6g} s is {:.6g} m, beyond {:.6g} m, {:g} times the "
                "greatest depth or first elevation: the waves grow without bound; take slower "
                "currents or a shorter time.step",
                model_.time(), highest, bound_, times_depth));
        });
    }
    void start() {
        double dt = 0;
        run_.comm.agree([&] {
            const TimeSettings& time = run_.settings.time;
            if (time.step && *time.step > limit() * (1 + 1e-12))
                throw InputError(run_.settings.place,
                                 fmt::format("[time] step: {:.6g} s is beyond the longest stable "
                                             "step of the leapfrog scheme on this grid, {:.6g} s: "
                                             "take that or less, or leave it out",
                                             *time.step, limit()));
            dt = time.step ? *time.step : automatic_part * limit();
            dt = fitting_step(run_.settings, dt, time.step.has_value());
        });
        const auto value = [](const Formula& formula) {
            return [formula](double x, double y) { return formula.quantity({x, y, 0}); };
        };
        const auto given = value(water_.initial_elevation);
        // values first, so that a bad one is told on all ranks
        run_.comm.agree([&] {
            for (Index n = 0; n < run_.topology().range(Kind::node).owned; ++n) {
                if (n % 4096 == 0) break_off_if_overdue();
                const Vec3 at = run_.topology().position(n);
                water_.initial_elevation.quantity(at);
                water_.initial_potential.quantity(at);
            }
        });
        const auto on_water = [this](const BoussinesqSettings::Field& field) {
            return [this, field](double x, double y) {
                return model_.settings().depth(x, y) > 0 ? field(x, y) : 0.0;
            };
        };
        model_.start(dt, on_water([&](double x, double y) {
                         return given(x, y) + (ships_ ? ships_->rest_elevation(x, y) : 0.0);
                     }),
                     on_water(value(water_.initial_potential)));
        if (ships_) ships_->start(model_);
        const auto [deepest, highest] =
            Over(*run_.device, model_.array().owned())
                .reduce(greatest(model_.depth()), greatest(abs(model_.zeta())));
        bound_ = times_depth * run_.comm.max(std::max(deepest, highest));
    }
    // After a load: the step of the checkpoint goes on where it is stable and fits the case, which
    // may have changed. Else the scheme begins anew at the present level with one that does.
    void take_up_step(double fitted) {
        const double loaded = model_.dt();
        const bool is_given = run_.settings.time.step.has_value();
        const bool is_kept =
            std::abs(loaded - fitted) <= 1e-12 * fitted ||
            (!is_given && loaded <= limit() * (1 + 1e-12) && fits(run_.settings, loaded));
        if (!is_kept) {
            double dt = 0;
            run_.comm.agree([&] {
                dt = fitting_step(run_.settings, is_given ? fitted : automatic_part * limit(),
                                  is_given, model_.time());
            });
            model_.change_step(dt);
            log::info(
                "         steps of {:.6g} s, which fit the case as it is now, in place of "
                "{:.6g} s",
                dt, loaded);
        }
        if (model_.dt() == fitted || incident_.empty()) return;
        incident_.clear();  // they are made for steps of one length
        add_incident_waves();
    }
    void add_incident_waves() {
        for (const BoussinesqBoundary& b : water_.boundaries) {
            const auto side = side_named(b.name);
            if (!side || b.condition->waves.empty()) continue;
            IncidentWaveSettings waves{.side = *side,
                                       .distance = b.condition->width,
                                       .components = b.condition->waves,
                                       .rise = b.condition->rise};
            for (WaveComponent& wave : waves.components) wave.direction += inward_direction(*side);
            try {
                incident_.push_back(
                    std::make_unique<IncidentWaves<Real>>(run_.comm, *run_.device, model_, waves));
            } catch (const Error& error) {  // the same on all ranks
                throw AgreedError(
                    fmt::format("{}: [boundary.{}]: {}", b.place, b.name, error.what()),
                    error.exit_code());
            }
        }
    }
    void register_state() {
        const StateValues all = StateValues(state_).part("boussinesq");
        model_.register_state(all, [&](const std::string& name, Buffer<Real>& array) {
            fields_.add(all, name, array);
        });
        std::vector<std::string> names;
        for (const NamedShip& ship : water_.ships) names.push_back(ship.name);
        if (ships_) ships_->register_state(all.part("ship"), names, model_);
        totals_.register_state(all);
        all.add("iterations", iterations_, not_negative);
        all.remade([this, fitted = model_.dt()] { take_up_step(fitted); });
    }
    std::vector<double> figures_of(std::size_t n) {
        const ShipForces f = ships_->forces(model_, n);
        const ShipCourse& course = ships_->course(n);
        const auto& motion = ships_->motion(n).value;
        return {course.pose().x,
                course.pose().y,
                course.pose().heading,
                course.speed_now(),
                f.surge,
                f.sway,
                f.lift,
                f.roll,
                f.pitch,
                f.yaw,
                motion[0],
                motion[1],
                motion[2]};
    }

    Run& run_;
    const BoussinesqCase& water_;
    BoussinesqModel<Real> model_;
    ArrayFields<Real> fields_;
    std::unique_ptr<Ships<Real>> ships_;  // null: none
    std::vector<std::unique_ptr<IncidentWaves<Real>>> incident_;
    std::optional<std::size_t> steered_;  // the ship that keys steer
    bool is_steered_ = false;
    int iterations_ = 0;
    double bound_ = 0;  // of elevations [m]
    SolveTotals totals_;
    StateRegistry state_;
};

}  // namespace

QuantityList BoussinesqPhysics::quantities(const CaseSettings*, int) const {
    return {elevation, potential, psi, depth};
}

std::vector<MonitorKind> BoussinesqPhysics::monitor_kinds() const { return placed_monitor_kinds(); }

std::unique_ptr<RunMesh> BoussinesqPhysics::make_mesh(Run& run) const {
    refuse_mixed_precision(run);
    const WaterSettings& water = settings_of<BoussinesqCase>(run.settings).water;
    const DepthOfCase depth_of(run.comm, water);
    if (depth_of.file()) {
        std::string warning;
        run.comm.agree(
            [&] { warning = depth_warning(*depth_of.file(), water, *run.settings.grid); });
        if (!warning.empty()) log::warning("{}", warning);
    }
    const auto cut = [&](const GridExtents& extents, int ranks) {
        const RankBlocks blocks(run.comm, extents.nx, extents.ny);
        std::vector<GridBlock> all;
        for (int rank = 0; rank < ranks; ++rank) {
            const RankBlocks::Block b = blocks.block(1, rank);
            all.push_back({b.x, b.y, b.width, b.height});
        }
        return all;
    };
    return std::make_unique<WaterMesh>(
        make_grid_mesh(run, cut, [&](const Vec3& at) { return !(depth_of(at.x, at.y) > 0); }),
        depth_of);
}

std::unique_ptr<Simulation> BoussinesqPhysics::simulation_in_single(Run& run) const {
    return std::make_unique<BoussinesqSimulation<float>>(run);
}
std::unique_ptr<Simulation> BoussinesqPhysics::simulation_in_double(Run& run) const {
    return std::make_unique<BoussinesqSimulation<double>>(run);
}

}  // namespace solenoid
