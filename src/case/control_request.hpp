// A request to a run that goes on: the text of control.toml. docs/steering.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "case/case_text.hpp"
#include "case/keys.hpp"

namespace solenoid {

struct ControlRequest {
    bool write = false;
    bool checkpoint = false;
    bool stop = false;
    std::optional<std::int64_t> stop_at_step;
    std::optional<double> stop_at_time;  // [s]
    // of steerable keys, in the order of the file, as overrides have them: "time.end=3"
    std::vector<std::string> changes;
    CaseSettings settings;  // the case with them; as before without any

    bool is_empty() const;
};

// The keys of control.toml beside those of the case, which stand in the case's tables.
const std::vector<Key>& control_keys();

// Reads and checks a request to a run of the case with overrides. place: names the text in
// messages. Throws
// InputError for anything that a case could not have, for keys that are not steerable, and for a
// request that asks for nothing.
ControlRequest read_control(const std::string& text, const std::string& place,
                            const CaseText& of_run, const std::vector<std::string>& overrides,
                            const PhysicsList& physics);

}  // namespace solenoid
