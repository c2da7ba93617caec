#include "core/joined_words.hpp"

namespace solenoid {

std::string joined_words(std::span<const std::string> words, std::string_view between) {
    std::string text;
    for (const std::string& word : words) {
        if (&word != words.data()) text += between;
        text += word;
    }
    return text;
}

}  // namespace solenoid
