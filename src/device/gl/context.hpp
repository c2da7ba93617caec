// An OpenGL context without a window, from EGL: a GPU through the device platform, or Mesa's
// software renderer on a surfaceless display. Compute, fragment and off-screen pictures all use it.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace solenoid::gl {

struct DeviceDescription {
    std::string name;  // GL_RENDERER
    std::string vendor;
    std::string version;  // GL_VERSION
    std::string id;       // "egl:0", ...: the same for ranks of one host that share it
    bool is_software = false;
    bool has_compute = false;   // OpenGL 4.3 with direct state access
    bool has_fragment = false;  // OpenGL 4.0 with direct state access and texture barriers
    bool has_fp64 = false;
    bool has_sparse_buffers = false;
    bool has_subgroups = false;
    int max_storage_bindings = 0;
    long max_storage_bytes = 0;
    int max_texture_size = 0;
    int max_texture_layers = 0;
    int max_color_attachments = 0;
};

class Context {
  public:
    // The local rank's GPU (local rank modulo GPUs); software where there is none, or where
    // `software` or SOLENOID_GL_SOFTWARE=1 asks for it. Throws InputError with the reason where no
    // context can be made. SOLENOID_GL_NO_FP64=1 makes the context report no doubles.
    static std::shared_ptr<Context> create(int local_rank = 0, bool software = false);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    void make_current();  // cheap where it is current already
    const DeviceDescription& description() const;

  private:
    Context();
    friend std::vector<DeviceDescription> list_devices();
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

// Keeps Mesa's software renderer from starting threads: it frees fences that they still use
// (docs/devices.md). To be called before a display is opened.
void draw_in_calling_thread();

// Every device of this host that can make a context, hardware first.
std::vector<DeviceDescription> list_devices();

}  // namespace solenoid::gl
