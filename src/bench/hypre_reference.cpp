#include "bench/hypre_reference.hpp"

#if defined(SOLENOID_HYPRE)

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>

#include "core/error.hpp"
#include "core/timer.hpp"
#include "parallel/fill_ghosts.hpp"
#include "solvers/multigrid/parallel_matrix.hpp"

namespace solenoid::bench {
namespace {

void check(HYPRE_Int code, const char* what) {
    if (code) throw ComputationError(std::string("hypre: ") + what + " failed");
}

// The unknowns without fixed ones, numbered consecutively over the ranks.
struct Unknowns {
    std::vector<Index> entity;        // of each unknown of this rank
    std::vector<GlobalIndex> number;  // of each entity held, -1 where it is fixed
    GlobalIndex first = 0;
};

Unknowns number_unknowns(const Communicator& comm, const EntityRanges& ranges, const HaloPlan& halo,
                         const std::vector<Index>& fixed) {
    Unknowns unknowns;
    unknowns.number.assign(ranges.all, 0);
    for (Index i : fixed) unknowns.number[i] = -1;
    for (Index i = 0; i < ranges.owned; ++i)
        if (unknowns.number[i] == 0) unknowns.entity.push_back(i);
    unknowns.first =
        row_partition(comm, static_cast<Index>(unknowns.entity.size())).first(comm.rank());
    for (std::size_t k = 0; k < unknowns.entity.size(); ++k)
        unknowns.number[unknowns.entity[k]] = unknowns.first + static_cast<GlobalIndex>(k);
    fill_ghosts(comm, halo, unknowns.number);
    return unknowns;
}

class System {
  public:
    System(const Unknowns& unknowns, const PoissonProblem& problem) {
        const auto first = static_cast<HYPRE_BigInt>(unknowns.first),
                   last = static_cast<HYPRE_BigInt>(first + unknowns.entity.size() - 1);
        HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &matrix_);
        HYPRE_IJMatrixSetObjectType(matrix_, HYPRE_PARCSR);
        HYPRE_IJMatrixInitialize(matrix_);
        for (auto* vector : {&b_, &x_}) {
            HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, vector);
            HYPRE_IJVectorSetObjectType(*vector, HYPRE_PARCSR);
            HYPRE_IJVectorInitialize(*vector);
        }
        set_rows(unknowns, problem);
        check(HYPRE_IJMatrixAssemble(matrix_), "assembling the matrix");
        HYPRE_IJVectorAssemble(b_);
        HYPRE_IJVectorAssemble(x_);
    }
    ~System() {
        HYPRE_IJMatrixDestroy(matrix_);
        HYPRE_IJVectorDestroy(b_);
        HYPRE_IJVectorDestroy(x_);
    }
    System(const System&) = delete;
    System& operator=(const System&) = delete;

    HYPRE_ParCSRMatrix matrix() const {
        return object<HYPRE_ParCSRMatrix>(matrix_, HYPRE_IJMatrixGetObject);
    }
    HYPRE_ParVector b() const { return object<HYPRE_ParVector>(b_, HYPRE_IJVectorGetObject); }
    HYPRE_ParVector x() const { return object<HYPRE_ParVector>(x_, HYPRE_IJVectorGetObject); }
    std::vector<double> answer(const Unknowns& unknowns, Index owned) const {
        std::vector<double> values(owned, 0.0);
        for (Index i : unknowns.entity) {
            const auto row = static_cast<HYPRE_BigInt>(unknowns.number[i]);
            HYPRE_IJVectorGetValues(x_, 1, &row, &values[i]);
        }
        return values;
    }

  private:
    template <class Object, class Handle, class Get>
    static Object object(Handle handle, Get get) {
        void* result = nullptr;
        get(handle, &result);
        return static_cast<Object>(result);
    }
    void set_rows(const Unknowns& unknowns, const PoissonProblem& problem) {
        std::vector<HYPRE_BigInt> columns;
        std::vector<double> entries;
        for (Index i : unknowns.entity) {
            columns.clear();
            entries.clear();
            for (Index k = problem.matrix.rows.start[i]; k < problem.matrix.rows.start[i + 1];
                 ++k) {
                const GlobalIndex column = unknowns.number[problem.matrix.rows.index[k]];
                if (column < 0) continue;
                columns.push_back(static_cast<HYPRE_BigInt>(column));
                entries.push_back(problem.matrix.entries[k]);
            }
            const auto row = static_cast<HYPRE_BigInt>(unknowns.number[i]);
            auto count = static_cast<HYPRE_Int>(columns.size());
            HYPRE_IJMatrixSetValues(matrix_, 1, &count, &row, columns.data(), entries.data());
            HYPRE_IJVectorSetValues(b_, 1, &row, &problem.rhs[i]);
        }
    }

    HYPRE_IJMatrix matrix_;
    HYPRE_IJVector b_, x_;
};

HYPRE_Solver boomer_amg(const HypreSettings& settings) {
    HYPRE_Solver amg;
    HYPRE_BoomerAMGCreate(&amg);
    HYPRE_BoomerAMGSetPrintLevel(amg, 0);
    HYPRE_BoomerAMGSetCoarsenType(amg, 10);  // HMIS
    HYPRE_BoomerAMGSetInterpType(amg, 6);    // extended+i
    HYPRE_BoomerAMGSetPMaxElmts(amg, 4);
    HYPRE_BoomerAMGSetStrongThreshold(amg, 0.25);
    HYPRE_BoomerAMGSetAggNumLevels(amg, settings.aggressive_levels);
    HYPRE_BoomerAMGSetRelaxType(amg, 8);  // l1 symmetric Gauss-Seidel within a rank
    HYPRE_BoomerAMGSetNumSweeps(amg, 1);
    HYPRE_BoomerAMGSetTol(amg, 0);
    HYPRE_BoomerAMGSetMaxIter(amg, 1);
    return amg;
}

}  // namespace

void require_hypre() {}

HypreResult solve_with_hypre(const Communicator& comm, const EntityRanges& ranges,
                             const HaloPlan& halo, const PoissonProblem& problem,
                             const HypreSettings& settings) {
    const Unknowns unknowns = number_unknowns(comm, ranges, halo, problem.fixed);
    static const bool is_ready = HYPRE_Init() == 0;
    if (!is_ready) throw ComputationError("hypre does not start");
    const System system(unknowns, problem);
    HYPRE_Solver cg, amg = boomer_amg(settings);
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &cg);
    HYPRE_PCGSetMaxIter(cg, 1000);
    HYPRE_PCGSetTol(cg, settings.tolerance);
    HYPRE_PCGSetTwoNorm(cg, 1);
    HYPRE_PCGSetPrecond(cg, reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSolve),
                        reinterpret_cast<HYPRE_PtrToSolverFcn>(HYPRE_BoomerAMGSetup), amg);
    HypreResult result;
    comm.barrier();
    Stopwatch watch;
    check(HYPRE_ParCSRPCGSetup(cg, system.matrix(), system.b(), system.x()), "its setup");
    comm.barrier();
    result.setup_seconds = watch.restart();
    check(HYPRE_ParCSRPCGSolve(cg, system.matrix(), system.b(), system.x()), "its solve");
    result.solve_seconds = comm.max(watch.seconds());
    HYPRE_Int iterations = 0;
    HYPRE_PCGGetNumIterations(cg, &iterations);
    result.iterations = static_cast<int>(iterations);
    result.x = system.answer(unknowns, ranges.owned);
    HYPRE_ParCSRPCGDestroy(cg);
    HYPRE_BoomerAMGDestroy(amg);
    return result;
}

}  // namespace solenoid::bench

#else

#include "core/error.hpp"

namespace solenoid::bench {

void require_hypre() {
    throw InputError(
        "this program was built without hypre: install its development files (Debian: "
        "libhypre-dev) and build again");
}

HypreResult solve_with_hypre(const Communicator&, const EntityRanges&, const HaloPlan&,
                             const PoissonProblem&, const HypreSettings&) {
    require_hypre();
    return {};
}

}  // namespace solenoid::bench

#endif
