#include "solvers/matrix/split_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/reproducible.hpp"
#include "device/kernels.hpp"

namespace solenoid {
namespace {

// Shorter rows are added up sooner than a second kernel starts (H100: 24, 32, 48 and 80 are alike).
constexpr Index least_cut_length = 32;

// The entries of a piece; 0: the rows stay whole.
Index piece_length(const Rows& rows, Index parallel_rows) {
    if (rows.rows() >= parallel_rows) return 0;
    Index longest = 0;
    for (Index i = 0; i < rows.rows(); ++i) longest = std::max(longest, rows.length(i));
    if (longest < least_cut_length) return 0;
    return static_cast<Index>(std::ceil(std::sqrt(double(longest))));
}

// Rows of at most `length` entries, and the rows that put them together again.
struct CutMatrix {
    HostMatrix pieces, rows;
};
CutMatrix cut(const HostMatrix& matrix, Index length) {
    CutMatrix result;
    for (Index i = 0; i < matrix.rows.rows(); ++i) {
        for (Index first = matrix.rows.start[i], end = matrix.rows.start[i + 1]; first < end;
             first += length) {
            for (Index k = first; k < std::min(end, first + length); ++k)
                result.pieces.append(matrix.rows.index[k], matrix.entries[k]);
            result.rows.append(static_cast<Index>(result.pieces.rows.rows()), 1);
            result.pieces.end_row();
        }
        result.rows.end_row();
    }
    return result;
}

}  // namespace

template <class Real, class Entry>
SplitRows<Real, Entry>::SplitRows(Device& device, const HostMatrix& matrix, bool may_cut,
                                  int columns) {
    // the bits of a reproducible run do not depend on how many rows a rank has
    const Index length = may_cut && !device.info().shares_rows && !is_reproducible()
                             ? piece_length(matrix.rows, device.parallel_rows())
                             : 0;
    if (length == 0) {
        static_cast<DeviceRows<Entry>&>(*this) = DeviceRows<Entry>(device, matrix);
        return;
    }
    const CutMatrix parts = cut(matrix, length);
    static_cast<DeviceRows<Entry>&>(*this) = DeviceRows<Entry>(device, parts.rows);
    const Index count = static_cast<Index>(parts.pieces.rows.rows());
    pieces_ = std::make_unique<Pieces>(
        Pieces{DeviceRows<>(device, parts.pieces), device.buffer<Real>(count, columns)});
}

template <class Real, class Entry>
Gathered<Real> SplitRows<Real, Entry>::gathered(Device& device, const Gathered<Real>& x) const {
    if (!pieces_) return x;
    const DeviceRows<>& a = pieces_->rows;
    const Range all{0, pieces_->sums.size()};
    kernels::Spmv<Real>{.dimension = x.columns,
                        .rows = a.rows,
                        .column = a.index,
                        .entry = a.entry,
                        .x = x,
                        .value = pieces_->sums}
        .run(device, all);
    return complete(pieces_->sums);
}

template class SplitRows<float>;
template class SplitRows<double>;
template class SplitRows<float, Bfloat16>;

}  // namespace solenoid
