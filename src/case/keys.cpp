#include "case/keys.hpp"

#include <fmt/format.h>

#include "case/quote.hpp"

namespace solenoid {
namespace value {

ValueReader<double> quantity() {
    return {"number",
            [](const TableReader& table, const std::string& key) { return table.quantity(key); }};
}
ValueReader<double> positive() { return {"number", &TableReader::positive}; }
ValueReader<double> not_negative() {
    return {"number", [](const TableReader& table, const std::string& key) {
                const double value = table.quantity(key);
                if (value < 0)
                    table.fail(key, fmt::format("must not be negative, found {}", value));
                return value;
            }};
}
ValueReader<double> from_to(double least, double most) {
    return {"number", [=](const TableReader& table, const std::string& key) {
                const double value = table.number(key);
                if (!(value >= least && value <= most))
                    table.fail(key,
                               fmt::format("must be from {} to {}, found {}", least, most, value));
                return value;
            }};
}
ValueReader<Formula> formula() { return {"formula", &TableReader::formula}; }
ValueReader<Formula> formula_of_time() {
    return {"formula", [](const TableReader& table, const std::string& key) {
                const Formula f = table.formula(key);
                if (f.depends_on_place())
                    table.fail(key,
                               fmt::format("must be a number or a formula of t alone, found {}",
                                           quoted(f.text())));
                return f;
            }};
}
ValueReader<Formula> not_negative_formula() {
    return {"formula", [](const TableReader& table, const std::string& key) {
                const Formula f = table.formula(key);
                if (!f.is_constant()) return f;
                if (const double value = f.quantity(Vec3(0)); value < 0)
                    table.fail(key, fmt::format("must not be negative, found {}", value));
                return f;
            }};
}
ValueReader<VectorFormula> vector() { return {"vector", &TableReader::vector_formula}; }
ValueReader<Vec3> point() { return {"point", &TableReader::point}; }
ValueReader<bool> flag() { return {"flag", &TableReader::flag}; }
ValueReader<std::string> text() { return {"string", &TableReader::text}; }
ValueReader<std::string> choice(std::vector<std::string> allowed) {
    return {"string",
            [allowed = std::move(allowed)](const TableReader& table, const std::string& key) {
                return table.choice(key, allowed);
            }};
}
ValueReader<std::int64_t> count(std::int64_t least, std::int64_t most) {
    return {"integer", [=](const TableReader& table, const std::string& key) {
                return table.integer(key, least, most);
            }};
}
ValueReader<int> integer(int least, int most) {
    return {"integer", [=](const TableReader& table, const std::string& key) {
                return static_cast<int>(table.integer(key, least, most));
            }};
}

}  // namespace value

std::vector<std::string> names_of(const std::vector<Key>& keys) {
    std::vector<std::string> names;
    for (const Key& key : keys) names.push_back(key.name);
    return names;
}

void mark_steerable(Key& key) {
    key.is_steerable = true;
    key.help += "; steerable";
}

void refuse_two_of(const TableReader& table, const std::vector<std::string>& names) {
    std::string given;
    for (const std::string& key : names) {
        if (!table.has(key)) continue;
        if (!given.empty()) table.fail(key, fmt::format("and \"{}\": give one of them", given));
        given = key;
    }
}

std::string documented(const Key& key) {
    return fmt::format("`{}`, {}, {}: {}", key.name, key.type,
                       key.is_required() ? key.fallback : key.fallback + " if absent", key.help);
}

}  // namespace solenoid
