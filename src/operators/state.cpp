#include "operators/state.hpp"

#include <algorithm>
#include <utility>

#include "parallel/global_numbers.hpp"

namespace solenoid {

// The numbers of a domain's entities, found when they are first asked for.
template <class Real>
struct State<Real>::Numbers {
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
template <class Real>
template <class T>
struct State<Real>::Access {
    std::function<Kind()> kind;
    std::function<int()> columns;
    std::function<std::vector<T>()> get;
    std::function<void(std::vector<T>)> set;
    std::optional<std::vector<Index>> entities;
    bool is_of_owned = false;  // ghosts are not read

    // The entries of a column that are saved, or read: of owned entities, or of all.
    std::vector<Index> positions(const Domain& domain, std::size_t stride, bool are_owned) const {
        const EntityRanges& range = domain.range(kind());
        const Index end = are_owned || is_of_owned ? range.owned : range.all;
        std::vector<Index> found;
        const std::size_t count =
            entities ? entities->size() : std::min<std::size_t>(stride, range.all);
        for (Index i = 0; i < count; ++i)
            if ((entities ? (*entities)[i] : i) < end) found.push_back(i);
        return found;
    }
};

template <class Real>
State<Real>::State(const Domain& domain, StateRegistry& registry)
    : StateValues(registry), numbers_(std::make_shared<Numbers>(domain)) {}

template <class Real>
auto State<Real>::of_field(std::function<Field<Real>*()> get) -> Access<Real> {
    return {[get] { return get()->kind(); },
            [get] { return get()->columns(); },
            [get] { return get()->download(); },
            [get](const std::vector<Real>& values) { get()->upload(values); },
            std::nullopt,
            true};
}

template <class Real>
auto State<Real>::of_buffer(Buffer<Real>& buffer, Kind kind) -> Access<Real> {
    return {[kind] { return kind; }, [&buffer] { return buffer.columns(); },
            [&buffer] { return buffer.download(); },
            [&buffer](const std::vector<Real>& values) { buffer.upload(values); }, std::nullopt};
}

template <class Real>
template <class T>
void State<Real>::add_array(const std::string& name, Access<T> access,
                            const Presence& presence) const {
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
        return shape(array->positions(domain, stride, false));
    };
    const auto save = [=, &domain] {
        const std::vector<T> values = array->get();
        const std::size_t stride = values.size() / array->columns();
        const std::vector<Index> kept = array->positions(domain, stride, true);
        StateArray result = shape(kept);
        auto& saved = std::get<std::vector<T>>(result.values);
        for (int j = 0; j < array->columns(); ++j)
            for (const Index i : kept) saved.push_back(values[j * stride + i]);
        return result;
    };
    const auto load = [=, &domain](const StateArray& loaded) {
        std::vector<T> values = array->get();
        const std::size_t stride = values.size() / array->columns();
        const std::vector<Index> read = array->positions(domain, stride, false);
        const auto& from = std::get<std::vector<T>>(loaded.values);
        for (int j = 0; j < array->columns(); ++j)
            for (std::size_t k = 0; k < read.size(); ++k)
                values[j * stride + read[k]] = from[j * read.size() + k];
        array->set(std::move(values));
    };
    registry_->add({prefix_ + name, wanted, save, load, presence.is_there, presence.remove,
                    check_values_of_entities, belongs_to_});
}

template <class Real>
template <class Array, class Copy>
void State<Real>::add_stacked(Array& array, Copy copy) const {
    if (!is_stacked_) return;
    struct Kept {
        Array array;
        bool is_there = false;
    };
    auto kept = std::make_shared<std::vector<Kept>>();
    registry_->add(StateRegistry::Stacked{group_,
                                          [=, &array](std::size_t level) {
                                              if (kept->size() <= level) kept->resize(level + 1);
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

template <class Real>
void State<Real>::add(const std::string& name, Field<Real>& field) const {
    add_array<Real>(name, of_field([&field] { return &field; }), {});
    stack(field);
}

template <class Real>
void State<Real>::add(const std::string& name, Field<Real>& field,
                      std::function<Field<Real>()> make) const {
    add_array<Real>(name, of_field([&field] { return &field; }),
                    {[&field] { return bool(field); }, [&field, make] { field = make(); },
                     [&field] { field = {}; }});
    stack(field);
}

template <class Real>
void State<Real>::add(const std::string& name, std::function<Field<Real>*()> get,
                      std::function<void()> make) const {
    add_array<Real>(name, of_field(get), {[get] { return get() != nullptr; }, make, [] {}});
}

template <class Real>
void State<Real>::add(const std::string& name, Buffer<Real>& buffer, Kind kind,
                      const Presence& presence) const {
    add_array<Real>(name, of_buffer(buffer, kind), presence);
    stack(buffer);
}

template <class Real>
void State<Real>::add(const std::string& name, std::vector<double>& values, Kind kind,
                      const std::optional<std::vector<Index>>& entities, int columns) const {
    add_array<double>(
        name,
        {[kind] { return kind; }, [columns] { return columns; }, [&values] { return values; },
         [&values](std::vector<double> loaded) { values = std::move(loaded); }, entities},
        {});
    StateValues::stack(values);
}

template <class Real>
void State<Real>::add_list(const std::string& name, Kind kind,
                           const std::optional<std::vector<Index>>& entities,
                           std::function<std::vector<double>()> get,
                           std::function<void(std::vector<double>)> set,
                           const Presence& presence) const {
    add_array<double>(name, {[kind] { return kind; }, [] { return 1; }, get, set, entities},
                      presence);
}

template <class Real>
void State<Real>::stack(Field<Real>& field) const {
    add_stacked(field, [numbers = numbers_](const Field<Real>& from, Field<Real>& to) {
        const Domain& domain = numbers->domain;
        if (!to)
            to = domain.field<Real>(from.kind(), from.columns(),
                                    from.size() - domain.range(from.kind()).all);
        to.copy(from);
    });
}

template <class Real>
void State<Real>::stack(Buffer<Real>& buffer) const {
    add_stacked(buffer, [numbers = numbers_](const Buffer<Real>& from, Buffer<Real>& to) {
        Device& device = numbers->domain.device;
        if (to.size() != from.size() || to.columns() != from.columns())
            to = device.buffer<Real>(from.size(), from.columns());
        device.copy(from, to);
    });
}

template class State<float>;
template class State<double>;

}  // namespace solenoid
