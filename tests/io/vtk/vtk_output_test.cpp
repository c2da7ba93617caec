// States read back through VTK's own readers: every cell once, every value in its place, on any
// number of ranks.
#include "io/vtk/vtk_output.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkTetra.h>
#include <vtkTriangle.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>
#include <vtkXMLUtilities.h>

#include <cmath>
#include <csignal>
#include <set>

#include "core/error.hpp"
#include "io/files/output_folder.hpp"
#include "io/vtk/read_state.hpp"
#include "mesh/box.hpp"
#include "parallel/simplex_topology.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/failing_calls.hpp"
#include "support/saved_states.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::vtk_output_test {
namespace {

namespace fs = std::filesystem;

DistributedMesh box(const Communicator& comm, int dimension, std::size_t cells = 3000) {
    std::optional<SimplexMesh> mesh;
    if (comm.is_root()) {
        mesh = box_mesh({.dimension = dimension,
                         .cells = cells,
                         .low = {0, 0, 0},
                         .high = {2, 1, dimension - 2}});
        mesh->regions = {"left & \"warm\"", "Kühlkörper"};
        for (std::size_t c = 0; c < mesh->cell_count(); ++c)
            mesh->cell_region[c] = mesh->points[mesh->cell(c)[0]].x > 1;
    }
    return distribute(comm, std::move(mesh));
}

double temperature(const Vec3& p) { return 300 + p.x - 2 * p.y + 3 * p.z; }

struct Fields {
    std::vector<double> temperature;
    std::vector<float> position;  // three columns
    std::vector<double> number;   // of the cell

    explicit Fields(const Mesh& mesh) : position(3 * mesh.points.size()) {
        for (const Vec3& p : mesh.points) temperature.push_back(vtk_output_test::temperature(p));
        for (int k = 0; k < 3; ++k)
            for (Index i = 0; i < mesh.nodes(); ++i)
                position[k * mesh.nodes() + i] = static_cast<float>(mesh.points[i][k]);
        for (const GlobalIndex c : mesh.cell_number) number.push_back(double(c) / 3);
    }
    std::vector<PointField> points() const {
        return {{"temperature", std::span(temperature)}, {"position", std::span(position), 3}};
    }
    std::vector<CellField> cells() const { return {{"number", std::span(number)}}; }
};

vtkSmartPointer<vtkUnstructuredGrid> read_all(const fs::path& pvtu) {
    vtkNew<vtkXMLPUnstructuredGridReader> reader;
    EXPECT_TRUE(reader->CanReadFile(pvtu.c_str()));
    reader->SetFileName(pvtu.c_str());
    reader->Update();
    EXPECT_EQ(reader->GetErrorCode(), 0u);
    return reader->GetOutput();
}

vtkSmartPointer<vtkUnstructuredGrid> read_piece(const fs::path& vtu) {
    vtkNew<vtkXMLUnstructuredGridReader> reader;
    reader->SetFileName(vtu.c_str());
    reader->Update();
    EXPECT_EQ(reader->GetErrorCode(), 0u);
    return reader->GetOutput();
}

double signed_volume(vtkCell* cell) {
    double p[4][3];
    for (vtkIdType j = 0; j < cell->GetNumberOfPoints(); ++j) cell->GetPoints()->GetPoint(j, p[j]);
    if (cell->GetCellType() == VTK_TETRA) return vtkTetra::ComputeVolume(p[0], p[1], p[2], p[3]);
    return vtkTriangle::TriangleArea(p[0], p[1], p[2]);
}

std::vector<std::pair<std::string, std::string>> states_in(const fs::path& pvd) {
    const auto file =
        vtkSmartPointer<vtkXMLDataElement>::Take(vtkXMLUtilities::ReadElementFromFile(pvd.c_str()));
    std::vector<std::pair<std::string, std::string>> states;
    if (!file || std::string(file->GetAttribute("type")) != "Collection") return states;
    vtkXMLDataElement* list = file->FindNestedElementWithName("Collection");
    for (int i = 0; i < list->GetNumberOfNestedElements(); ++i)
        states.emplace_back(list->GetNestedElement(i)->GetAttribute("timestep"),
                            list->GetNestedElement(i)->GetAttribute("file"));
    return states;
}

std::vector<std::string> files_in(const fs::path& folder) {
    std::vector<std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        files.push_back(fs::relative(entry.path(), folder).string());
    std::ranges::sort(files);
    return files;
}

class VtkOutputTest : public testing::TestWithParam<int> {
  protected:
    Communicator comm = Communicator::world();
    ScratchFolder scratch{comm};
    DistributedMesh distributed = box(comm, GetParam());
    SimplexTopology topology{distributed};
    Fields fields{distributed.mesh};

    std::int64_t count(Kind kind) const { return distributed.global_count[static_cast<int>(kind)]; }
    void write(double time, std::int64_t step) {
        VtkOutput output(comm, topology, scratch.path(), "case");
        EXPECT_EQ(output.write(time, step, fields.points(), fields.cells()), "");
    }
};
INSTANTIATE_TEST_SUITE_P(Dimensions, VtkOutputTest, testing::Values(2, 3));

TEST_P(VtkOutputTest, EveryCellAppearsOnce) {
    write(0, 0);
    if (!comm.is_root()) return;
    const auto grid = read_all(scratch / "case_000000.pvtu");
    ASSERT_EQ(grid->GetNumberOfCells(), count(Kind::cell));
    ASSERT_TRUE(grid->GetCellData()->GetGlobalIds());
    std::set<double> ids;
    double volume = 0;
    vtkDataArray* number = grid->GetCellData()->GetArray("number");
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
        EXPECT_EQ(grid->GetCellType(c), GetParam() == 2 ? VTK_TRIANGLE : VTK_TETRA);
        const double id = grid->GetCellData()->GetGlobalIds()->GetTuple1(c);
        ids.insert(id);
        EXPECT_EQ(number->GetTuple1(c), id / 3);
        EXPECT_GT(signed_volume(grid->GetCell(c)), 0);
        volume += signed_volume(grid->GetCell(c));
    }
    EXPECT_EQ(std::int64_t(ids.size()), count(Kind::cell));
    EXPECT_NEAR(volume, 2, 1e-12);
}

TEST_P(VtkOutputTest, PointsCarryTheirValuesAndDuplicatesAreMarked) {
    write(0, 0);
    if (!comm.is_root()) return;
    const auto grid = read_all(scratch / "case_000000.pvtu");
    vtkPointData* data = grid->GetPointData();
    ASSERT_TRUE(data->GetGlobalIds());
    vtkDataArray* ghost = data->GetArray("vtkGhostType");
    ASSERT_TRUE(ghost);
    EXPECT_EQ(ghost->GetDataType(), VTK_UNSIGNED_CHAR);
    EXPECT_EQ(data->GetArray("temperature")->GetDataType(), VTK_DOUBLE);
    EXPECT_EQ(data->GetArray("position")->GetDataType(), VTK_FLOAT);
    std::set<double> owned_range, all;
    vtkIdType duplicates = 0;
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
        double p[3];
        grid->GetPoint(i, p);
        EXPECT_EQ(data->GetArray("temperature")->GetTuple1(i), temperature({p[0], p[1], p[2]}));
        for (int k = 0; k < 3; ++k)
            EXPECT_EQ(data->GetArray("position")->GetComponent(i, k), float(p[k]));
        const double id = data->GetGlobalIds()->GetTuple1(i);
        all.insert(id);
        if (ghost->GetTuple1(i) == 0) {
            EXPECT_TRUE(owned_range.insert(id).second);
        } else {
            EXPECT_EQ(ghost->GetTuple1(i), vtkDataSetAttributes::DUPLICATEPOINT);
            ++duplicates;
        }
    }
    EXPECT_EQ(std::int64_t(owned_range.size()), count(Kind::node));
    EXPECT_EQ(owned_range, all);
    EXPECT_EQ(duplicates > 0, comm.size() > 1);
}

TEST_P(VtkOutputTest, EachRankWritesItsPiece) {
    write(0.25, 12);
    if (!comm.is_root()) return;
    vtkIdType cells = 0;
    for (int rank = 0; rank < comm.size(); ++rank) {
        const auto piece =
            read_piece(scratch / ("case_000012/case_000012_" + std::to_string(rank) + ".vtu"));
        cells += piece->GetNumberOfCells();
        vtkDataArray* ranks = piece->GetCellData()->GetArray("rank");
        ASSERT_TRUE(ranks);
        EXPECT_EQ(ranks->GetRange()[0], rank);
        EXPECT_EQ(ranks->GetRange()[1], rank);
        EXPECT_EQ(piece->GetFieldData()->GetArray("TimeValue")->GetTuple1(0), 0.25);
    }
    EXPECT_EQ(cells, count(Kind::cell));
}

// Of all ranks, at each of which it may end or be gone.
TEST_P(VtkOutputTest, APieceThatIsNotWholeIsRefusedWithVtksReason) {
    write(0, 0);
    if (!comm.is_root()) return;
    const fs::path list = scratch / "case_000000.pvtu";
    EXPECT_EQ(std::int64_t(read_state(list).cells.size()), count(Kind::cell));
    const auto refusal = [&] {
        testing::internal::CaptureStderr();
        std::string message;
        try {
            read_state(list);
        } catch (const InputError& error) {
            message = error.what();
        }
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
        return message;
    };
    for (int rank = 0; rank < comm.size(); ++rank) {
        const fs::path piece =
            scratch / ("case_000000/case_000000_" + std::to_string(rank) + ".vtu");
        const fs::path kept = scratch / "kept.vtu";
        fs::rename(piece, kept);
        EXPECT_TRUE(refusal().find("one of its pieces: ") != std::string::npos) << refusal();
        for (const int part : {1, 2, 3}) {
            fs::copy_file(kept, piece, fs::copy_options::overwrite_existing);
            fs::resize_file(piece, fs::file_size(kept) / 4 * part);
            EXPECT_TRUE(refusal().starts_with(list.string() + ": VTK cannot read it")) << part;
        }
        fs::rename(kept, piece);
    }
}

TEST_P(VtkOutputTest, RegionsAndTheirNames) {
    write(0, 0);
    if (!comm.is_root()) return;
    const auto grid = read_all(scratch / "case_000000.pvtu");
    vtkDataArray* names = grid->GetFieldData()->GetArray("regions");
    ASSERT_TRUE(names);
    ASSERT_EQ(names->GetNumberOfComponents(), 2);
    EXPECT_STREQ(names->GetComponentName(0), "left & \"warm\"");
    EXPECT_STREQ(names->GetComponentName(1), "Kühlkörper");
    vtkDataArray* region = grid->GetCellData()->GetArray("region");
    for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
        double bounds[6];
        grid->GetCellBounds(c, bounds);
        if (bounds[0] < 1 && bounds[1] > 1) continue;
        EXPECT_EQ(region->GetTuple1(c), bounds[0] >= 1);
    }
}

TEST_P(VtkOutputTest, TheCollectionListsTheTimesAfterEachState) {
    VtkOutput output(comm, topology, scratch.path(), "case");
    using States = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(output.write(0, 0, fields.points()), "");
    EXPECT_EQ(states_in(scratch / "case.pvd"), (States{{"0", "case_000000.pvtu"}}));
    comm.barrier();
    EXPECT_EQ(output.write(0.1, 7, fields.points()), "");
    EXPECT_EQ(output.write(0.1, 7, fields.points()), "");  // again: replaced
    EXPECT_EQ(output.write(1e-9 / 3 + 1, 1234567, fields.points()), "");
    if (!comm.is_root()) return;
    const auto states = states_in(scratch / "case.pvd");
    ASSERT_EQ(states.size(), 3u);
    EXPECT_EQ(states[1], (std::pair<std::string, std::string>{"0.1", "case_000007.pvtu"}));
    EXPECT_EQ(std::stod(states[2].first), 1e-9 / 3 + 1);
    for (const auto& [time, file] : states)
        EXPECT_EQ(read_all(scratch / file)->GetNumberOfCells(), count(Kind::cell));
    for (const auto& file : files_in(scratch.path()))
        EXPECT_EQ(file.find(".part"), file.npos) << file;
}

// A run that is continued lists what another one lists that was not broken off.
TEST_P(VtkOutputTest, TheCollectionIsContinuedByteForByte) {
    const ScratchFolder other(comm);
    const auto written = [&](VtkOutput& output, std::int64_t step) {
        EXPECT_EQ(output.write(0.1 * double(step), step, fields.points(), fields.cells()), "");
    };
    const auto registered = [](VtkOutput& output) {
        auto registry = std::make_unique<StateRegistry>();
        output.register_state(StateValues(*registry).part("vtk"));
        return registry;
    };
    VtkOutput on(comm, topology, other.path(), "case");
    for (const std::int64_t step : {0, 3, 6, 9}) written(on, step);

    VtkOutput first(comm, topology, scratch.path(), "case");
    const auto of_first = registered(first);
    for (const std::int64_t step : {0, 3}) written(first, step);
    const test::SavedState saved(comm, of_first->save());
    for (const std::int64_t step : {4, 5}) written(first, step);  // lost
    const auto read = [&](const StateArray& one) { return saved.read(one); };
    {
        VtkOutput second(comm, topology, scratch.path(), "case");
        registered(second)->load(saved.names(), read);
        EXPECT_EQ(states_in(scratch / "case.pvd").size(), 4u);  // until it goes on
        comm.barrier();
        // the states that a list names stay while it cannot be replaced
        fail_call("rename", 1, (scratch / "case.pvd").c_str(), 1);
        second.resume();
        fail_call("", 0, "", 0);
        comm.barrier();
        const auto listed = states_in(scratch / "case.pvd");
        EXPECT_EQ(listed.size(), 4u);
        for (const auto& [time, state] : listed) EXPECT_TRUE(fs::exists(scratch / state)) << state;
        comm.barrier();
        second.resume();
        comm.barrier();
        EXPECT_EQ(states_in(scratch / "case.pvd").size(), 2u);
        EXPECT_FALSE(fs::exists(scratch / "case_000004.pvtu"));
        EXPECT_FALSE(fs::exists(scratch / "case_000005"));
        comm.barrier();
        for (const std::int64_t step : {6, 9}) written(second, step);
    }
    comm.barrier();
    EXPECT_EQ(files_in(scratch.path()), files_in(other.path()));
    EXPECT_EQ(text_of(scratch / "case.pvd"), text_of(other / "case.pvd"));
    comm.barrier();

    // a state that somebody has removed is not listed any more
    if (comm.is_root()) fs::remove(scratch / "case_000000.pvtu");
    comm.barrier();
    VtkOutput third(comm, topology, scratch.path(), "case");
    registered(third)->load(saved.names(), read);
    third.resume();
    written(third, 4);
    comm.barrier();
    const auto states = states_in(scratch / "case.pvd");
    ASSERT_EQ(states.size(), 2u);
    EXPECT_EQ(states[0].second, "case_000003.pvtu");
    EXPECT_EQ(states[1].second, "case_000004.pvtu");
}

TEST_P(VtkOutputTest, NamesWithDotsAndAmpersands) {
    VtkOutput output(comm, topology, scratch.path(), "a.b & c");
    EXPECT_EQ(output.write(0, 0, fields.points()), "");
    if (!comm.is_root()) return;
    const auto states = states_in(scratch / "a.b & c.pvd");
    ASSERT_EQ(states.size(), 1u);
    EXPECT_EQ(read_all(scratch / states[0].second)->GetNumberOfCells(), count(Kind::cell));
}

TEST_P(VtkOutputTest, ValuesThatAreNotFiniteAreAnErrorOnEveryRank) {
    VtkOutput output(comm, topology, scratch.path(), "case");
    EXPECT_EQ(output.write(0, 0, fields.points()), "");
    const auto before = files_in(scratch.path());
    comm.barrier();
    if (comm.rank() == comm.size() - 1) fields.temperature[0] = std::nan("");
    EXPECT_THROW((void)output.write(1, 1, fields.points()), Error);
    comm.barrier();
    EXPECT_EQ(files_in(scratch.path()), before);
}

// A limit on the size of files stands in for a full disk.
class SmallDisk {
  public:
    explicit SmallDisk(rlim_t bytes) {
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }
    ~SmallDisk() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

  private:
    rlimit before_;
    void (*handler_)(int);
};

TEST(VtkOutput, AFullDiskLeavesTheLastState) {
    if (!Communicator::world().is_root()) return;
    const auto self = Communicator::self();
    const ScratchFolder scratch(self);
    const DistributedMesh distributed = box(self, 3);
    const SimplexTopology topology(distributed);
    const Fields fields(distributed.mesh);
    VtkOutput output(self, topology, scratch.path(), "case");
    EXPECT_EQ(output.write(0, 0, fields.points()), "");
    const auto before = files_in(scratch.path());
    const auto size = fs::file_size(scratch / "case_000000/case_000000_0.vtu");
    for (const auto bytes : {std::uintmax_t(0), std::uintmax_t(100), size / 2, size - 1}) {
        {
            const SmallDisk disk(bytes);
            const std::string failure = output.write(1, 1, fields.points());
            EXPECT_NE(failure.find("File too large"), std::string::npos) << bytes << failure;
        }
        EXPECT_EQ(files_in(scratch.path()), before);
        EXPECT_EQ(states_in(scratch / "case.pvd").size(), 1u);
        EXPECT_EQ(read_all(scratch / "case_000000.pvtu")->GetNumberOfCells(),
                  distributed.mesh.cells());
    }
    EXPECT_EQ(output.write(1, 1, fields.points()), "");
    EXPECT_EQ(states_in(scratch / "case.pvd").size(), 2u);
}

TEST(VtkOutput, ACollectionThatCannotBeWrittenStaysAsItWas) {
    if (!Communicator::world().is_root()) return;
    const auto self = Communicator::self();
    const ScratchFolder scratch(self);
    const DistributedMesh distributed = box(self, 2);
    const SimplexTopology topology(distributed);
    const Fields fields(distributed.mesh);
    VtkOutput output(self, topology, scratch.path(), "case");
    EXPECT_EQ(output.write(0, 0, fields.points()), "");
    fs::create_directories(scratch / "case.pvd.part/in the way");
    EXPECT_NE(output.write(1, 1, fields.points()), "");
    EXPECT_EQ(states_in(scratch / "case.pvd").size(), 1u);
    EXPECT_FALSE(fs::exists(scratch / "case_000001"));
    fs::remove_all(scratch / "case.pvd.part");
    EXPECT_EQ(output.write(2, 2, fields.points()), "");
    EXPECT_EQ(states_in(scratch / "case.pvd").size(), 2u);
}

// Each call of the system fails once, and for good, on each rank: all ranks know it, the
// collection names whole states only, and the next write goes well.
class FailingCalls : public testing::TestWithParam<std::string> {};

TEST_P(FailingCalls, LeaveACollectionOfWholeStates) {
    const auto comm = Communicator::world();
    const DistributedMesh distributed = box(comm, 2, 100);
    const SimplexTopology topology(distributed);
    const Fields fields(distributed.mesh);
    const std::string& call = GetParam();
    int failures = 0;
    for (int rank = 0; rank < comm.size(); rank += std::max(1, comm.size() - 1))
        for (const int always : {0, 1}) {
            bool fails = true;
            // hundreds of writes make a piece
            for (int at = 1; fails; at += call == "write" ? at : 1) {
                const ScratchFolder scratch(comm);
                VtkOutput output(comm, topology, scratch.path(), "case");
                EXPECT_EQ(output.write(0, 0, fields.points()), "");
                if (comm.rank() == rank)
                    fail_call(call.c_str(), at, scratch.path().c_str(), always);
                const std::string failure = output.write(1, 1, fields.points());
                fails = comm.any(comm.rank() == rank && failed_calls() > 0);
                fail_call("", 0, "", 0);
                comm.barrier();
                const auto states = states_in(scratch / "case.pvd");
                EXPECT_GE(states.size(), failure.empty() ? 2u : 1u) << call << " " << at;
                for (const auto& [time, file] : states)
                    EXPECT_EQ(read_all(scratch / file)->GetNumberOfCells(),
                              distributed.global_count[3])
                        << call << " " << at;
                failures += !failure.empty();
                comm.barrier();
                EXPECT_EQ(output.write(1, 1, fields.points()), "");
                EXPECT_EQ(states_in(scratch / "case.pvd").size(), 2u);
                comm.barrier();
            }
        }
    EXPECT_GE(failures, 2) << "this tests little";
}
INSTANTIATE_TEST_SUITE_P(Each, FailingCalls,
                         testing::Values("open", "write", "fsync", "close", "rename"),
                         [](const auto& info) { return info.param; });

// Without memory to compress in, VTK itself would crash.
TEST(VtkOutput, MemoryThatDoesNotSufficeIsAnErrorOnEveryRank) {
    const auto comm = Communicator::world();
    const ScratchFolder scratch(comm);
    const DistributedMesh distributed = box(comm, 2, 100);
    const SimplexTopology topology(distributed);
    const Fields fields(distributed.mesh);
    VtkOutput output(comm, topology, scratch.path(), "case");
    EXPECT_EQ(output.write(0, 0, fields.points()), "");
    for (const int rank : {0, comm.size() - 1})
        for (const int at : {1, 5}) {
            if (comm.rank() == rank) fail_call("compress", at, "memory", 0);
            std::string message;
            try {
                EXPECT_EQ(output.write(1, 1, fields.points()), "");
            } catch (const AgreedError& error) {
                message = error.what();
                EXPECT_EQ(error.exit_code(), 1);
            }
            fail_call("", 0, "", 0);
            EXPECT_NE(message.find("not enough memory"), std::string::npos) << message;
            comm.barrier();
            EXPECT_EQ(states_in(scratch / "case.pvd").size(), 1u);
            EXPECT_FALSE(fs::exists(scratch / "case_000001"));
            comm.barrier();
        }
    EXPECT_EQ(output.write(1, 1, fields.points()), "");
    EXPECT_EQ(read_all(scratch / "case_000001.pvtu")->GetNumberOfCells(),
              distributed.global_count[3]);
}

TEST(OutputFolder, AFolderThatCannotBeMadeIsAnInputError) {
    const auto comm = Communicator::world();
    const ScratchFolder scratch(comm);
    if (comm.is_root()) std::ofstream(scratch / "file") << "x";
    comm.barrier();
    for (const auto& path : {scratch / "file", scratch / "file/out", fs::path("/proc/solenoid")}) {
        try {
            OutputFolder folder(comm, path, "case", EarlierResults::refuse);
            FAIL() << path;
        } catch (const Error& error) {
            EXPECT_EQ(error.exit_code(), 2);
            EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos)
                << error.what();
            EXPECT_NE(std::string(error.what()).find("--output"), std::string::npos);
        }
    }
}

}  // namespace
}  // namespace solenoid::vtk_output_test
