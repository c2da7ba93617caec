// A field on the entities of one kind of a domain, on its device: numbers (one column) or vectors
// (a column a component).
//
// It knows whether its ghosts are those of its present values. Who reads beyond this rank's
// entities asks for with_ghosts(); who writes says so by write(), as the left side of an expression
// does. An exchange is made only where something was written since the last one, and may travel
// while the interior is computed:
//
//     Exchange ghosts = p.start_ghosts();
//     sweep(interior);
//     ghosts.finish();
//     sweep(border);
//
// What a field knows is the same on all ranks: each calls write() where one does, whether or not it
// has something to write.
#pragma once

#include <stdexcept>
#include <utility>

#include "operators/domain.hpp"

namespace solenoid {

template <class T>
class Field {
  public:
    using Real = T;

    Field() = default;
    // Zero. further: entries behind those of the entities, such as values at boundary faces;
    // exchanges leave them alone.
    Field(const Domain& domain, Kind kind, int columns = 1, Index further = 0)
        : domain_(&domain),
          kind_(kind),
          values_(domain.device.buffer<T>(domain.range(kind).all + further, columns)) {}

    explicit operator bool() const { return bool(values_); }
    Kind kind() const { return kind_; }
    // entries a column, ghosts and further ones among them
    Index size() const { return values_.size(); }
    int columns() const { return values_.columns(); }

    // The values of this rank's entities; its ghosts may be of values before.
    const Buffer<T>& values() const { return values_; }
    operator const Buffer<T>&() const { return values_; }
    // The ghosts too. Collective.
    const Buffer<T>& with_ghosts() const {
        check_agreement();
        if (std::exchange(has_ghosts_, true)) return values_;
        domain_->template halo<T>(kind_, values_.columns()).exchange(values_);
        return values_;
    }
    // Brings them while something else is computed; nothing is under way where they are there.
    // Collective.
    Exchange start_ghosts() const {
        check_agreement();
        if (has_ghosts_) return {};
        has_ghosts_ = true;
        return domain_->template halo<T>(kind_, values_.columns()).start(values_);
    }
    // To be written, on this rank's own entities at least.
    Buffer<T>& write() {
        has_ghosts_ = false;
        ++version_;
        return values_;
    }
    // To be written behind the entities, whose values and ghosts stay.
    Buffer<T>& write_further() { return values_; }
    std::uint64_t version() const { return version_; }  // grows with each write() of entities

    void upload(std::span<const T> values) { write().upload(values); }
    std::vector<T> download() const { return values_.download(); }
    // The other's values and ghosts, of the same shape (else std::logic_error).
    void copy(const Field& from) {
        if (from.kind_ != kind_ || from.size() != size() || from.columns() != columns())
            throw std::logic_error("a field is copied to one of another shape");
        domain_->device.copy(from.values_, write());
        has_ghosts_ = from.has_ghosts_;
    }

  private:
    // In builds that check themselves: ranks that disagree would wait for ever.
    void check_agreement() const {
#ifdef SOLENOID_CHECKED
        if (domain_ && domain_->comm.any(has_ghosts_) && domain_->comm.any(!has_ghosts_))
            throw std::logic_error("some ranks have written a field, others have not");
#endif
    }

    const Domain* domain_ = nullptr;
    Kind kind_ = Kind::node;
    mutable Buffer<T> values_;        // ghosts are a copy of what other ranks hold
    mutable bool has_ghosts_ = true;  // of zeros
    std::uint64_t version_ = 0;
};

template <class Real>
Field<Real> Domain::field(Kind kind, int columns, Index further) const {
    return {*this, kind, columns, further};
}
template <class Real>
Field<Real> Domain::vector_field(Kind kind, Index further) const {
    return {*this, kind, dimension, further};
}

}  // namespace solenoid
