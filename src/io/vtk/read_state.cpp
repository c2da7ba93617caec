#include "io/vtk/read_state.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "core/error.hpp"

namespace solenoid {
namespace {

// VTK prints its errors of reading by itself.
class SilentVtk {
  public:
    SilentVtk() : displays_(vtkObject::GetGlobalWarningDisplay()) {
        vtkObject::SetGlobalWarningDisplay(0);
    }
    ~SilentVtk() { vtkObject::SetGlobalWarningDisplay(displays_); }
    SilentVtk(const SilentVtk&) = delete;

  private:
    const int displays_;
};

// The places of the entities in ascending number, each number once.
std::vector<vtkIdType> order_of(vtkDataSetAttributes& data, std::vector<GlobalIndex>& numbers,
                                const std::filesystem::path& file) {
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

}  // namespace

ReadState read_state(const std::filesystem::path& pvtu) {
    const SilentVtk silent;
    vtkNew<vtkXMLPUnstructuredGridReader> reader;
    reader->SetFileName(pvtu.c_str());
    if (!reader->CanReadFile(pvtu.c_str()))
        throw InputError(pvtu.string(), "no state for ParaView (.pvtu)");
    reader->Update();
    vtkUnstructuredGrid* grid = reader->GetOutput();
    if (reader->GetErrorCode() != 0 || !grid || !grid->GetPoints())
        throw InputError(pvtu.string(), "VTK cannot read it, or one of its pieces");
    ReadState state;
    const auto points = order_of(*grid->GetPointData(), state.points, pvtu);
    const auto cells = order_of(*grid->GetCellData(), state.cells, pvtu);
    state.fields.push_back(field_of(*grid->GetPoints()->GetData(), "points", false, points));
    add_fields(*grid->GetPointData(), false, points, state.fields);
    add_fields(*grid->GetCellData(), true, cells, state.fields);
    return state;
}

}  // namespace solenoid
