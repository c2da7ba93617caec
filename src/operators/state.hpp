// Registers what a class keeps on the entities of a domain, and plain values, in a registry
// (core/state_registry.hpp). Each class registers what it keeps, once; what every step computes
// anew, and what follows from other values, needs no entry.
//
// A saved state has values by the numbers of their entities in the whole mesh: any number of ranks
// can load it. Ghosts of fields are renewed when they are next read.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/state_values.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class State : public StateValues {
  public:
    // Both must outlive what is added.
    State(const Domain& domain, StateRegistry& registry);

    State part(const std::string& name) const { return of_part(*this, name); }
    State owned_by(const std::string& kind, const std::string& name) const {
        return of_owner(*this, kind, name);
    }
    State group(const std::string& name) const { return of_group(*this, name); }
    State off_stack() const { return beside_stack(*this); }

    // Of what is not always there: whether it is, what makes it so that its values can be set, and
    // what removes it. Alike on all ranks.
    struct Presence {
        std::function<bool()> is_there = nullptr;  // null: always
        std::function<void()> make = nullptr, remove = nullptr;
    };

    using StateValues::add;
    using StateValues::stack;
    // A field: the entities that ranks own. Entries behind the entities are on the stack alone.
    void add(const std::string& name, Field<Real>& field) const;
    // A field that may be empty. make: such a field, when it is not.
    void add(const std::string& name, Field<Real>& field, std::function<Field<Real>()> make) const;
    // A field of an object that is made when it is first needed, on the stack never. get: null
    // where there is none.
    void add(const std::string& name, std::function<Field<Real>*()> get,
             std::function<void()> make) const;
    // A buffer whose entries, a column, are those of the first entities of a kind held here.
    // Further ones are on the stack alone.
    void add(const std::string& name, Buffer<Real>& buffer, Kind kind,
             const Presence& presence = {}) const;
    // Numbers on the host, a column with an entry for each of some entities held here, ghosts
    // perhaps, or for each that this rank owns.
    void add(const std::string& name, std::vector<double>& values, Kind kind,
             const std::optional<std::vector<Index>>& entities = {}, int columns = 1) const;
    // Numbers that functions read and set, for each of some entities, or for each that this rank
    // owns; not on the stack.
    void add_list(const std::string& name, Kind kind,
                  const std::optional<std::vector<Index>>& entities,
                  std::function<std::vector<double>()> get,
                  std::function<void(std::vector<double>)> set, const Presence& presence) const;
    // A field or a buffer that is on the stack alone. One that is empty at take() is empty again
    // after restore().
    void stack(Field<Real>& field) const;
    void stack(Buffer<Real>& buffer) const;

  private:
    struct Numbers;
    template <class T>
    struct Access;
    static Access<Real> of_field(std::function<Field<Real>*()> get);
    static Access<Real> of_buffer(Buffer<Real>& buffer, Kind kind);
    template <class T>
    void add_array(const std::string& name, Access<T> access, const Presence& presence) const;
    template <class Array, class Copy>
    void add_stacked(Array& array, Copy copy) const;

    std::shared_ptr<Numbers> numbers_;
};

extern template class State<float>;
extern template class State<double>;

}  // namespace solenoid
