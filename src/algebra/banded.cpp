// Banded matrices by their diagonals. Of a square one two opposing diagonals, n rows apart, lie in
// one vector: no row has both.
#include <algorithm>
#include <limits>

#include "algebra/matrices.hpp"
#include "device/algebra_kernels.hpp"
#include "device/upload.hpp"
#include "solvers/multigrid/global_rows.hpp"

namespace solenoid::algebra {
namespace {

// A vector of a matrix: the entries of the diagonal `offset`, from the row `wrap` on those of
// offset - columns.
struct BandVector {
    GlobalIndex offset, wrap;
    std::vector<double> entries;
};

std::vector<BandVector> vectors_of(GlobalIndex columns, const BandedRows& diagonals, bool shares) {
    std::vector<BandVector> vectors;
    constexpr GlobalIndex never = std::numeric_limits<GlobalIndex>::max();
    for (std::size_t d = 0; d < diagonals.offsets.size(); ++d) {
        const GlobalIndex offset = diagonals.offsets[d];
        const std::vector<double>& entries = diagonals.entries[d];
        const auto opposing = [&](const BandVector& v) {
            return v.wrap == never && std::abs(v.offset - offset) == columns;
        };
        const auto other = shares ? std::ranges::find_if(vectors, opposing) : vectors.end();
        if (other == vectors.end()) {
            vectors.push_back({offset, never, entries});
            continue;
        }
        other->offset = std::max(other->offset, offset);
        other->wrap = columns - other->offset;  // the first row that it does not have
        std::ranges::transform(other->entries, entries, other->entries.begin(), std::plus());
    }
    return vectors;
}

template <class Real>
class Banded final : public MatrixProduct {
  public:
    Banded(Space& space, GlobalIndex rows, GlobalIndex columns, BandedRows diagonals, bool shares)
        : MatrixProduct(space, rows, columns),
          first_row_(space.partition(rows).first(space.comm().rank())),
          mine_(space.mine(rows)),
          shares_(shares),
          diagonals_(std::move(diagonals)) {
        set_window();
        fetched_ = std::make_unique<FetchedColumns<Real>>(space, columns, layout());
        std::vector<Index> shift, wrap;
        std::vector<double> entries;
        for (const BandVector& v : vectors_of(columns, diagonals_, shares && rows == columns)) {
            // of unsigned numbers, which wrap round
            shift.push_back(static_cast<Index>(first_row_ + v.offset - window_.begin));
            wrap.push_back(static_cast<Index>(
                std::clamp<GlobalIndex>(v.wrap - first_row_, 0, GlobalIndex(none))));
            entries.insert(entries.end(), v.entries.begin(), v.entries.end());
        }
        vectors_ = static_cast<Index>(shift.size());
        if (entries.empty()) entries.resize(1);
        if (shift.empty()) shift = wrap = {0};
        entries_ = uploaded<Real>(space.device(), entries);
        shift_ = uploaded(space.device(), shift);
        wrap_ = uploaded(space.device(), wrap);
    }

    void multiply(const Block& x, Block& y) override {
        algebra_kernels::BandProduct<Real>{.shift = shift_,
                                           .wrap = wrap_,
                                           .a = entries_,
                                           .x = fetched_->of(x),
                                           .value = numbers_of<Real>(y),
                                           .rows = mine_,
                                           .diagonals = vectors_,
                                           .length = static_cast<Index>(columns()),
                                           .held = held()}
            .run(space_.device(), {0, mine_});
    }
    void multiply_add(double f, const Block& x, const Term& b, Block& y) override {
        if (b.scalar) return MatrixProduct::multiply_add(f, x, b, y);
        algebra_kernels::BandProductWith<Real>{.shift = shift_,
                                               .wrap = wrap_,
                                               .a = entries_,
                                               .x = fetched_->of(x),
                                               .b = numbers_of<Real>(*b.x),
                                               .value = numbers_of<Real>(y),
                                               .rows = mine_,
                                               .diagonals = vectors_,
                                               .length = static_cast<Index>(columns()),
                                               .held = held(),
                                               .f = static_cast<Real>(f),
                                               .g = static_cast<Real>(b.number)}
            .run(space_.device(), {0, mine_});
    }
    void multiply_transposed(const Block& x, Block& y) override {
        if (!transposed_)
            transposed_ =
                std::make_unique<Banded>(space_, columns(), rows(), transposed(), shares_);
        transposed_->multiply(x, y);
    }

  private:
    // The columns that diagonal `offset` has in this rank's rows.
    RowRange columns_of(GlobalIndex offset) const {
        const GlobalIndex begin = std::max<GlobalIndex>(first_row_ + offset, 0),
                          end = std::min(first_row_ + mine_ + offset, columns());
        return {begin, std::max(begin, end)};
    }
    RowRange own() const {
        const RowPartition all = space_.partition(columns());
        const int rank = space_.comm().rank();
        return {all.first(rank), all.first(rank) + all.size(rank)};
    }
    // From the least column that this rank has or reads to the greatest.
    void set_window() {
        window_ = own();
        for (const GlobalIndex offset : diagonals_.offsets) {
            const RowRange read = columns_of(offset);
            if (read.size() == 0) continue;
            if (window_.size() == 0) window_ = read;
            window_ = {std::min(window_.begin, read.begin), std::max(window_.end, read.end)};
        }
    }
    Index held() const { return static_cast<Index>(window_.size()); }
    typename FetchedColumns<Real>::Layout layout() const {
        typename FetchedColumns<Real>::Layout layout;
        const RowRange mine = own();
        std::vector<bool> is_read(window_.size());
        for (const GlobalIndex offset : diagonals_.offsets) {
            const RowRange read = columns_of(offset);
            for (GlobalIndex c = read.begin; c < read.end; ++c) is_read[c - window_.begin] = true;
        }
        for (GlobalIndex c = window_.begin; c < window_.end; ++c) {
            if (!is_read[c - window_.begin] || (c >= mine.begin && c < mine.end)) continue;
            layout.others.push_back(c);
            layout.place.push_back(static_cast<Index>(c - window_.begin));
        }
        layout.own_at = mine.size() ? static_cast<Index>(mine.begin - window_.begin) : 0;
        layout.held = held();
        return layout;
    }

    // The diagonals of the transpose, -offset, in the rows that this rank has of it. Collective.
    BandedRows transposed() const {
        const Communicator& comm = space_.comm();
        GlobalRows given;
        for (Index i = 0; i < mine_; ++i) {
            for (std::size_t d = 0; d < diagonals_.offsets.size(); ++d) {
                const GlobalIndex column = first_row_ + i + diagonals_.offsets[d];
                if (column < 0 || column >= columns()) continue;
                given.column.push_back(column);
                given.entry.push_back(diagonals_.entries[d][i]);
            }
            given.start.push_back(static_cast<Index>(given.column.size()));
        }
        const GlobalRows transpose = global_rows(
            comm, solenoid::transposed(comm, localized(comm, space_.partition(columns()), given),
                                       space_.partition(rows())));
        BandedRows result;
        std::map<GlobalIndex, std::size_t> number;
        for (const GlobalIndex offset : diagonals_.offsets) {
            number[-offset] = result.offsets.size();
            result.offsets.push_back(-offset);
            result.entries.emplace_back(own().size());
        }
        const GlobalIndex first = own().begin;
        for (std::size_t j = 0; j + 1 < transpose.start.size(); ++j)
            for (Index k = transpose.start[j]; k < transpose.start[j + 1]; ++k)
                result.entries[number.at(transpose.column[k] - first - GlobalIndex(j))][j] =
                    transpose.entry[k];
        return result;
    }

    const GlobalIndex first_row_;
    const Index mine_;
    const bool shares_;
    const BandedRows diagonals_;
    RowRange window_;  // of the columns that are held
    std::unique_ptr<FetchedColumns<Real>> fetched_;
    Index vectors_ = 0;
    Buffer<Real> entries_;
    Buffer<std::uint32_t> shift_, wrap_;
    std::unique_ptr<Banded> transposed_;
};

}  // namespace

template <class Real>
ProductPointer make_banded(Space& space, GlobalIndex rows, GlobalIndex columns,
                           BandedRows diagonals, bool shares_vectors) {
    return std::make_shared<Banded<Real>>(space, rows, columns, std::move(diagonals),
                                          shares_vectors);
}
template ProductPointer make_banded<float>(Space&, GlobalIndex, GlobalIndex, BandedRows, bool);
template ProductPointer make_banded<double>(Space&, GlobalIndex, GlobalIndex, BandedRows, bool);

}  // namespace solenoid::algebra
