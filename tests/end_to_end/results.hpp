// What a run left, read back: fields through VTK's parallel reader, tables, the summary, pictures.
#pragma once

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUtilities.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "program.hpp"

namespace solenoid::test {

struct NodeState {
    std::array<double, 3> place;
    double temperature;
};
using Field = std::map<std::int64_t, NodeState>;  // by global node number

inline Field field_in(const fs::path& pvtu) {
    vtkNew<vtkXMLPUnstructuredGridReader> reader;
    EXPECT_TRUE(reader->CanReadFile(pvtu.c_str())) << pvtu;
    reader->SetFileName(pvtu.c_str());
    reader->Update();
    EXPECT_EQ(reader->GetErrorCode(), 0u) << pvtu;
    vtkUnstructuredGrid* grid = reader->GetOutput();
    vtkDataArray* number = grid->GetPointData()->GetGlobalIds();
    vtkDataArray* temperature = grid->GetPointData()->GetArray("temperature");
    Field field;
    if (!number || !temperature) {
        ADD_FAILURE() << pvtu << ": no numbers or no temperature";
        return field;
    }
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
        NodeState state{};
        grid->GetPoint(i, state.place.data());
        state.temperature = temperature->GetTuple1(i);
        const auto [found, is_new] =
            field.emplace(static_cast<std::int64_t>(number->GetTuple1(i)), state);
        if (!is_new)
            EXPECT_EQ(found->second.temperature, state.temperature) << "copies of a node differ";
    }
    return field;
}

struct WrittenState {
    double time;
    fs::path file;
};

inline std::vector<WrittenState> states_in(const fs::path& pvd) {
    std::vector<WrittenState> states;
    const auto file =
        vtkSmartPointer<vtkXMLDataElement>::Take(vtkXMLUtilities::ReadElementFromFile(pvd.c_str()));
    if (!file) {
        ADD_FAILURE() << "cannot read " << pvd;
        return states;
    }
    vtkXMLDataElement* list = file->FindNestedElementWithName("Collection");
    for (int i = 0; i < list->GetNumberOfNestedElements(); ++i) {
        vtkXMLDataElement* entry = list->GetNestedElement(i);
        states.push_back({std::stod(entry->GetAttribute("timestep")),
                          pvd.parent_path() / entry->GetAttribute("file")});
    }
    return states;
}

inline Field last_field(const fs::path& pvd) {
    const auto states = states_in(pvd);
    return states.empty() ? Field{} : field_in(states.back().file);
}

inline double largest_difference(const Field& a, const Field& b) {
    if (a.size() != b.size()) return HUGE_VAL;
    double largest = 0;
    for (const auto& [number, state] : a) {
        const auto other = b.find(number);
        if (other == b.end() || other->second.place != state.place) return HUGE_VAL;
        largest = std::max(largest, std::abs(other->second.temperature - state.temperature));
    }
    return largest;
}

inline nlohmann::json summary_in(const fs::path& folder) {
    const auto summary = nlohmann::json::parse(contents(folder / "summary.json"), nullptr, false);
    EXPECT_FALSE(summary.is_discarded()) << "no summary in " << folder;
    return summary;
}

// A CSV table of numbers without quotes.
struct Table {
    std::vector<std::string> columns;
    std::vector<std::vector<std::optional<double>>> rows;

    std::vector<std::optional<double>> column(const std::string& name) const {
        const auto at = std::find(columns.begin(), columns.end(), name) - columns.begin();
        std::vector<std::optional<double>> values;
        for (const auto& row : rows) values.push_back(row.at(at));
        return values;
    }
};

inline Table table_in(const fs::path& csv) {
    Table table;
    for (const std::string& line : lines_of(contents(csv))) {
        std::vector<std::string> cells;
        std::istringstream stream(line + ",");
        for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
        if (table.columns.empty()) {
            table.columns = cells;
            continue;
        }
        auto& row = table.rows.emplace_back();
        for (const std::string& cell : cells)
            row.push_back(cell.empty() ? std::nullopt
                                       : std::optional(std::strtod(cell.c_str(), nullptr)));
        EXPECT_EQ(row.size(), table.columns.size()) << csv;
    }
    EXPECT_FALSE(table.rows.empty()) << csv;
    return table;
}

}  // namespace solenoid::test
