#include "core/nearest_name.hpp"

#include <algorithm>
#include <numeric>

namespace solenoid {
namespace {

constexpr std::size_t longest_word = 200;  // nobody mistypes longer ones

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// How many letters are wrong, missing, too many, or exchanged with the next: the distance of
// Damerau and Levenshtein, each letter changed once at most. Capitals are no fault.
std::size_t edit_distance(std::string a, std::string b) {
    std::ranges::transform(a, a.begin(), lower);
    std::ranges::transform(b, b.begin(), lower);
    std::vector<std::size_t> row(b.size() + 1), before(row.size()), two_before(row.size());
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        two_before.swap(before);
        before.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] =
                std::min({before[j - 1] + (a[i - 1] != b[j - 1]), before[j] + 1, row[j - 1] + 1});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], two_before[j - 2] + 1);
        }
    }
    return row.back();
}

}  // namespace

std::string nearest_name(const std::string& word, const std::vector<std::string>& known) {
    std::string nearest;
    if (word.size() > longest_word) return nearest;
    std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;  // at most a third is wrong
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
