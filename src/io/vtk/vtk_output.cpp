#include "io/vtk/vtk_output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/vtk/vtk_files.hpp"
#include "io/vtk/vtk_grid.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

std::string piece_name(const std::string& state, int rank) {
    return fmt::format("{0}/{0}_{1}.vtu", state, rank);
}

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
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {}) == text;
}

}  // namespace

VtkOutput::VtkOutput(const Communicator& comm, const DistributedMesh& distributed, fs::path folder,
                     std::string name)
    : comm_(comm),
      distributed_(distributed),
      points_(distributed, comm.rank()),
      folder_(std::move(folder)),
      name_(std::move(name)) {}

fs::path VtkOutput::file_of(std::int64_t step) const {
    return folder_ / fmt::format("{}_{:06}.pvtu", name_, step);
}

std::string VtkOutput::write(double time, std::int64_t step,
                             const std::vector<PointField>& point_fields,
                             const std::vector<CellField>& cell_fields) {
    const std::string state = file_of(step).stem().string();
    const fs::path piece = folder_ / piece_name(state, comm_.rank());
    // Removes what there is of a state that is not listed.
    const auto remove_rest = [&] {
        discard_part(piece);
        std::error_code ignored;
        if (state != last_) fs::remove(piece, ignored);
        if (state != last_ && comm_.is_root()) fs::remove(file_of(step), ignored);
        std::error_code not_empty;
        fs::remove(piece.parent_path(), not_empty);
    };
    std::string failure;
    try {
        vtkSmartPointer<vtkUnstructuredGrid> grid;
        failure = agreed_failure(comm_, [&] {
            grid = vtk_grid(distributed_, points_, comm_.rank(), time, point_fields, cell_fields);
            make_folder(piece.parent_path());
            write_vtu_part(*grid, piece);
        });
        if (failure.empty()) failure = agreed_failure(comm_, [&] { publish_part(piece); });
        if (failure.empty())
            failure = agreed_failure(comm_, [&] {
                if (!comm_.is_root()) return;
                flush_folder(piece.parent_path());
                list(*grid, time, state);
            });
    } catch (...) {
        remove_rest();
        throw;
    }
    const bool is_listed =
        failure.empty() ||
        comm_.any(!states_.empty() && states_.back().second == file_of(step).filename());
    if (is_listed)
        last_ = state;
    else
        remove_rest();
    return failure;
}

void VtkOutput::list(vtkUnstructuredGrid& grid, double time, const std::string& state) {
    std::vector<std::string> pieces;
    for (int rank = 0; rank < comm_.size(); ++rank) pieces.push_back(piece_name(state, rank));
    const std::string file = state + ".pvtu";
    write_atomically(folder_ / file, pvtu_text(grid, pieces));

    auto states = states_;
    std::erase_if(states, [&](const auto& other) { return other.second == file; });
    states.emplace_back(time, file);
    const fs::path index = folder_ / (name_ + ".pvd");
    const std::string text = pvd_text(states);
    try {
        write_atomically(index, text);
    } catch (const WriteError&) {
        // listed all the same, where only the folder cannot be flushed
        if (holds(index, text)) states_ = std::move(states);
        throw;
    }
    states_ = std::move(states);
}

}  // namespace solenoid
