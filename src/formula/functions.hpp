// The operators and functions of formulas: how they are written, their values, and the enclosures
// of these.
#pragma once

#include <span>
#include <string_view>

#include "formula/enclosure.hpp"

namespace solenoid {

struct FormulaFunction {
    std::string_view name;
    int arguments;  // -1: any number but none
    double (*value)(std::span<const double>);
    Enclosure (*enclosure)(std::span<const Enclosure>);
    // Of operators: those of higher precedence are computed first, and of one alike from left to
    // right unless `from_right`. 0: a function.
    int precedence = 0;
    bool from_right = false;
};

// The function of this name, the operator between two operands, or the one before an operand; null
// if there is none.
const FormulaFunction* formula_function(std::string_view name);
const FormulaFunction* formula_operator(std::string_view name);
const FormulaFunction* formula_sign(std::string_view name);
const FormulaFunction& formula_choice();  // condition ? a : b

}  // namespace solenoid
