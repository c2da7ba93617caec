#include "io/monitors/monitors.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <set>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/optional_state.hpp"
#include "io/files/atomic_file.hpp"
#include "io/files/unwritten.hpp"

namespace solenoid {

namespace fs = std::filesystem;

namespace {

void check_names(const std::vector<MonitorSettings>& settings) {
    std::set<std::string> names{"boundaries"};  // the file of boundary fluxes
    for (const auto& monitor : settings) {
        if (monitor.name.empty() || monitor.name.front() == '.' ||
            monitor.name.find('/') != std::string::npos)
            throw InputError(monitor.place,
                             fmt::format("\"{}\" cannot be a file name", monitor.name));
        if (!names.insert(monitor.name).second)
            throw InputError(monitor.place,
                             fmt::format("the monitor name \"{}\" is taken", monitor.name));
    }
}

void warn_of_points_outside(const MonitorSettings& settings, const std::vector<char>& found) {
    const auto outside = std::ranges::count(found, 0);
    if (outside == 0) return;
    if (found.size() == 1)
        log::warning("{}: monitor \"{}\" lies outside the mesh; its values stay empty",
                     settings.place, settings.name);
    else
        log::warning(
            "{}: monitor \"{}\": {} of {} points lie outside the mesh; their values stay empty",
            settings.place, settings.name, outside, found.size());
}

std::vector<std::string> columns_of(bool line, const std::vector<NodeField>& fields) {
    std::vector<std::string> columns{line ? "s" : "time", "x", "y", "z"};
    for (const auto& field : fields)
        for (int k = 0; k < field.components; ++k)
            columns.push_back(field.components == 1   ? field.name
                              : field.components <= 3 ? fmt::format("{}_{}", field.name, "xyz"[k])
                                                      : fmt::format("{}_{}", field.name, k));
    return columns;
}

double linear(const Topology& topology, const PointInCell& point, const NodeField& field,
              int component) {
    double value = 0;
    const CellNodes nodes = topology.nodes_of(point.cell);
    for (int j = 0; j < nodes.size(); ++j) value += point.weight[j] * field(nodes[j], component);
    return value;
}

double parabolic(const SampleRows& rows, std::size_t i, const NodeField& field, int component) {
    double value = 0, least = HUGE_VAL, greatest = -HUGE_VAL;
    for (std::size_t j = rows.start[i]; j < rows.start[i + 1]; ++j) {
        const double at_node = field(rows.node[j], component);
        value += rows.weight[j] * at_node;
        least = std::min(least, at_node);
        greatest = std::max(greatest, at_node);
    }
    return field.is_bounded ? std::min(std::max(value, least), greatest) : value;
}

// The fields' values at the points, point by point; 0 at points claimed by other ranks. rows: of
// each field.
std::vector<double> interpolate(const Topology& topology, const LocatedPoints& located,
                                const std::vector<const SampleRows*>& rows,
                                const std::vector<NodeField>& fields, std::size_t width) {
    std::vector<double> values(located.found.size() * width, 0.0);
    for (std::size_t i = 0; i < located.here.size(); ++i) {
        double* value = values.data() + located.here[i].point * width;
        for (std::size_t f = 0; f < fields.size(); ++f)
            for (int k = 0; k < fields[f].components; ++k, ++value)
                *value = fields[f].at_point       ? 0
                         : fields[f].is_parabolic ? parabolic(*rows[f], i, fields[f], k)
                                                  : linear(topology, located.here[i], fields[f], k);
    }
    return values;
}

void check_finite(const std::vector<double>& values, const std::string& name, double time) {
    if (std::ranges::all_of(values, [](double v) { return std::isfinite(v); })) return;
    throw ComputationError(
        fmt::format("monitor \"{}\": a value at time {} is not finite", name, time));
}

}  // namespace

Monitors::Monitors(const Communicator& comm, const Topology& topology,
                   const std::vector<MonitorSettings>& settings, fs::path folder, MakeSeries series)
    : comm_(comm), topology_(topology), folder_(std::move(folder)), series_(std::move(series)) {
    if (!series_)
        series_ = [this](const std::string& name, const std::vector<std::string>& columns) {
            return CsvSeries(comm_, folder_ / (name + ".csv"), columns);
        };
    comm_.agree([&] { check_names(settings); });
    for (const auto& s : settings) {
        Monitor monitor{.name = s.name,
                        .line = s.type == "line",
                        .arc = {},
                        .points = {},
                        .located = {},
                        .rows = {},
                        .kinked = {},
                        .history = {},
                        .is_recorded = false,
                        .text = {}};
        const int last = monitor.line ? std::max(s.points, 2) - 1 : 0;
        for (int i = 0; i <= last; ++i) {
            const double part = last == 0 ? 0 : double(i) / last;
            monitor.arc.push_back(part * glm::length(s.to - s.from));
            monitor.points.push_back(i == 0      ? s.from
                                     : i == last ? s.to
                                                 : s.from + part * (s.to - s.from));
        }
        monitor.located = locate(comm_, topology, monitor.points);
        monitor.rows = parabolic_rows(topology, monitor.located.here);
        if (comm_.is_root()) warn_of_points_outside(s, monitor.located.found);
        monitors_.push_back(std::move(monitor));
    }
}

fs::path Monitors::file_of(const Monitor& monitor) const {
    return folder_ / (monitor.name + ".csv");
}

void Monitors::record(double time, const std::vector<NodeField>& fields) {
    for (auto& monitor : monitors_) {
        find_rows(monitor, fields);
        const auto rows = sample(monitor, time, fields);
        columns_ = columns_of(monitor.line, fields);
        monitor.is_recorded = true;
        if (monitor.line) {
            write_line(monitor, rows, columns_);
        } else {
            if (!monitor.history) monitor.history.emplace(series_(monitor.name, columns_));
            last_row_ = rows.front();
            monitor.history->append(last_row_);
        }
    }
}

std::vector<std::pair<Index, double>> Monitors::weights(bool is_parabolic) const {
    const Monitor& monitor = monitors_.front();
    std::vector<std::pair<Index, double>> weights;
    if (monitor.located.here.empty()) return weights;
    if (is_parabolic) {
        for (std::size_t j = monitor.rows.start[0]; j < monitor.rows.start[1]; ++j)
            weights.emplace_back(monitor.rows.node[j], monitor.rows.weight[j]);
        return weights;
    }
    const PointInCell& here = monitor.located.here.front();
    const CellNodes nodes = topology_.nodes_of(here.cell);
    for (int j = 0; j < nodes.size(); ++j) weights.emplace_back(nodes[j], here.weight[j]);
    return weights;
}

void Monitors::flush() {
    for (Monitor& monitor : monitors_)
        if (monitor.history) monitor.history->flush();
}

// Finds the rows of fields with new parts.
void Monitors::find_rows(Monitor& monitor, const std::vector<NodeField>& fields) const {
    std::vector<Monitor::Kinked> now;
    for (const auto& field : fields) {
        if (!field.is_parabolic || field.parts.empty()) continue;
        const auto has = [&](const Monitor::Kinked& one) {
            return std::ranges::equal(one.parts, field.parts);
        };
        if (std::ranges::any_of(now, has)) continue;
        const auto known = std::ranges::find_if(monitor.kinked, has);
        if (known != monitor.kinked.end())
            now.push_back(std::move(*known));
        else
            now.push_back({{field.parts.begin(), field.parts.end()},
                           parabolic_rows(topology_, monitor.located.here, field.parts)});
    }
    monitor.kinked = std::move(now);
}

std::vector<CsvRow> Monitors::sample(const Monitor& monitor, double time,
                                     const std::vector<NodeField>& fields) const {
    std::size_t width = 0;
    for (const auto& field : fields) width += field.components;
    // Each point is claimed by one rank, so that the sum is exact.
    std::vector<const SampleRows*> of_fields;
    for (const auto& field : fields) {
        of_fields.push_back(&monitor.rows);
        for (const auto& one : monitor.kinked)
            if (!field.parts.empty() && std::ranges::equal(one.parts, field.parts))
                of_fields.back() = &one.rows;
    }
    auto values = interpolate(topology_, monitor.located, of_fields, fields, width);
    if (std::ranges::any_of(fields, [](const NodeField& field) { return !field.at_point; }))
        comm_.sum(std::span<double>(values));
    for (std::size_t f = 0; f < fields.size(); ++f)  // of one point, and each of one component
        if (fields[f].at_point) values[f] = *fields[f].at_point;
    comm_.agree([&] { check_finite(values, monitor.name, time); });

    std::vector<CsvRow> rows;
    for (std::size_t i = 0; i < monitor.points.size(); ++i) {
        const Vec3& p = monitor.points[i];
        CsvRow row{monitor.line ? monitor.arc[i] : time, p.x, p.y, p.z};
        for (std::size_t k = 0; k < width; ++k)
            row.push_back(monitor.located.found[i] ? std::optional(values[i * width + k])
                                                   : std::nullopt);
        rows.push_back(std::move(row));
    }
    return rows;
}

void Monitors::write_line(Monitor& monitor, const std::vector<CsvRow>& rows,
                          const std::vector<std::string>& columns) const {
    comm_.agree([&] {
        if (!comm_.is_root()) return;
        std::string text = csv_line(columns);
        for (const auto& row : rows) text += csv_line(row, file_of(monitor).string());
        write_text(monitor, text);
        if (keeps_texts_) monitor.text = std::move(text);
    });
}

void Monitors::write_text(const Monitor& monitor, const std::string& text) const {
    const fs::path file = file_of(monitor);
    std::error_code ignored;  // the write reports the error
    fs::create_directories(folder_, ignored);
    write_or_note(file, [&] { write_atomically(file, text); });
}

void Monitors::register_state(const StateValues& state) {
    keeps_texts_ = true;
    for (Monitor& monitor : monitors_) {
        if (!monitor.line) continue;
        OptionalState(state).add<std::string>(
            monitor.name, [&monitor] { return monitor.is_recorded; },
            [&monitor] { return monitor.text; },
            [&monitor](const std::optional<std::string>& text) {
                monitor.is_recorded = text.has_value();
                monitor.text = text.value_or("");
            },
            [](const std::string&) {});
    }
}

void Monitors::resume() const {
    if (!comm_.is_root()) return;
    for (const Monitor& monitor : monitors_) {
        std::error_code ignored;
        if (!monitor.line) continue;
        if (monitor.is_recorded)
            write_text(monitor, monitor.text);
        else
            fs::remove(file_of(monitor), ignored);
    }
}

}  // namespace solenoid
