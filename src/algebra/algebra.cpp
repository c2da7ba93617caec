#include "algebra/algebra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "algebra/space.hpp"
#include "core/threads.hpp"
#include "device/choice/select_device.hpp"
#include "parallel/agreed.hpp"
#include "parallel/bytes.hpp"
#include "parallel/checks/choose_transport.hpp"
#include "parallel/thread_share.hpp"

namespace solenoid::algebra {
namespace {

template <class... T>
[[noreturn]] void refuse(fmt::format_string<T...> format, T&&... values) {
    throw Agreed<InputError>(fmt::format(format, std::forward<T>(values)...));
}

constexpr std::int64_t most_rows = (std::int64_t(1) << 31) - 1;
void check_size(std::int64_t size, const char* of) {
    if (size < 0 || size > most_rows)
        refuse("{} must be from 0 to {}, found {}", of, most_rows, size);
}

void check_same(const Vector& x, const Vector& y) {
    if (x.space() != y.space()) refuse("two vectors of different contexts do not meet");
    if (x.size() != y.size())
        refuse("vectors of {} and {} numbers do not meet: both must have one size", x.size(),
               y.size());
}

Term term(const Scaled& scaled) {
    const Factor& f = scaled.factor;
    if (f.scalar && f.scalar->space() != scaled.x->space())
        refuse("a scalar and a vector of different contexts do not meet");
    return {f.number, f.scalar ? f.scalar->block().get() : nullptr, scaled.x->block().get()};
}

std::int64_t rows_of(const Product& p) {
    return p.is_transposed ? p.matrix->columns() : p.matrix->rows();
}
// to: the vector that takes it, where there is one.
void check(const Product& p, const Vector* to = nullptr) {
    const std::int64_t columns = p.is_transposed ? p.matrix->rows() : p.matrix->columns();
    if (p.matrix->product().keeper() != p.x->space())
        refuse("a matrix and a vector of different contexts do not meet");
    if (columns != p.x->size())
        refuse("a {}matrix of {} x {} does not multiply a vector of {} numbers: {} are needed",
               p.is_transposed ? "transposed " : "", p.matrix->rows(), p.matrix->columns(),
               p.x->size(), columns);
    if (!to) return;
    if (to->space() != p.x->space()) refuse("two vectors of different contexts do not meet");
    if (rows_of(p) != to->size())
        refuse("a product of {} rows is no vector of {} numbers", rows_of(p), to->size());
}

std::shared_ptr<Space> open(const Communicator& ranks, const Settings& settings) {
    return translated([&] {
        std::shared_ptr<Space> space;
        DeviceChoice choice;
        ranks.agree([&] {
            if (settings.precision != "double" && settings.precision != "single")
                throw InputError("precision",
                                 fmt::format("\"{}\" is none: choose \"double\" or \"single\"",
                                             settings.precision));
            if (settings.threads < 0 || settings.threads > most_threads)
                throw InputError("threads", fmt::format("from 0 to {}, found {}", most_threads,
                                                        settings.threads));
            choice =
                select_device(settings.device, ranks.local_rank(), settings.precision == "double");
            if (settings.precision == "double" && !choice.device->info().has_fp64)
                throw InputError("device", choice.device->info().name +
                                               " has no double precision: choose \"single\", or "
                                               "the device cpu");
        });
        set_threads(settings.threads ? settings.threads : thread_share(ranks));
        choose_transport(ranks, *choice.device, "auto");
        return make_space(ranks, std::move(choice.device), settings.precision == "double");
    });
}

}  // namespace

// ---- scalars

Scalar::Scalar(std::shared_ptr<Space> space, std::shared_ptr<Block> block)
    : space_(std::move(space)), block_(std::move(block)) {}

double Scalar::value() const { return space_->read(*block_)[0]; }

namespace {

Scalar computed(ScalarOperation operation, const Scalar& a, const Scalar& b) {
    if (a.space() != b.space()) throw InputError("two scalars of different contexts do not meet");
    return {a.space(), a.space()->compute(operation, *a.block(), *b.block())};
}

}  // namespace

Scalar operator+(const Scalar& a, const Scalar& b) { return computed(ScalarOperation::add, a, b); }
Scalar operator-(const Scalar& a, const Scalar& b) {
    return computed(ScalarOperation::subtract, a, b);
}
Scalar operator*(const Scalar& a, const Scalar& b) {
    return computed(ScalarOperation::multiply, a, b);
}
Scalar operator/(const Scalar& a, const Scalar& b) {
    return computed(ScalarOperation::divide, a, b);
}
Scalar sqrt(const Scalar& a) { return computed(ScalarOperation::root, a, a); }
Scalar least(const Scalar& a, const Scalar& b) { return computed(ScalarOperation::least, a, b); }

// ---- vectors

Vector::Vector(std::shared_ptr<Space> space, std::int64_t size)
    : space_(std::move(space)), size_(size), block_(space_->take(space_->mine(size))) {}
Vector::Vector(const Vector& other) : Vector(other.space_, other.size_) { *this = other; }
Vector::Vector(const Scaled& value) : Vector(value.x->space(), value.x->size()) { *this = value; }
Vector::Vector(const Sum& value) : Vector(value.a.x->space(), value.a.x->size()) { *this = value; }
Vector::Vector(const Product& value) : Vector(value.x->space(), rows_of(value)) { *this = value; }
Vector::Vector(const ProductSum& value) : Vector(value.product.x->space(), rows_of(value.product)) {
    *this = value;
}

Vector& Vector::operator=(const Vector& other) {
    if (!block_) return *this = Vector(other);  // it had been moved from
    check_same(*this, other);
    space_->copy(*other.block_, *block_);
    return *this;
}

// Where one has been moved from there is nothing to compare.
Vector& Vector::operator=(Vector&& other) {
    if (block_ && other.block_) check_same(*this, other);
    std::swap(space_, other.space_);
    std::swap(size_, other.size_);
    std::swap(block_, other.block_);
    return *this;
}

Vector& Vector::operator=(const Scaled& value) {
    if (!block_) return *this = Vector(value);  // it had been moved from
    check_same(*this, *value.x);
    if (value.x->block_ != block_) {
        space_->set(*block_, term(value));
        return *this;
    }
    const BlockPointer result = space_->take(block_->size);
    space_->set(*result, term(value));
    block_ = result;
    return *this;
}

Vector& Vector::operator=(const Sum& value) {
    if (!block_) return *this = Vector(value);  // it had been moved from
    check_same(*this, *value.a.x);
    check_same(*this, *value.b.x);
    const bool is_a = value.a.x->block_ == block_, is_b = value.b.x->block_ == block_;
    if (is_a && is_b) {
        const BlockPointer result = space_->take(block_->size);
        space_->set(*result, term(value.a), term(value.b));
        block_ = result;
    } else if (is_a) {
        space_->accumulate(*block_, term(value.a), term(value.b));
    } else if (is_b) {
        space_->accumulate(*block_, term(value.b), term(value.a));
    } else {
        space_->set(*block_, term(value.a), term(value.b));
    }
    return *this;
}

Vector& Vector::operator=(const Product& value) {
    if (!block_) return *this = Vector(value);  // it had been moved from
    check(value, this);
    const BlockPointer result = value.x->block_ == block_ ? space_->take(block_->size) : block_;
    MatrixProduct& a = value.matrix->product();
    if (value.is_transposed)
        a.multiply_transposed(*value.x->block_, *result);
    else
        a.multiply(*value.x->block_, *result);
    block_ = result;
    return *this;
}

Vector& Vector::operator=(const ProductSum& value) {
    if (!block_) return *this = Vector(value);  // it had been moved from
    const Product& p = value.product;
    check(p, this);
    check_same(*this, *value.b.x);
    const bool is_input = p.x->block_ == block_ || value.b.x->block_ == block_;
    const BlockPointer result = is_input ? space_->take(block_->size) : block_;
    MatrixProduct& a = p.matrix->product();
    if (p.is_transposed) {
        a.multiply_transposed(*p.x->block_, *result);
        space_->accumulate(*result, {value.sign, nullptr, result.get()}, term(value.b));
    } else {
        a.multiply_add(value.sign, *p.x->block_, term(value.b), *result);
    }
    block_ = result;
    return *this;
}

Vector& Vector::operator+=(const Scaled& value) { return *this = Scaled(*this) + value; }
Vector& Vector::operator-=(const Scaled& value) { return *this = Scaled(*this) - value; }

Vector& Vector::operator*=(const Vector& other) {
    check_same(*this, other);
    space_->multiply(*block_, *other.block_);
    return *this;
}
Vector& Vector::operator/=(const Vector& other) {
    check_same(*this, other);
    space_->divide(*block_, *other.block_);
    return *this;
}
void Vector::fill(double value) { space_->fill(*block_, value); }

void Vector::pack(std::span<const double> mine) {
    if (mine.size() != block_->size)
        throw InputError(fmt::format(
            "rank {} has {} rows of a vector of {}, and was given {} numbers (Context::rows)",
            space_->comm().rank(), block_->size, size_, mine.size()));
    space_->write(*block_, mine);
}
std::vector<double> Vector::unpack() const { return space_->read(*block_); }
std::vector<double> Vector::unpack_all() const { return gathered(space_->comm(), unpack()); }

Scaled operator*(const Factor& factor, const Vector& x) { return {factor, x}; }
Sum operator+(const Scaled& a, const Scaled& b) { return {a, b}; }
Sum operator-(const Scaled& a, const Scaled& b) {
    Sum sum{a, b};
    sum.b.factor.number = -sum.b.factor.number;
    return sum;
}

// ---- reductions

Scalar dot(const Vector& x, const Vector& y) {
    check_same(x, y);
    return {x.space(), x.space()->dot(*x.block(), *y.block())};
}
Scalar norm(const Vector& x) { return sqrt(dot(x, x)); }
Scalar sum(const Vector& x) {
    return {x.space(), x.space()->reduce(VectorReduction::sum, *x.block())};
}
Scalar sum_of_magnitudes(const Vector& x) {
    return {x.space(), x.space()->reduce(VectorReduction::sum_of_magnitudes, *x.block())};
}
Scalar greatest_magnitude(const Vector& x) {
    return {x.space(), x.space()->reduce(VectorReduction::greatest_magnitude, *x.block())};
}
Scalar greatest(const Vector& x) {
    return {x.space(), x.space()->reduce(VectorReduction::greatest, *x.block())};
}
Scalar least(const Vector& x) {
    return {x.space(), x.space()->reduce(VectorReduction::least, *x.block())};
}

// ---- matrices

Matrix::Matrix(std::shared_ptr<MatrixProduct> product) : product_(std::move(product)) {}
std::int64_t Matrix::rows() const { return product_->rows(); }
std::int64_t Matrix::columns() const { return product_->columns(); }

ProductSum operator-(const Product& product, const Scaled& b) {
    ProductSum sum{product, 1, b};
    sum.b.factor.number = -sum.b.factor.number;
    return sum;
}

// ---- the context

Context::Context(const Communicator& ranks, const Settings& settings)
    : space_(open(ranks, settings)) {}
Context::Context(std::shared_ptr<Space> space) : space_(std::move(space)) {}

std::string Context::device() const {
    const DeviceInfo& info = space_->device().info();
    return info.kind + ": " + info.name;
}

RowRange Context::rows(std::int64_t count) const {
    if (count < 0 || count > most_rows)
        throw InputError(
            fmt::format("the number of rows must be from 0 to {}, found {}", most_rows, count));
    const RowPartition all = space_->partition(count);
    const int rank = space_->comm().rank();
    return {all.first(rank), all.first(rank) + all.size(rank)};
}

Scalar Context::scalar(double value) const { return {space_, space_->scalar(value)}; }

Vector Context::vector(std::int64_t size) const {
    check_size(size, "the size of a vector");
    Vector x(space_, size);
    x.fill(0);
    return x;
}

Vector Context::vector(std::int64_t size, const std::function<double(std::int64_t)>& entry) const {
    check_size(size, "the size of a vector");
    Vector x(space_, size);
    std::vector<double> mine;
    const RowRange all = rows(size);
    for (std::int64_t i = all.begin; i < all.end; ++i) mine.push_back(entry(i));
    x.pack(mine);
    return x;
}

namespace {

Matrix kept(const std::shared_ptr<Space>& space, ProductPointer product) {
    product->keep(space);
    return Matrix(std::move(product));
}
void check_shape(std::int64_t rows, std::int64_t columns) {
    check_size(rows, "the number of a matrix' rows");
    check_size(columns, "the number of a matrix' columns");
}
// Of entries on this device: one buffer numbers them.
void check_entries(const Space& space, std::int64_t mine) {
    constexpr std::int64_t most = (std::int64_t(1) << 32) - 65536;
    if (space.comm().max(static_cast<double>(mine)) >= double(most))
        refuse("a rank has {} entries of a matrix at most: use more ranks", most);
}

}  // namespace

Matrix Context::dense(std::int64_t rows, std::int64_t columns,
                      const std::function<double(std::int64_t, std::int64_t)>& entry) const {
    check_shape(rows, columns);
    const RowRange mine = this->rows(rows);
    check_entries(*space_, static_cast<std::int64_t>(mine.size()) * columns);
    std::vector<double> entries;
    entries.reserve(mine.size() * static_cast<std::size_t>(columns));
    for (std::int64_t j = 0; j < columns; ++j)
        for (std::int64_t i = mine.begin; i < mine.end; ++i) entries.push_back(entry(i, j));
    return kept(space_, translated([&] { return space_->dense(rows, columns, entries); }));
}

Matrix Context::banded(std::int64_t rows, std::int64_t columns,
                       const std::vector<Diagonal>& diagonals, bool shares_vectors) const {
    check_shape(rows, columns);
    const RowRange mine = this->rows(rows);
    check_entries(*space_, static_cast<std::int64_t>(mine.size() * diagonals.size()));
    std::set<std::int64_t> offsets;
    BandedRows bands;
    for (const Diagonal& diagonal : diagonals) {
        const std::int64_t offset = diagonal.offset;
        if (offset <= -rows || offset >= columns)
            refuse("a matrix of {} x {} has diagonals from {} to {}, none at {}", rows, columns,
                   1 - rows, columns - 1, offset);
        if (!offsets.insert(offset).second) refuse("the diagonal at {} is given twice", offset);
        std::vector<double> entries(mine.size());
        for (std::int64_t i = mine.begin; i < mine.end; ++i)
            if (i + offset >= 0 && i + offset < columns)
                entries[i - mine.begin] = diagonal.entry(i);
        bands.offsets.push_back(offset);
        bands.entries.push_back(std::move(entries));
    }
    return kept(space_, translated([&] {
                    return space_->banded(rows, columns, std::move(bands), shares_vectors);
                }));
}

Matrix Context::sparse(std::int64_t rows, std::int64_t columns, const SparseRows& mine,
                       SparseForm form) const {
    check_shape(rows, columns);
    const RowRange range = this->rows(rows);
    translated([&] {
        space_->comm().agree([&] {
            const std::size_t count = range.size();
            if (mine.start.size() != count + 1 || mine.start.front() != 0 ||
                !std::ranges::is_sorted(mine.start) || mine.start.back() != mine.columns.size() ||
                mine.columns.size() != mine.entries.size())
                throw InputError(fmt::format(
                    "sparse rows of rank {}: {} rows begin at start[0] = 0 to start[{}], the "
                    "number of its columns and of its entries; found {} rows, {} columns, {} "
                    "entries",
                    space_->comm().rank(), count, count, mine.start.size() - 1, mine.columns.size(),
                    mine.entries.size()));
            for (std::size_t i = 0; i < count; ++i)
                for (std::size_t k = mine.start[i]; k < mine.start[i + 1]; ++k)
                    if (mine.columns[k] < 0 || mine.columns[k] >= columns)
                        throw InputError(fmt::format(
                            "sparse rows: row {} names the column {}, there are 0 to {}",
                            range.begin + static_cast<std::int64_t>(i), mine.columns[k],
                            columns - 1));
        });
    });
    check_entries(*space_, static_cast<std::int64_t>(mine.columns.size()));
    return kept(space_, translated([&] { return space_->sparse(rows, columns, mine, form); }));
}

PoolCounts Context::pool() const { return space_->pool(); }
void Context::finish() const { space_->device().finish(); }

}  // namespace solenoid::algebra
