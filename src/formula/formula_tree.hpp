// The operations of a formula, for what is to be known of it beyond values at points: where these
// lie during an interval of time.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/types.hpp"
#include "formula/enclosure.hpp"

namespace solenoid {

struct FormulaFunction;

// Reads what muParser reads, with its precedences. Neither reading nor computing recurses, and both
// take a time and a memory proportional to the length of the text.
class FormulaTree {
  public:
    // Nothing where the text is no formula.
    static std::optional<FormulaTree> read(std::string_view text);

    // The formula at one place: of t alone. What does not depend on t is computed once.
    FormulaTree at(const Vec3& x) const;
    double value(const Vec3& x, double t) const;
    // Of a formula of t alone, during a time.
    Enclosure during(const Interval& time) const;
    std::size_t size() const { return steps_.size(); }  // operations, numbers and variables

  private:
    // Of a machine with a stack: a number is put on it, or a function takes its arguments from
    // there and leaves its value.
    struct Step {
        const FormulaFunction* function = nullptr;
        int arguments = 0;
        int variable = -1;  // 0 to 3: x, y, z, t; -1: a number
        double number = 0;
    };
    friend class FormulaReader;
    void add(const Step& step);

    std::vector<Step> steps_;
};

}  // namespace solenoid
