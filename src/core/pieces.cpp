#include "core/pieces.hpp"

namespace solenoid {

Rows joined(std::vector<Rows> pieces) {
    if (pieces.size() == 1) return std::move(pieces[0]);
    std::vector<std::size_t> row{0};
    std::vector<Index> before{0};
    std::vector<std::vector<Index>> index;
    for (Rows& piece : pieces) {
        row.push_back(row.back() + piece.rows());
        before.push_back(before.back() + piece.start.back());
        index.push_back(std::move(piece.index));
    }
    Rows all;
    all.start.resize(row.back() + 1);
    in_threads(static_cast<int>(pieces.size()), [&](int k) {
        for (std::size_t i = 1; i < pieces[k].start.size(); ++i)
            all.start[row[k] + i] = before[k] + pieces[k].start[i];
    });
    all.index = joined(std::move(index));
    return all;
}

template std::vector<Index> joined(std::vector<std::vector<Index>>);
template std::vector<double> joined(std::vector<std::vector<double>>);

}  // namespace solenoid
