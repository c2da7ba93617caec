// A field on the entities of one kind of a domain, on its device: numbers (one column) or vectors
// (a column a component).
//
// It knows as far as where its values are current: on the entities that this rank owns, on all
// entities of this rank's cells, or on the ghosts too. A launch that gathers a field (GATHER in the
// kernel's text) renews what it needs, a launch or an expression that writes one says so by its
// type (`Out`, the left side of an assignment), and whoever hands its buffer to something else
// calls write(). An exchange is made only where something was written since the last one.
//
// What a field knows is the same on all ranks: each launches what one launches, whether or not it
// has entities to compute, and calls write() where one does.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "operators/domain.hpp"

namespace solenoid {

template <class T>
class Field : public FieldGhosts {
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

    // The values, current as far as reach() says.
    const Buffer<T>& values() const { return values_; }
    operator const Buffer<T>&() const { return values_; }
    Reach reach() const { return reach_; }
    // The values with current ghosts, for who reads them on the host. Collective.
    const Buffer<T>& with_ghosts() const {
        check_agreement();
        if (reach_ != Reach::halo) exchange_ghosts(values_.storage());
        return values_;
    }
    // To be written as far as `reach`.
    Buffer<T>& write(Reach reach = Reach::own) {
        set_written(reach);
        return values_;
    }
    // To be written at some entities, all of them listed as far as `listed`; others stay.
    Buffer<T>& write_listed(Reach listed) {
        set_written(std::min(reach_, listed));
        return values_;
    }
    // To be written behind the entities, whose values and ghosts stay.
    Buffer<T>& write_further() { return values_; }
    std::uint64_t version() const { return version_; }  // grows with each write of entities

    // values: of all entities held, as far as `reach` their own.
    void upload(std::span<const T> values, Reach reach = Reach::own) {
        write(reach).upload(values);
    }
    std::vector<T> download() const { return values_.download(); }
    // The other's values and ghosts, of the same shape (else std::logic_error).
    void copy(const Field& from);

    // ---- what launches ask

    bool are_of(std::string_view entities) const override;
    bool are_current(Reach reach) const override {
        check_agreement();
        return reach_ >= reach;
    }
    void exchange_ghosts(Storage&) const override {
        halo().exchange(values_);
        reach_ = Reach::halo;
    }
    void start_exchange(Storage&) const override { under_way_ = halo().start(values_); }
    void finish_exchange(Storage&) const override {
        under_way_.finish();
        reach_ = Reach::halo;
    }
    bool is_quick() const override { return halo().is_quick(); }
    void verify(Storage&, Reach reach, std::string_view reader) const override;
    Device& device() const override { return domain_->device; }
    SplitRange closure() const override {
        const EntityRanges& range = domain_->range(kind_);
        return {range.inside(), {range.interior, range.shared}};
    }
    Range owned() const override { return domain_->range(kind_).owned_range(); }
    void set_written(Reach reach) override {
        // cells of this rank are its own
        reach_ = kind_ == Kind::cell ? std::max(reach, Reach::closure) : reach;
        ++version_;
    }

  private:
    Halo<T>& halo() const { return domain_->template halo<T>(kind_, values_.columns()); }
    // In builds that check themselves: ranks that disagree would wait for ever.
    void check_agreement() const {
#ifdef SOLENOID_CHECKED
        if (domain_ && domain_->comm.max(int(reach_)) != domain_->comm.min(int(reach_)))
            throw std::logic_error("some ranks have written a field, others have not");
#endif
    }

    const Domain* domain_ = nullptr;
    Kind kind_ = Kind::node;
    mutable Buffer<T> values_;           // ghosts are a copy of what other ranks hold
    mutable Reach reach_ = Reach::halo;  // zeros are current everywhere
    mutable Exchange under_way_;
    std::uint64_t version_ = 0;
};

extern template class Field<float>;
extern template class Field<double>;

template <class Real>
Field<Real> Domain::field(Kind kind, int columns, Index further) const {
    return {*this, kind, columns, further};
}
template <class Real>
Field<Real> Domain::vector_field(Kind kind, Index further) const {
    return {*this, kind, dimension, further};
}

}  // namespace solenoid
