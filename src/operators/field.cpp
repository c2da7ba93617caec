#include "operators/field.hpp"

#include <cmath>
#include <limits>
#include <string>

namespace solenoid {

template <class T>
void Field<T>::copy(const Field& from) {
    if (from.kind_ != kind_ || from.size() != size() || from.columns() != columns())
        throw std::logic_error("a field is copied to one of another shape");
    domain_->device.copy(from.values_, write());
    reach_ = from.reach_;
}

template <class T>
bool Field<T>::are_of(std::string_view entities) const {
    constexpr std::string_view names[] = {"nodes", "edges", "faces", "cells"};
    return entities == "entities" || entities == names[static_cast<int>(kind_)] ||
           (entities == "codim2" && kind_ == domain_->codim2_kind);
}

// Ghosts have their owners' bits. Entities that several ranks compute may differ by rounding.
template <class T>
void Field<T>::verify(Storage&, Reach reach, std::string_view reader) const {
    bool is_current = true;
    if (reach_ == Reach::halo) {
        is_current = halo().has_ghosts(values_);
    } else if (reach == Reach::closure) {
        Buffer<T> brought = domain_->device.template buffer<T>(values_.size(), values_.columns());
        domain_->device.copy(values_, brought);
        halo().exchange(brought);
        const auto here = values_.download(), there = brought.download();
        T largest = 0;
        for (const T value : here) largest = std::max(largest, std::abs(value));
        const EntityRanges& range = domain_->range(kind_);
        for (int j = 0; j < columns(); ++j)
            for (Index i = range.owned; i < range.shared; ++i) {
                const std::size_t at = std::size_t(j) * size() + i;
                const T apart = std::abs(here[at] - there[at]);
                is_current &= !(apart > 1000 * std::numeric_limits<T>::epsilon() * largest);
            }
    }
    if (domain_->comm.any(!is_current))
        throw std::logic_error(std::string(reader) +
                               ": the field was written without saying so (Field::write)");
}

template class Field<float>;
template class Field<double>;

}  // namespace solenoid
