// Case files in a folder of their own, read and refused.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "app/physics.hpp"
#include "core/error.hpp"
#include "flow/settings/flow_case.hpp"
#include "heat/case/heat_settings.hpp"

namespace solenoid::test {

namespace fs = std::filesystem;

// A folder of its own that goes when the test ends.
class CaseFolder : public testing::Test {
  protected:
    CaseFolder() {
        folder_ = fs::temp_directory_path() / ("solenoid_case_test_" + std::to_string(getpid()));
        fs::create_directories(folder_ / "shaft");
        write("shaft/part.msh", "");
    }
    ~CaseFolder() override { fs::remove_all(folder_); }

    fs::path write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return folder_ / name;
    }
    CaseSettings read(const std::string& text,
                      const std::vector<std::string>& overrides = {}) const {
        return read_case(write("shaft/case.toml", text), all_physics(), overrides);
    }
    std::string refusal(const std::string& text,
                        const std::vector<std::string>& overrides = {}) const {
        return refusal_of([&] { read(text, overrides); });
    }
    static std::string refusal_of(const std::function<void()>& action) {
        try {
            action();
        } catch (const InputError& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return error.what();
        }
        return "accepted";
    }
    static void expect_words(const std::string& message, const std::vector<std::string>& words) {
        for (const std::string& word : words)
            EXPECT_NE(message.find(word), std::string::npos)
                << '"' << word << "\" is not in: " << message;
    }
    // The message begins with the file, the line (0: the file alone) and names the words.
    void expect_refusal(const std::string& text, int line,
                        const std::vector<std::string>& words) const {
        const std::string message = refusal(text);
        std::string place = (folder_ / "shaft/case.toml").string();
        if (line) place.append(":").append(std::to_string(line));
        EXPECT_TRUE(message.starts_with(place + ": "))
            << message << "\n  expected at line " << line;
        expect_words(message, words);
    }

    fs::path folder_;
};

}  // namespace solenoid::test
