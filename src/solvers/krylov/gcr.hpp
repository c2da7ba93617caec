// The fixed point x = G(x) of an affine map of vector fields, by generalized conjugate residuals
// (Eisenstat, Elman & Schultz 1983), truncated: the residual G(x) - x never grows, however far G is
// from contracting.
//
//     for (double left = iteration.start(x, g); left > target;) left =
//         iteration.advance(G(iteration.probe()));
//     x = iteration.point()
#pragma once

#include "device/expression.hpp"
#include "parallel/agreed_sums.hpp"

namespace solenoid {

template <class Real>
class Gcr {
  public:
    // weight: of the inner product, on the entities of `range`, over which all is done. size: of
    // the fields. depth: how many past directions are kept, two fields each. The weight must
    // outlive this.
    Gcr(const Communicator& comm, Device& device, Range range, Index size, int dimension,
        const Buffer<Real>& weight, int depth = 4);

    // Both return the norm of the residual. g: the image of x; the image of probe(). Collective.
    double start(const Buffer<Real>& x, const Buffer<Real>& g);
    double advance(const Buffer<Real>& g);
    Buffer<Real>& probe() { return probe_; }
    Buffer<Real>& point() { return x_; }

    double norm(const Buffer<Real>& x);
    double distance(const Buffer<Real>& x, const Buffer<Real>& y);  // not between start and advance

  private:
    double dot(const Buffer<Real>& x, const Buffer<Real>& y);
    void set_probe();

    AgreedSums sums_;
    Device& device_;
    const Over over_;  // the range
    const int depth_;
    const Buffer<Real>& weight_;
    // what a direction adds to the residual; these are orthogonal
    std::vector<Buffer<Real>> directions_, images_;
    std::vector<double> square_;  // of the images
    Buffer<Real> x_, residual_, probe_;
    // of directions since the start, the oldest overwritten
    int count_ = 0;
};

}  // namespace solenoid
