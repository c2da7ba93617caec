#include "run/averages.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/log.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/unwritten.hpp"
#include "run/entity_lists.hpp"
#include "run/when.hpp"

namespace solenoid {

bool AverageWindow::is_open(double time) const {
    return has_come(from_, time, *time_) && (std::isinf(to_) || has_come(time, to_, *time_));
}

double AverageWindow::next_time(double time) const {
    for (const double bound : {from_, to_})
        if (std::isinf(bound) || !has_come(bound, time, *time_)) return bound;
    return HUGE_VAL;
}

FieldAverages::FieldAverages(const CaseSettings& settings, Quantities& quantities)
    : window_(settings), quantities_(quantities) {
    for (const std::string& name : settings.average->fields)
        fields_.push_back({name, quantities.info(name).columns, quantities.info(name).of, {}});
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

// Where `to` has come and is later when the run goes on, what lies between does not count.
void FieldAverages::sample(double time) {
    if (!window_.is_open(time)) {
        for (Field& field : fields_) field.average.interrupt();
        return;
    }
    for (Field& field : fields_) field.average.add(time, quantities_.values(field.name));
}

void TableAverages::add(const std::vector<std::string>& columns, const CsvRow& row) {
    if (!window_.is_open(*row.front())) return average_.interrupt();
    const std::vector<std::string> present(columns.begin() + 1, columns.end());
    if (present != columns_) {  // at first, and where a run goes on with other fields
        if (!average_.is_empty())
            log::warning("{}: the columns are others than before: their averages begin anew",
                         file_.string());
        begin_anew();
        columns_ = present;
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

void TableAverages::begin_anew() {
    columns_.clear();
    is_known_.clear();
    average_ = {};
}

// ---- state

namespace {

// What belongs to the sums of an average, registered behind them: the begin of their window, the
// first sample and whether there is a gap. A state of an older version has none of it: its sums
// count. Else those of another window go, by begin_anew.
void register_window(const OptionalState& state, const std::string& what, TimeAverage& average,
                     double from, const std::function<void()>& begin_anew) {
    using Numbers = std::vector<double>;
    state.add(
        "window", [&average] { return !average.is_empty(); },
        [&average, from] {
            const AverageSums& sums = average.sums();
            return Numbers{from, sums.first, sums.has_gap ? 1.0 : 0.0};
        },
        [&average, from, what, begin_anew](const std::optional<Numbers>& window) {
            if (average.is_empty()) return;
            AverageSums& sums = average.sums();
            sums.first = sums.time - sums.covered;
            sums.has_gap = false;
            if (!window) return;
            sums.first = (*window)[1];
            sums.has_gap = (*window)[2] != 0;
            if ((*window)[0] == from) return;
            log::warning("[average] from is {:g} s, and was {:g} s: the averages of {} begin anew",
                         from, (*window)[0], what);
            begin_anew();
        },
        3);
}

}  // namespace

// Each column of each sum is a list of the entities; both times are numbers.
void FieldAverages::register_state(const OptionalState& state, const Communicator& comm,
                                   const Topology& topology) {
    for (Field& field : fields_) {
        const Kind kind = field.of == QuantityInfo::Of::cells ? Kind::cell : Kind::node;
        const std::size_t rows = topology.range(kind).all;
        AverageSums& sums = field.average.sums();
        const auto is_there = [&field] { return !field.average.is_empty(); };
        // all sums, so that any of them can be loaded
        const auto make = [&field, &sums, rows] {
            for (auto* values : {&sums.last, &sums.mean, &sums.square})
                values->resize(rows * field.columns, 0.0);
        };
        const auto remove = [&sums] { sums = {}; };
        using Numbers = std::vector<double>;
        const OptionalState owned = state.owned_by("the average of", field.name);
        owned.part(field.name)
            .add(
                "times", is_there,
                [&sums] {
                    return Numbers{sums.covered, sums.time};
                },
                [&sums](const std::optional<Numbers>& times) {
                    if (!times) return;
                    sums.covered = (*times)[0];
                    sums.time = (*times)[1];
                },
                2);
        const EntityLists on_entities(owned, comm, topology);
        const std::pair<const char*, Numbers AverageSums::*> lists[] = {
            {"last", &AverageSums::last},
            {"mean", &AverageSums::mean},
            {"square", &AverageSums::square}};
        for (const auto& [name, list] : lists)
            for (int k = 0; k < field.columns; ++k)
                on_entities.add(
                    field.name + '/' + (field.columns == 1 ? name : fmt::format("{}_{}", name, k)),
                    kind,
                    [&sums, list = list, k, rows] {
                        const Numbers& all = sums.*list;
                        return Numbers(all.begin() + k * rows, all.begin() + (k + 1) * rows);
                    },
                    [&sums, list = list, k, rows](const Numbers& column) {
                        std::ranges::copy(column, (sums.*list).begin() + k * rows);
                    },
                    {is_there, make, remove});
        register_window(owned.part(field.name), field.name, field.average, window_.from(), remove);
    }
}

void TableAverages::register_state(const OptionalState& state) {
    using Numbers = std::vector<double>;
    const auto is_there = [this] { return !average_.is_empty(); };
    state.add<std::string>(
        "columns", is_there,
        [this] {
            std::string lines;
            for (const std::string& column : columns_) lines += column + '\n';
            return lines;
        },
        [this](const std::optional<std::string>& lines) {
            columns_.clear();
            std::istringstream text(lines.value_or(""));
            for (std::string line; std::getline(text, line);) columns_.push_back(line);
        },
        [](const std::string&) {});
    state.add<Numbers>(
        "sums", is_there,
        [this] {
            const AverageSums& sums = average_.sums();
            Numbers numbers{sums.covered, sums.time};
            numbers.insert(numbers.end(), is_known_.begin(), is_known_.end());
            for (const Numbers* values : {&sums.last, &sums.mean, &sums.square})
                numbers.insert(numbers.end(), values->begin(), values->end());
            return numbers;
        },
        [this](const std::optional<Numbers>& numbers) {
            AverageSums& sums = average_.sums();
            sums = {};
            is_known_.clear();
            const std::size_t n = columns_.size();
            if (!numbers) {
                columns_.clear();
                return;
            }
            sums.covered = (*numbers)[0];
            sums.time = (*numbers)[1];
            auto from = numbers->begin() + 2;
            for (std::size_t k = 0; k < n; ++k) is_known_.push_back(*from++ != 0);
            for (Numbers* values : {&sums.last, &sums.mean, &sums.square}) {
                values->assign(from, from + n);
                from += n;
            }
        },
        [this](const Numbers& numbers) {  // behind the columns
            check_numbers(numbers, {}, 2 + 4 * std::ssize(columns_));
        });
    register_window(state, file_.stem().string(), average_, window_.from(),
                    [this] { begin_anew(); });
}

void TableAverages::resume() const {
    std::error_code ignored;
    if (average_.is_empty() && comm_.is_root()) std::filesystem::remove(file_, ignored);
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
