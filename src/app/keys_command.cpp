#include "app/keys_command.hpp"

#include <fmt/format.h>

#include "app/physics.hpp"
#include "core/error.hpp"

namespace solenoid {
namespace {

// Removes Markdown marks, which are for the docs: a link is the page that it leads to.
std::string plain(const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '`' || c == '\\') continue;
        const std::size_t middle = c == '[' ? text.find("](", i) : text.npos,
                          end = middle == text.npos ? middle : text.find(')', middle);
        if (end != text.npos && text.substr(middle, end - middle).find(".md") != text.npos &&
            text.substr(i, middle - i).find(']') == text.npos) {
            result += "docs/" + text.substr(middle + 2, end - middle - 2);
            i = end;
        } else {
            result += c;
        }
    }
    return result;
}

std::string described(const std::string& indent, const Key& key) {
    return fmt::format("{}{:<14} {}, {}: {}\n", indent, key.name, key.type,
                       key.is_required() ? key.fallback : plain(key.fallback) + " if absent",
                       plain(key.help));
}

std::string heading(const std::string& title, const std::string& physics) {
    return fmt::format("{}{}\n", title, physics.empty() ? "" : fmt::format("    ({})", physics));
}

std::string described(const Physics& physics) {
    std::string text = heading("[boundary.NAME]", physics.name());
    for (const ConditionSummary& condition : physics.conditions()) {
        text += fmt::format("  type = \"{}\"   {}\n", condition.name, plain(condition.help));
        for (const Key& key : condition.keys) text += described("    ", key);
    }
    return text;
}

}  // namespace

int print_keys(const std::string& part) {
    std::vector<std::string> texts;
    for (const KeyTable& table : key_tables(all_physics())) {
        if (table.title.find(part) == std::string::npos) continue;
        std::string text = heading(table.title, table.physics);
        for (const Key& key : table.keys) text += described("  ", key);
        texts.push_back(text);
    }
    if (std::string("[boundary.NAME]").find(part) != std::string::npos)
        for (const Physics* physics : all_physics()) texts.push_back(described(*physics));
    if (texts.empty())
        throw InputError(fmt::format(
            "no table of a case has \"{}\" in its name: solenoid keys lists all", part));
    for (const std::string& text : texts) fmt::print("{}\n", text);
    return 0;
}

}  // namespace solenoid
