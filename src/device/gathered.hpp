// Arguments that a kernel reads at other entities than its own, and who brings their ghosts.
#pragma once

#include <concepts>
#include <string_view>

#include "core/types.hpp"
#include "device/buffer.hpp"

namespace solenoid {

class Device;

// How far from its own entity a kernel reads an argument, and as far as that values are current:
//   own      the entity itself; the entities that this rank owns
//   closure  the faces, edges and nodes of this rank's cells
//   halo     all entities held, ghosts included
enum class Reach { own, closure, halo };

// The entities of a launch: those inside read no ghost; those on the border follow them.
class SplitRange {
  public:
    explicit SplitRange(Range all) : inside{all.begin, all.begin}, border(all) {}
    SplitRange(Range inside, Range border) : inside(inside), border(border) {}
    Range whole() const { return {inside.begin, border.end}; }

    Range inside, border;
};

// Who brings the ghosts of some values.
class Ghosts {
  public:
    virtual ~Ghosts() = default;
    // entities: as the kernel's text names them, "cells", "rows"
    virtual bool are_of(std::string_view entities) const = 0;
    // Whether the values are current as far as `reach`: the same on all ranks.
    virtual bool are_current(Reach reach) const = 0;
    virtual void exchange_ghosts(Storage& values) const = 0;  // collective
    // An exchange in two parts, between which the device computes. Collective.
    virtual void start_exchange(Storage& values) const = 0;
    virtual void finish_exchange(Storage& values) const = 0;
    // Whether an exchange takes less time than a second launch.
    virtual bool is_quick() const = 0;
    // In programs that check themselves: std::logic_error where values that count as current are
    // not their owners'. reader: for the message. Collective.
    virtual void verify(Storage& values, Reach reach, std::string_view reader) const = 0;
};

// A field as launches see it.
class FieldGhosts : public Ghosts {
  public:
    virtual Device& device() const = 0;
    virtual SplitRange closure() const = 0;  // entities of this rank's cells
    virtual Range owned() const = 0;
    // Values as far as `reach` have been written.
    virtual void set_written(Reach reach) = 0;
};

template <class A>
concept HasGhosts = KeepsBuffer<A> && std::derived_from<A, FieldGhosts>;

// A GATHER argument: a field; or a solver's vector with the halo that fills its ghosts
// (Halo::ghosts_of); or a vector whose entries are all computed here (complete). A buffer alone
// does not say whether its ghosts are current, and does not compile.
template <class T>
class Gathered {
  public:
    template <HasGhosts F>
    requires std::same_as<typename F::Real, T> Gathered(const F& field)
        : Gathered(field.values(), &field) {}
    Gathered(const Buffer<T>& buffer, const Ghosts* ghosts)
        : storage(&buffer.storage()), columns(buffer.columns()), ghosts(ghosts) {}

    Storage* storage;
    int first_column = 0, columns;
    const Ghosts* ghosts;  // null: complete
};
template <class T>
Gathered<T> complete(const Buffer<T>& buffer) {
    return {buffer, nullptr};
}

// The entities that a launch or an expression goes over, and as far as that its output is current
// afterwards.
struct Entities {
    Device& device;
    SplitRange rows;
    Reach reach;
};

}  // namespace solenoid
