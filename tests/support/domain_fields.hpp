// Fields on a domain, given entity by entity.
#pragma once

#include "operators/domain.hpp"
#include "support/fields.hpp"

namespace solenoid::test {

template <class Real>
Field<Real> field_of(const Domain& domain, Kind kind, int columns,
                     const std::function<double(Index, int)>& value) {
    auto field = domain.field<Real>(kind, columns);
    field.upload(field_of<Real>(domain.device, domain.mesh, kind, columns, value).download());
    return field;
}

// The same on owned entities only, ghosts and shared copies spoiled: an operator has to exchange
// them.
template <class Real>
Field<Real> owned_field_of(const Domain& domain, Kind kind, int columns,
                           const std::function<double(Index, int)>& value) {
    const Index owned = domain.range(kind).owned;
    return field_of<Real>(domain, kind, columns,
                          [&](Index i, int j) { return i < owned ? value(i, j) : 1e30; });
}

}  // namespace solenoid::test
