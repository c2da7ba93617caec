// Command `solenoid diff`: two checkpoints, states for ParaView, tables or output folders
// compared.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace solenoid {

struct DiffOptions {
    std::filesystem::path a, b;
    // Numbers of a column are alike where they differ by at most this part of the column's range in
    // A, or of its value where that is constant; 0: where they have the same bits.
    double tolerance = 0;
};

// Prints what differs, how much and where. Returns 0 where all is alike, else 1. Throws InputError.
int diff(const DiffOptions& options);

// What two things compared have in common, for messages and exit codes.
class DiffReport {
  public:
    explicit DiffReport(double tolerance) : tolerance_(tolerance) {}

    void alike() { ++alike_; }                                      // one more
    void differs(const std::string& what, const std::string& how);  // prints a line
    double tolerance() const { return tolerance_; }
    int alike_count() const { return alike_; }
    int different_count() const { return different_; }

  private:
    double tolerance_;
    int alike_ = 0, different_ = 0;
};

// A column of numbers beside another, piece by piece.
class ColumnDiff {
  public:
    void add(const double* a, const double* b, std::size_t count);

    bool is_alike(double tolerance) const;
    std::int64_t place() const { return place_; }  // of the largest difference, else the first
    // "largest difference 1e-3 at PLACE (2e-4 of the range 5), root mean square 1e-5"
    std::string words(const std::string& place) const;

  private:
    std::int64_t count_ = 0, place_ = -1;
    std::int64_t unlike_bits_ = 0, not_finite_ = 0;  // places; of unlike bits
    double low_ = 0, high_ = 0, largest_ = 0, squares_ = 0;
};

// name: for messages.
void diff_checkpoints(const std::filesystem::path& a, const std::filesystem::path& b,
                      const std::string& name, DiffReport& report);
void diff_states(const std::filesystem::path& a, const std::filesystem::path& b,
                 const std::string& name, DiffReport& report);
void diff_tables(const std::filesystem::path& a, const std::filesystem::path& b,
                 const std::string& name, DiffReport& report);

}  // namespace solenoid
