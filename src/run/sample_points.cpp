#include "run/sample_points.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "core/hash.hpp"

namespace solenoid {
namespace {

struct Sample {
    std::uint64_t hash;
    Vec3 point;
};

// A sample that does not depend on the order of the corners.
Sample sample_of(std::vector<Vec3> corners) {
    const auto less = [](const Vec3& a, const Vec3& b) {
        return std::array{a.x, a.y, a.z} < std::array{b.x, b.y, b.z};
    };
    std::ranges::sort(corners, less);
    Sample sample{0, Vec3(0)};
    for (const Vec3& corner : corners) {
        sample.hash = mixed(sample.hash, corner);
        sample.point += corner;
    }
    sample.point /= static_cast<double>(corners.size());
    return sample;
}

void keep_least(std::vector<Sample>& samples) {
    std::ranges::sort(samples, {}, &Sample::hash);
    if (samples.size() > most_sample_points) samples.resize(most_sample_points);
}

std::vector<Vec3> agreed(const Communicator& comm, std::vector<Sample> samples) {
    keep_least(samples);
    const auto parts = comm.gather(std::as_bytes(std::span(samples)));
    std::vector<std::byte> bytes;
    for (const auto& part : parts) bytes.insert(bytes.end(), part.begin(), part.end());
    comm.broadcast(bytes);
    samples.resize(bytes.size() / sizeof(Sample));
    if (!bytes.empty()) std::memcpy(samples.data(), bytes.data(), bytes.size());
    keep_least(samples);
    std::vector<Vec3> points;
    for (const Sample& sample : samples) points.push_back(sample.point);
    return points;
}

}  // namespace

std::vector<Vec3> boundary_samples(const Communicator& comm, const Topology& topology,
                                   const std::string& boundary) {
    std::vector<Sample> samples;
    const auto& known = topology.boundaries();
    for (std::size_t b = 0; b < known.size(); ++b)
        if (known[b] == boundary)
            for (const auto& [size, corner] : topology.faces(b))
                samples.push_back(sample_of({corner.begin(), corner.begin() + size}));
    return agreed(comm, std::move(samples));
}

std::vector<Vec3> cell_samples(const Communicator& comm, const Topology& topology,
                               const std::string& region) {
    std::vector<Sample> samples;
    for (Index cell = 0; cell < topology.range(Kind::cell).owned; ++cell) {
        if (!region.empty() && topology.regions()[topology.region(cell)] != region) continue;
        std::vector<Vec3> corners;
        const int count = topology.nodes_of(cell).size();
        for (int j = 0; j < count; ++j) corners.push_back(topology.corner(cell, j));
        samples.push_back(sample_of(std::move(corners)));
    }
    return agreed(comm, std::move(samples));
}

}  // namespace solenoid
