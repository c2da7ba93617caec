#include "run/averages.hpp"

#include <fmt/core.h>

#include <cmath>

#include "io/files/atomic_file.hpp"
#include "io/files/unwritten.hpp"

namespace solenoid {

namespace {

constexpr double same_bound = 1e-12;  // relative: a step ends at a time up to rounding

}  // namespace

bool AverageWindow::is_open(double time) const {
    return time >= from_ * (1 - same_bound) && time <= to_ * (1 + same_bound);
}

double AverageWindow::next_time(double time) const {
    for (const double bound : {from_, to_})
        if (time < bound * (1 - same_bound)) return bound;
    return HUGE_VAL;
}

FieldAverages::FieldAverages(const AverageSettings& settings, Quantities& quantities)
    : window_(settings), quantities_(quantities) {
    for (const std::string& name : settings.fields) fields_.push_back({name, {}});
    for (Field& field : fields_) {
        QuantityInfo info{.name = field.name + "_mean",
                          .columns = quantities.info(field.name).columns,
                          .unit = quantities.info(field.name).unit,
                          .help = "mean over time",
                          .in_files = true};
        quantities.add(info, [&field, &quantities] {
            return field.average.is_empty() ? quantities.values(field.name) : field.average.mean();
        });
        info.name = field.name + "_rms";
        info.help = "root mean square of the fluctuations about the mean";
        quantities.add(info, [&field, &quantities] {
            return field.average.is_empty()
                       ? std::vector<double>(quantities.values(field.name).size(), 0.0)
                       : field.average.rms();
        });
    }
}

void FieldAverages::sample(double time) {
    if (!window_.is_open(time)) return;
    for (Field& field : fields_) field.average.add(time, quantities_.values(field.name));
}

void TableAverages::add(const std::vector<std::string>& columns, const CsvRow& row) {
    if (!window_.is_open(*row.front())) return;
    if (columns_.empty()) {
        columns_.assign(columns.begin() + 1, columns.end());
        is_known_.assign(columns_.size(), true);
    }
    std::vector<double> values(columns_.size(), 0.0);
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (row[k + 1])
            values[k] = *row[k + 1];
        else
            is_known_[k] = false;
    }
    average_.add(*row.front(), values);
}

void TableAverages::write() const {
    if (average_.is_empty()) return;
    comm_.agree([&] {
        if (!comm_.is_root()) return;
        std::string text = csv_line({"column", "mean", "rms", "from", "to"});
        const std::vector<double> mean = average_.mean(), rms = average_.rms();
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            const std::string name = csv_line({columns_[k]});
            text += name.substr(0, name.size() - 1);
            text += is_known_[k] ? fmt::format(",{},{},{},{}\n", mean[k], rms[k], average_.from(),
                                               average_.to())
                                 : std::string(",,,,\n");
        }
        write_or_note(file_, [&] { write_atomically(file_, text); });
    });
}

}  // namespace solenoid
