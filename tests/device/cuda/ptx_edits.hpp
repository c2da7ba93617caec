// Changes of PTX's text, by which a test makes it wrong.
#pragma once

#include <string>
#include <vector>

namespace solenoid::test::ptx {

// The text for another compute capability, 70 for sm_70.
std::string with_target(std::string text, int capability);

// Lines of one entry or function that begin with one of the words, behind blanks and a predicate.
std::size_t count_of(const std::string& text, const std::string& function,
                     const std::vector<std::string>& words);
// The text without the n-th of them.
std::string without(const std::string& text, const std::string& function,
                    const std::vector<std::string>& words, std::size_t n);
// The text with a word for another, wherever it stands; there must be one.
std::string replaced(std::string text, const std::string& word, const std::string& by);
// The text where the last line with one of the words `data` before the n-th with one of `signal`
// stands behind that.
std::string with_data_behind(const std::string& text, const std::string& function,
                             const std::vector<std::string>& data,
                             const std::vector<std::string>& signal, std::size_t n);

}  // namespace solenoid::test::ptx
