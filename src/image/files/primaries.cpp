#include "image/files/primaries.hpp"

#include <cmath>
#include <cstddef>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>

#include "core/error.hpp"
#include "core/threads.hpp"

namespace solenoid {
namespace {

constexpr double same = 1e-4;  // files hold four decimals, or single precision

glm::dvec3 xyz(const Primaries::Place& p) { return {p[0], p[1], 1 - p[0] - p[1]}; }

bool are_same(const Primaries& a, const Primaries& b) {
    for (const auto part :
         {&Primaries::red, &Primaries::green, &Primaries::blue, &Primaries::white})
        for (std::size_t k = 0; k < 2; ++k)
            if (!(std::abs((a.*part)[k] - (b.*part)[k]) < same)) return false;
    return true;
}

// X, Y and Z of white with Y = 1.
glm::dvec3 white_of(const Primaries& p) { return xyz(p.white) / p.white[1]; }

// From R, G and B to X, Y and Z: (1, 1, 1) is white.
glm::dmat3 to_xyz(const Primaries& p) {
    const glm::dmat3 directions(xyz(p.red), xyz(p.green), xyz(p.blue));
    const glm::dvec3 lights = glm::inverse(directions) * white_of(p);
    return {directions[0] * lights[0], directions[1] * lights[1], directions[2] * lights[2]};
}

void check(const Primaries& p, const std::string& place) {
    constexpr double least = 1e-4, most = 10;
    for (const auto part :
         {&Primaries::red, &Primaries::green, &Primaries::blue, &Primaries::white})
        for (const double of_part : p.*part)
            if (!(std::abs(of_part) < most))
                throw InputError(place, "a chromaticity of the primaries is not below 10");
    const double area = glm::determinant(glm::dmat3(xyz(p.red), xyz(p.green), xyz(p.blue)));
    if (!(std::abs(area) > least))
        throw InputError(place, "the chromaticities of red, green and blue lie on a line");
    if (!(p.white[0] > least && p.white[1] > least && p.white[0] + p.white[1] < 1))
        throw InputError(place, "the chromaticity of white is no colour of light");
}

}  // namespace

glm::dmat3 to_rec709(const Primaries& primaries, const std::string& place) {
    check(primaries, place);
    // rows of Bradford's matrix: the answers of the eye's cones, sharpened
    const glm::dmat3 cones = glm::transpose(
        glm::dmat3(0.8951, 0.2664, -0.1614, -0.7502, 1.7135, 0.0367, 0.0389, -0.0685, 1.0296));
    const Primaries rec709;
    const glm::dvec3 scale = (cones * white_of(rec709)) / (cones * white_of(primaries));
    glm::dmat3 adapted = cones;
    for (int c = 0; c < 3; ++c) adapted[c] *= scale;
    return glm::inverse(to_xyz(rec709)) * glm::inverse(cones) * adapted * to_xyz(primaries);
}

void take_primaries(Image& image, const Primaries& primaries, const std::string& place) {
    if (are_same(primaries, {})) return;
    const glm::dmat3 matrix = to_rec709(primaries, place);
    for_each(0, image.red.size(), [&](std::size_t k) {
        const glm::dvec3 of_709 = matrix * glm::dvec3(image.red[k], image.green[k], image.blue[k]);
        image.red[k] = static_cast<float>(of_709.x);
        image.green[k] = static_cast<float>(of_709.y);
        image.blue[k] = static_cast<float>(of_709.z);
    });
}

}  // namespace solenoid
