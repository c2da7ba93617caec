#include "flow/sections.hpp"

#include <cmath>

#include "device/expression.hpp"
#include "device/upload.hpp"

namespace solenoid {

template <class Real>
Sections<Real>::Sections(const Communicator& comm, Device& device, const DistributedMesh& mesh)
    : comm_(comm), device_(device), faces_(mesh.range(Kind::face)) {
    for (const PeriodicPair& pair : mesh.mesh.folding.pairs) {
        std::vector<double> sign(faces_.all, 0.0);
        for (Index face : section_faces(mesh.mesh, pair)) sign[entity_of(face)] = orientation_of(face);
        pairs_.push_back({mesh.mesh.boundaries[pair.from], mesh.mesh.boundaries[pair.to], 0, std::nullopt});
        sign_.push_back(uploaded<Real>(device, sign));
    }
}

template <class Real>
std::vector<double> Sections<Real>::flux(const Buffer<Real>& flux) const {
    std::vector<double> sums;
    for (const auto& sign : sign_) sums.push_back(Over(device_, faces_.marked()).dot(sign, flux));
    comm_.sum(sums);
    return sums;
}

template <class Real>
std::vector<double> Sections<Real>::gross(const Buffer<Real>& flux) const {
    std::vector<double> sums;
    const auto values = flux.download();
    for (const auto& sign : sign_) {
        const auto signs = sign.download();
        double sum = 0;
        for (Index f = 0; f < faces_.owned; ++f) sum += std::abs(signs[f] * values[f]);
        sums.push_back(sum);
    }
    comm_.sum(sums);
    return sums;
}

template class Sections<float>;
template class Sections<double>;

}  // namespace solenoid
