#include "run/initial_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "case/physics.hpp"
#include "case/quote.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/log.hpp"
#include "core/state_values.hpp"
#include "io/checkpoint/checkpoint_folder.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;
using Wanted = std::vector<Physics::InitialField>;

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

// The last state of a folder, or a .pvtu file, read by the root.
ReadGrid read_states(const Run& run, const Wanted& wanted, std::string& file) {
    const InitialFile& initial = *run.settings.initial;
    // not when the case is read: once the run has begun it may be gone
    run.comm.agree([&] {
        std::error_code error;
        if (run.comm.is_root() && !fs::exists(initial.path, error))
            throw InputError(initial.place,
                             fmt::format("[initial] file: there is no {}", initial.path.string()));
    });
    ReadGrid grid;
    run.comm.agree([&] {
        if (!run.comm.is_root()) return;
        const fs::path pvtu = last_state_in(initial.path);
        file = pvtu.string();
        grid = read_grid(pvtu);
        if (grid.dimension != run.topology().dimension())
            throw InputError(initial.place,
                             fmt::format("{} is a state in {} dimensions, and the mesh has {}",
                                         file, grid.dimension, run.topology().dimension()));
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
                                     file, joined_words(names, ", "), joined_words(known, ", ")));
    });
    run.comm.broadcast(file);
    share(run.comm, grid);
    return grid;
}

// ---- checkpoints

// A .checkpoint file, or a folder with checkpoints and no states.
bool is_checkpoint(const fs::path& path) {
    std::error_code ignored;
    if (path.extension() == ".checkpoint") return true;
    if (!fs::is_directory(path / "checkpoints", ignored)) return false;
    return std::none_of(
        fs::directory_iterator(path, ignored), fs::directory_iterator(),
        [](const fs::directory_entry& entry) { return entry.path().extension() == ".pvd"; });
}

std::unique_ptr<CheckpointFile> opened_checkpoint(const Run& run) {
    const fs::path& path = run.settings.initial->path;
    if (path.extension() == ".checkpoint") return std::make_unique<CheckpointFile>(run.comm, path);
    auto file = CheckpointFolder(run.comm, path / "checkpoints").newest();
    run.comm.agree([&] {
        if (!file)
            throw InputError(run.settings.initial->place,
                             path.string() + " has neither states nor checkpoints");
    });
    return file;
}

void check_checkpoint(const Run& run, const CheckpointHeader& header, const std::string& file) {
    const std::string& place = run.settings.initial->place;
    const std::uint64_t hash = run.topology().hash(run.comm);
    run.comm.agree([&] {
        if (header.physics != run.settings.physics->name())
            throw InputError(
                place, fmt::format("{} is a checkpoint of physics = \"{}\"", file, header.physics));
        if (header.mesh_hash != hash)
            throw InputError(place,
                             fmt::format("{} is a checkpoint on another mesh, which it has not: "
                                         "name a folder with states, or a .pvtu file",
                                         file));
    });
}

// A field on the corners of this rank's cells, and on the cells where it is of cells: at a node it
// is the mean of the cells around.
void add_stored(const Run& run, const CheckpointFile& file, const CheckpointArray& stored,
                const Physics::InitialField& field, ReadGrid& grid) {
    const bool is_of_cells = stored.of == StateArray::Of::cells;
    const Topology& topology = run.topology();
    const Index cells = topology.range(Kind::cell).all, nodes = topology.range(Kind::node).all;
    StateArray array{stored.name, stored.of, stored.columns,
                     topology.numbers(run.comm, is_of_cells ? Kind::cell : Kind::node),
                     std::vector<double>()};
    const std::size_t count = array.entity.size();
    file.fill(array);
    run.comm.agree([&] {
        try {
            check_values_of_entities(array);
        } catch (const InputError& error) {
            throw InputError(run.settings.initial->place,
                             fmt::format("{}: its array {} {}: name another checkpoint",
                                         file.file().string(), quoted(array.name), error.what()));
        }
    });
    const auto& values = std::get<std::vector<double>>(array.values);
    const int columns = static_cast<int>(field.columns.size());
    ReadField on_points{field.quantity, false, columns, {}}, on_cells = on_points;
    on_cells.is_of_cells = true;
    for (int k = 0; k < columns; ++k) {
        std::vector<double> at_nodes(nodes, 0.0), weight(nodes, 0.0);
        const bool is_there = k < stored.columns;  // a plane's third component is not
        for (Index c = 0; c < cells && is_of_cells; ++c) {
            const double value = is_there ? values[k * count + c] : 0;
            const CellNodes corners = topology.nodes_of(c);
            on_cells.values.insert(on_cells.values.end(), simplices_of(corners.shape).size(),
                                   value);
            for (const Index node : corners) {
                at_nodes[node] += value;
                weight[node] += 1;
            }
        }
        for (Index i = 0; i < nodes; ++i) {
            if (!is_of_cells && is_there) at_nodes[i] = values[k * count + i];
            if (weight[i] > 0) at_nodes[i] /= weight[i];
        }
        for (Index c = 0; c < cells; ++c)
            for (const Index node : topology.nodes_of(c))
                on_points.values.push_back(at_nodes[node]);
    }
    grid.fields.push_back(std::move(on_points));
    if (is_of_cells) grid.fields.push_back(std::move(on_cells));
}

// The state on this rank's part of the same mesh, each cell with points of its own.
ReadGrid read_checkpoint(const Run& run, const Wanted& wanted, std::string& name) {
    const auto file = opened_checkpoint(run);
    name = file->file().string();
    check_checkpoint(run, file->header(), name);
    const Topology& topology = run.topology();
    ReadGrid grid;
    grid.dimension = topology.dimension();
    grid.time = file->header().time;
    for (Index c = 0; c < topology.range(Kind::cell).all; ++c) {
        const CellNodes corners = topology.nodes_of(c);
        const auto first = static_cast<Index>(grid.points.size());
        for (int j = 0; j < corners.size(); ++j) grid.points.push_back(topology.corner(c, j));
        for (const auto& simplex : simplices_of(corners.shape))
            for (int j = 0; j <= grid.dimension; ++j)
                grid.cell_points.push_back(first + static_cast<Index>(simplex[j]));
    }
    for (const Physics::InitialField& field : wanted) {
        const CheckpointArray* stored = field.stored.empty() ? nullptr : file->find(field.stored);
        const bool is_known =
            stored && (stored->of == StateArray::Of::cells || stored->of == StateArray::Of::nodes);
        if (is_known) add_stored(run, *file, *stored, field, grid);
    }
    run.comm.agree([&] {
        if (grid.fields.empty())
            throw InputError(run.settings.initial->place,
                             name + " has nothing of what the case starts from");
    });
    return grid;
}

// ---- places

// Says which places are outside, and how many.
void check_places(const Run& run, const SampledState& state, const std::string& of) {
    const Topology& topology = run.topology();
    std::int64_t outside = 0;
    Vec3 first(0);
    const auto look_at = [&](const Vec3& x) {
        if (state.has(x)) return;
        if (outside++ == 0) first = x;
    };
    for (Index i = 0; i < topology.range(Kind::node).owned; ++i) look_at(topology.position(i));
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
    if (!run.settings.initial || run.checkpoint) return nullptr;
    const InitialFile& initial = *run.settings.initial;
    Wanted wanted;
    for (auto& field : run.settings.physics->initial_fields(run.settings))
        if (is_not_given(field)) wanted.push_back(std::move(field));
    run.comm.agree([&] {
        if (wanted.empty())
            throw InputError(initial.place,
                             "[initial] file has nothing to give: the case has formulas for all "
                             "that it starts from; leave out file, or the formulas of what it is "
                             "to give");
    });
    const bool from_checkpoint = run.comm.any(run.comm.is_root() && is_checkpoint(initial.path));
    std::string file;
    auto state = std::make_shared<SampledState>(
        from_checkpoint ? read_checkpoint(run, wanted, file) : read_states(run, wanted, file),
        initial.extends);
    if (!from_checkpoint) check_places(run, *state, file);
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
    log::info("initial  {} of {}, t = {:.6g} s", joined_words(taken, ", "), file, state->time());
    return state;
}

}  // namespace solenoid
