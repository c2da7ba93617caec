// Iterations of conjugate gradients that the host does not wait for: their sums stay on the device,
// are added up over the ranks there (parallel/device_allreduce.hpp), and give the passes alpha and
// beta. The host reads back what the last of them has left.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "parallel/agreed_sums.hpp"
#include "parallel/device_allreduce.hpp"
#include "solvers/krylov/cg_vectors.hpp"
#include "solvers/krylov/descent.hpp"

namespace solenoid {

template <class Real>
class CgAhead {
  public:
    using Preconditioners = std::span<Preconditioner<Real>* const>;  // one a column

    // Null where the device or its ranks cannot. Collective.
    static std::unique_ptr<CgAhead> make(AgreedSums& sums, Device& device, int columns);

    // So many iterations of the columns that are active, launched one behind the other, and what
    // they have left. Of a preconditioner's launches that of r . M^-1 r alone may reduce, of a
    // product's that of p . A p: what is kept is all that they reduce. Collective.
    template <class Answer>
    void iterate(int iterations, CgVectors<Real>& vectors, Preconditioners preconditioners,
                 Buffer<Answer>& x, std::span<CgColumn> columns, std::span<Descent> descents);

  private:
    CgAhead(AgreedSums& sums, Device& device, std::unique_ptr<DeviceAllreduce> ranks, int columns);
    template <class Work>
    void keep(DeviceSums& sums, const Work& work);
    DeviceNumber rz(const Preconditioner<Real>& preconditioner, int k,
                    bool is_before = false) const;
    void read_back(Preconditioners preconditioners, std::span<CgColumn> columns,
                   std::span<Descent> descents, int iterations);

    AgreedSums& sums_;
    Device& device_;
    std::unique_ptr<DeviceAllreduce> ranks_;
    std::unique_ptr<DeviceSums> pq_;  // p . A p of each column
    // of each column: r . r, and r . M^-1 r where M is a diagonal; r . M^-1 r elsewhere
    std::vector<std::unique_ptr<DeviceSums>> step_, rz_;
};

}  // namespace solenoid
