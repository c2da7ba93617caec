#include "io/vtk/vtk_grid.hpp"

#include <fmt/core.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkSOADataArrayTemplate.h>
#include <vtkTypeInt32Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnsignedShortArray.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "io/vtk/vtk_files.hpp"

namespace solenoid {

namespace {

// VTK takes pointers to mutable memory even where it only reads.
template <class T, class From>
T* borrow(const From* values) {
    static_assert(sizeof(T) == sizeof(From) || sizeof(From) % sizeof(T) == 0);
    return reinterpret_cast<T*>(const_cast<From*>(values));
}
constexpr int keep_memory = 1;

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

vtkSmartPointer<vtkIntArray> constant(const char* name, int value, Index count) {
    auto array = vtkSmartPointer<vtkIntArray>::New();
    array->SetName(name);
    array->SetNumberOfValues(count);
    array->FillValue(value);
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

// entity_at: the entity of each value; empty: the value's own index.
template <class T>
vtkSmartPointer<vtkDataArray> array_of(const OutputField& field, std::span<const T> values,
                                       Index count, std::span<const Index> entity_at) {
    const std::size_t column = field.size();
    const Index entities =
        entity_at.empty() ? count : 1 + *std::max_element(entity_at.begin(), entity_at.end());
    if (column < entities)
        throw ComputationError(fmt::format("VTK output: {} has {} values for {} entities",
                                           field.name, column, entities));
    auto array = vtkSmartPointer<vtkSOADataArrayTemplate<T>>::New();
    array->SetName(field.name.c_str());
    array->SetNumberOfComponents(field.components);
    for (int k = 0; k < field.components; ++k) {
        const T* first = values.data() + k * column;
        for (Index i = 0; i < entities; ++i)
            if (!std::isfinite(first[i]))
                throw ComputationError(fmt::format("VTK output: {} is not finite", field.name));
        if (entity_at.empty()) array->SetArray(k, borrow<T>(first), count, true, keep_memory);
    }
    if (entity_at.empty()) return array;
    array->SetNumberOfTuples(count);
    for (int k = 0; k < field.components; ++k)
        for (Index i = 0; i < count; ++i)
            array->SetTypedComponent(i, k, values[k * column + entity_at[i]]);
    return array;
}

void add(vtkDataSetAttributes* data, const std::vector<OutputField>& fields, Index count,
         std::span<const Index> entity_at = {}) {
    for (const auto& field : fields)
        data->AddArray(std::visit(
            [&](auto values) { return array_of(field, values, count, entity_at); }, field.values));
}

}  // namespace

vtkSmartPointer<vtkUnstructuredGrid> vtk_grid(const WrittenPoints& written, int rank, double time,
                                              const std::vector<PointField>& point_fields,
                                              const std::vector<CellField>& cell_fields) {
    const Index cells = written.cells();
    auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
    grid->SetPoints(points_of(written));
    set_cells(*grid, written);

    vtkPointData* at_points = grid->GetPointData();
    at_points->SetGlobalIds(ids("GlobalPointIds", written.numbers(), written.count()));
    at_points->AddArray(duplicates(written));
    add(at_points, point_fields, written.count(), written.nodes());

    vtkCellData* at_cells = grid->GetCellData();
    at_cells->SetGlobalIds(ids("GlobalCellIds", written.cell_numbers(), cells));
    at_cells->AddArray(constant("rank", rank, cells));
    at_cells->AddArray(regions_of(written));
    add(at_cells, cell_fields, cells);

    vtkNew<vtkDoubleArray> time_value;  // the name that ParaView expects
    time_value->SetName("TimeValue");
    time_value->InsertNextValue(time);
    grid->GetFieldData()->AddArray(time_value);
    grid->GetFieldData()->AddArray(region_names(written.region_names()));
    return grid;
}

}  // namespace solenoid
