// Registers what a class keeps on the entities of a domain, and plain values, in a registry
// (core/state_registry.hpp). Each class registers what it keeps, once; what every step computes
// anew, and what follows from other values, needs no entry.
//
// A saved state has values by the numbers of their entities in the whole mesh: any number of ranks
// can load it. Ghosts of fields are renewed when they are next read.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/state_values.hpp"
#include "operators/domain.hpp"
#include "parallel/global_numbers.hpp"

namespace solenoid {

template <class Real>
class State : public StateValues {
  public:
    // Both must outlive what is added.
    State(const Domain& domain, StateRegistry& registry)
        : StateValues(registry), numbers_(std::make_shared<Numbers>(domain)) {}

    State part(const std::string& name) const { return of_part(*this, name); }
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
    void add(const std::string& name, Field<Real>& field) const {
        add_array<Real>(name, of_field([&field] { return &field; }), {});
        stack(field);
    }
    // A field that may be empty. make: such a field, when it is not.
    void add(const std::string& name, Field<Real>& field, std::function<Field<Real>()> make) const {
        add_array<Real>(name, of_field([&field] { return &field; }),
                        {[&field] { return bool(field); }, [&field, make] { field = make(); },
                         [&field] { field = {}; }});
        stack(field);
    }
    // A field of an object that is made when it is first needed, on the stack never. get: null
    // where there is none.
    void add(const std::string& name, std::function<Field<Real>*()> get,
             std::function<void()> make) const {
        add_array<Real>(name, of_field(get), {[get] { return get() != nullptr; }, make, [] {}});
    }
    // A buffer whose entries, a column, are those of the first entities of a kind held here.
    // Further ones are on the stack alone.
    void add(const std::string& name, Buffer<Real>& buffer, Kind kind,
             const Presence& presence = {}) const {
        add_array<Real>(name, of_buffer(buffer, kind, std::nullopt), presence);
        stack(buffer);
    }
    // A buffer with an entry, a column, for each of some entities held here, ghosts perhaps.
    void add(const std::string& name, Buffer<Real>& buffer, Kind kind,
             const std::vector<Index>& entities) const {
        add_array<Real>(name, of_buffer(buffer, kind, entities), {});
        stack(buffer);
    }
    // The same of numbers on the host, for each of some entities, or for each that this rank owns.
    void add(const std::string& name, std::vector<double>& values, Kind kind,
             const std::optional<std::vector<Index>>& entities = {}, int columns = 1) const {
        add_array<double>(
            name,
            {[kind] { return kind; }, [columns] { return columns; }, [&values] { return values; },
             [&values](std::vector<double> loaded) { values = std::move(loaded); }, entities},
            {});
        StateValues::stack(values);
    }
    // Numbers that functions read and set, for each of some entities, or for each that this rank
    // owns; not on the stack.
    void add_list(const std::string& name, Kind kind,
                  const std::optional<std::vector<Index>>& entities,
                  std::function<std::vector<double>()> get,
                  std::function<void(std::vector<double>)> set, const Presence& presence) const {
        add_array<double>(name, {[kind] { return kind; }, [] { return 1; }, get, set, entities},
                          presence);
    }
    // A field or a buffer that is on the stack alone. One that is empty at take() is empty again
    // after restore().
    void stack(Field<Real>& field) const {
        add_stacked(field, [numbers = numbers_](const Field<Real>& from, Field<Real>& to) {
            const Domain& domain = numbers->domain;
            if (!to)
                to = domain.field<Real>(from.kind(), from.columns(),
                                        from.size() - domain.range(from.kind()).all);
            to.copy(from);
        });
    }
    void stack(Buffer<Real>& buffer) const {
        add_stacked(buffer, [numbers = numbers_](const Buffer<Real>& from, Buffer<Real>& to) {
            Device& device = numbers->domain.device;
            if (to.size() != from.size() || to.columns() != from.columns())
                to = device.buffer<Real>(from.size(), from.columns());
            device.copy(from, to);
        });
    }

  private:
    // The numbers of a domain's entities, found when they are first asked for.
    struct Numbers {
        explicit Numbers(const Domain& domain) : domain(domain) {}
        const std::vector<GlobalIndex>& of(Kind kind) {
            std::optional<std::vector<GlobalIndex>>& numbers = of_kind[static_cast<int>(kind)];
            if (!numbers) numbers = global_numbers(domain.comm, domain.mesh, kind);
            return *numbers;
        }
        const Domain& domain;
        std::array<std::optional<std::vector<GlobalIndex>>, 4> of_kind;
    };
    // An array as the host sees it: column by column, the first entries of a column are those of
    // `entities`, or of the first entities of the kind.
    template <class T>
    struct Access {
        std::function<Kind()> kind;
        std::function<int()> columns;
        std::function<std::vector<T>()> get;
        std::function<void(std::vector<T>)> set;
        std::optional<std::vector<Index>> entities;
        bool is_of_owned = false;  // ghosts are not read
    };
    static Access<Real> of_field(std::function<Field<Real>*()> get) {
        return {[get] { return get()->kind(); },
                [get] { return get()->columns(); },
                [get] { return get()->download(); },
                [get](const std::vector<Real>& values) { get()->upload(values); },
                std::nullopt,
                true};
    }
    static Access<Real> of_buffer(Buffer<Real>& buffer, Kind kind,
                                  std::optional<std::vector<Index>> entities) {
        return {[kind] { return kind; }, [&buffer] { return buffer.columns(); },
                [&buffer] { return buffer.download(); },
                [&buffer](const std::vector<Real>& values) { buffer.upload(values); },
                std::move(entities)};
    }

    // The entries of a column that are saved, or read: of owned entities, or of all.
    template <class T>
    static std::vector<Index> positions(const Domain& domain, const Access<T>& array,
                                        std::size_t stride, bool are_owned) {
        const EntityRanges& range = domain.range(array.kind());
        const Index end = are_owned || array.is_of_owned ? range.owned : range.all;
        std::vector<Index> found;
        const std::size_t count =
            array.entities ? array.entities->size() : std::min<std::size_t>(stride, range.all);
        for (Index i = 0; i < count; ++i)
            if ((array.entities ? (*array.entities)[i] : i) < end) found.push_back(i);
        return found;
    }
    template <class T>
    void add_array(const std::string& name, Access<T> access, const Presence& presence) const {
        const auto array = std::make_shared<const Access<T>>(std::move(access));
        const Domain& domain = numbers_->domain;
        const auto shape = [array, name = prefix_ + name,
                            numbers = numbers_](const std::vector<Index>& positions) {
            constexpr StateArray::Of all[] = {StateArray::Of::nodes, StateArray::Of::edges,
                                              StateArray::Of::faces, StateArray::Of::cells};
            StateArray result{
                name, all[static_cast<int>(array->kind())], array->columns(), {}, std::vector<T>()};
            const std::vector<GlobalIndex>& number = numbers->of(array->kind());
            for (const Index i : positions)
                result.entity.push_back(number[array->entities ? (*array->entities)[i] : i]);
            return result;
        };
        const auto wanted = [=, &domain] {
            if (presence.is_there && !presence.is_there()) presence.make();
            const std::size_t stride = array->get().size() / array->columns();
            return shape(positions(domain, *array, stride, false));
        };
        const auto save = [=, &domain] {
            const std::vector<T> values = array->get();
            const std::size_t stride = values.size() / array->columns();
            const std::vector<Index> kept = positions(domain, *array, stride, true);
            StateArray result = shape(kept);
            auto& saved = std::get<std::vector<T>>(result.values);
            for (int j = 0; j < array->columns(); ++j)
                for (const Index i : kept) saved.push_back(values[j * stride + i]);
            return result;
        };
        const auto load = [=, &domain](const StateArray& loaded) {
            std::vector<T> values = array->get();
            const std::size_t stride = values.size() / array->columns();
            const std::vector<Index> read = positions(domain, *array, stride, false);
            const auto& from = std::get<std::vector<T>>(loaded.values);
            for (int j = 0; j < array->columns(); ++j)
                for (std::size_t k = 0; k < read.size(); ++k)
                    values[j * stride + read[k]] = from[j * read.size() + k];
            array->set(std::move(values));
        };
        registry_->add({prefix_ + name, wanted, save, load, presence.is_there, presence.remove});
    }
    template <class Array, class Copy>
    void add_stacked(Array& array, Copy copy) const {
        if (!is_stacked_) return;
        struct Kept {
            Array array;
            bool is_there = false;
        };
        auto kept = std::make_shared<std::vector<Kept>>();
        registry_->add(StateRegistry::Stacked{group_,
                                              [=, &array](std::size_t level) {
                                                  if (kept->size() <= level)
                                                      kept->resize(level + 1);
                                                  Kept& one = (*kept)[level];
                                                  one.is_there = bool(array);
                                                  if (one.is_there) copy(array, one.array);
                                              },
                                              [=, &array](std::size_t level) {
                                                  Kept& one = (*kept)[level];
                                                  if (one.is_there)
                                                      copy(one.array, array);
                                                  else if (array)
                                                      array = Array();
                                              },
                                              [=](std::size_t levels) {
                                                  if (kept->size() > levels) kept->resize(levels);
                                              }});
    }

    std::shared_ptr<Numbers> numbers_;
};

}  // namespace solenoid
