#include "case/named.hpp"

#include <span>

#include "case/quote.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/nearest_name.hpp"

namespace solenoid {

std::string enumerated(const std::vector<std::string>& names) {
    constexpr std::size_t most = 30;
    if (names.empty()) return "none";
    const std::size_t told = std::min(most, names.size());
    return fmt::format("\"{}\"{}", joined_words(std::span(names).first(told), "\", \""),
                       names.size() > most ? fmt::format(", ... ({} in all)", names.size()) : "");
}

void refuse_unknown(const std::string& place, const std::string& table, const std::string& kind,
                    const std::string& name, const std::vector<std::string>& known) {
    const std::string near = nearest_name(name, known), told = quoted(name);
    throw InputError(place,
                     fmt::format("[{}.{}]: the mesh has no {} {}{}; it has: {}", table,
                                 name.size() > 80 ? told : name, kind, told,
                                 near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                                 enumerated(known)));
}

}  // namespace solenoid
