// Sparse matrices: in sliced rows; in batches of rows of equal length; as points.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "algebra/matrices.hpp"
#include "device/algebra_kernels.hpp"
#include "device/point_product.hpp"
#include "device/sell_layout.hpp"
#include "device/upload.hpp"
#include "parallel/agreed.hpp"
#include "solvers/multigrid/global_rows.hpp"

namespace solenoid::algebra {
namespace {

// A rank's rows on the device; x: its own columns, then the others'.
template <class Real>
class RowForm {
  public:
    virtual ~RowForm() = default;
    virtual void multiply(const Buffer<Real>& x, Buffer<Real>& y) = 0;
};

template <class Real>
class SellForm final : public RowForm<Real> {
  public:
    SellForm(Device& device, const HostMatrix& matrix)
        : device_(device), count_(static_cast<Index>(matrix.rows.rows())) {
        const SellLayout layout(matrix.rows, device.row_stride());
        rows_ = layout.rows(device, matrix.rows.index);
        entry_ = layout.upload<Real>(device, std::span<const double>(matrix.entries));
    }
    void multiply(const Buffer<Real>& x, Buffer<Real>& y) override {
        algebra_kernels::SparseProduct<Real>{.rows = rows_.rows,
                                             .column = rows_.index,
                                             .entry = entry_,
                                             .x = complete(x),
                                             .value = y}
            .run(device_, {0, count_});
    }
    // y = f A x + g b
    void multiply_add(double f, const Buffer<Real>& x, double g, const Buffer<Real>& b,
                      Buffer<Real>& y) {
        algebra_kernels::SparseProductWith<Real>{.rows = rows_.rows,
                                                 .column = rows_.index,
                                                 .entry = entry_,
                                                 .x = complete(x),
                                                 .b = b,
                                                 .value = y,
                                                 .f = static_cast<Real>(f),
                                                 .g = static_cast<Real>(g)}
            .run(device_, {0, count_});
    }

  private:
    Device& device_;
    const Index count_;
    SellRows rows_;
    Buffer<Real> entry_;
};

// A launch for each length of rows.
template <class Real>
class BatchedRows final : public RowForm<Real> {
  public:
    BatchedRows(Device& device, const HostMatrix& matrix)
        : device_(device), count_(static_cast<Index>(matrix.rows.rows())) {
        const Rows& rows = matrix.rows;
        std::vector<Index> row(count_), place(count_);
        std::iota(row.begin(), row.end(), Index(0));
        std::ranges::stable_sort(row, std::greater(), [&](Index i) { return rows.length(i); });
        std::vector<Index> columns;
        std::vector<double> entries;
        for (Index first = 0, end; first < count_; first = end) {
            const Index length = rows.length(row[first]);
            for (end = first; end < count_ && rows.length(row[end]) == length;) ++end;
            batches_.push_back({length, first, end, static_cast<Index>(columns.size())});
            for (Index j = 0; j < length; ++j)
                for (Index k = first; k < end; ++k) {
                    columns.push_back(rows.index[rows.start[row[k]] + j]);
                    entries.push_back(matrix.entries[rows.start[row[k]] + j]);
                }
        }
        for (Index k = 0; k < count_; ++k) place[row[k]] = k;
        if (columns.empty()) columns = {0}, entries = {0};
        if (place.empty()) place = {0};
        column_ = uploaded(device, columns);
        entry_ = uploaded<Real>(device, entries);
        place_ = uploaded(device, place);
        sorted_ = device.buffer<Real>(std::max<Index>(count_, 1));
    }
    void multiply(const Buffer<Real>& x, Buffer<Real>& y) override {
        for (const Batch& batch : batches_)
            algebra_kernels::BatchProduct<Real>{.column = column_,
                                                .entry = entry_,
                                                .x = x,
                                                .value = sorted_,
                                                .count = batch.length,
                                                .rows = batch.end - batch.first,
                                                .first_row = batch.first,
                                                .first_entry = batch.first_entry}
                .run(device_, {batch.first, batch.end});
        algebra_kernels::FromBatches<Real>{.place = place_, .sorted = sorted_, .value = y}.run(
            device_, {0, count_});
    }

  private:
    struct Batch {
        Index length, first, end, first_entry;
    };
    Device& device_;
    const Index count_;
    std::vector<Batch> batches_;
    Buffer<std::uint32_t> column_, place_;
    Buffer<Real> entry_, sorted_;
};

template <class Real>
class RowsAsPoints final : public RowForm<Real> {
  public:
    RowsAsPoints(PointProduct& device, const HostMatrix& matrix)
        : points_(device.point_rows(matrix.rows, matrix.entries, element_type<Real>())) {}
    void multiply(const Buffer<Real>& x, Buffer<Real>& y) override {
        points_->multiply(x.storage(), y.storage());
    }

  private:
    std::unique_ptr<PointRows> points_;
};

template <class Real>
std::unique_ptr<RowForm<Real>> row_form(Device& device, const HostMatrix& matrix, SparseForm form) {
    if (form == SparseForm::batches) return std::make_unique<BatchedRows<Real>>(device, matrix);
    if (form == SparseForm::rows) return std::make_unique<SellForm<Real>>(device, matrix);
    auto* const points = dynamic_cast<PointProduct*>(&device);
    if (!points)
        throw Agreed<InputError>(
            fmt::format("the device {} draws no points: choose the device fragment, or the form "
                        "rows or batches",
                        device.info().kind));
    return std::make_unique<RowsAsPoints<Real>>(*points, matrix);
}

template <class Real>
typename FetchedColumns<Real>::Layout behind_own(const Space& space, const ParallelMatrix& matrix) {
    typename FetchedColumns<Real>::Layout layout;
    const Index own = matrix.own_columns(space.comm());
    layout.others = matrix.ghosts;
    layout.place.resize(matrix.ghosts.size());
    std::iota(layout.place.begin(), layout.place.end(), own);
    layout.own_at = 0;
    layout.held = matrix.all_columns(space.comm());
    return layout;
}

template <class Real>
class Sparse final : public MatrixProduct {
  public:
    Sparse(Space& space, GlobalIndex rows, GlobalIndex columns, ParallelMatrix matrix,
           SparseForm form)
        : MatrixProduct(space, rows, columns),
          form_(form),
          matrix_(std::move(matrix)),
          rows_(row_form<Real>(space.device(), matrix_.rows, form)),
          fetched_(space, columns, behind_own<Real>(space, matrix_)) {}

    void multiply(const Block& x, Block& y) override {
        rows_->multiply(fetched_.of(x), numbers_of<Real>(y));
    }
    void multiply_add(double f, const Block& x, const Term& b, Block& y) override {
        auto* const sliced = dynamic_cast<SellForm<Real>*>(rows_.get());
        if (b.scalar || !sliced) return MatrixProduct::multiply_add(f, x, b, y);
        sliced->multiply_add(f, fetched_.of(x), b.number, numbers_of<Real>(*b.x),
                             numbers_of<Real>(y));
    }
    void multiply_transposed(const Block& x, Block& y) override {
        if (!transposed_) {
            const Communicator& comm = space_.comm();
            transposed_ = std::make_unique<Sparse>(
                space_, columns(), rows(),
                solenoid::transposed(comm, matrix_, space_.partition(rows())), form_);
        }
        transposed_->multiply(x, y);
    }

  private:
    const SparseForm form_;
    const ParallelMatrix matrix_;  // for the transpose
    const std::unique_ptr<RowForm<Real>> rows_;
    FetchedColumns<Real> fetched_;
    std::unique_ptr<Sparse> transposed_;
};

}  // namespace

template <class Real>
ProductPointer make_sparse(Space& space, GlobalIndex rows, GlobalIndex columns,
                           const SparseRows& mine, SparseForm form) {
    GlobalRows given;
    given.start.assign(mine.start.begin(), mine.start.end());
    given.column = mine.columns;
    given.entry = mine.entries;
    return std::make_shared<Sparse<Real>>(
        space, rows, columns, localized(space.comm(), space.partition(columns), given), form);
}
template ProductPointer make_sparse<float>(Space&, GlobalIndex, GlobalIndex, const SparseRows&,
                                           SparseForm);
template ProductPointer make_sparse<double>(Space&, GlobalIndex, GlobalIndex, const SparseRows&,
                                            SparseForm);

}  // namespace solenoid::algebra
