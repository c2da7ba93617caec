#include "run/initial_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "case/physics.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {
namespace {

template <class T>
void share(const Communicator& comm, std::vector<T>& values) {
    const auto view = bytes_of(values);
    std::vector<std::byte> bytes(view.begin(), view.end());
    comm.broadcast(bytes);
    if (!comm.is_root()) values = values_in<T>(bytes);
}

bool is_not_given(const Physics::InitialField& field) {
    return std::ranges::all_of(field.columns, [](const Formula* formula) {
        return formula->is_constant() && (*formula)(Vec3(0)) == 0;
    });
}

std::vector<std::string> names_on_points(const ReadGrid& grid) {
    std::vector<std::string> names;
    for (const ReadField& field : grid.fields)
        if (!field.is_of_cells) names.push_back(field.name);
    return names;
}

// What the root has read, on all ranks.
void share(const Communicator& comm, ReadGrid& grid) {
    std::vector<double> numbers{double(grid.dimension), grid.time, double(grid.fields.size())};
    share(comm, numbers);
    grid.dimension = static_cast<int>(numbers[0]);
    grid.time = numbers[1];
    grid.fields.resize(static_cast<std::size_t>(numbers[2]));
    share(comm, grid.points);
    share(comm, grid.cell_points);
    for (ReadField& field : grid.fields) {
        comm.broadcast(field.name);
        std::vector<int> shape{field.columns, field.is_of_cells};
        share(comm, shape);
        field.columns = shape[0];
        field.is_of_cells = shape[1] != 0;
        share(comm, field.values);
    }
}

// Says which places are outside, and how many.
void check_places(const Run& run, const SampledState& state, const std::string& of) {
    const Mesh& mesh = run.mesh.mesh;
    std::int64_t outside = 0;
    Vec3 first(0);
    const auto look_at = [&](const Vec3& x) {
        if (state.has(x)) return;
        if (outside++ == 0) first = x;
    };
    for (Index i = 0; i < run.mesh.range(Kind::node).owned; ++i) look_at(mesh.points[i]);
    const std::int64_t here = outside;
    const std::int64_t all = run.comm.sum(here);
    run.comm.agree([&] {
        if (here == 0) return;
        throw InputError(
            run.settings.initial->place,
            fmt::format("{} of the mesh outside that of {}, such as at {}: take [initial] outside "
                        "= \"extend\" for the values of the nearest nodes there",
                        all == 1 ? "a node is" : fmt::format("{} nodes are", all), of,
                        position_text(first)));
    });
}

}  // namespace

std::shared_ptr<SampledState> take_initial_state(Run& run) {
    if (!run.settings.initial) return nullptr;
    const InitialFile& initial = *run.settings.initial;
    std::vector<Physics::InitialField> wanted;
    for (auto& field : run.settings.physics->initial_fields(run.settings))
        if (is_not_given(field)) wanted.push_back(std::move(field));
    ReadGrid grid;
    std::string file;
    run.comm.agree([&] {
        if (!run.comm.is_root()) return;
        const std::filesystem::path pvtu = last_state_in(initial.path);
        file = pvtu.string();
        grid = read_grid(pvtu);
        if (grid.dimension != run.mesh.mesh.dimension)
            throw InputError(initial.place,
                             fmt::format("{} is a state in {} dimensions, and the mesh has {}",
                                         file, grid.dimension, run.mesh.mesh.dimension));
        const std::vector<std::string> known = names_on_points(grid);
        std::erase_if(grid.fields, [&](const ReadField& field) {
            return std::ranges::none_of(wanted, [&](const Physics::InitialField& one) {
                return one.quantity == field.name &&
                       one.columns.size() == static_cast<std::size_t>(field.columns);
            });
        });
        if (!names_on_points(grid).empty()) return;
        std::vector<std::string> names;
        for (const auto& field : wanted) names.push_back(field.quantity);
        throw InputError(initial.place,
                         fmt::format("{} has nothing of what the case starts from ({}): it has {}",
                                     file, fmt::join(names, ", "), fmt::join(known, ", ")));
    });
    run.comm.broadcast(file);
    share(run.comm, grid);
    auto state = std::make_shared<SampledState>(std::move(grid), initial.extends);
    check_places(run, *state, file);
    std::vector<std::string> taken;
    for (const auto& field : wanted) {
        const std::size_t columns = field.columns.size();
        const ReadField* on_points = state->find(field.quantity, columns, false);
        const ReadField* on_cells = state->find(field.quantity, columns, true);
        if (!on_points) continue;
        taken.push_back(field.quantity);
        for (std::size_t k = 0; k < columns; ++k)
            *field.columns[k] = Formula(
                [state, on_points, on_cells, k](const Vec3& x) {
                    return state->value(*on_points, on_cells, static_cast<int>(k), x);
                },
                field.quantity + " of " + file, initial.place);
    }
    log::info("initial  {} of {}, t = {:.6g} s", fmt::join(taken, ", "), file, state->time());
    return state;
}

}  // namespace solenoid
