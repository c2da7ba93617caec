// Laws of viscosity on every device, shear rates of linear velocities, and what a uniform viscosity
// given as one that varies must not change.
#include "flow/discretization/viscosity.hpp"

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <cmath>

#include "flow/viscosity/viscosity_law.hpp"
#include "mesh/box.hpp"
#include "parallel/communicator.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/flows.hpp"
#include "support/momentum_bench.hpp"

namespace solenoid::viscosity_test {
namespace {

std::shared_ptr<const ViscosityLaw> law(const std::string& type, const std::string& keys,
                                        double least, double largest) {
    const toml::table table = toml::parse(keys);
    return kind_of(viscosity_law_kinds(), type)
        .read(TableReader(table, "[viscosity]", "test"), {least, largest});
}

const std::vector<double>& rates() {
    static const std::vector<double> values{0, 1e-9, 1e-3, 0.3, 1, 2.5, 17, 1e4, 1e9};
    return values;
}

template <class Real>
void expect_law(const ViscosityLaw& law, const std::function<double(double)>& exact,
                double tolerance) {
    for (const std::string& name : test::devices_on(Communicator::world().size())) {
        const auto device = test::make_device(name);
        const std::vector<Real> given(rates().begin(), rates().end());
        const auto rate = device->buffer<Real>(std::span<const Real>(given));
        auto nu = device->buffer<Real>(rate.size());
        law.evaluate({*device, {0, rate.size()}}, rate, nu);
        const auto values = nu.download();
        for (std::size_t i = 0; i < values.size(); ++i)
            EXPECT_NEAR(values[i],
                        std::clamp(exact(rates()[i]), law.limits().least, law.limits().largest),
                        tolerance * values[i])
                << name << ", rate " << rates()[i];
    }
}

TEST(ViscosityLaws, OfPowers) {
    for (const double index : {0.5, 1.0, 1.5}) {
        const auto fluid =
            law("power_law", fmt::format("consistency = 0.3\nindex = {}", index), 1e-3, 20);
        const auto exact = [&](double rate) {
            return rate > 0    ? 0.3 * std::pow(rate, index - 1)
                   : index < 1 ? 1e30
                   : index > 1 ? 0
                               : 0.3;
        };
        expect_law<double>(*fluid, exact, 4e-15);
        expect_law<float>(*fluid, exact, 2e-6);
    }
}

TEST(ViscosityLaws, OfCarreauAndYasuda) {
    const auto fluid =
        law("carreau_yasuda", "time = 0.4\nexponent = 0.3\ntransition = 1.5", 0.02, 3);
    const auto exact = [](double rate) {
        return 0.02 + 2.98 * std::pow(1 + std::pow(0.4 * rate, 1.5), -0.7 / 1.5);
    };
    expect_law<double>(*fluid, exact, 1e-14);
    expect_law<float>(*fluid, exact, 4e-6);
}

// nu of rate^0 is the consistency, of rate^1 the shear rate itself: of u = L x it is sqrt(2 S : S)
// on every face.
TEST(Viscosity, SeesTheShearRateOfLinearVelocities) {
    for (const int d : {2, 3}) {
        const SimplexMesh whole =
            box_mesh({.dimension = d, .cells = d == 2 ? 200u : 600u, .jitter = 0.15});
        const auto velocity =
            d == 2
                ? test::vector_formula({"0.3*x+1.1*y", "0.7*x-0.3*y"})
                : test::vector_formula({"0.3*x+1.1*y-z", "0.7*x+0.5*y+0.2*z", "0.4*x-0.6*y-0.8*z"});
        const double square =
            d == 2
                ? 2 * (0.3 * 0.3 * 2 + 2 * 0.9 * 0.9)
                : 2 * (0.3 * 0.3 + 0.5 * 0.5 + 0.8 * 0.8 + 2 * (0.9 * 0.9 + 0.3 * 0.3 + 0.2 * 0.2));
        for (const std::string& name : test::devices_on(Communicator::world().size())) {
            const Communicator comm = Communicator::world();
            const auto device = test::make_device(name);
            const DistributedMesh mesh =
                distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
            const Domain domain(comm, *device, mesh);
            const FlowBoundaries boundaries(domain, test::on_every_side(whole, "inflow", velocity));
            Momentum<double> momentum(
                domain, boundaries,
                ViscosityModel(Formula(0.0),
                               law("power_law", "consistency = 1\nindex = 2", 1e-9, 1e9)),
                {}, {});
            auto u = momentum.velocity();
            std::vector<double> values(std::size_t(u.size()) * d, 0.0);
            for (int k = 0; k < d; ++k)
                for (Index c = 0; c < domain.cells.owned; ++c)
                    values[std::size_t(k) * u.size() + c] =
                        velocity[k](domain.geometry.cell_centroid[c]);
            u.upload(values);
            momentum.update(0);
            momentum.update_viscosity(0, u);
            for (const double nu : momentum.viscosity().at_faces().with_ghosts().download())
                EXPECT_NEAR(nu, std::sqrt(square), 1e-11) << d << "D, " << name;
            for (const double nu : momentum.viscosity().host_boundary())
                EXPECT_NEAR(nu, std::sqrt(square), 1e-11);
        }
    }
}

// Where nu is the same everywhere the transposed part is none, on any mesh: the same flow, but for
// how its diffusion is split in time.
TEST(Viscosity, GivenAsAFormulaIsThatOfANumber) {
    const SimplexMesh whole = box_mesh({.dimension = 2, .cells = 400, .jitter = 0.2});
    const auto exact = test::vector_formula({"-cos(pi*x)*sin(pi*y)", "sin(pi*x)*cos(pi*y)"});
    FlowSettings settings;
    settings.body_force = test::vector_formula(
        {"-2*0.05*pi^2*cos(pi*x)*sin(pi*y)", "2*0.05*pi^2*sin(pi*x)*cos(pi*y)"});
    std::array<std::vector<double>, 2> u;
    for (const int i : {0, 1}) {
        test::Flow<double> flow(whole, i ? Formula("0.05+0*x", "test") : Formula(0.05),
                                test::on_every_side(whole, "inflow", exact), exact, test::tight(),
                                "cpu", settings);
        flow.run(600, 0.01);
        EXPECT_LT(flow.solver.rate_of_change(), 1e-7);
        u[i] = flow.solver.cell_velocity();
    }
    for (std::size_t c = 0; c < u[0].size(); ++c) EXPECT_NEAR(u[0][c], u[1][c], 1e-7);
}

TEST(Viscosity, MustNotBeNegative) {
    const SimplexMesh whole = box_mesh({.dimension = 2, .cells = 100});
    const auto still = test::vector_formula({"0", "0"});
    EXPECT_THROW(test::Flow<double>(whole, Formula("0.1-x", "case.toml:3"),
                                    test::on_every_side(whole, "wall", still), still),
                 AgreedError);
}

}  // namespace
}  // namespace solenoid::viscosity_test
