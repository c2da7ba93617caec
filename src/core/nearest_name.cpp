#include "core/nearest_name.hpp"

#include <algorithm>
#include <numeric>

namespace solenoid {
namespace {

constexpr std::size_t longest_word = 200;  // nobody mistypes longer ones

// Levenshtein distance.
std::size_t edit_distance(const std::string& a, const std::string& b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string nearest_name(const std::string& word, const std::vector<std::string>& known) {
    std::string nearest;
    if (word.size() > longest_word) return nearest;
    std::size_t least = std::max<std::size_t>(2, word.size() / 2) + 1;
    for (const std::string& name : known) {
        // no distance is less than the difference of the lengths
        if (std::max(word.size(), name.size()) - std::min(word.size(), name.size()) >= least)
            continue;
        const std::size_t distance = edit_distance(word, name);
        if (distance < least) {
            least = distance;
            nearest = name;
        }
    }
    return nearest;
}

}  // namespace solenoid
