#include "run/quantities.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace solenoid {

void Quantities::add(QuantityInfo info, Compute compute, Interpolation interpolation,
                     AtPoint at_point) {
    if (has(info.name, info.of))
        throw std::logic_error("the quantity \"" + info.name + "\" is declared twice");
    all_.push_back(
        {std::move(info), std::move(compute), std::move(interpolation), std::move(at_point)});
}

void Quantities::state_changed() {
    for (Entry& entry : all_) {
        entry.values.reset();
        entry.lengths.reset();
        entry.parts.reset();
    }
}

const Quantities::Entry* Quantities::find(const std::string& name, Of of) const {
    const auto found = std::ranges::find_if(
        all_, [&](const Entry& entry) { return entry.info.of == of && entry.info.name == name; });
    return found == all_.end() ? nullptr : &*found;
}

const Quantities::Entry& Quantities::at(const std::string& name, Of of) const {
    if (const Entry* entry = find(name, of)) return *entry;
    throw std::logic_error("no quantity \"" + name + '"');
}

const std::vector<double>& Quantities::values(Entry& entry) {
    if (!entry.values) {
        entry.values = entry.compute();
        ++entry.times_computed;
    }
    return *entry.values;
}

const std::vector<double>& Quantities::values(const std::string& name, Of of) {
    return values(at(name, of));
}

void Quantities::ask_of(const std::string& name, const std::vector<std::size_t>& boundaries) {
    Entry& entry = at(name, Of::boundaries);
    entry.asked_of.insert(entry.asked_of.end(), boundaries.begin(), boundaries.end());
    std::ranges::sort(entry.asked_of);
    const auto repeated = std::ranges::unique(entry.asked_of);
    entry.asked_of.erase(repeated.begin(), repeated.end());
    entry.values.reset();
}

std::span<const double> Quantities::drawn(const std::string& name) {
    Entry& entry = at(name, Of::nodes);
    if (entry.info.columns == 1) return values(entry);
    if (!entry.lengths) entry.lengths = magnitudes(values(entry), entry.info.columns);
    return *entry.lengths;
}

const QuantityInfo& Quantities::info(const std::string& name, Of of) const {
    return at(name, of).info;
}

std::int64_t Quantities::times_computed(const std::string& name, Of of) const {
    return at(name, of).times_computed;
}

QuantityList Quantities::list() const {
    QuantityList list;
    for (const Entry& entry : all_) list.push_back(entry.info);
    return list;
}

std::vector<OutputField> Quantities::in_files(Of of) {
    std::vector<OutputField> fields;
    for (Entry& entry : all_)
        if (entry.info.in_files && entry.info.of == of)
            fields.push_back({entry.info.name, values(entry), entry.info.columns});
    return fields;
}

// Empty where the values at all nodes are needed.
std::vector<double> Quantities::at_point(Entry& entry, Point& point) {
    if (!entry.at_point.watch || entry.interpolation.is_bounded) return {};
    const auto [found, is_new] = point.watched.try_emplace(entry.info.name, -1);
    if (is_new)
        found->second =
            entry.at_point.watch(entry.interpolation.is_parabolic ? point.parabolic : point.linear);
    return found->second < 0 ? std::vector<double>() : entry.at_point.value(found->second);
}

std::vector<Quantities::Entry*> Quantities::for_tables(const std::vector<std::string>& names) {
    std::vector<Entry*> chosen;
    for (Entry& entry : all_)
        if (entry.info.of == Of::nodes && !entry.info.table_columns.empty() &&
            (names.empty() || std::ranges::find(names, entry.info.name) != names.end()))
            chosen.push_back(&entry);
    std::ranges::stable_sort(chosen, {}, [](const Entry* entry) { return entry->info.place; });
    return chosen;
}

std::vector<std::string> Quantities::columns_in_tables(const std::vector<std::string>& names) {
    std::vector<std::string> columns;
    for (const Entry* entry : for_tables(names))
        columns.insert(columns.end(), entry->info.table_columns.begin(),
                       entry->info.table_columns.end());
    return columns;
}

std::vector<OutputField> Quantities::in_tables(const std::vector<std::string>& names,
                                               Point* point) {
    std::vector<OutputField> fields;
    for (Entry* entry : for_tables(names)) {
        if (point && point->is_outside) {
            for (const std::string& column : entry->info.table_columns)
                fields.push_back(
                    {.name = column, .values = std::span<const double>(), .at_point = 0.0});
            continue;
        }
        if (point) {
            const std::vector<double> there = at_point(*entry, *point);
            for (std::size_t k = 0; k < there.size(); ++k)
                fields.push_back({.name = entry->info.table_columns[k],
                                  .values = std::span<const double>(),
                                  .at_point = there[k]});
            if (!there.empty()) continue;
        }
        const Interpolation& how = entry->interpolation;
        if (how.parts && !entry->parts) entry->parts = how.parts();
        const std::span<const double> all = values(*entry);
        const std::size_t rows = all.size() / entry->info.columns;
        for (std::size_t k = 0; k < entry->info.table_columns.size(); ++k) {
            OutputField field{entry->info.table_columns[k], all.subspan(k * rows, rows), 1,
                              how.is_parabolic, how.is_bounded};
            if (entry->parts) field.parts = *entry->parts;
            fields.push_back(std::move(field));
        }
    }
    return fields;
}

std::vector<double> magnitudes(std::span<const double> vectors, int columns) {
    const std::size_t n = vectors.size() / columns;
    std::vector<double> lengths(n);
    for (std::size_t i = 0; i < n; ++i) {
        double square = 0;
        for (int k = 0; k < columns; ++k) square += vectors[k * n + i] * vectors[k * n + i];
        lengths[i] = std::sqrt(square);
    }
    return lengths;
}

}  // namespace solenoid
