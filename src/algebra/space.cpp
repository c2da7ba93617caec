#include "algebra/space.hpp"

#include <cmath>
#include <limits>

#include "algebra/matrices.hpp"
#include "device/algebra_kernels.hpp"
#include "device/expression.hpp"
#include "parallel/device_allreduce.hpp"

namespace solenoid::algebra {

BlockPointer Space::take(Index size) {
    std::vector<std::unique_ptr<Block>>& there = free_[size];
    std::unique_ptr<Block> block;
    if (there.empty()) {
        block = make(size);
        ++counts_.allocations;
    } else {
        block = std::move(there.back());
        there.pop_back();
        ++counts_.reuses;
    }
    ++counts_.in_use;
    return BlockPointer(block.release(), [space = shared_from_this()](Block* used) {
        space->take_back(std::unique_ptr<Block>(used));
    });
}

void Space::take_back(std::unique_ptr<Block> block) {
    --counts_.in_use;
    free_[block->size].push_back(std::move(block));
}

void MatrixProduct::multiply_add(double f, const Block& x, const Term& b, Block& y) {
    multiply(x, y);
    space_.accumulate(y, {f, nullptr, &y}, b);
}

namespace {

template <class Real>
class SpaceOf final : public Space {
  public:
    bool is_double() const override { return sizeof(Real) == 8; }
    SpaceOf(const Communicator& comm, std::shared_ptr<Device> opened)
        : Space(comm, std::move(opened)),
          one_(device().template buffer<Real>(1)),
          ranks_(DeviceAllreduce::make(comm, device())) {
        const Real one = 1;
        one_.upload(std::span<const Real>(&one, 1));
        if (ranks_) sums_ = device().device_sums();
    }

    void write(Block& block, std::span<const double> values) override {
        if (block.size == 0) return;
        std::vector<Real> rounded(values.begin(), values.end());
        numbers_of<Real>(block).upload(rounded);
    }
    std::vector<double> read(const Block& block) override {
        if (block.size == 0) return {};
        const std::vector<Real> values = numbers_of<Real>(block).download();
        return {values.begin(), values.end()};
    }

    void fill(Block& y, double value) override {
        algebra_kernels::KeptNumber<Real>{.value = values_of(y), .number = static_cast<Real>(value)}
            .run(device(), all(y));
    }
    void copy(const Block& x, Block& y) override {
        if (&x == &y) return;
        device().copy(numbers_of<Real>(x), values_of(y));
    }
    void set(Block& y, const Term& a) override {
        if (a.number == 1 && !a.scalar) return copy(*a.x, y);
        algebra_kernels::Scaled<Real>{.s = scalar_of(a),
                                      .x = entries_of(a),
                                      .value = values_of(y),
                                      .a = static_cast<Real>(a.number)}
            .run(device(), all(y));
    }
    void set(Block& y, const Term& a, const Term& b) override {
        algebra_kernels::Combined<Real>{.s = scalar_of(a),
                                        .t = scalar_of(b),
                                        .x = entries_of(a),
                                        .z = entries_of(b),
                                        .value = values_of(y),
                                        .a = static_cast<Real>(a.number),
                                        .b = static_cast<Real>(b.number)}
            .run(device(), all(y));
    }
    void accumulate(Block& y, const Term& of_y, const Term& a) override {
        algebra_kernels::Accumulated<Real>{.s = scalar_of(a),
                                           .t = scalar_of(of_y),
                                           .x = entries_of(a),
                                           .y = values_of(y),
                                           .a = static_cast<Real>(a.number),
                                           .b = static_cast<Real>(of_y.number)}
            .run(device(), all(y));
    }
    void multiply(Block& y, const Block& x) override {
        Over(device(), all(y))[values_of(y)] *= numbers_of<Real>(x);
    }
    void divide(Block& y, const Block& x) override {
        Buffer<Real>& of_y = values_of(y);
        Over(device(), all(y))[of_y] = quotient(of_y, numbers_of<Real>(x));
    }

    BlockPointer scalar(double value) override {
        BlockPointer block = take(1);
        write(*block, std::span<const double>(&value, 1));
        return block;
    }
    BlockPointer compute(ScalarOperation operation, const Block& a, const Block& b) override {
        BlockPointer c = take(1);
        const Over one(device(), {0, 1});
        const Buffer<Real>&x = numbers_of<Real>(a), &y = numbers_of<Real>(b);
        Buffer<Real>& z = values_of(*c);
        switch (operation) {
            case ScalarOperation::add:
                one[z] = x + y;
                break;
            case ScalarOperation::subtract:
                one[z] = x - y;
                break;
            case ScalarOperation::multiply:
                one[z] = x * y;
                break;
            case ScalarOperation::divide:
                one[z] = quotient(x, y);
                break;
            case ScalarOperation::root:
                one[z] = sqrt(x);
                break;
            case ScalarOperation::least:
                one[z] = min(x, y);
                break;
        }
        return c;
    }

    BlockPointer dot(const Block& x, const Block& y) override {
        const Buffer<Real>&a = numbers_of<Real>(x), &b = numbers_of<Real>(y);
        if (device().is_synchronous())
            return scalar(comm().sum(Over(device(), all(x)).dot(comm(), a, b)));
        if (sums_) return kept_sum([&] { Over(device(), all(x)).dot(comm(), a, b); });
        return summed(
            folded(first_part(x.size,
                              [&](Index parts, Buffer<Real>& to) {
                                  algebra_kernels::PartialDot<Real>{
                                      .x = a, .y = b, .value = to, .count = x.size, .stride = parts}
                                      .run(device(), {0, parts});
                              }),
                   sum_parts(false)));
    }

    BlockPointer reduce(VectorReduction reduction, const Block& x) override {
        const Buffer<Real>& a = numbers_of<Real>(x);
        const bool of_magnitudes = reduction == VectorReduction::sum_of_magnitudes ||
                                   reduction == VectorReduction::greatest_magnitude;
        const double sign = reduction == VectorReduction::least ? -1 : 1;
        if (reduction == VectorReduction::sum || reduction == VectorReduction::sum_of_magnitudes) {
            const auto add_up = [&] {
                const Over over(device(), all(x));
                return of_magnitudes ? over.sum(comm(), abs(a)) : over.sum(comm(), a);
            };
            if (device().is_synchronous()) return scalar(comm().sum(add_up()));
            if (sums_) return kept_sum(add_up);
            return summed(folded(first_part(x.size,
                                            [&](Index parts, Buffer<Real>& to) {
                                                sum_parts(of_magnitudes)(a, x.size, parts, to);
                                            }),
                                 sum_parts(false)));
        }
        BlockPointer most =
            folded(first_part(
                       x.size,
                       [&](Index parts, Buffer<Real>& to) {
                           greatest_parts(of_magnitudes, sign)(a, x.size, parts, to);
                       },
                       of_magnitudes ? 0 : none_greater()),
                   greatest_parts(false, 1));
        if (comm().size() > 1) {
            const double mine = read(*most)[0];
            const bool is_number = !comm().any(std::isnan(mine));
            const double value =
                is_number ? comm().max(mine) : std::numeric_limits<double>::quiet_NaN();
            write(*most, std::span<const double>(&value, 1));
        }
        if (sign < 0) set(*most, {-1, nullptr, most.get()}, most);
        return most;
    }

    ProductPointer dense(GlobalIndex rows, GlobalIndex columns,
                         std::span<const double> entries) override {
        return make_dense<Real>(*this, rows, columns, entries);
    }
    ProductPointer banded(GlobalIndex rows, GlobalIndex columns, BandedRows diagonals,
                          bool shares_vectors) override {
        return make_banded<Real>(*this, rows, columns, std::move(diagonals), shares_vectors);
    }
    ProductPointer sparse(GlobalIndex rows, GlobalIndex columns, const SparseRows& mine,
                          SparseForm form) override {
        return make_sparse<Real>(*this, rows, columns, mine, form);
    }

  protected:
    std::unique_ptr<Block> make(Index size) override {
        return std::make_unique<BlockOf<Real>>(device(), size);
    }

  private:
    // Vectors are added up in so many parts at a time: enough to fill a GPU, and then fewer.
    static constexpr Index most_parts = 16384, entries_of_part = 16;
    static Index parts_of(Index size) {
        return std::clamp<Index>(size / entries_of_part, 1, most_parts);
    }
    static Range all(const Block& block) { return {0, block.size}; }
    static Buffer<Real>& values_of(Block& block) { return numbers_of<Real>(block); }
    static const Buffer<Real>& entries_of(const Term& term) { return numbers_of<Real>(*term.x); }
    const Buffer<Real>& scalar_of(const Term& term) const {
        return term.scalar ? numbers_of<Real>(*term.scalar) : one_;
    }
    void set(Block&, const Term& a, BlockPointer& block) {
        BlockPointer other = take(block->size);
        set(*other, a);
        block = other;
    }

    // of an empty vector: the greatest number
    static double none_greater() { return -std::numeric_limits<Real>::infinity(); }

    // The parts of a vector by `launch`, or the value of an empty one.
    template <class Launch>
    BlockPointer first_part(Index size, const Launch& launch, double of_none = 0) {
        if (size == 0) return scalar(of_none);
        const Index parts = parts_of(size);
        BlockPointer to = take(parts);
        launch(parts, values_of(*to));
        return to;
    }
    // Parts into fewer, until there is one.
    template <class Stage>
    BlockPointer folded(BlockPointer parts, const Stage& stage) {
        while (parts->size > 1) {
            const Index fewer = parts_of(parts->size);
            BlockPointer to = take(fewer);
            stage(values_of(*parts), parts->size, fewer, values_of(*to));
            parts = to;
        }
        return parts;
    }
    auto sum_parts(bool of_magnitudes) {
        return [this, of_magnitudes](const Buffer<Real>& x, Index count, Index parts,
                                     Buffer<Real>& to) {
            algebra_kernels::PartialSum<Real>{.x = x,
                                              .value = to,
                                              .count = count,
                                              .stride = parts,
                                              .of_magnitudes = of_magnitudes}
                .run(device(), {0, parts});
        };
    }
    auto greatest_parts(bool of_magnitudes, double sign) {
        return [this, of_magnitudes, sign](const Buffer<Real>& x, Index count, Index parts,
                                           Buffer<Real>& to) {
            algebra_kernels::PartialGreatest<Real>{.x = x,
                                                   .value = to,
                                                   .count = count,
                                                   .stride = parts,
                                                   .of_magnitudes = of_magnitudes,
                                                   .sign = static_cast<Real>(sign)}
                .run(device(), {0, parts});
        };
    }
    // Over the ranks, by the host.
    BlockPointer summed(BlockPointer part) {
        if (comm().size() == 1) return part;
        const double total = comm().sum(read(*part)[0]);
        write(*part, std::span<const double>(&total, 1));
        return part;
    }
    // What the launch sums up, over the ranks too, without the host.
    template <class Launch>
    BlockPointer kept_sum(const Launch& launch) {
        {
            const Keeping keeping(device(), *sums_);
            launch();
        }
        ranks_->add(*sums_);
        BlockPointer total = take(1);
        algebra_kernels::KeptNumber<Real>{
            .value = values_of(*total),
            .number = RatioOfSums{.of = {.sums = sums_.get()}, .over = {}}}
            .run(device(), {0, 1});
        return total;
    }

    Buffer<Real> one_;
    std::unique_ptr<DeviceAllreduce> ranks_;  // null: the host adds up over the ranks
    std::unique_ptr<DeviceSums> sums_;
};

}  // namespace

std::shared_ptr<Space> make_space(const Communicator& comm, std::shared_ptr<Device> device,
                                  bool is_double) {
    if (is_double) return std::make_shared<SpaceOf<double>>(comm, std::move(device));
    return std::make_shared<SpaceOf<float>>(comm, std::move(device));
}

}  // namespace solenoid::algebra
