#include "io/vtk/vtk_arrays.hpp"

#include <fmt/core.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkNew.h>
#include <vtkSOADataArrayTemplate.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace solenoid {
namespace {

template <class T>
vtkSmartPointer<vtkDataArray> array_of(const OutputField& field, std::span<const T> values,
                                       Index count, std::span<const Index> entity_at) {
    const std::size_t column = field.size();
    Index entities = entity_at.empty() ? count : 0;
    for (const Index i : entity_at)
        if (i != none) entities = std::max(entities, i + 1);
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
            array->SetTypedComponent(
                i, k, entity_at[i] == none ? T(0) : values[k * column + entity_at[i]]);
    return array;
}

}  // namespace

void add_arrays(vtkDataSetAttributes& data, const std::vector<OutputField>& fields, Index count,
                std::span<const Index> entity_at) {
    for (const auto& field : fields)
        data.AddArray(std::visit(
            [&](auto values) { return array_of(field, values, count, entity_at); }, field.values));
}

vtkSmartPointer<vtkIntArray> constant_array(const char* name, int value, Index count) {
    auto array = vtkSmartPointer<vtkIntArray>::New();
    array->SetName(name);
    array->SetNumberOfValues(count);
    array->FillValue(value);
    return array;
}

void add_time(vtkDataSet& grid, double time) {
    vtkNew<vtkDoubleArray> value;
    value->SetName("TimeValue");
    value->InsertNextValue(time);
    grid.GetFieldData()->AddArray(value);
}

}  // namespace solenoid
