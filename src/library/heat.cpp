#include "library/heat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "heat/case/heat_physics.hpp"
#include "heat/heat_solver.hpp"
#include "io/files/output_folder.hpp"
#include "io/vtk/vtk_output.hpp"
#include "parallel/agreed.hpp"
#include "parallel/thread_share.hpp"
#include "run/run.hpp"
#include "run/simplices/simplices.hpp"
#include "run/time_step.hpp"

namespace solenoid {
namespace {

const PhysicsList& heat_alone() {
    static const HeatPhysics heat;
    static const PhysicsList list{&heat};
    return list;
}

// ---- the problem as keys of a case file

std::string text_of(const Value& value) {
    if (const double* number = std::get_if<double>(&value.content()))
        return fmt::format("{}", *number);
    return '\'' + std::get<std::string>(value.content()) + '\'';
}

std::string text_of(const Point& point, int dimension) {
    return dimension == 2 && point[2] == 0
               ? fmt::format("[{}, {}]", point[0], point[1])
               : fmt::format("[{}, {}, {}]", point[0], point[1], point[2]);
}

// One part of a key: a name that holds dots or blanks stands in quotes.
std::string part_of_key(const std::string& name) {
    const auto is_plain = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
    if (!name.empty() && std::ranges::all_of(name, is_plain)) return name;
    const char quote = name.find('"') == std::string::npos ? '"' : '\'';
    return quote + name + quote;
}

// A value that is text, with any letters.
std::string in_quotes(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f')
            quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(c));
        else
            quoted += c;
    }
    return quoted + '"';
}

using KeyList = std::vector<std::string>;

void add(KeyList& keys, const BoxMesh& box) {
    keys.push_back(fmt::format("mesh.box.dimension={}", box.dimension));
    keys.push_back(fmt::format("mesh.box.cells={}", box.cells));
    keys.push_back("mesh.box.low=" + text_of(box.low, box.dimension));
    Point high = box.high;
    if (box.dimension == 2 && high == BoxMesh().high) high[2] = 0;
    keys.push_back("mesh.box.high=" + text_of(high, box.dimension));
    keys.push_back(fmt::format("mesh.box.jitter={}", box.jitter));
}

void add(KeyList& keys, const MeshFile& mesh) {
    keys.push_back("mesh.file=" + in_quotes(std::filesystem::absolute(mesh.file).string()));
    keys.push_back(fmt::format("mesh.scale={}", mesh.scale));
}

void add(KeyList& keys, const std::string& name, const Material& material) {
    const std::string table = "material." + part_of_key(name) + '.';
    keys.push_back(table + "conductivity=" + text_of(material.conductivity));
    if (material.heat_capacity)
        keys.push_back(table + "heat_capacity=" + text_of(*material.heat_capacity));
    keys.push_back(table + "source=" + text_of(material.source));
}

// The `type` of a condition, and its keys.
struct ConditionKeys {
    std::string type;
    std::vector<std::pair<std::string, Value>> values = {};
};
ConditionKeys keys_of(const FixedTemperature& b) {
    return {"temperature", {{"value", b.temperature}}};
}
ConditionKeys keys_of(const HeatFlux& b) { return {"flux", {{"value", b.flux}}}; }
ConditionKeys keys_of(const HeatExchange& b) {
    return {"convection", {{"h", b.coefficient}, {"T_inf", b.ambient}}};
}
ConditionKeys keys_of(const Insulation&) { return {"insulated"}; }
ConditionKeys keys_of(const ContactResistance& b) {
    return {"contact", {{"resistance", b.resistance}}};
}

void add(KeyList& keys, const std::string& name, const BoundaryKind& boundary) {
    const std::string table = "boundary." + part_of_key(name) + '.';
    const ConditionKeys condition = std::visit([](const auto& b) { return keys_of(b); }, boundary);
    keys.push_back(table + "type=" + condition.type);
    for (const auto& [key, value] : condition.values)
        keys.push_back(table + key + '=' + text_of(value));
}

KeyList keys_of(const HeatProblem& problem) {
    KeyList keys;
    std::visit([&](const auto& mesh) { add(keys, mesh); }, problem.mesh);
    for (const auto& [name, material] : problem.materials) add(keys, name, material);
    for (const auto& [name, boundary] : problem.boundaries) add(keys, name, boundary);
    if (problem.initial) keys.push_back("initial.temperature=" + text_of(*problem.initial));
    if (problem.tolerance)
        keys.push_back(fmt::format("solver.temperature.tolerance={}", *problem.tolerance));
    keys.insert(keys.end(), problem.keys.begin(), problem.keys.end());
    return keys;
}

RunOptions options_of(const HeatProblem& problem) {
    if (const auto& p = problem.precision; p != "single" && p != "double" && p != "mixed")
        throw Agreed<InputError>(
            "HeatProblem::precision",
            fmt::format("must be one of \"single\", \"double\" or \"mixed\", found \"{}\"", p));
    if (problem.threads < 0 || problem.threads > most_threads)
        throw Agreed<InputError>(fmt::format("HeatProblem::threads: must be from 0 to {}, found {}",
                                             most_threads, problem.threads));
    RunOptions options;
    options.device = problem.device;
    options.precision = problem.precision;
    options.threads = problem.threads;
    return options;
}

}  // namespace

struct Heat::State {
    State(const Session& session, const HeatProblem& problem)
        : options(options_of(problem)), run(session.communicator(), options) {
        run.comm.agree(
            [&] { run.settings = case_of_keys("heat problem", keys_of(problem), heat_alone()); });
        set_up(run);
        if (options.precision == "single")
            solver.emplace<Single>(made<float>());
        else
            solver.emplace<Double>(made<double>());
        has_temperature = problem.initial.has_value();
        for (const auto& [name, material] : problem.materials)
            if (!material.heat_capacity) without_capacity = name;
    }

    const HeatSettings& settings() const { return settings_of<HeatSettings>(run.settings); }

    template <class Real>
    std::unique_ptr<HeatSolver<Real>> made() const {
        return std::make_unique<HeatSolver<Real>>(
            *simplices_of(run).domain, materials_of(settings(), run.topology().regions()),
            settings().boundaries, settings().initial, settings().solver,
            simplices_of(run).coupled);
    }
    template <class Action>
    auto with_solver(const Action& action) const {
        return std::visit([&](const auto& s) { return action(*s); }, solver);
    }
    double time() const {
        return with_solver([](auto& s) { return s.time(); });
    }
    Index owned() const { return run.topology().range(Kind::node).owned; }

    void check_steps_can_be_made() const {
        if (!has_temperature)
            throw Agreed<InputError>(
                "HeatProblem::initial is not given: steps need it, or a steady state before");
        if (!without_capacity.empty())
            throw Agreed<InputError>(fmt::format(
                "material \"{}\": heat_capacity is not given: steps need it", without_capacity));
    }
    // The estimated error, where it is wanted.
    double step(double length, bool estimate) {
        const double error = with_solver([&](auto& s) { return s.step(length, estimate); });
        has_stepped = true;
        return error;
    }
    void check_finite() const {
        const auto [low, high] = with_solver([](auto& s) { return s.extrema(); });
        if (!std::isfinite(low) || !std::isfinite(high))
            throw Agreed<ComputationError>(fmt::format(
                "the temperature is no longer finite at t = {:.6g} s: take a smaller step",
                time()));
    }

    const RunOptions options;
    Run run;
    using Single = std::unique_ptr<HeatSolver<float>>;
    using Double = std::unique_ptr<HeatSolver<double>>;
    std::variant<Single, Double> solver;
    bool has_temperature = false, has_stepped = false;
    std::string without_capacity;  // a material; empty: none
    double next_step = 0;          // of advance() [s]; 0: none yet
    std::int64_t steps = 0;
    std::map<std::filesystem::path, VtkOutput> outputs;
};

Heat::Heat(const Session& session, const HeatProblem& problem)
    : state_(translated([&] { return std::make_unique<State>(session, problem); })) {}
Heat::~Heat() = default;

void Heat::solve_steady() {
    if (state_->has_stepped)
        throw Agreed<InputError>("solve_steady() comes before steps in time, not behind them");
    translated([&] { state_->with_solver([](auto& s) { s.solve_steady(); }); });
    state_->check_finite();
    state_->has_temperature = true;
}

void Heat::step(double length) {
    if (!(length > 0) || !std::isfinite(length))
        throw Agreed<InputError>(fmt::format("a step must be positive, found {} s", length));
    state_->check_steps_can_be_made();
    translated([&] { state_->step(length, false); });
    ++state_->steps;
    state_->check_finite();
}

int Heat::advance(double end, double tolerance, double first) {
    State& s = *state_;
    const double begin = time();
    if (!(end > begin) || !std::isfinite(end))
        throw Agreed<InputError>(fmt::format(
            "the end must be later than the present time, {} s, found {} s", begin, end));
    if (!(tolerance > 0 && tolerance < 1))
        throw Agreed<InputError>(
            fmt::format("the tolerance must be between 0 and 1, found {}", tolerance));
    if (!(first >= 0) || !std::isfinite(first))
        throw Agreed<InputError>(fmt::format(
            "the first step must be positive, or 0 for the usual one, found {} s", first));
    s.check_steps_can_be_made();
    if (first > 0)
        s.next_step = first;
    else if (s.next_step == 0)
        s.next_step = 1e-4 * (end - begin);
    int taken = 0;
    while (end - time() > 1e-12 * std::abs(end)) {
        const double left = end - time();
        double length = fitted_step(time(), std::min(s.next_step, left), end);
        if (length >= left * (1 - 1e-9)) length = left;
        if (length < 1e-13 * std::abs(end))
            throw Agreed<ComputationError>(
                fmt::format("the time step fell to {:.3g} s at t = {:.6g} s: raise the tolerance",
                            length, time()));
        s.with_solver([](auto& solver) { solver.keep_state(); });
        const double error = translated([&] { return s.step(length, true); }) / tolerance;
        const double next = StepControl::next(length, error);
        if (StepControl::accepted(error)) {
            s.next_step = length < s.next_step ? std::max(s.next_step, next) : next;
            s.with_solver([](auto& solver) { solver.let_go(); });
            ++taken;
            ++s.steps;
            s.check_finite();
        } else {
            s.next_step = next;
            s.with_solver([](auto& solver) { solver.take_back(); });
        }
    }
    s.with_solver([&](auto& solver) { solver.set_clock(end); });
    return taken;
}

double Heat::time() const { return state_->time(); }

std::size_t Heat::nodes() const { return state_->owned(); }

std::vector<Point> Heat::positions() const {
    std::vector<Point> positions(nodes());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Vec3& x = state_->run.topology().position(static_cast<Index>(i));
        positions[i] = {x.x, x.y, x.z};
    }
    return positions;
}

std::vector<std::int64_t> Heat::numbers() const {
    const auto& all = simplices_of(state_->run).mesh.mesh.node_number;
    return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(nodes())};
}

std::vector<double> Heat::temperature() const {
    std::vector<double> values = state_->with_solver([](auto& s) { return s.temperature(); });
    values.resize(nodes());
    return values;
}

std::array<double, 2> Heat::temperature_range() const {
    return state_->with_solver([](auto& s) { return s.extrema(); });
}

HeatFlows Heat::flows() const {
    return state_->with_solver([](auto& s) {
        HeatFlows flows;
        const HeatBalance& balance = s.balance();
        for (std::size_t p = 0; p < balance.boundary.size(); ++p)
            (balance.is_contact[p] ? flows.contacts
                                   : flows.boundaries)[s.boundaries().parts()[p].boundary.name] =
                balance.boundary[p];
        flows.source = balance.source;
        flows.storage = balance.storage;
        return flows;
    });
}

void Heat::write_vtk(const std::filesystem::path& folder, const std::string& name) {
    State& s = *state_;
    translated([&] {
        const std::filesystem::path series = std::filesystem::absolute(folder) / name;
        auto output = s.outputs.find(series);
        if (output == s.outputs.end()) {
            make_shared_folder(s.run.comm, folder);
            output =
                s.outputs.try_emplace(series, s.run.comm, s.run.topology(), folder, name).first;
        }
        const std::vector<double> temperature =
            s.with_solver([](auto& solver) { return solver.temperature(); });
        const std::string failure =
            output->second.write(time(), s.steps, {{"temperature", temperature, 1}});
        if (!failure.empty()) throw AgreedError(failure, 1);
    });
}

}  // namespace solenoid
