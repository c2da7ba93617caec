// The program as a user starts it: a child process, its exit code and what it printed.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace solenoid::test {

namespace fs = std::filesystem;

inline std::string contents(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

inline fs::path source(const std::string& name) { return fs::path(SOLENOID_SOURCE_DIR) / name; }

// A folder that exists as long as its test.
class Folder {
  public:
    Folder() {
        static int count = 0;
        path = fs::temp_directory_path() /
               ("solenoid-program-" + std::to_string(getpid()) + "-" + std::to_string(count++));
        fs::create_directories(path);
    }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    fs::path operator/(const std::string& name) const { return path / name; }
    fs::path write(const std::string& name, const std::string& text) const {
        fs::create_directories((path / name).parent_path());
        std::ofstream(path / name, std::ios::binary) << text;
        return path / name;
    }

    fs::path path;
};

struct Outcome {
    int code = -1;  // 128 + n where signal n killed it; -1 where it had to be killed
    std::string out, err;
    double seconds = 0;
};

// A started program. Its output goes to files, so that it never waits for a reader.
class Program {
  public:
    struct Start {
        int ranks = 1;  // more than one: through tools/mpirun
        bool with_mpirun = false;
        fs::path folder = fs::temp_directory_path();  // where it is started
        // besides the test's own
        std::vector<std::pair<std::string, std::string>> environment = {};
    };

    Program(std::vector<std::string> arguments, const Start& start) {
        arguments.insert(arguments.begin(), SOLENOID_PROGRAM);
        if (start.with_mpirun || start.ranks > 1)
            arguments.insert(arguments.begin(),
                             {source("tools/mpirun").string(), "-n", std::to_string(start.ranks)});
        begin_ = Clock::now();
        child_ = fork();
        if (child_ == 0) become(arguments, start);
    }
    ~Program() {
        if (!ended_) end_the_hard_way();
    }
    Program(const Program&) = delete;

    void signal(int number) const { kill(child_, number); }
    bool is_running() { return !ended_ && !has_ended(); }
    std::string printed() const { return contents(files_ / "out"); }  // so far

    Outcome wait(double seconds = 120) {
        while (is_running() && since(begin_) < seconds)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        if (!ended_) end_the_hard_way();
        return {code_, contents(files_ / "out"), contents(files_ / "err"), since(begin_)};
    }

  private:
    using Clock = std::chrono::steady_clock;
    static double since(Clock::time_point begin) {
        return std::chrono::duration<double>(Clock::now() - begin).count();
    }

    [[noreturn]] void become(const std::vector<std::string>& arguments, const Start& start) const {
        setpgid(0, 0);
        const int flags = O_WRONLY | O_CREAT | O_TRUNC;
        dup2(open((files_ / "out").c_str(), flags, 0600), STDOUT_FILENO);
        dup2(open((files_ / "err").c_str(), flags, 0600), STDERR_FILENO);
        for (const auto& [name, value] : start.environment) setenv(name.c_str(), value.c_str(), 1);
        if (chdir(start.folder.c_str()) != 0) _exit(126);
        std::vector<char*> texts;
        for (const std::string& argument : arguments)
            texts.push_back(const_cast<char*>(argument.c_str()));
        texts.push_back(nullptr);
        execv(texts[0], texts.data());
        _exit(127);
    }

    bool has_ended() {
        int status = 0;
        if (waitpid(child_, &status, WNOHANG) != child_) return false;
        code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        return ended_ = true;
    }
    void end_the_hard_way() {
        kill(-child_, SIGTERM);  // tools/mpirun hands it on
        std::this_thread::sleep_for(std::chrono::seconds(2));
        kill(-child_, SIGKILL);
        waitpid(child_, nullptr, 0);
        ended_ = true;
    }

    Folder files_;
    pid_t child_ = -1;
    Clock::time_point begin_;
    bool ended_ = false;
    int code_ = -1;
};

inline Outcome run_program(const std::vector<std::string>& arguments,
                           const Program::Start& start = {}) {
    return Program(arguments, start).wait();
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

inline std::vector<std::string> joined(std::vector<std::string> a,
                                       const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

}  // namespace solenoid::test
