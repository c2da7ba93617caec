#include "run/monitor.hpp"

#include "run/run_output.hpp"
#include "run/simulation.hpp"

namespace solenoid {
namespace {

std::vector<std::string> with_time(const std::vector<std::string>& columns) {
    std::vector<std::string> all{"time"};
    all.insert(all.end(), columns.begin(), columns.end());
    return all;
}

class NumberTable final : public TableMonitor {
  public:
    NumberTable(const MonitorParts& parts, const std::string& name,
                const std::vector<std::string>& quantities, bool has_start)
        : TableMonitor(parts, name, columns_of(parts.simulation.quantities(), quantities)),
          all_(parts.simulation.quantities()),
          quantities_(quantities),
          has_start_(has_start) {}

    bool has_start() const override { return has_start_; }

  private:
    static std::vector<std::string> columns_of(const Quantities& all,
                                               const std::vector<std::string>& quantities) {
        std::vector<std::string> columns;
        for (const std::string& name : quantities)
            for (const std::string& column : all.info(name, QuantityInfo::Of::number).table_columns)
                columns.push_back(column);
        return columns;
    }
    std::vector<double> values() override {
        std::vector<double> row;
        for (const std::string& name : quantities_)
            for (const double value : all_.values(name, QuantityInfo::Of::number))
                row.push_back(value);
        return row;
    }

    Quantities& all_;
    const std::vector<std::string> quantities_;
    const bool has_start_;
};

class BoundaryTable final : public TableMonitor {
  public:
    BoundaryTable(const MonitorParts& parts, const std::string& name, const std::string& quantity)
        : TableMonitor(parts, name, parts.run.topology().boundaries()),
          all_(parts.simulation.quantities()),
          quantity_(quantity) {}

  private:
    std::vector<double> values() override {
        return all_.values(quantity_, QuantityInfo::Of::boundaries);
    }

    Quantities& all_;
    const std::string quantity_;
};

}  // namespace

TableMonitor::TableMonitor(const MonitorParts& parts, const std::string& name,
                           const std::vector<std::string>& columns)
    : name_(name), columns_(with_time(columns)), series_(parts.output.series(name, columns_)) {}

void TableMonitor::append(const Moment& now) {
    CsvRow row{now.time};
    for (const double value : values()) row.emplace_back(value);
    last_ = std::move(row);
    series_.append(last_);
}

std::unique_ptr<Monitor> number_table(const MonitorParts& parts, const std::string& name,
                                      const std::vector<std::string>& quantities, bool has_start) {
    return std::make_unique<NumberTable>(parts, name, quantities, has_start);
}

std::unique_ptr<Monitor> boundary_table(const MonitorParts& parts, const std::string& name,
                                        const std::string& quantity) {
    return std::make_unique<BoundaryTable>(parts, name, quantity);
}

}  // namespace solenoid
