#include "view/film.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "core/log.hpp"
#include "core/plain_text.hpp"

namespace solenoid {
namespace {

// The code with which a program ends that is run in `folder`; -1: there is none of that name.
int run_in(const std::filesystem::path& folder, std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    pid_t child = 0;
    const int failed =
        posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed == ENOENT) return -1;
    if (failed != 0) throw std::system_error(failed, std::generic_category());
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) throw std::system_error(errno, std::generic_category());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace

void make_video(const std::filesystem::path& folder, const std::string& name, int frames,
                double frames_per_second) {
    const std::string video = name + ".mp4", unfinished = video + ".part";
    std::string pattern;  // of printf
    for (const char c : name) pattern += c == '%' ? std::string("%%") : std::string(1, c);
    // even sizes and this kind of pixels are what every player shows
    const std::vector<std::string> words{"ffmpeg",
                                         "-nostdin",
                                         "-loglevel",
                                         "error",
                                         "-y",
                                         "-framerate",
                                         fmt::format("{:g}", frames_per_second),
                                         "-i",
                                         "./" + pattern + "_%04d.png",
                                         "-frames:v",
                                         std::to_string(frames),
                                         "-vf",
                                         "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                         "-pix_fmt",
                                         "yuv420p",
                                         "-f",
                                         "mp4",
                                         "./" + unfinished};
    std::error_code error;
    try {
        const int code = run_in(folder, words);
        if (code == -1) {
            log::info(
                "film {0}: {1} frames, {0}_0000.png and so on in {2}; no video, as ffmpeg is not "
                "installed: install it, then, in that folder, ffmpeg -framerate {3:g} -i {4} "
                "-pix_fmt yuv420p {5}",
                name, frames, folder.string(), frames_per_second, for_shell(pattern + "_%04d.png"),
                for_shell(video));
            return;
        }
        if (code != 0) throw std::runtime_error(fmt::format("ffmpeg ended with code {}", code));
        std::filesystem::rename(folder / unfinished, folder / video);
        log::info("film {}: {} frames, {}", name, frames, (folder / video).string());
    } catch (const std::exception& reason) {
        std::filesystem::remove(folder / unfinished, error);
        log::warning("film {}: no video of its {} frames in {}: {}", name, frames, folder.string(),
                     reason.what());
    }
}

}  // namespace solenoid
