// Stores all that a step changes, so that the step can be undone. Each class registers its fields,
// buffers and values once (keep_in()); what every step computes anew needs no storing.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class Snapshot {
  public:
    explicit Snapshot(const Domain& domain) : domain_(domain) {}
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

    // What is registered must outlive this. A field or buffer that is empty at take() is empty
    // again after restore().
    void add(Field<Real>& field) {
        add(field, [this](const Field<Real>& from, Field<Real>& to) {
            if (!to)
                to = domain_.field<Real>(from.kind(), from.columns(),
                                         from.size() - domain_.range(from.kind()).all);
            to.copy(from);
        });
    }
    void add(Buffer<Real>& buffer) {
        add(buffer, [this](const Buffer<Real>& from, Buffer<Real>& to) {
            if (to.size() != from.size() || to.columns() != from.columns())
                to = domain_.device.buffer<Real>(from.size(), from.columns());
            domain_.device.copy(from, to);
        });
    }
    // Registers a copyable value: a number, a vector, a shared pointer.
    template <class T>
    void add_value(T& value) {
        add_state<T>([&value] { return value; }, [&value](const T& kept) { value = kept; });
    }
    // Registers a state that is read and set by functions.
    template <class T>
    void add_state(std::function<T()> get, std::function<void(const T&)> set) {
        auto kept = std::make_shared<std::vector<T>>();
        parts_.push_back(
            {[=](std::size_t level) {
                 kept->resize(level);
                 kept->push_back(get());
             },
             [=](std::size_t level) { set((*kept)[level]); },
             [=](std::size_t levels) { kept->resize(std::min(levels, kept->size())); }});
    }
    // Registers an action that runs after a restore, in the order of the calls: it computes what
    // follows from the restored values.
    void on_restore(std::function<void()> action) { actions_.push_back(std::move(action)); }

    // Pushes the present state onto the stack of stored states.
    void take() {
        for (const Part& part : parts_) part.take(levels_);
        ++levels_;
    }
    // Restores the last stored state and removes it from the stack.
    void restore() {
        drop();
        for (const Part& part : parts_) part.restore(levels_);
        for (const auto& action : actions_) action();
    }
    // Removes the last stored state. Memory for one state stays allocated.
    void drop() {
        --levels_;
        for (const Part& part : parts_) part.shrink(levels_ + 1);
    }

  private:
    struct Part {
        std::function<void(std::size_t level)> take, restore;
        std::function<void(std::size_t levels)> shrink;
    };
    template <class Array, class Copy>
    void add(Array& array, Copy copy) {
        struct Kept {
            Array array;
            bool is_there = false;
        };
        auto kept = std::make_shared<std::vector<Kept>>();
        parts_.push_back({[=, &array](std::size_t level) {
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

    const Domain& domain_;
    std::vector<Part> parts_;
    std::vector<std::function<void()>> actions_;
    std::size_t levels_ = 0;
};

}  // namespace solenoid
