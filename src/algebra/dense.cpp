// Dense matrices, column by column; a rank has its rows of all columns.
#include <numeric>

#include "algebra/matrices.hpp"
#include "device/algebra_kernels.hpp"
#include "device/upload.hpp"

namespace solenoid::algebra {
namespace {

// All columns, in their order.
template <class Real>
typename FetchedColumns<Real>::Layout whole(const Space& space, GlobalIndex columns) {
    const RowPartition all = space.partition(columns);
    const GlobalIndex begin = all.first(space.comm().rank()),
                      end = begin + all.size(space.comm().rank());
    typename FetchedColumns<Real>::Layout layout;
    for (GlobalIndex j = 0; j < columns; ++j)
        if (j < begin || j >= end) layout.others.push_back(j);
    layout.place.assign(layout.others.begin(), layout.others.end());
    layout.own_at = static_cast<Index>(begin);
    layout.held = static_cast<Index>(columns);
    return layout;
}

template <class Real>
class Dense final : public MatrixProduct {
  public:
    Dense(Space& space, GlobalIndex rows, GlobalIndex columns, std::span<const double> entries)
        : MatrixProduct(space, rows, columns),
          mine_(space.mine(rows)),
          fetched_(space, columns, whole<Real>(space, columns)),
          entries_(entries.empty()
                       ? space.device().template buffer<Real>(1)
                       : uploaded<Real>(space.device(),
                                        std::vector<double>(entries.begin(), entries.end()))) {}

    void multiply(const Block& x, Block& y) override {
        algebra_kernels::DenseProduct<Real>{.a = entries_,
                                            .x = fetched_.of(x),
                                            .value = numbers_of<Real>(y),
                                            .rows = mine_,
                                            .columns = width()}
            .run(space_.device(), {0, mine_});
    }
    void multiply_add(double f, const Block& x, const Term& b, Block& y) override {
        if (b.scalar) return MatrixProduct::multiply_add(f, x, b, y);
        algebra_kernels::DenseProductWith<Real>{.a = entries_,
                                                .x = fetched_.of(x),
                                                .b = numbers_of<Real>(*b.x),
                                                .value = numbers_of<Real>(y),
                                                .rows = mine_,
                                                .columns = width(),
                                                .f = static_cast<Real>(f),
                                                .g = static_cast<Real>(b.number)}
            .run(space_.device(), {0, mine_});
    }
    // Of this rank's rows alone all entries, then over the ranks.
    void multiply_transposed(const Block& x, Block& y) override {
        const bool is_alone = space_.comm().size() == 1;
        const BlockPointer part = is_alone ? nullptr : space_.take(width());
        algebra_kernels::DenseTransposedProduct<Real>{
            .a = entries_,
            .x = numbers_of<Real>(x),
            .value = numbers_of<Real>(is_alone ? y : *part),
            .rows = mine_}
            .run(space_.device(), {0, width()});
        if (is_alone) return;
        std::vector<double> all = space_.read(*part);
        space_.comm().sum(all);
        const GlobalIndex first = space_.partition(columns()).first(space_.comm().rank());
        space_.write(y, std::span(all).subspan(first, y.size));
    }

  private:
    Index width() const { return static_cast<Index>(columns()); }
    const Index mine_;
    FetchedColumns<Real> fetched_;
    const Buffer<Real> entries_;
};

}  // namespace

template <class Real>
ProductPointer make_dense(Space& space, GlobalIndex rows, GlobalIndex columns,
                          std::span<const double> entries) {
    return std::make_shared<Dense<Real>>(space, rows, columns, entries);
}
template ProductPointer make_dense<float>(Space&, GlobalIndex, GlobalIndex,
                                          std::span<const double>);
template ProductPointer make_dense<double>(Space&, GlobalIndex, GlobalIndex,
                                           std::span<const double>);

}  // namespace solenoid::algebra
