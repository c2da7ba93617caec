#include "io/vtk/read_state.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLPImageDataReader.h>
#include <vtkXMLPRectilinearGridReader.h>
#include <vtkXMLPStructuredGridReader.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUtilities.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "core/error.hpp"
#include "core/plain_text.hpp"
#include "io/files/regular_file.hpp"
#include "io/files/results.hpp"
#include "io/vtk/vtk_errors.hpp"
#include "parallel/topology.hpp"

namespace solenoid {
namespace {

// Whether a point or a cell of a structured grid is land.
bool is_hidden(vtkDataSetAttributes& data, vtkIdType at) {
    vtkDataArray* marks = data.GetArray(vtkDataSetAttributes::GhostArrayName());
    constexpr int hidden =
        int(vtkDataSetAttributes::HIDDENPOINT) | int(vtkDataSetAttributes::HIDDENCELL);
    return marks && (static_cast<int>(marks->GetComponent(at, 0)) & hidden) != 0;
}

// The places of the entities in ascending number, each number once. Those of a structured grid are
// counted row by row.
std::vector<vtkIdType> order_of(vtkDataSet& grid, bool of_cells, std::vector<GlobalIndex>& numbers,
                                const std::filesystem::path& file) {
    vtkDataSetAttributes& data = of_cells
                                     ? static_cast<vtkDataSetAttributes&>(*grid.GetCellData())
                                     : static_cast<vtkDataSetAttributes&>(*grid.GetPointData());
    if (!vtkUnstructuredGrid::SafeDownCast(&grid)) {
        std::vector<vtkIdType> order;
        const vtkIdType count = of_cells ? grid.GetNumberOfCells() : grid.GetNumberOfPoints();
        for (vtkIdType i = 0; i < count; ++i) {
            if (is_hidden(data, i)) continue;
            numbers.push_back(static_cast<GlobalIndex>(order.size()));
            order.push_back(i);
        }
        return order;
    }
    vtkDataArray* ids = data.GetGlobalIds();
    if (!ids) throw InputError(file.string(), "its points or cells have no global ids");
    const auto number = [&](vtkIdType i) {
        return static_cast<GlobalIndex>(ids->GetComponent(i, 0));
    };
    std::vector<vtkIdType> order(static_cast<std::size_t>(ids->GetNumberOfTuples()));
    std::iota(order.begin(), order.end(), vtkIdType{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](vtkIdType a, vtkIdType b) { return number(a) < number(b); });
    order.erase(std::unique(order.begin(), order.end(),
                            [&](vtkIdType a, vtkIdType b) { return number(a) == number(b); }),
                order.end());
    for (const vtkIdType i : order) numbers.push_back(number(i));
    return order;
}

ReadField field_of(vtkDataArray& array, const std::string& name, bool is_of_cells,
                   const std::vector<vtkIdType>& order) {
    ReadField field{name, is_of_cells, array.GetNumberOfComponents(), {}};
    field.values.reserve(order.size() * static_cast<std::size_t>(field.columns));
    for (int k = 0; k < field.columns; ++k)
        for (const vtkIdType i : order) field.values.push_back(array.GetComponent(i, k));
    return field;
}

void add_fields(vtkDataSetAttributes& data, bool is_of_cells, const std::vector<vtkIdType>& order,
                std::vector<ReadField>& fields) {
    static const std::set<std::string> no_fields{"vtkGhostType", "GlobalPointIds", "GlobalCellIds",
                                                 "rank"};
    for (int k = 0; k < data.GetNumberOfArrays(); ++k) {
        vtkDataArray* array = data.GetArray(k);
        if (!array || !array->GetName() || no_fields.count(array->GetName())) continue;
        fields.push_back(field_of(*array, array->GetName(), is_of_cells, order));
    }
}

vtkSmartPointer<vtkXMLPDataReader> reader_of(const std::filesystem::path& list) {
    const std::string end = list.extension().string();
    if (end == ".pvti") return vtkSmartPointer<vtkXMLPImageDataReader>::New();
    if (end == ".pvtr") return vtkSmartPointer<vtkXMLPRectilinearGridReader>::New();
    if (end == ".pvts") return vtkSmartPointer<vtkXMLPStructuredGridReader>::New();
    return vtkSmartPointer<vtkXMLPUnstructuredGridReader>::New();
}

// VTK opens whatever a list names.
void refuse_irregular_pieces(const std::filesystem::path& list, vtkXMLDataElement& element) {
    if (const char* piece = element.GetAttribute("Source"))
        refuse_irregular(list.parent_path() / piece);
    for (int k = 0; k < element.GetNumberOfNestedElements(); ++k)
        refuse_irregular_pieces(list, *element.GetNestedElement(k));
}

vtkSmartPointer<vtkXMLDataElement> element_in(const std::filesystem::path& file) {
    refuse_irregular(file);
    return vtkSmartPointer<vtkXMLDataElement>::Take(
        vtkXMLUtilities::ReadElementFromFile(file.c_str()));
}

vtkSmartPointer<vtkDataSet> read_pieces(const std::filesystem::path& list) {
    const VtkErrors errors;
    if (const auto element = element_in(list)) refuse_irregular_pieces(list, *element);
    const auto reader = reader_of(list);
    reader->SetFileName(list.c_str());
    if (!reader->CanReadFile(list.c_str()))
        throw InputError(list.string(), "no state for ParaView (.pvtu, .pvti, .pvtr or .pvts)");
    reader->Update();
    vtkSmartPointer<vtkDataSet> grid = vtkDataSet::SafeDownCast(reader->GetOutputDataObject(0));
    const auto* points = vtkPointSet::SafeDownCast(grid);
    if (errors.is_any() || reader->GetErrorCode() != 0 || !grid ||
        (points && !const_cast<vtkPointSet*>(points)->GetPoints()))
        throw InputError(list.string(),
                         "VTK cannot read it, or one of its pieces" +
                             (errors.text().empty() ? "" : ": " + without_controls(errors.text())));
    return grid;
}

std::optional<CellShape> shape_of(int type) {
    if (type == VTK_TRIANGLE) return CellShape::triangle;
    if (type == VTK_QUAD || type == VTK_PIXEL) return CellShape::quadrilateral;
    if (type == VTK_TETRA) return CellShape::tetrahedron;
    return {};
}

}  // namespace

ReadState read_state(const std::filesystem::path& list) {
    const auto grid = read_pieces(list);
    ReadState state;
    const auto points = order_of(*grid, false, state.points, list);
    const auto cells = order_of(*grid, true, state.cells, list);
    ReadField positions{"points", false, 3, {}};
    for (int k = 0; k < 3; ++k)
        for (const vtkIdType i : points) positions.values.push_back(grid->GetPoint(i)[k]);
    state.fields.push_back(std::move(positions));
    add_fields(*grid->GetPointData(), false, points, state.fields);
    add_fields(*grid->GetCellData(), true, cells, state.fields);
    return state;
}

ReadGrid read_grid(const std::filesystem::path& list) {
    const auto grid = read_pieces(list);
    ReadGrid read;
    if (vtkDataArray* time = grid->GetFieldData()->GetArray("TimeValue");
        time && time->GetNumberOfTuples() > 0)
        read.time = time->GetComponent(0, 0);
    const vtkIdType count = grid->GetNumberOfPoints();
    for (vtkIdType i = 0; i < count; ++i) {
        double x[3];
        grid->GetPoint(i, x);
        read.points.emplace_back(x[0], x[1], x[2]);
    }
    const vtkIdType cells = grid->GetNumberOfCells();
    std::vector<vtkIdType> shown;  // no land
    for (vtkIdType c = 0; c < cells; ++c)
        if (!is_hidden(*grid->GetCellData(), c)) shown.push_back(c);
    const std::optional<CellShape> first =
        shape_of(shown.empty() ? -1 : grid->GetCellType(shown.front()));
    if (!first) throw InputError(list.string(), "has no triangles, quadrilaterals or tets");
    read.dimension = dimension_of(*first);
    std::vector<vtkIdType> cell_of;  // of each simplex
    vtkNew<vtkIdList> corners;
    for (const vtkIdType c : shown) {
        grid->GetCellPoints(c, corners);
        const std::optional<CellShape> shape = shape_of(grid->GetCellType(c));
        bool is_one = shape && dimension_of(*shape) == read.dimension &&
                      corners->GetNumberOfIds() == corners_of(*shape);
        for (vtkIdType j = 0; is_one && j < corners->GetNumberOfIds(); ++j)
            is_one = corners->GetId(j) >= 0 && corners->GetId(j) < count;
        if (!is_one) throw InputError(list.string(), "has cells that solenoid does not write");
        if (grid->GetCellType(c) == VTK_PIXEL) {  // counts its corners row by row
            const vtkIdType third = corners->GetId(2);
            corners->SetId(2, corners->GetId(3));
            corners->SetId(3, third);
        }
        for (const auto& simplex : simplices_of(*shape)) {
            cell_of.push_back(c);
            for (int j = 0; j <= read.dimension; ++j)
                read.cell_points.push_back(static_cast<Index>(corners->GetId(simplex[j])));
        }
    }
    const auto all = [](vtkIdType count) {
        std::vector<vtkIdType> numbers(static_cast<std::size_t>(count));
        std::iota(numbers.begin(), numbers.end(), vtkIdType{0});
        return numbers;
    };
    add_fields(*grid->GetPointData(), false, all(count), read.fields);
    add_fields(*grid->GetCellData(), true, cell_of, read.fields);
    return read;
}

std::filesystem::path last_state_in(const std::filesystem::path& place) {
    namespace fs = std::filesystem;
    if (is_state_list(place.filename().string())) return place;
    std::error_code error;
    if (!fs::is_directory(place, error))
        throw InputError(place.string(),
                         "neither an output folder nor a state (.pvtu, .pvti, .pvtr, .pvts)");
    std::vector<fs::path> indices;
    for (const auto& entry : fs::directory_iterator(place, error))
        if (entry.path().extension() == ".pvd") indices.push_back(entry.path());
    if (indices.size() != 1)
        throw InputError(place.string(),
                         indices.empty()
                             ? "has no state: no .pvd file; the run there writes none with "
                               "output.vtk = false, or has not begun"
                             : "has several .pvd files: name the file of a state");
    const VtkErrors quiet;
    const auto file = element_in(indices.front());
    vtkXMLDataElement* list = file ? file->FindNestedElementWithName("Collection") : nullptr;
    const int states = list ? list->GetNumberOfNestedElements() : 0;
    const char* name =
        states > 0 ? list->GetNestedElement(states - 1)->GetAttribute("file") : nullptr;
    if (!name) throw InputError(indices.front().string(), "lists no state");
    return place / name;
}

}  // namespace solenoid
