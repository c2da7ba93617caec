#include "app/one_of.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/joined_words.hpp"
#include "core/nearest_name.hpp"

namespace solenoid {

CLI::Validator one_of(const std::vector<std::string>& names) {
    const std::string all = fmt::format("{{{}}}", joined_words(names, ","));
    const auto check = [names, all](const std::string& word) -> std::string {
        if (std::ranges::find(names, word) != names.end()) return "";
        const std::string near = nearest_name(word, names);
        return fmt::format("{} not in {}{}", word, all,
                           near.empty() ? "" : ": did you mean " + near + "?");
    };
    return {[check](std::string& word) { return check(word); }, all, ""};
}

}  // namespace solenoid
