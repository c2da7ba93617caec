// Films: numbered pictures, joined into a video by ffmpeg where it is installed.
#pragma once

#include <filesystem>
#include <string>

namespace solenoid {

// Makes folder/NAME.mp4 of NAME_0000.png, NAME_0001.png, ..., replacing an older one; logs what it
// made. Where ffmpeg is missing or fails, says so, and how to make the video; the frames stay.
void make_video(const std::filesystem::path& folder, const std::string& name, int frames,
                double frames_per_second);

}  // namespace solenoid
