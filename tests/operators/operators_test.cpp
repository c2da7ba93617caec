// The discrete calculus on every device, in both precisions, in two and three dimensions, on one
// rank and on several.
#include "operators/operators.hpp"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/devices.hpp"
#include "support/domain_fields.hpp"
#include "support/inner_product.hpp"

namespace solenoid::operators_test {
namespace {

using test::field_of;
using test::key_of;
using test::owned_field_of;

SimplexMesh sample_mesh(int dimension) {
    BoxSettings box;
    box.dimension = dimension;
    box.cells = dimension == 2 ? 400 : 900;
    box.high = {1, 0.8, dimension == 2 ? 0.0 : 1.2};
    return box_mesh(box);
}

DistributedMesh cut(const Communicator& comm, int dimension) {
    std::optional<SimplexMesh> mesh;
    if (comm.is_root()) mesh = sample_mesh(dimension);
    return distribute(comm, std::move(mesh));
}

template <class Real>
constexpr double round_off = std::is_same_v<Real, double> ? 1e-12 : 2e-5;

// Everything that a test of an operator needs, for one device, precision and dimension.
template <class Real>
struct Bench {
    Bench(const std::string& device_name, int dimension)
        : comm(Communicator::world()),
          device(test::make_device(device_name)),
          mesh(cut(comm, dimension)),
          domain(comm, *device, mesh),
          operators(domain.operators<Real>()),
          geometry(domain.geometry) {}
    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    Operators<Real>& operators;
    const Geometry& geometry;

    const Mesh& local() const { return mesh.mesh; }
    int dimension() const { return mesh.mesh.dimension; }
    Field<Real> given(Kind kind, int columns, const std::function<double(Index, int)>& value) {
        return owned_field_of<Real>(domain, kind, columns, value);
    }
    Field<Real> random(Kind kind, std::uint64_t seed, int columns = 1) {
        return given(kind, columns, [&](Index i, int j) {
            return test::random_value(key_of(local(), kind, i), seed + 100 * j);
        });
    }
    Field<Real> integers(Kind kind, std::uint64_t seed) {
        return given(kind, 1, [&](Index i, int) {
            return test::random_integer(key_of(local(), kind, i), seed);
        });
    }
    double dot(Kind kind, const Buffer<Real>& a, const Buffer<Real>& b) {
        return InnerProduct(comm, *device, mesh.range(kind).owned_range())(a, b);
    }

    // Largest difference from `expected` over [0, shared) of all columns.
    double error(Kind kind, const Buffer<Real>& field,
                 const std::function<double(Index, int)>& expected) {
        const auto values = field.download();
        double worst = 0;
        for (int j = 0; j < field.columns(); ++j)
            for (Index i = 0; i < mesh.range(kind).shared; ++i) {
                const double difference =
                    std::abs(values[std::size_t(j) * field.size() + i] - expected(i, j));
                worst = difference <= worst ? worst : difference;
                if (std::isnan(difference)) return difference;
            }
        return worst;
    }
};

struct Variant {
    std::string device;
    int dimension;
};
class OperatorTest : public testing::TestWithParam<Variant> {
  protected:
    template <class Check>
    void in_both_precisions(const Check& check) {
        {
            SCOPED_TRACE("double");
            Bench<double> bench(GetParam().device, GetParam().dimension);
            check(bench, double());
        }
        {
            SCOPED_TRACE("single");
            Bench<float> bench(GetParam().device, GetParam().dimension);
            check(bench, float());
        }
    }
};

const Vec3 slope{0.7, -1.3, 0.4};
// A linear vector field and its derivatives.
const glm::dmat3 linear_part{0.5, -0.2, 0.9, 1.1, 0.3, -0.6, -0.8, 0.4, 0.7};  // columns
Vec3 linear_vector(const Vec3& x) { return Vec3(0.3, -0.5, 0.2) + linear_part * x; }
double divergence_of_linear(int d) {
    return linear_part[0][0] + linear_part[1][1] + (d == 3 ? linear_part[2][2] : 0);
}
// curl_k = d_i v_j - d_j v_i, with v_j = sum_i linear_part[i][j] x_i
Vec3 curl_of_linear() {
    const auto& m = linear_part;
    return {m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0]};
}

TEST_P(OperatorTest, GradientIsExactForLinearFields) {
    in_both_precisions([](auto& b, auto real) {
        auto p = b.given(Kind::cell, 1, [&](Index c, int) {
            return glm::dot(slope, b.geometry.cell_centroid[c]);
        });
        auto g = b.operators.field(Kind::face);
        b.operators.gradient(p, g);
        const double error = b.error(Kind::face, g, [&](Index f, int) {
            double value = 0;
            if (const Index c = b.local().face_cells(f, 1); c != none)
                value += glm::dot(slope, b.geometry.cell_centroid[c]);
            if (const Index c = b.local().face_cells(f, 0); c != none)
                value -= glm::dot(slope, b.geometry.cell_centroid[c]);
            return value;
        });
        EXPECT_LT(error, round_off<decltype(real)>);
    });
}

TEST_P(OperatorTest, DivergenceIsExactForLinearFields) {
    in_both_precisions([](auto& b, auto real) {
        auto flux = b.given(Kind::face, 1, [&](Index f, int) {
            return glm::dot(linear_vector(b.geometry.face_centroid[f]), b.geometry.face_area[f]);
        });
        auto out = b.operators.field(Kind::cell);
        b.operators.divergence(flux, out);
        const double error = b.error(Kind::cell, out, [&](Index c, int) {
            return divergence_of_linear(b.dimension()) * b.geometry.cell_volume[c];
        });
        EXPECT_LT(error, round_off<decltype(real)>);
    });
}

TEST_P(OperatorTest, CurlIsExactForLinearFields) {
    in_both_precisions([](auto& b, auto real) {
        const Mesh& m = b.local();
        const bool plane = b.dimension() == 2;
        auto s = b.given(m.codim2_kind(), 1, [&](Index e, int) {
            if (plane) return glm::dot(slope, m.points[e]);
            const Vec3 a = m.points[m.nodes_of(Kind::edge, e)[0]],
                       c = m.points[m.nodes_of(Kind::edge, e)[1]];
            return glm::dot(linear_vector(0.5 * (a + c)), c - a);
        });
        auto flux = b.operators.field(Kind::face);
        b.operators.curl(s, flux);
        const Vec3 velocity = plane ? Vec3(slope.y, -slope.x, 0) : curl_of_linear();
        EXPECT_LT(
            b.error(Kind::face, flux,
                    [&](Index f, int) { return glm::dot(velocity, b.geometry.face_area[f]); }),
            round_off<decltype(real)>);
    });
}

// R of the circulation along dual edges is the circulation round the dual face: curl v . (its area)
// inside the domain.
TEST_P(OperatorTest, RotationIsExactForLinearFields) {
    in_both_precisions([](auto& b, auto real) {
        const Mesh& m = b.local();
        const auto& g = b.geometry;
        const Kind codim2 = m.codim2_kind();
        auto q = b.given(Kind::face, 1, [&](Index f, int) {
            double sum = 0;
            for (int side = 0; side < 2; ++side) {
                const Index c = m.face_cells(f, side);
                if (c == none) continue;
                const Vec3 step =
                    (side == 0 ? 1.0 : -1.0) * (g.face_centroid[f] - g.cell_centroid[c]);
                sum +=
                    glm::dot(linear_vector(0.5 * (g.face_centroid[f] + g.cell_centroid[c])), step);
            }
            return sum;
        });
        auto out = b.operators.field(codim2);
        b.operators.rotation(q, out);
        const auto values = out.download();
        const Rows faces = codim2_faces(m);
        int checked = 0;
        for (Index e = 0; e < b.mesh.range(codim2).shared; ++e) {
            Vec3 area{0}, middle{0};
            const int count = m.node_count_of(codim2);
            for (int j = 0; j < count; ++j)
                middle += m.points[m.nodes_of(codim2, e)[j]] / double(count);
            bool inner = true;
            for (const Index* o = faces.begin(e); o != faces.end(e); ++o) {
                const Index f = entity_of(*o);
                for (int side = 0; side < 2; ++side) {
                    const Index c = m.face_cells(f, side);
                    if (c == none)
                        inner = false;
                    else
                        area +=
                            0.5 * (side == 0 ? 1.0 : -1.0) * orientation_of(*o) *
                            glm::cross(g.cell_centroid[c] - middle, g.face_centroid[f] - middle);
                }
            }
            if (!inner) continue;
            ++checked;
            const Vec3 along = b.dimension() == 2 ? Vec3(0, 0, 1)
                                                  : m.points[m.nodes_of(codim2, e)[1]] -
                                                        m.points[m.nodes_of(codim2, e)[0]];
            ASSERT_GT(glm::dot(area, along), 0) << "the dual face turns the wrong way";
            ASSERT_NEAR(values[e], glm::dot(curl_of_linear(), area), round_off<decltype(real)>);
        }
        EXPECT_GT(b.comm.sum(std::int64_t(checked)), 50);
    });
}

TEST_P(OperatorTest, InterpolationAndIntegrationAreExactForConstants) {
    in_both_precisions([](auto& b, auto real) {
        const Mesh& m = b.local();
        auto flux = b.given(Kind::face, 1,
                            [&](Index f, int) { return glm::dot(slope, b.geometry.face_area[f]); });
        auto u = b.operators.vector_field(Kind::cell);
        b.operators.interpolation(flux, u);
        EXPECT_LT(b.error(Kind::cell, u, [&](Index, int k) { return slope[k]; }),
                  round_off<decltype(real)>);

        auto v = b.given(Kind::cell, b.dimension(), [&](Index, int k) { return slope[k]; });
        auto out = b.operators.field(Kind::face);
        b.operators.integration(v, out);
        const double error = b.error(Kind::face, out, [&](Index f, int) {
            const Vec3 from = m.face_cells(f, 0) == none
                                  ? b.geometry.face_centroid[f]
                                  : b.geometry.cell_centroid[m.face_cells(f, 0)];
            const Vec3 to = m.face_cells(f, 1) == none
                                ? b.geometry.face_centroid[f]
                                : b.geometry.cell_centroid[m.face_cells(f, 1)];
            return glm::dot(slope, to - from);
        });
        EXPECT_LT(error, round_off<decltype(real)>);
    });
}

TEST_P(OperatorTest, DivergenceAndGradientAreAdjoint) {
    in_both_precisions([](auto& b, auto real) {
        auto flux = b.random(Kind::face, 1), p = b.random(Kind::cell, 2);
        auto g = b.operators.field(Kind::face), d = b.operators.field(Kind::cell);
        b.operators.gradient(p, g);
        b.operators.divergence(flux, d);
        EXPECT_NEAR(b.dot(Kind::cell, d, p), -b.dot(Kind::face, flux, g),
                    100 * round_off<decltype(real)>);
    });
}

TEST_P(OperatorTest, CurlAndRotationAreAdjoint) {
    in_both_precisions([](auto& b, auto real) {
        const Kind codim2 = b.local().codim2_kind();
        auto s = b.random(codim2, 3), q = b.random(Kind::face, 4);
        auto flux = b.operators.field(Kind::face), out = b.operators.field(codim2);
        b.operators.curl(s, flux);
        b.operators.rotation(q, out);
        EXPECT_NEAR(b.dot(Kind::face, flux, q), b.dot(codim2, s, out),
                    100 * round_off<decltype(real)>);
    });
}

// sum over cells of V u . v = sum over faces of U (I v).
TEST_P(OperatorTest, InterpolationAndIntegrationAreAdjoint) {
    in_both_precisions([](auto& b, auto real) {
        const int d = b.dimension();
        auto flux = b.random(Kind::face, 5), v = b.random(Kind::cell, 6, d);
        auto u = b.operators.vector_field(Kind::cell), out = b.operators.field(Kind::face);
        b.operators.interpolation(flux, u);
        b.operators.integration(v, out);
        const auto us = u.download(), vs = v.download();
        double left = 0;
        for (Index c = 0; c < b.mesh.range(Kind::cell).owned; ++c)
            for (int k = 0; k < d; ++k)
                left += b.geometry.cell_volume[c] * us[std::size_t(k) * u.size() + c] *
                        vs[std::size_t(k) * v.size() + c];
        EXPECT_NEAR(b.comm.sum(left), b.dot(Kind::face, flux, out),
                    100 * round_off<decltype(real)>);
    });
}

TEST_P(OperatorTest, DivergenceOfCurlAndRotationOfGradientVanish) {
    in_both_precisions([](auto& b, auto) {
        const Kind codim2 = b.local().codim2_kind();
        auto s = b.integers(codim2, 7), p = b.integers(Kind::cell, 8);
        auto flux = b.operators.field(Kind::face), zero = b.operators.field(Kind::cell);
        b.operators.curl(s, flux);
        b.operators.divergence(flux, zero);
        EXPECT_EQ(b.error(Kind::cell, zero, [](Index, int) { return 0.0; }), 0.0);

        auto g = b.operators.field(Kind::face), none_left = b.operators.field(codim2);
        b.operators.gradient(p, g);
        b.operators.rotation(g, none_left);
        EXPECT_EQ(b.error(codim2, none_left, [](Index, int) { return 0.0; }), 0.0);
    });
}

// Every operator on all ranks against the same on one: the same bits on the CPU.
TEST(OperatorBits, AreTheSameOnAnyNumberOfRanks) {
    using Operator = std::function<void(Operators<double>&, Field<double>&, Field<double>&)>;
    struct Case {
        const char* name;
        Kind from, to;
        bool vector_in, vector_out;
        Operator apply;
    };
    const auto self = Communicator::self();
    for (int dimension : {2, 3}) {
        Bench<double> many("cpu", dimension);
        const DistributedMesh whole = distribute(self, sample_mesh(dimension));
        const Domain alone(self, *many.device, whole);
        const Kind codim2 = many.local().codim2_kind();
        using O = Operators<double>;
        using B = Field<double>;
        const std::vector<Case> cases{
            {"gradient", Kind::cell, Kind::face, false, false,
             [](O& o, B& a, B& b) { o.gradient(a, b); }},
            {"divergence", Kind::face, Kind::cell, false, false,
             [](O& o, B& a, B& b) { o.divergence(a, b); }},
            {"curl", codim2, Kind::face, false, false, [](O& o, B& a, B& b) { o.curl(a, b); }},
            {"rotation", Kind::face, codim2, false, false,
             [](O& o, B& a, B& b) { o.rotation(a, b); }},
            {"interpolation", Kind::face, Kind::cell, false, true,
             [](O& o, B& a, B& b) { o.interpolation(a, b); }},
            {"integration", Kind::cell, Kind::face, true, false,
             [](O& o, B& a, B& b) { o.integration(a, b); }},
        };
        for (const Case& c : cases) {
            SCOPED_TRACE(std::string(c.name) + " in " + std::to_string(dimension) + "D");
            const auto computed = [&](const Domain& domain) {
                auto in = owned_field_of<double>(
                    domain, c.from, c.vector_in ? dimension : 1, [&](Index i, int j) {
                        return test::random_value(key_of(domain.mesh.mesh, c.from, i), 20 + j);
                    });
                auto out = domain.field<double>(c.to, c.vector_out ? dimension : 1);
                c.apply(domain.operators<double>(), in, out);
                return out.download();
            };
            const auto ours = computed(many.domain), reference = computed(alone);
            std::map<test::Key, Index> place;
            for (Index i = 0; i < whole.range(c.to).all; ++i)
                place[key_of(whole.mesh, c.to, i)] = i;
            const Index n = many.mesh.range(c.to).all, m = whole.range(c.to).all;
            for (Index i = 0; i < many.mesh.range(c.to).shared; ++i)
                for (int k = 0; k < (c.vector_out ? dimension : 1); ++k)
                    ASSERT_EQ(
                        ours[std::size_t(k) * n + i],
                        reference[std::size_t(k) * m + place.at(key_of(many.local(), c.to, i))]);
        }
    }
}

std::vector<Variant> variants() {
    std::vector<Variant> all;
    for (const std::string& device : test::device_names())
        for (int dimension : {2, 3}) all.push_back({device, dimension});
    return all;
}
INSTANTIATE_TEST_SUITE_P(Devices, OperatorTest, testing::ValuesIn(variants()),
                         [](const auto& info) {
                             return info.param.device + std::to_string(info.param.dimension) + "D";
                         });

}  // namespace
}  // namespace solenoid::operators_test
