#include "bench/results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/version.hpp"
#include "io/files/csv_series.hpp"

namespace solenoid::bench {
namespace {

bool is_cell(const Row& value) { return !value.is_structured(); }

std::string cell(const Row& row, const std::string& column, bool is_exact) {
    const auto found = row.find(column);
    if (found == row.end() || found->is_null()) return "";
    if (found->is_string()) return found->get<std::string>();
    return found->is_number_float() && !is_exact ? fmt::format("{:.4g}", found->get<double>())
                                                 : found->dump();
}

bool is_text(const Row& row, const std::string& column) {
    const auto found = row.find(column);
    return found != row.end() && found->is_string();
}

}  // namespace

void Results::note_device(const std::string& kind, const std::string& name) {
    device_ = kind;
    device_name_ = name;
}

std::vector<std::string> Results::columns() const {
    std::vector<std::string> names;
    for (const Row& row : rows_)
        for (const auto& [name, value] : row.items())
            if (is_cell(value) && std::ranges::find(names, name) == names.end())
                names.push_back(name);
    return names;
}

std::string Results::table() const {
    const std::vector<std::string> names = columns();
    std::vector<std::size_t> widths;
    for (const std::string& name : names) {
        widths.push_back(name.size());
        for (const Row& row : rows_)
            widths.back() = std::max(widths.back(), cell(row, name, false).size());
    }
    std::string text;
    const auto line = [&](const auto& word) {
        std::string whole;
        for (std::size_t k = 0; k < names.size(); ++k) {
            const bool is_left = !rows_.empty() && is_text(rows_.front(), names[k]);
            whole += is_left ? fmt::format("{:<{}}  ", word(names[k]), widths[k])
                             : fmt::format("{:>{}}  ", word(names[k]), widths[k]);
        }
        whole.erase(whole.find_last_not_of(' ') + 1);
        text += whole + "\n";
    };
    line([](const std::string& name) { return name; });
    for (const Row& row : rows_)
        line([&](const std::string& name) { return cell(row, name, false); });
    return text;
}

std::string Results::csv() const {
    std::vector<std::string> names = columns(), further{"benchmark", "ranks", "threads", "device"};
    std::vector<std::string> header = further;
    header.insert(header.end(), names.begin(), names.end());
    std::string text = csv_line(header);
    for (const Row& row : rows_) {
        std::vector<std::string> cells{benchmark_, std::to_string(ranks_), std::to_string(threads_),
                                       device_};
        for (const std::string& name : names) cells.push_back(cell(row, name, true));
        text += csv_line(cells);
    }
    return text;
}

std::string Results::json() const {
    Row all{{"program", std::string("solenoid-bench ") + version},
            {"benchmark", benchmark_},
            {"ranks", ranks_},
            {"threads", threads_},
            {"device", device_},
            {"device_name", device_name_}};
    all.update(notes_);
    all["rows"] = rows_;
    return all.dump(1) + "\n";
}

}  // namespace solenoid::bench
