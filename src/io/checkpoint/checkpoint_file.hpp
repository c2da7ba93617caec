// Reads a checkpoint on any number of ranks.
#pragma once

#include <array>
#include <memory>

#include "io/checkpoint/checkpoint_header.hpp"
#include "io/checkpoint/raw_file.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

class CheckpointFile {
  public:
    // Verifies every byte, shared out over the ranks, before it reads what the file says. Throws
    // AgreedError with exit code 2, the file's name and the reason, on all ranks. Collective.
    CheckpointFile(const Communicator& comm, std::filesystem::path file);
    ~CheckpointFile();

    const std::filesystem::path& file() const { return file_; }
    const CheckpointHeader& header() const { return parsed_.header; }
    const std::vector<CheckpointArray>& arrays() const { return parsed_.arrays; }
    const CheckpointArray* find(const std::string& name) const;  // null where there is none

    // Sets the values of an array from its name, kind, columns and entities, and the type that its
    // values have; double and float are converted. Each of an array's stored entries must be asked
    // for by some rank. Numbers, as many as there are, are set on every rank. Throws AgreedError
    // with exit code 2 where the file has no such array. Collective.
    void fill(StateArray& array) const;

    // `count` values of a column from the first'th on, in the file's order: ascending numbers of
    // entities. T: double (of float32, too), float, std::int64_t.
    template <class T>
    std::vector<T> values(const CheckpointArray& array, int column, std::int64_t first,
                          std::int64_t count) const;
    // The numbers of the entities of these values; of an array of entities.
    std::vector<GlobalIndex> numbers(const CheckpointArray& array, std::int64_t first,
                                     std::int64_t count) const;
    std::string text(const CheckpointArray& array) const;

  private:
    struct Layout;
    void verify(const CheckpointPreamble& preamble) const;
    const CheckpointArray& matching(const StateArray& wanted) const;
    void fill_numbers(const CheckpointArray& array, StateArray& wanted) const;
    void fill_entities(const CheckpointArray& array, StateArray& wanted) const;
    const Layout& lay_out(const CheckpointArray& array, const StateArray& wanted) const;

    const Communicator comm_;
    const std::filesystem::path file_;
    RawFile raw_;
    ParsedHeader parsed_;
    // of the last array of each kind of entities
    mutable std::array<std::unique_ptr<Layout>, 5> layouts_;
};

}  // namespace solenoid
