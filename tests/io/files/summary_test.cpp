// summary.json: every key, numbers that are not finite, a file that cannot be written.
#include "io/files/summary.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::summary_test {
namespace {

Summary example() {
    Summary s;
    s.case_name = "piston \"4\"";
    s.version = "1.2.3";
    s.is_reproducible = true;
    s.ranks = 2;
    s.threads = 3;
    s.devices = {"cpu", "NVIDIA H200"};
    s.precision = "double";
    s.cells = 5'000'000'000;
    s.faces = 10;
    s.edges = 7;
    s.nodes = 4;
    s.edge_cut = 3;
    s.imbalance = 1.25;
    s.steps = 100;
    s.repeated_steps = 3;
    s.time = 0.1;
    s.seconds = {0.5, 1, 2, 3, 4, 5, 6, 7, 1.5, 8, 0.25, 38.25};
    s.solves = {{"temperature", 100, 2500, 1e-11, 0.25}};
    s.transport = "MPI";
    s.transport_latency = 2e-6;
    s.transport_bandwidth = 1.5e9;
    s.exchanges = 40;
    s.sums = 50;
    s.halo_bytes = 1 << 20;
    s.memory_bytes = 1LL << 40;
    s.steady = false;
    s.thin_cells = {{16.5, {1, 2, 0}, "wall"}, {20, {3, 4, 5}}, {}};
    s.ranges = {{"speed", 0, 1.5}, {"pressure", -2, 3}};
    s.status = "stopped";
    s.reason = "SIGTERM";
    return s;
}

TEST(Summary, HasEveryKey) {
    const ScratchFolder scratch(Communicator::self());
    write_summary(scratch / "summary.json", example());
    const auto json = nlohmann::json::parse(text_of(scratch / "summary.json"));
    EXPECT_EQ(json, nlohmann::json::parse(R"({
        "case": "piston \"4\"", "version": "1.2.3", "reproducible": true, "ranks": 2, "threads": 3, "transport": "MPI", "transport_speed": {"latency": 2e-6, "bandwidth": 1.5e9},
        "messages": {"exchanges": 40, "sums": 50}, "devices": ["cpu", "NVIDIA H200"],
        "precision": "double", "cells": 5000000000, "faces": 10, "edges": 7, "nodes": 4,
        "partition": {"edge_cut": 3, "imbalance": 1.25}, "steps": 100, "repeated_steps": 3, "time": 0.1,
        "steady": false, "thin_cells": {"at_boundaries": {"aspect": 16.5, "place": [1.0, 2.0, 0.0], "boundary": "wall"},
                                        "inside": {"aspect": 20.0, "place": [3.0, 4.0, 5.0]}}, "ranges": {"speed": [0.0, 1.5], "pressure": [-2.0, 3.0]},
        "seconds": {"start": 0.5, "read": 1.0, "partition": 2.0, "setup": 3.0, "solve": 4.0, "monitors": 5.0,
                    "output": 6.0, "pictures": 7.0, "checkpoints": 1.5, "view": 8.0, "other": 0.25, "total": 38.25},
        "solves": [{"name": "temperature", "count": 100, "iterations": 2500, "residual": 1e-11, "setup_seconds": 0.25}],
        "halo_bytes": 1048576, "memory_bytes": 1099511627776, "status": "stopped", "reason": "SIGTERM"})"));
}

TEST(Summary, NumbersThatAreNotFiniteAreNull) {
    const ScratchFolder scratch(Communicator::self());
    Summary s = example();
    s.status = "failed";
    s.solves[0].residual = std::numeric_limits<double>::quiet_NaN();
    write_summary(scratch / "summary.json", s);
    const auto json = nlohmann::json::parse(text_of(scratch / "summary.json"));
    EXPECT_TRUE(json["solves"][0]["residual"].is_null());
    EXPECT_EQ(json["status"], "failed");
}

TEST(Summary, AnEmptyOneIsValid) {
    const ScratchFolder scratch(Communicator::self());
    write_summary(scratch / "summary.json", {});
    const auto json = nlohmann::json::parse(text_of(scratch / "summary.json"));
    EXPECT_TRUE(json["solves"].is_array());
    EXPECT_TRUE(json["devices"].is_array());
}

TEST(Summary, AFileThatCannotBeWrittenIsAnError) {
    const ScratchFolder scratch(Communicator::self());
    EXPECT_THROW(write_summary(scratch / "missing/summary.json", {}), ComputationError);
}

TEST(PeakResidentBytes, GrowsWithWhatIsTouched) {
    const auto before = peak_resident_bytes();
    EXPECT_GT(before, std::size_t(1) << 20);
    const std::vector<char> touched(std::size_t(256) << 20, 1);
    EXPECT_GE(peak_resident_bytes(), std::size_t(256) << 20);
    EXPECT_EQ(touched.back(), 1);
}

}  // namespace
}  // namespace solenoid::summary_test
