// The colours that a picture's red, green and blue stand for.
#pragma once

#include <array>
#include <glm/mat3x3.hpp>
#include <string>

#include "image/files/image.hpp"

namespace solenoid {

// Chromaticities x and y (CIE 1931) of the primaries and of white.
struct Primaries {
    using Place = std::array<double, 2>;
    Place red{0.64, 0.33}, green{0.30, 0.60}, blue{0.15, 0.06}, white{0.3127, 0.3290};  // Rec. 709
};

// What multiplies linear red, green and blue of the primaries so that they become those of Rec.
// 709: by way of X, Y and Z (SMPTE RP 177), white to white by Bradford's transform (Lam 1985).
// Throws InputError at `place` where the primaries lie on a line, or white has no light.
glm::dmat3 to_rec709(const Primaries& primaries, const std::string& place);

// Takes an image's channels for light of these primaries, and makes them those of Rec. 709. Colours
// that Rec. 709 does not have get negative channels.
void take_primaries(Image& image, const Primaries& primaries, const std::string& place);

}  // namespace solenoid
