#include "io/vtk/vtk_output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/optional_state.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/regular_file.hpp"
#include "io/files/results.hpp"
#include "io/files/unwritten.hpp"
#include "io/vtk/vtk_files.hpp"
#include "io/vtk/vtk_mesh.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw WriteError(fmt::format("{}: cannot be made: {}", folder.string(), error.message()));
}

// Runs `action` on all ranks. Returns the WriteError of the lowest rank that had one, on all ranks;
// empty: none.
std::string agreed_failure(const Communicator& comm, const std::function<void()>& action) {
    std::string failure;
    comm.agree([&] {
        try {
            action();
        } catch (const WriteError& error) {
            failure = error.what();
        }
    });
    if (!comm.any(!failure.empty())) return "";
    const auto failures = comm.texts(failure);
    return *std::ranges::find_if(failures, [](const auto& text) { return !text.empty(); });
}

bool holds(const fs::path& file, const std::string& text) {
    if (!is_regular(file)) return false;
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {}) == text;
}

}  // namespace

VtkOutput::VtkOutput(const Communicator& comm, const Topology& topology, fs::path folder,
                     std::string name)
    : comm_(comm),
      mesh_(vtk_mesh(comm, topology)),
      folder_(std::move(folder)),
      name_(std::move(name)) {}

VtkOutput::~VtkOutput() = default;

std::string VtkOutput::name_of(std::int64_t step) const {
    return fmt::format("{}_{:06}", name_, step);
}

std::string VtkOutput::piece_name(const std::string& state, int rank) const {
    return fmt::format("{0}/{0}_{1}.{2}", state, rank, mesh_->suffix());
}
std::string VtkOutput::list_name(const std::string& state) const {
    return fmt::format("{}.p{}", state, mesh_->suffix());
}
fs::path VtkOutput::file_of(std::int64_t step) const { return folder_ / list_name(name_of(step)); }

std::string VtkOutput::write(double time, std::int64_t step,
                             const std::vector<PointField>& point_fields,
                             const std::vector<CellField>& cell_fields) {
    const std::string state = name_of(step);
    const fs::path piece = folder_ / piece_name(state, comm_.rank());
    // Removes what there is of a state that is not listed.
    const auto remove_rest = [&] {
        discard_part(piece);
        std::error_code ignored;
        const bool is_listed = !states_.empty() && states_.back().step == step;
        if (!is_listed) fs::remove(piece, ignored);
        if (!is_listed && comm_.is_root()) fs::remove(file_of(step), ignored);
        std::error_code not_empty;
        fs::remove(piece.parent_path(), not_empty);
    };
    std::string failure;
    try {
        vtkSmartPointer<vtkDataSet> grid;
        failure = agreed_failure(comm_, [&] {
            grid = mesh_->piece(time, point_fields, cell_fields);
            make_folder(piece.parent_path());
            write_vtk_part(*grid, piece);
        });
        if (failure.empty()) failure = agreed_failure(comm_, [&] { publish_part(piece); });
        if (failure.empty())
            failure = agreed_failure(comm_, [&] {
                if (!comm_.is_root()) return;
                flush_folder(piece.parent_path());
                list(*grid, time, step);
            });
    } catch (...) {
        remove_rest();
        throw;
    }
    if (!failure.empty() && !comm_.any(std::exchange(is_listed_, false))) {
        remove_rest();
        return failure;
    }
    std::erase_if(states_, [&](const Listed& other) { return other.step == step; });
    states_.push_back({time, step});
    return failure;
}

void VtkOutput::list(vtkDataSet& grid, double time, std::int64_t step) {
    std::vector<std::string> pieces;
    for (int rank = 0; rank < comm_.size(); ++rank)
        pieces.push_back(piece_name(name_of(step), rank));
    write_atomically(file_of(step), mesh_->list(grid, pieces));

    auto states = states_;
    std::erase_if(states, [&](const Listed& other) { return other.step == step; });
    states.push_back({time, step});
    const std::string text = pvd_of(states);
    try {
        write_atomically(index(), text);
    } catch (const WriteError&) {
        // listed all the same, where only the folder cannot be flushed
        is_listed_ = holds(index(), text);
        throw;
    }
}

std::string VtkOutput::pvd_of(const std::vector<Listed>& states) const {
    std::vector<std::pair<double, std::string>> files;
    for (const Listed& state : states)
        files.emplace_back(state.time, list_name(name_of(state.step)));
    return pvd_text(files);
}

// ---- state

void VtkOutput::register_state(const StateValues& state) {
    using Numbers = std::vector<double>;
    OptionalState(state).add<Numbers>(
        "states", [this] { return !states_.empty(); },
        [this] {
            Numbers numbers;
            for (const Listed& one : states_)
                numbers.insert(numbers.end(), {one.time, static_cast<double>(one.step)});
            return numbers;
        },
        [this](const std::optional<Numbers>& numbers) {
            states_.clear();
            for (std::size_t i = 0; numbers && i + 1 < numbers->size(); i += 2)
                states_.push_back({(*numbers)[i], static_cast<std::int64_t>((*numbers)[i + 1])});
        },
        [](const Numbers& numbers) {
            check_numbers(numbers, {}, std::ssize(numbers) / 2 * 2);
            for (std::size_t i = 1; i < numbers.size(); i += 2)
                check_numbers(std::span(numbers).subspan(i, 1),
                              narrowed<std::int64_t>(not_negative), 1);
        });
}

void VtkOutput::resume() {
    // on the root whether each state is there
    std::vector<std::int64_t> is_there(states_.size(), 0);
    comm_.agree([&] {
        if (!comm_.is_root()) return;
        std::set<std::string> listed;
        for (std::size_t i = 0; i < states_.size(); ++i) {
            std::error_code ignored;
            is_there[i] = fs::exists(file_of(states_[i].step), ignored);
            if (is_there[i]) listed.insert(name_of(states_[i].step));
        }
        if (const auto gone = std::ranges::count(is_there, 0); gone > 0)
            log::warning(
                "{}: {} of its {} states up to the checkpoint are gone, and no longer listed",
                index().string(), gone, is_there.size());
        if (std::error_code ignored; !fs::exists(index(), ignored) && listed.empty()) return;
        std::vector<Listed> states;
        for (std::size_t i = 0; i < states_.size(); ++i)
            if (is_there[i]) states.push_back(states_[i]);
        // the list first: what it names is there at any moment
        if (!write_or_note(index(), [&] { write_atomically(index(), pvd_of(states)); })) return;
        try {
            remove_states(folder_, name_, listed);
        } catch (const fs::filesystem_error& error) {
            log::warning("{}: a state behind the checkpoint cannot be removed: {}",
                         error.path1().string(), error.code().message());
        }
    });
    comm_.sum(std::span(is_there));
    std::size_t i = 0;
    std::erase_if(states_, [&](const Listed&) { return is_there[i++] == 0; });
}

}  // namespace solenoid
