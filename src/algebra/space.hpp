// A device with its pool of buffers, and the operations of the algebra on them, in one precision
// behind an interface without it.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "algebra/algebra.hpp"
#include "core/row_partition.hpp"
#include "device/device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid::algebra {

// A buffer of the pool, which goes back there with its last pointer.
class Block {
  public:
    explicit Block(Index size) : size(size) {}
    virtual ~Block() = default;
    const Index size;  // numbers; the buffer has one at least
};
using BlockPointer = std::shared_ptr<Block>;

template <class Real>
class BlockOf final : public Block {
  public:
    BlockOf(Device& device, Index size)
        : Block(size), numbers(device.buffer<Real>(std::max<Index>(size, 1))) {}
    Buffer<Real> numbers;
};
template <class Real>
Buffer<Real>& numbers_of(const Block& block) {
    return const_cast<Buffer<Real>&>(static_cast<const BlockOf<Real>&>(block).numbers);
}

// number * scalar * x; scalar: null for 1.
struct Term {
    double number;
    const Block* scalar;
    const Block* x;
};

enum class ScalarOperation { add, subtract, multiply, divide, root, least };
enum class VectorReduction { sum, sum_of_magnitudes, greatest, greatest_magnitude, least };

// The product with a matrix that a space has made.
class MatrixProduct {
  public:
    MatrixProduct(Space& space, GlobalIndex rows, GlobalIndex columns)
        : space_(space), rows_(rows), columns_(columns) {}
    virtual ~MatrixProduct() = default;
    GlobalIndex rows() const { return rows_; }
    GlobalIndex columns() const { return columns_; }

    // y = A x. Collective, as all below. y is neither x nor b.
    virtual void multiply(const Block& x, Block& y) = 0;
    // y = f A x + b
    virtual void multiply_add(double f, const Block& x, const Term& b, Block& y);
    virtual void multiply_transposed(const Block& x, Block& y) = 0;

    const std::shared_ptr<Space>& keeper() const { return keeper_; }
    void keep(std::shared_ptr<Space> space) { keeper_ = std::move(space); }

  protected:
    Space& space_;

  private:
    const GlobalIndex rows_, columns_;
    std::shared_ptr<Space> keeper_;  // of space_
};
using ProductPointer = std::shared_ptr<MatrixProduct>;

// Diagonals with an entry for each row of this rank, zero where the column is not there.
struct BandedRows {
    std::vector<GlobalIndex> offsets;
    std::vector<std::vector<double>> entries;  // of each offset, one a row
};

class Space : public std::enable_shared_from_this<Space> {
  public:
    virtual ~Space() = default;
    Device& device() const { return *device_; }
    const Communicator& comm() const { return comm_; }
    RowPartition partition(GlobalIndex count) const {
        return RowPartition::even(count, comm_.size());
    }
    Index mine(GlobalIndex count) const {
        return static_cast<Index>(partition(count).size(comm_.rank()));
    }
    const PoolCounts& pool() const { return counts_; }
    virtual bool is_double() const = 0;

    BlockPointer take(Index size);  // its numbers are those of who had it before
    virtual void write(Block& block, std::span<const double> values) = 0;
    virtual std::vector<double> read(const Block& block) = 0;
    virtual void fill(Block& y, double value) = 0;
    virtual void copy(const Block& x, Block& y) = 0;
    virtual void set(Block& y, const Term& a) = 0;                 // y is not a.x
    virtual void set(Block& y, const Term& a, const Term& b) = 0;  // y is neither
    virtual void accumulate(Block& y, const Term& of_y, const Term& a) = 0;
    virtual void multiply(Block& y, const Block& x) = 0;
    virtual void divide(Block& y, const Block& x) = 0;
    virtual BlockPointer scalar(double value) = 0;
    virtual BlockPointer compute(ScalarOperation operation, const Block& a, const Block& b) = 0;
    virtual BlockPointer dot(const Block& x, const Block& y) = 0;                // collective
    virtual BlockPointer reduce(VectorReduction reduction, const Block& x) = 0;  // collective

    // Collective. Entries are those of this rank's rows: of a dense matrix column by column.
    virtual ProductPointer dense(GlobalIndex rows, GlobalIndex columns,
                                 std::span<const double> entries) = 0;
    virtual ProductPointer banded(GlobalIndex rows, GlobalIndex columns, BandedRows diagonals,
                                  bool shares_vectors) = 0;
    virtual ProductPointer sparse(GlobalIndex rows, GlobalIndex columns, const SparseRows& mine,
                                  SparseForm form) = 0;

  protected:
    Space(const Communicator& comm, std::shared_ptr<Device> device)
        : comm_(comm), device_(std::move(device)) {}
    virtual std::unique_ptr<Block> make(Index size) = 0;

  private:
    void take_back(std::unique_ptr<Block> block);
    const Communicator comm_;
    std::shared_ptr<Device> device_;
    std::map<Index, std::vector<std::unique_ptr<Block>>> free_;  // by size
    PoolCounts counts_;
};

// The space of a device, in single or double precision. Collective.
std::shared_ptr<Space> make_space(const Communicator& comm, std::shared_ptr<Device> device,
                                  bool is_double);

}  // namespace solenoid::algebra
