// A matrix on the host: rows in double.
#pragma once

#include "core/types.hpp"

namespace solenoid {

// Of a mesh: a row for each marked entity, columns of any entity held, the diagonal among them.
struct HostMatrix {
    Rows rows;
    std::vector<double> entries;  // one an index of `rows`

    double diagonal(Index i) const {
        for (Index k = rows.start[i]; k < rows.start[i + 1]; ++k)
            if (rows.index[k] == i) return entries[k];
        return 0;
    }
    void append(Index column, double entry) {
        rows.index.push_back(column);
        entries.push_back(entry);
    }
    void end_row() { rows.start.push_back(static_cast<Index>(rows.index.size())); }
};

}  // namespace solenoid
