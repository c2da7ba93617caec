#include <fmt/format.h>

#include <algorithm>

#include "app/diff_command.hpp"
#include "io/checkpoint/checkpoint_file.hpp"

namespace solenoid {
namespace {

constexpr std::int64_t at_once = 1 << 20;  // values in memory
// Not compared: the parts of a run that was continued, and the seconds that they took.
constexpr const char* of_the_clock = "output/parts";
constexpr const char* of_the_ranks = "partition";  // not compared where their numbers differ

bool is_real(const CheckpointArray& array) {
    return array.type == CheckpointType::float64 || array.type == CheckpointType::float32;
}

// What keeps two arrays from being compared value by value; "" where nothing does.
std::string shape_differs(const CheckpointArray& a, const CheckpointArray& b) {
    const bool is_comparable = a.type == b.type || (is_real(a) && is_real(b));
    const auto shape = [](const CheckpointArray& array) {
        return fmt::format("{} {} in {} columns of {}", array.count, name_of(array.of),
                           array.columns, name_of(array.type));
    };
    if (a.of == b.of && a.columns == b.columns && a.count == b.count && is_comparable) return "";
    return fmt::format("{} in A, {} in B", shape(a), shape(b));
}

// The first place where two runs of values differ, or -1. read(0, at, count), read(1, at, count):
// values of A and of B.
template <class Read>
std::int64_t first_difference(std::int64_t count, const Read& read) {
    for (std::int64_t at = 0; at < count; at += at_once) {
        const std::int64_t length = std::min(at_once, count - at);
        const auto a = read(0, at, length), b = read(1, at, length);
        const auto place = std::mismatch(a.begin(), a.end(), b.begin()).first;
        if (place != a.end()) return at + (place - a.begin());
    }
    return -1;
}

class CheckpointDiff {
  public:
    CheckpointDiff(const std::filesystem::path& a, const std::filesystem::path& b, std::string name,
                   DiffReport& report)
        : files_{CheckpointFile(Communicator::self(), a), CheckpointFile(Communicator::self(), b)},
          name_(std::move(name)),
          report_(report) {}

    void compare() {
        compare_headers();
        for (const CheckpointArray& a : files_[0].arrays()) {
            if (!is_compared(a.name)) continue;
            if (const CheckpointArray* b = files_[1].find(a.name))
                compare_arrays(a, *b);
            else
                report_.differs(place(a.name), "only in A");
        }
        for (const CheckpointArray& b : files_[1].arrays())
            if (is_compared(b.name) && !files_[0].find(b.name))
                report_.differs(place(b.name), "only in B");
    }

  private:
    bool is_compared(const std::string& name) const {
        return name != of_the_clock &&
               (name != of_the_ranks || files_[0].header().ranks == files_[1].header().ranks);
    }
    std::string place(const std::string& array) const { return name_ + ": " + array; }

    // Versions, ranks and texts may differ: the state is compared.
    void compare_headers() {
        const CheckpointHeader &a = files_[0].header(), &b = files_[1].header();
        if (a.mesh_hash != b.mesh_hash || a.count != b.count)
            report_.differs(place("mesh"), fmt::format("{} cells in A, {} in B, or other ones",
                                                       a.count[3], b.count[3]));
        if (a.step != b.step)
            report_.differs(place("step"), fmt::format("{} in A, {} in B", a.step, b.step));
        if (a.time != b.time)
            report_.differs(place("time"), fmt::format("{} in A, {} in B", a.time, b.time));
    }

    std::string entity(const CheckpointArray& a, std::int64_t row) const {
        if (a.of == StateArray::Of::numbers) return fmt::format("row {}", row);
        std::string kind = name_of(a.of);
        kind.pop_back();
        return fmt::format("{} {}", kind, files_[0].numbers(a, row, 1)[0]);
    }

    void compare_arrays(const CheckpointArray& a, const CheckpointArray& b) {
        const CheckpointArray* arrays[] = {&a, &b};
        if (const std::string why = shape_differs(a, b); !why.empty())
            return report_.differs(place(a.name), why);
        const auto numbers = [&](int k, std::int64_t at, std::int64_t count) {
            return files_[k].numbers(*arrays[k], at, count);
        };
        if (a.of != StateArray::Of::numbers && (a.numbers >= 0 || b.numbers >= 0) &&
            first_difference(a.count, numbers) >= 0)
            return report_.differs(place(a.name), "of other entities");
        if (is_real(a))
            compare_reals(arrays);
        else
            compare_exactly(arrays);
    }

    void compare_reals(const CheckpointArray* const (&arrays)[2]) {
        const CheckpointArray& a = *arrays[0];
        int different = 0;
        for (int column = 0; column < a.columns; ++column) {
            ColumnDiff diff;
            for (std::int64_t at = 0; at < a.count; at += at_once) {
                const std::int64_t length = std::min(at_once, a.count - at);
                const auto left = files_[0].values<double>(a, column, at, length);
                const auto right = files_[1].values<double>(*arrays[1], column, at, length);
                diff.add(left.data(), right.data(), left.size());
            }
            if (diff.is_alike(report_.tolerance())) continue;
            ++different;
            report_.differs(place(a.columns == 1 ? a.name : fmt::format("{}[{}]", a.name, column)),
                            diff.words(entity(a, diff.place())));
        }
        if (!different) report_.alike();
    }

    void compare_exactly(const CheckpointArray* const (&arrays)[2]) {
        const CheckpointArray& a = *arrays[0];
        if (a.type == CheckpointType::text) {
            const std::string left = files_[0].text(a), right = files_[1].text(*arrays[1]);
            if (left == right) return report_.alike();
            const auto at = std::mismatch(left.begin(), left.end(), right.begin()).first;
            return report_.differs(place(a.name),
                                   fmt::format("texts differ from byte {} on", at - left.begin()));
        }
        for (int column = 0; column < a.columns; ++column) {
            const auto values = [&](int k, std::int64_t at, std::int64_t count) {
                return files_[k].values<std::int64_t>(*arrays[k], column, at, count);
            };
            const std::int64_t row = first_difference(a.count, values);
            if (row < 0) continue;
            return report_.differs(place(a.name),
                                   fmt::format("{} in A, {} in B at {}", values(0, row, 1)[0],
                                               values(1, row, 1)[0], entity(a, row)));
        }
        report_.alike();
    }

    const CheckpointFile files_[2];
    const std::string name_;
    DiffReport& report_;
};

}  // namespace

void diff_checkpoints(const std::filesystem::path& a, const std::filesystem::path& b,
                      const std::string& name, DiffReport& report) {
    CheckpointDiff(a, b, name, report).compare();
}

}  // namespace solenoid
