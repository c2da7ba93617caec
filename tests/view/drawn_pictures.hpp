// Meshes to be drawn, and pictures as they are read back.
#pragma once

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb/stb_image.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "mesh/box.hpp"
#include "parallel/simplex_topology.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/scratch_folder.hpp"
#include "view/picture.hpp"

namespace solenoid::test {

struct Rgb {
    int r, g, b;
    bool operator==(const Rgb&) const = default;
};
constexpr Rgb white{255, 255, 255};

inline int distance(const Rgb& a, const Rgb& b) {
    return std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
}
inline bool is_grey(const Rgb& c) {
    return std::max({c.r, c.g, c.b}) - std::min({c.r, c.g, c.b}) < 25;
}

struct Image {
    int width = 0, height = 0;
    std::vector<unsigned char> bytes;

    explicit Image(const std::filesystem::path& file) {
        int channels = 0;
        unsigned char* data = stbi_load(file.c_str(), &width, &height, &channels, 3);
        if (!data) throw std::runtime_error(file.string() + " is no picture");
        bytes.assign(data, data + 3 * std::size_t(width) * height);
        stbi_image_free(data);
    }
    Rgb at(int x, int y) const {
        const unsigned char* p = &bytes[3 * (std::size_t(y) * width + x)];
        return {p[0], p[1], p[2]};
    }
};

inline double fraction_alike(const Image& a, const Image& b) {
    std::size_t alike = 0;
    for (int y = 0; y < a.height; ++y)
        for (int x = 0; x < a.width; ++x) alike += distance(a.at(x, y), b.at(x, y)) <= 2;
    return double(alike) / (double(a.width) * a.height);
}

inline SimplexMesh box(int dimension, std::size_t cells = 2000) {
    BoxSettings settings;
    settings.dimension = dimension;
    settings.cells = cells;
    return box_mesh(settings);
}

inline DistributedMesh on_ranks(const Communicator& comm, int dimension) {
    std::optional<SimplexMesh> mesh;
    if (comm.is_root()) mesh = box(dimension);
    return distribute(comm, std::move(mesh));
}

template <class Function>
std::vector<double> at_nodes(const DistributedMesh& mesh, Function function) {
    std::vector<double> values;
    for (const Vec3& p : mesh.mesh.points) values.push_back(function(p));
    return values;
}

inline double slope(const Vec3& p) { return 300 + 50 * p.x + 20 * p.y - 10 * p.z; }

inline PictureSettings picture(const std::string& name) {
    PictureSettings settings;
    settings.name = name;
    settings.field = "temperature";
    settings.width = 600;
    settings.height = 400;
    return settings;
}

// Draws the final state and returns the file; "" but on the root.
template <class Function>
std::filesystem::path draw(const Communicator& comm, const DistributedMesh& mesh,
                           const PictureSettings& settings, const std::filesystem::path& folder,
                           Function function) {
    Pictures pictures(comm, SimplexTopology(mesh), {settings}, folder);
    const std::vector<double> values = at_nodes(mesh, function);
    pictures.draw(
        {true}, [&](const std::string&) { return std::span(values); }, 1.5, true);
    return pictures.files().empty() ? std::filesystem::path() : pictures.files().front();
}

// Where the body begins and ends in the middle row: the first run of pixels that are not grey.
inline std::array<int, 2> body_in_middle_row(const Image& image) {
    int first = 0;
    while (first < image.width && is_grey(image.at(first, image.height / 2))) ++first;
    int end = first;
    while (end < image.width && !is_grey(image.at(end, image.height / 2))) ++end;
    return {first, end};
}

}  // namespace solenoid::test
