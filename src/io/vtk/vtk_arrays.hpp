// Arrays of VTK that read the solver's memory in place where they can.
#pragma once

#include <vtkDataSet.h>
#include <vtkIntArray.h>
#include <vtkSmartPointer.h>

#include <span>
#include <vector>

#include "io/files/output_field.hpp"

class vtkDataSetAttributes;

namespace solenoid {

// VTK takes pointers to mutable memory even where it only reads.
template <class T, class From>
T* borrow(const From* values) {
    static_assert(sizeof(T) == sizeof(From) || sizeof(From) % sizeof(T) == 0);
    return reinterpret_cast<T*>(const_cast<From*>(values));
}
constexpr int keep_memory = 1;

// entity_at: the entity of each of `count` values, none: the value is 0; empty: the value's own
// index. The fields must outlive the arrays, except those with entity_at. Throws ComputationError
// where a value is not finite.
void add_arrays(vtkDataSetAttributes& data, const std::vector<OutputField>& fields, Index count,
                std::span<const Index> entity_at = {});
vtkSmartPointer<vtkIntArray> constant_array(const char* name, int value, Index count);
// The name that ParaView expects.
void add_time(vtkDataSet& grid, double time);

}  // namespace solenoid
