// Whether an STL file has what it promises, for VTK's reader believes the head of a binary one, or
// reads on behind what it says, and takes the beginnings of words in text for numbers.
#pragma once

#include <filesystem>

namespace solenoid {

// Text by its first word 'solid', and without zero bytes, as a binary file has them in its numbers.
bool is_text_stl(const std::filesystem::path& file);

// Throws InputError, of text with the line.
void check_stl(const std::filesystem::path& file);

// Whether a triangle of a binary file that is checked has a number in its two bytes of attributes.
bool has_attributes(const std::filesystem::path& file);

}  // namespace solenoid
