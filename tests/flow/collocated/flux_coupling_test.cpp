// How fluxes and cell velocities hold together: gradients of linear pressures, what is taken ahead
// of the lag, work at walls, held cells.
#include "flow/collocated/flux_coupling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "flow/thin_meshes.hpp"
#include "mesh/box.hpp"
#include "support/domain_fields.hpp"
#include "support/momentum_bench.hpp"

namespace solenoid::flux_coupling_test {
namespace {

SimplexMesh box(int dimension) {
    BoxSettings settings;
    settings.dimension = dimension;
    settings.cells = dimension == 2 ? 400 : 900;
    settings.high = {1, 1, dimension == 2 ? 0.0 : 1.0};
    return box_mesh(settings);
}

// Between resting walls.
template <class Real>
struct Coupled : test::MomentumBench<Real> {
    Coupled(const std::string& device_name, int dimension, double viscosity)
        : test::MomentumBench<Real>(device_name, box(dimension),
                                    test::everywhere(dimension, "wall", {"0", "0", "0"}),
                                    viscosity),
          coupling(this->domain, this->boundaries, this->momentum) {}

    bool is_inside(Index f) const {
        return this->mesh.mesh.face_cells(f, 0) != none && this->mesh.mesh.face_cells(f, 1) != none;
    }
    bool is_at_wall(Index c) const {
        for (int j = 0; j <= this->d(); ++j)
            if (!is_inside(entity_of(this->mesh.mesh.cell_faces(c, j)))) return true;
        return false;
    }
    // The flux of v through faces inside, zero through walls.
    Field<Real> flux_of(const Vec3& v) {
        return test::field_of<Real>(this->domain, Kind::face, 1, [&](Index f, int) {
            return is_inside(f) ? glm::dot(this->geometry.face_area[f], v) : 0.0;
        });
    }
    Field<Real> faces() { return this->domain.template field<Real>(Kind::face); }
    Field<Real> cells() { return this->domain.template vector_field<Real>(Kind::cell); }

    FluxCoupling<Real> coupling;
};

const Vec3 slope(0.7, -1.3, 0.4);

// In viscous flow cells at walls have the gradient of a linear pressure from their faces inside
// alone.
template <class Real>
void expect_linear_pressure(const std::string& device, int dimension, double tolerance) {
    Coupled<Real> b(device, dimension, 1);
    auto gradient = b.flux_of(slope), flux = b.flux_of(Vec3(0.1)), q = b.cells();
    b.coupling.to_cells(gradient, flux, q);
    const auto found = q.download();
    for (Index c = 0; c < b.owned(); ++c) {
        int inside = 0;
        for (int j = 0; j <= dimension; ++j)
            inside += b.is_inside(entity_of(b.mesh.mesh.cell_faces(c, j)));
        if (inside < dimension) continue;  // corners: too few faces to tell
        for (int k = 0; k < dimension; ++k)
            ASSERT_NEAR(found[std::size_t(k) * q.size() + c], slope[k], tolerance)
                << device << ", cell " << c;
    }
}

TEST(FluxCoupling, HasTheGradientOfALinearPressure) {
    for (const int dimension : {2, 3}) {
        expect_linear_pressure<double>("cpu", dimension, 1e-12);
        if (Communicator::world().size() > 1) continue;
        expect_linear_pressure<double>("compute", dimension, 1e-12);
        expect_linear_pressure<float>("fragment", dimension, 1e-4);
    }
}

// sum V q . u, and what the gradient works on the fluxes that u makes, each face's from the corners
// between its centroid and the cells'.
template <class Real>
std::array<double, 2> works(Coupled<Real>& b, double speed) {
    auto gradient = test::field_of<Real>(b.domain, Kind::face, 1, [&](Index f, int) {
        return b.is_inside(f) ? test::random_value(test::key_of(b.mesh.mesh, Kind::face, f), 5)
                              : 0.0;
    });
    auto u = test::field_of<Real>(b.domain, Kind::cell, b.d(), [&](Index c, int k) {
        return test::random_value(test::key_of(b.mesh.mesh, Kind::cell, c), 6 + k);
    });
    auto flux = b.flux_of(Vec3(speed)), q = b.cells(), made = b.faces();
    b.coupling.to_cells(gradient, flux, q);
    b.operators.integration(u, made);
    const auto at_cells = q.download(), velocity = u.download(), at_faces = gradient.download(),
               fluxes = made.download();
    std::array<double, 2> sums{0, 0};
    for (Index c = 0; c < b.owned(); ++c)
        for (int k = 0; k < b.d(); ++k)
            sums[0] += b.geometry.cell_volume[c] * at_cells[std::size_t(k) * q.size() + c] *
                       velocity[std::size_t(k) * u.size() + c];
    for (Index f = 0; f < b.mesh.range(Kind::face).owned_range().end; ++f)
        sums[1] += double(at_faces[f]) * fluxes[f];
    return {b.comm.sum(sums[0]), b.comm.sum(sums[1])};
}

// The faster the flow in the cells at walls, the less their gradient works on what no flux sees.
TEST(FluxCoupling, WorksOnFluxesAloneInFastFlow) {
    for (const int dimension : {2, 3}) {
        Coupled<double> b("cpu", dimension, 1e-3);
        const auto slow = works(b, 1e-3), fast = works(b, 1e3), faster = works(b, 1e6);
        const double most = std::abs(slow[0] - slow[1]);
        EXPECT_GT(most, 1e-3 * std::abs(slow[1]));
        EXPECT_LT(std::abs(fast[0] - fast[1]), 1e-2 * most);
        EXPECT_LT(std::abs(faster[0] - faster[1]), 1e-5 * most);
    }
}

// What q and G differ by, where cells can see it, goes to the flux at once: of a uniform G where q
// = 0, without a lag that fades.
template <class Real>
void expect_taken_ahead(const std::string& device, int dimension, double tolerance) {
    Coupled<Real> b(device, dimension, 0);
    auto gradient = b.flux_of(slope), flux = b.faces(), q = b.cells(), star = b.faces();
    auto u = b.momentum.velocity();
    auto at_rest = b.faces();
    b.coupling.update_lag(u, at_rest);
    b.coupling.accept();
    b.coupling.update_lag(u, at_rest);
    b.coupling.add_lag(flux, gradient, q, {.s = 0.125, .c1 = 8, .c2 = -2}, star);
    const auto found = star.download();
    Index seen = 0, at_walls = 0;
    for (Index f = 0; f < b.mesh.range(Kind::face).shared; ++f) {
        if (!b.is_inside(f)) continue;
        const int beside =
            b.is_at_wall(b.mesh.mesh.face_cells(f, 0)) + b.is_at_wall(b.mesh.mesh.face_cells(f, 1));
        if (beside == 1) continue;
        if (beside == 2) {  // cells at walls see nothing
            ++at_walls;
            ASSERT_EQ(found[f], 0) << device << ", face " << f;
            continue;
        }
        ++seen;
        ASSERT_NEAR(found[f], 0.125 * glm::dot(b.geometry.face_area[f], slope), tolerance)
            << device << ", face " << f;
    }
    EXPECT_GT(b.comm.sum(std::int64_t(seen)), 100);
    EXPECT_GT(b.comm.sum(std::int64_t(at_walls)), 0);
}

TEST(FluxCoupling, TakesAheadWhatCellsSee) {
    for (const int dimension : {2, 3}) {
        expect_taken_ahead<double>("cpu", dimension, 1e-13);
        if (Communicator::world().size() > 1) continue;
        expect_taken_ahead<double>("compute", dimension, 1e-13);
        expect_taken_ahead<float>("fragment", dimension, 1e-6);
    }
}

// Of the state that a step of length 0.5 starts from: the flux to be projected, from none before
// it.
template <class Real>
std::vector<Real> lagged(Coupled<Real>& b, double gradient, const Vec3& flux, double reach) {
    auto from = b.flux_of(gradient * slope), carried = b.flux_of(flux), q = b.cells(),
         star = b.faces();
    auto u = b.momentum.velocity();
    b.coupling.update_lag(u, carried);
    b.coupling.add_lag(carried, from, q, {.s = 0.5, .c1 = 2, .reach = reach}, star);
    b.coupling.accept();
    return star.download();
}

// The pressure's part and the flux by which the lag fades are those of the step's end: a step after
// one with G and U starts as if it had 2 G' - G and 2 U' - U, but for the lag, which is that of U'.
TEST(FluxCoupling, LooksAheadByTheLastTwoStates) {
    const Vec3 first(0.3, 0.1, 0.2), second(0.5, 0.4, 0.3);
    for (const int dimension : {2, 3}) {
        Coupled<double> b("cpu", dimension, 1e-2), other("cpu", dimension, 1e-2);
        lagged(b, 1, first, 0);
        const auto found = lagged(b, 1.5, second, 1);
        const auto expected = lagged(other, 2, 2.0 * second - first, 0),
                   before = lagged(b, 1.5, second, 0);
        const auto lag = b.flux_of(second).download(),
                   ahead = b.flux_of(2.0 * second - first).download();
        double difference = 0;
        for (Index f = 0; f < b.mesh.range(Kind::face).owned; ++f) {
            if (!b.is_inside(f) || std::abs(ahead[f]) < 1e-9) continue;
            const auto [one, two] = centroids_beside(b.mesh.mesh, b.geometry, f);
            const double h = glm::length(two - one),
                         x = 0.5 * (std::abs(ahead[f]) / glm::length(b.geometry.face_area[f]) / h +
                                    0.1 * 2 * 1e-2 / (h * h));
            ASSERT_NEAR(found[f], expected[f] + (lag[f] - ahead[f]) / (1 + x), 1e-13)
                << "face " << f;
            difference = std::max(difference, std::abs(found[f] - before[f]));
        }
        EXPECT_GT(difference, 1e-3);
    }
}

// Cells are left as they are within twice their fastest flux's speed of their fluxes' velocity, and
// brought back to that distance beyond.
template <class Real>
void expect_held(const std::string& device, int dimension, double tolerance) {
    Coupled<Real> b(device, dimension, 0.01);
    const auto excess = [&](Index c) {
        return test::random_value(test::key_of(b.mesh.mesh, Kind::cell, c), 9) > 0.8 ? 40.0 : 0.5;
    };
    const Vec3 stream(0.3, 0, 0), direction(0.6, 0.8, 0);
    auto flux = test::field_of<Real>(b.domain, Kind::face, 1, [&](Index f, int) {
        return glm::dot(b.geometry.face_area[f], stream);
    });
    auto u = test::field_of<Real>(b.domain, Kind::cell, dimension, [&](Index c, int k) {
        return (stream + excess(c) * 0.1 * direction)[k];
    });
    const auto before = u.download();
    b.coupling.constrain(flux, u);
    const auto after = u.download();
    std::int64_t far = 0;
    for (Index c = 0; c < b.owned(); ++c) {
        double fastest = 0, apart = 0;
        for (int j = 0; j <= dimension; ++j) {
            const Vec3 area = b.geometry.face_area[entity_of(b.mesh.mesh.cell_faces(c, j))];
            fastest = std::max(fastest, std::abs(glm::dot(area, stream)) / glm::length(area));
        }
        for (int k = 0; k < dimension; ++k)
            apart += (after[std::size_t(k) * u.size() + c] - stream[k]) * direction[k];
        if (excess(c) > 1) {
            ++far;
            ASSERT_NEAR(apart, 2 * fastest, tolerance) << device << ", cell " << c;
        } else {
            for (int k = 0; k < dimension; ++k)
                ASSERT_EQ(after[std::size_t(k) * u.size() + c],
                          before[std::size_t(k) * u.size() + c])
                    << device << ", cell " << c;
        }
    }
    EXPECT_EQ(b.coupling.held(), b.comm.sum(far));
    EXPECT_GT(b.coupling.held(), 0);
    u.upload(before);
    b.coupling.constrain(flux, u);
    EXPECT_EQ(b.coupling.held(), 2 * b.comm.sum(far));
}

TEST(FluxCoupling, HoldsCellsToTheirFluxes) {
    for (const int dimension : {2, 3}) {
        expect_held<double>("cpu", dimension, 1e-12);
        if (Communicator::world().size() > 1) continue;
        expect_held<double>("compute", dimension, 1e-12);
        expect_held<float>("fragment", dimension, 1e-5);
    }
}

// In flat cells fluxes that do not add up interpolate to any velocity; what is held to them stays
// within six times the fastest face.
TEST(FluxCoupling, TrustsNoInterpolationInFlatCells) {
    for (const int dimension : {2, 3}) {
        const SimplexMesh flat =
            test::moved(box(dimension), [](const Vec3& x) { return Vec3(x.x, 0.003 * x.y, x.z); });
        test::MomentumBench<double> b("cpu", flat,
                                      test::everywhere(dimension, "wall", {"0", "0", "0"}), 0.01);
        FluxCoupling<double> coupling(b.domain, b.boundaries, b.momentum);
        auto flux = test::field_of<double>(b.domain, Kind::face, 1, [&](Index f, int) {
            return glm::length(b.geometry.face_area[f]) *
                   test::random_value(test::key_of(b.mesh.mesh, Kind::face, f), 9);
        });
        auto interpolated = b.operators.field(Kind::cell, dimension);
        b.operators.interpolation(flux, interpolated);
        const auto u_of = interpolated.download();
        auto u = b.momentum.with_boundary_values();
        std::vector<double> values(std::size_t(u.size()) * dimension, 0.0);
        for (int k = 0; k < dimension; ++k)
            for (Index c = 0; c < b.owned(); ++c)
                values[std::size_t(k) * u.size() + c] =
                    u_of[std::size_t(k) * interpolated.size() + c];
        u.upload(values);
        coupling.constrain(flux, u);
        const auto after = u.download(), fluxes = flux.download();
        double largest = 0, of_all = 0;
        for (Index f = 0; f < b.mesh.range(Kind::face).owned; ++f)
            of_all = std::max(of_all, std::abs(fluxes[f]) / glm::length(b.geometry.face_area[f]));
        of_all = b.comm.max(of_all);
        for (Index c = 0; c < b.owned(); ++c) {
            double fastest = 0.2 * of_all, held = 0, square = 0;
            for (int j = 0; j <= dimension; ++j) {
                const Index f = entity_of(b.mesh.mesh.cell_faces(c, j));
                fastest =
                    std::max(fastest, std::abs(fluxes[f]) / glm::length(b.geometry.face_area[f]));
            }
            for (int k = 0; k < dimension; ++k) {
                held += std::pow(after[std::size_t(k) * u.size() + c], 2);
                square += std::pow(u_of[std::size_t(k) * interpolated.size() + c], 2);
            }
            largest = std::max(largest, std::sqrt(square) / fastest);
            ASSERT_LE(std::sqrt(held), 6 * fastest * (1 + 1e-12));
        }
        EXPECT_GT(b.comm.max(largest), 20);
    }
}

// Layers along a wall so curved that it leaves its chords by 2.5 heights of a cell, and a shear
// flow along it, which no velocity has whose fluxes are a cell's.
struct AlongCurvedWall : test::MomentumBench<double> {
    static constexpr double angle = 0.2, height = 0.002;  // of a cell, the radius being 1
    AlongCurvedWall()
        : test::MomentumBench<double>(
              "cpu",
              test::rows_of_triangles(
                  12, {0, height, 2 * height, 3 * height}, false, test::Diagonals::alternating,
                  {"ymin", "ymax", "xmin", "xmax"},
                  [](int i, double y) {
                      return (1 + y) * Vec3(std::cos(angle * i), -std::sin(angle * i), 0);
                  }),
              test::everywhere(2, "wall", {"0", "0", "0"}), 0.01),
          coupling(domain, boundaries, momentum),
          flux(test::field_of<double>(domain, Kind::face, 1, [&](Index f, int) {
              const auto x = mesh.mesh.face_corners(f);
              const auto stream = [](const Vec3& at) {
                  return 0.5 * std::pow((glm::length(at) - 1) / height, 2);
              };
              const Vec3 along = x[1] - x[0];
              const bool is_forward =
                  glm::dot(geometry.face_area[f], Vec3(along.y, -along.x, 0)) > 0;
              return (is_forward ? -1 : 1) * (stream(x[1]) - stream(x[0]));
          })) {
        const auto fluxes = flux.download();
        double most = 0;
        const auto speed = [&](Index f) {
            return std::abs(fluxes[f]) / glm::length(geometry.face_area[f]);
        };
        for (Index f = 0; f < mesh.range(Kind::face).owned; ++f) most = std::max(most, speed(f));
        for (Index c = 0; c < owned(); ++c) {
            fastest.push_back(0.2 * most);
            for (int j = 0; j < 3; ++j)
                fastest[c] = std::max(fastest[c], speed(entity_of(mesh.mesh.cell_faces(c, j))));
        }
    }
    Vec3 along(Index c) const {
        const Vec3 x = glm::normalize(geometry.cell_centroid[c]);
        return {x.y, -x.x, 0};
    }
    // The velocity of each cell along the wall before it is held, and after.
    std::vector<double> held(const std::function<double(Index)>& speed) {
        auto u = test::field_of<double>(domain, Kind::cell, 2,
                                        [&](Index c, int k) { return speed(c) * along(c)[k]; });
        coupling.constrain(flux, u);
        const auto after = u.download();
        std::vector<double> speeds;
        for (Index c = 0; c < owned(); ++c)
            speeds.push_back(after[c] * along(c).x + after[u.size() + c] * along(c).y);
        return speeds;
    }

    FluxCoupling<double> coupling;
    Field<double> flux;
    std::vector<double> fastest;
};

TEST(FluxCoupling, HoldsThinCellsToNoVelocityAlongCurvedWalls) {
    AlongCurvedWall b;
    const auto speed = [&](Index c) {
        return (glm::length(b.geometry.cell_centroid[c]) - 1) / (b.height * b.height);
    };
    auto interpolated = b.operators.field(Kind::cell, 2);
    b.operators.interpolation(b.flux, interpolated);
    const auto v = interpolated.download();
    double furthest = 0;
    for (Index c = 0; c < b.owned(); ++c)
        furthest = std::max(furthest, glm::length(speed(c) * b.along(c) -
                                                  Vec3(v[c], v[interpolated.size() + c], 0)) /
                                          b.fastest[c]);
    EXPECT_GT(furthest, 2.5) << "no test";
    const std::vector<double> after = b.held(speed);
    for (Index c = 0; c < b.owned(); ++c)
        EXPECT_NEAR(after[c], speed(c), 1e-12 * b.fastest[c]) << "cell " << c;
    EXPECT_EQ(b.coupling.held(), 0);
}

TEST(FluxCoupling, HoldsThinCellsToSixTimesTheirFastestFlux) {
    AlongCurvedWall b;
    for (const double sign : {-1.0, 1.0}) {
        const std::vector<double> after = b.held([&](Index c) { return sign * 7 * b.fastest[c]; });
        for (Index c = 0; c < b.owned(); ++c)
            EXPECT_NEAR(after[c], sign * 6 * b.fastest[c], 1e-9 * b.fastest[c]) << "cell " << c;
    }
}

// Where a flow turns the fluxes of cells vanish: what they are held to then is a fifth of the
// fastest of all.
TEST(FluxCoupling, HoldsNoCellToFluxesThatVanish) {
    for (const int dimension : {2, 3}) {
        Coupled<double> b("cpu", dimension, 0.01);
        const auto turns = [&](const Vec3& x) { return x.x < 0.5; };
        auto flux = test::field_of<double>(b.domain, Kind::face, 1, [&](Index f, int) {
            return turns(b.geometry.face_centroid[f]) ? 0.0 : b.geometry.face_area[f].x;
        });
        for (const double excess : {0.39, 0.41}) {
            auto u = test::field_of<double>(b.domain, Kind::cell, dimension, [&](Index c, int k) {
                return turns(b.geometry.cell_centroid[c]) && k == 1 ? excess : 0.0;
            });
            const auto before = u.download();
            b.coupling.constrain(flux, u);
            const auto after = u.download();
            for (Index c = 0; c < b.owned(); ++c) {
                bool is_beside = false;
                for (int j = 0; j <= dimension; ++j)
                    is_beside =
                        is_beside ||
                        !turns(b.geometry.face_centroid[entity_of(b.mesh.mesh.cell_faces(c, j))]);
                if (is_beside) continue;
                if (excess < 0.4)
                    ASSERT_EQ(after[u.size() + c], before[u.size() + c]);
                else
                    ASSERT_NEAR(after[u.size() + c], 0.4, 0.01);
            }
        }
    }
}

// Rows that grow along a curved wall: a face's centroid is not where the line of the centres
// crosses it, and what a turning fluid has there is no flux through the rows.
TEST(FluxCoupling, TurningFluidCrossesNoRowOfThinCells) {
    for (const test::Diagonals diagonals : {test::Diagonals::alike, test::Diagonals::alternating}) {
        const SimplexMesh ring = test::ring_layers(60, 25, diagonals);
        test::MomentumBench<double> b(
            "cpu", ring, test::on_every_side(ring, "wall", test::vector_formula({"-y", "x", "0"})));
        auto u = b.momentum.velocity();
        std::vector<double> values(std::size_t(u.size()) * 2, 0.0);
        for (Index c = 0; c < b.owned(); ++c) {
            values[c] = -b.geometry.cell_centroid[c].y;
            values[u.size() + c] = b.geometry.cell_centroid[c].x;
        }
        u.upload(values);
        auto flux = b.domain.field<double>(Kind::face);
        b.momentum.to_faces(u, flux);
        const auto found = flux.download();
        int rows = 0;
        for (Index f = 0; f < b.mesh.range(Kind::face).owned; ++f) {
            const Vec3 x = b.geometry.face_centroid[f], area = b.geometry.face_area[f];
            const double along = std::abs(area.x * x.y - area.y * x.x), size = glm::length(area);
            if (along > 1e-12 * size || b.mesh.mesh.face_cells(f, 1) == none) continue;
            ++rows;
            EXPECT_NEAR(found[f], 0, 1e-10 * size) << "face at " << x.x << ", " << x.y;
        }
        EXPECT_GT(rows, 500);
    }
}

}  // namespace
}  // namespace solenoid::flux_coupling_test
