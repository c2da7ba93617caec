#include "device/expression.hpp"

namespace solenoid {

void Over::launch(expression::Kernels& kernels, const expression::Operands& operands,
                  bool is_vector, const expression::Output& output, FieldGhosts* field) const {
    Launch launch = expression::bound(kernels, operands, is_vector, &output, range_);
    launch.written[0] = field;
    run_launch(*device_, launch, SplitRange(range_), reach_, {});
}

void Over::launch(expression::Kernels& kernels, const expression::Operands& operands,
                  bool is_vector, const Reducing& reductions) const {
    run_launch(*device_, expression::bound(kernels, operands, is_vector, nullptr, range_),
               SplitRange(range_), reach_, reductions);
}

}  // namespace solenoid
