#include "run/field_ranges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace solenoid {
namespace {

class Ranges {
  public:
    explicit Ranges(int dimension) : dimension_(dimension) {}

    void add(const OutputField& field, Index count) {
        if (field.components == 1)
            return widen(field.name, count, [&](Index i) { return field(i); });
        widen(field.name == "velocity" ? "speed" : field.name, count,
              [&](Index i) { return std::hypot(field(i, 0), field(i, 1), field(i, 2)); });
        for (int k = 0; k < dimension_; ++k)
            widen(fmt::format("{}_{}", field.name, "xyz"[k]), count,
                  [&](Index i) { return field(i, k); });
    }

    std::vector<FieldRange> over_all(const Communicator& comm) && {
        std::vector<double> ends;
        for (const FieldRange& r : all_) ends.insert(ends.end(), {-r.low, r.high});
        comm.max(std::span<double>(ends));
        for (std::size_t i = 0; i < all_.size(); ++i)
            all_[i] = {all_[i].name, 0 - ends[2 * i], ends[2 * i + 1]};
        return std::move(all_);
    }

  private:
    template <class Value>
    void widen(const std::string& name, Index count, const Value& value) {
        auto range = std::ranges::find(all_, name, &FieldRange::name);
        if (range == all_.end()) range = all_.insert(all_.end(), {name, HUGE_VAL, -HUGE_VAL});
        for (Index i = 0; i < count; ++i) {
            const double v = value(i);
            range->low = std::min(range->low, std::isfinite(v) ? v : -HUGE_VAL);
            range->high = std::max(range->high, std::isfinite(v) ? v : HUGE_VAL);
        }
    }

    int dimension_;
    std::vector<FieldRange> all_;
};

}  // namespace

std::vector<FieldRange> field_ranges(const Communicator& comm, const Topology& topology,
                                     const std::vector<PointField>& points,
                                     const std::vector<CellField>& cells, double time) {
    Ranges local(topology.dimension());
    for (const PointField& field : points) local.add(field, topology.range(Kind::node).owned);
    for (const CellField& field : cells) local.add(field, topology.range(Kind::cell).owned);
    std::vector<FieldRange> ranges = std::move(local).over_all(comm);
    comm.agree([&] {
        for (const FieldRange& r : ranges)
            if (!std::isfinite(r.low) || !std::isfinite(r.high))
                throw ComputationError(fmt::format(
                    "{} is not finite at t = {:.6g} s: take a smaller time step", r.name, time));
    });
    return ranges;
}

}  // namespace solenoid
