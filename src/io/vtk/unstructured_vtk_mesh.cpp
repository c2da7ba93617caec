// Pieces of cells of any shape: .vtu files, which read the solver's arrays in place.
#include <fmt/core.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkTypeInt32Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnsignedShortArray.h>
#include <vtkUnstructuredGrid.h>

#include <limits>

#include "core/error.hpp"
#include "io/vtk/vtk_arrays.hpp"
#include "io/vtk/vtk_files.hpp"
#include "io/vtk/vtk_mesh.hpp"
#include "io/vtk/written_points.hpp"

namespace solenoid {
namespace {

vtkSmartPointer<vtkPoints> points_of(const WrittenPoints& written) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    vtkNew<vtkDoubleArray> coordinates;
    coordinates->SetNumberOfComponents(3);
    coordinates->SetArray(borrow<double>(written.positions().data()),
                          vtkIdType(written.count()) * 3, keep_memory);
    auto points = vtkSmartPointer<vtkPoints>::New();
    points->SetData(coordinates);
    return points;
}

int type_of(CellShape shape) {
    constexpr int types[] = {VTK_TRIANGLE, VTK_QUAD, VTK_TETRA};
    return types[static_cast<int>(shape)];
}

// Connectivity with 32 bits, read in place, and the type of each cell.
void set_cells(vtkUnstructuredGrid& grid, const WrittenPoints& written) {
    const Index cells = written.cells();
    vtkNew<vtkUnsignedCharArray> types;
    types->SetNumberOfValues(cells);
    vtkNew<vtkTypeInt32Array> offsets;
    offsets->SetNumberOfValues(vtkIdType(cells) + 1);
    std::int64_t end = 0;
    for (Index c = 0; c < cells; ++c) {
        const CellShape shape = written.shape(c);
        types->SetValue(c, static_cast<unsigned char>(type_of(shape)));
        offsets->SetValue(c, static_cast<std::int32_t>(end));
        end += corners_of(shape);
        if (end > std::numeric_limits<std::int32_t>::max())
            throw ComputationError(fmt::format(
                "VTK output: {} cells on one rank are too many for 32-bit offsets: use more ranks",
                cells));
    }
    offsets->SetValue(cells, static_cast<std::int32_t>(end));
    vtkNew<vtkTypeInt32Array> connectivity;
    connectivity->SetArray(borrow<std::int32_t>(written.corners().data()), end, keep_memory);
    vtkNew<vtkCellArray> array;
    array->SetData(offsets, connectivity);
    grid.SetCells(types, array);
}

vtkSmartPointer<vtkIdTypeArray> ids(const char* name, std::span<const GlobalIndex> numbers,
                                    Index count) {
    static_assert(sizeof(vtkIdType) == sizeof(GlobalIndex));
    auto array = vtkSmartPointer<vtkIdTypeArray>::New();
    array->SetName(name);
    array->SetArray(borrow<vtkIdType>(numbers.data()), count, keep_memory);
    return array;
}

// Marks the nodes that the piece of another rank owns.
vtkSmartPointer<vtkUnsignedCharArray> duplicates(const WrittenPoints& written) {
    auto array = vtkSmartPointer<vtkUnsignedCharArray>::New();
    array->SetName(vtkDataSetAttributes::GhostArrayName());
    array->SetNumberOfValues(written.count());
    for (Index i = 0; i < written.count(); ++i)
        array->SetValue(i, written.is_own(i) ? 0 : vtkDataSetAttributes::DUPLICATEPOINT);
    return array;
}

vtkSmartPointer<vtkUnsignedShortArray> regions_of(const WrittenPoints& written) {
    auto array = vtkSmartPointer<vtkUnsignedShortArray>::New();
    array->SetName("region");
    array->SetArray(borrow<unsigned short>(written.regions().data()), written.cells(), keep_memory);
    return array;
}

// One tuple 0, 1, 2, ... whose components are named by the regions. Strings would confuse readers
// other than VTK.
vtkSmartPointer<vtkUnsignedShortArray> region_names(const std::vector<std::string>& regions) {
    auto array = vtkSmartPointer<vtkUnsignedShortArray>::New();
    array->SetName("regions");
    const auto count = static_cast<int>(regions.size());
    array->SetNumberOfComponents(count);
    array->SetNumberOfTuples(1);
    for (int i = 0; i < count; ++i) {
        array->SetValue(i, static_cast<unsigned short>(i));
        array->SetComponentName(i, xml_escaped(regions[i]).c_str());
    }
    return array;
}

class UnstructuredVtkMesh final : public VtkMesh {
  public:
    UnstructuredVtkMesh(const Communicator& comm, const Topology& topology)
        : rank_(comm.rank()), written_(topology, rank_) {}

    const char* suffix() const override { return "vtu"; }
    vtkSmartPointer<vtkDataSet> piece(double time, const std::vector<PointField>& point_fields,
                                      const std::vector<CellField>& cell_fields) const override {
        auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
        grid->SetPoints(points_of(written_));
        set_cells(*grid, written_);

        vtkPointData* at_points = grid->GetPointData();
        at_points->SetGlobalIds(ids("GlobalPointIds", written_.numbers(), written_.count()));
        at_points->AddArray(duplicates(written_));
        add_arrays(*at_points, point_fields, written_.count(), written_.nodes());

        const Index cells = written_.cells();
        vtkCellData* at_cells = grid->GetCellData();
        at_cells->SetGlobalIds(ids("GlobalCellIds", written_.cell_numbers(), cells));
        at_cells->AddArray(constant_array("rank", rank_, cells));
        at_cells->AddArray(regions_of(written_));
        add_arrays(*at_cells, cell_fields, cells);

        add_time(*grid, time);
        grid->GetFieldData()->AddArray(region_names(written_.region_names()));
        return grid;
    }
    std::string list(vtkDataSet& piece, const std::vector<std::string>& names) const override {
        return pvtu_text(*vtkUnstructuredGrid::SafeDownCast(&piece), names);
    }

  private:
    const int rank_;
    const WrittenPoints written_;
};

}  // namespace

std::unique_ptr<const VtkMesh> unstructured_vtk_mesh(const Communicator& comm,
                                                     const Topology& topology) {
    return std::make_unique<UnstructuredVtkMesh>(comm, topology);
}

}  // namespace solenoid
