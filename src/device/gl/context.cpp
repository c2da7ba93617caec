#include "device/gl/context.hpp"

#include <GL/glew.h>

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <set>
#include <sstream>

#include "core/error.hpp"

namespace solenoid::gl {
namespace {

bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value && *value && std::strcmp(value, "0") != 0;
}

bool has_word(const char* list, const char* word) {
    std::istringstream words(list ? list : "");
    return std::find(std::istream_iterator<std::string>(words), {}, word) !=
           std::istream_iterator<std::string>();
}

template <class Function>
Function egl_function(const char* name) {
    return reinterpret_cast<Function>(eglGetProcAddress(name));
}

// ---- the devices of this host

// What a display is opened on: an EGL device, or Mesa's surfaceless platform (device == nullptr).
struct Candidate {
    EGLDeviceEXT device = nullptr;
    std::string id;
    bool is_software = false;
};

std::vector<EGLDeviceEXT> query_devices() {
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!has_word(extensions, "EGL_EXT_platform_device")) return {};
    const auto query = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    EGLint count = 0;
    if (!query || !query(0, nullptr, &count) || count < 1) return {};
    std::vector<EGLDeviceEXT> devices(count);
    if (!query(count, devices.data(), &count)) return {};
    devices.resize(count);
    return devices;
}

// Hardware in EGL's order (CUDA's, on NVIDIA), each once: two drivers may offer the same chip. Then
// software.
std::vector<Candidate> candidates() {
    const auto query = egl_function<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    std::vector<Candidate> hardware, software;
    std::set<std::string> files;
    for (EGLDeviceEXT device : query_devices()) {
        const char* extensions = query(device, EGL_EXTENSIONS);
        if (has_word(extensions, "EGL_MESA_device_software")) {
            software.push_back({device, "software", true});
            continue;
        }
        const char* file = has_word(extensions, "EGL_EXT_device_drm")
                               ? query(device, EGL_DRM_DEVICE_FILE_EXT)
                               : nullptr;
        if (file && !files.insert(file).second) continue;
        hardware.push_back({device, "egl:" + std::to_string(hardware.size()), false});
    }
    if (has_word(eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS), "EGL_MESA_platform_surfaceless"))
        software.push_back({nullptr, "software", true});
    hardware.insert(hardware.end(), software.begin(), software.end());
    return hardware;
}

// ---- making one context

const char* error_name(EGLint code) {
    switch (code) {
        case EGL_SUCCESS:
            return "no error";
        case EGL_NOT_INITIALIZED:
            return "EGL_NOT_INITIALIZED";
        case EGL_BAD_ACCESS:
            return "EGL_BAD_ACCESS";
        case EGL_BAD_ALLOC:
            return "EGL_BAD_ALLOC";
        case EGL_BAD_CONFIG:
            return "EGL_BAD_CONFIG";
        case EGL_BAD_MATCH:
            return "EGL_BAD_MATCH";
        case EGL_BAD_PARAMETER:
            return "EGL_BAD_PARAMETER";
        default:
            return "an EGL error";
    }
}

EGLDisplay open_display(const Candidate& candidate) {
    const auto get = egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    if (!get) return EGL_NO_DISPLAY;
    EGLDisplay display = candidate.device
                             ? get(EGL_PLATFORM_DEVICE_EXT, candidate.device, nullptr)
                             : get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    draw_in_calling_thread();
    // Never terminated: EGL gives every caller in the process the same display.
    if (display != EGL_NO_DISPLAY && !eglInitialize(display, nullptr, nullptr))
        return EGL_NO_DISPLAY;
    return display;
}

EGLConfig choose_config(EGLDisplay display) {
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT,
                             EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        return EGL_NO_CONFIG_KHR;
    return config;
}

// The newest core context down to 3.3.
EGLContext create_newest(EGLDisplay display) {
    const EGLConfig config = choose_config(display);
    for (int version : {45, 44, 43, 42, 41, 40, 33}) {
        const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                     version / 10,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     version % 10,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE};
        EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes);
        if (context != EGL_NO_CONTEXT) return context;
    }
    return EGL_NO_CONTEXT;
}

// ---- what a context can do

std::string text_of(GLenum name) {
    const auto* text = reinterpret_cast<const char*>(glGetString(name));
    return text ? text : "";
}

int integer_of(GLenum name) {
    GLint value = 0;
    glGetIntegerv(name, &value);
    return value;
}

std::set<std::string> gl_extensions() {
    std::set<std::string> names;
    for (int i = 0, count = integer_of(GL_NUM_EXTENSIONS); i < count; ++i)
        names.insert(reinterpret_cast<const char*>(glGetStringi(GL_EXTENSIONS, i)));
    return names;
}

bool is_software_renderer(const std::string& renderer) {
    for (const char* name : {"llvmpipe", "softpipe", "swrast", "Software Rasterizer"})
        if (renderer.find(name) != std::string::npos) return true;
    return false;
}

DeviceDescription describe(const std::string& id) {
    const std::set<std::string> extensions = gl_extensions();
    const int version = 10 * integer_of(GL_MAJOR_VERSION) + integer_of(GL_MINOR_VERSION);
    const auto has = [&](const char* name) { return extensions.count(name) > 0; };
    DeviceDescription d;
    d.name = text_of(GL_RENDERER);
    d.vendor = text_of(GL_VENDOR);
    d.version = text_of(GL_VERSION);
    d.id = id;
    d.is_software = is_software_renderer(d.name);
    const auto has_all = [&](std::initializer_list<const char*> names) {
        return std::all_of(names.begin(), names.end(), has);
    };
    const bool has_modern_access =
        version >= 45 ||
        has_all({"GL_ARB_direct_state_access", "GL_ARB_buffer_storage", "GL_ARB_multi_bind"});
    d.has_compute = version >= 43 && has_modern_access;
    d.has_fragment = version >= 40 && has_modern_access &&
                     (version >= 45 || has_all({"GL_ARB_texture_barrier", "GL_ARB_clear_texture",
                                                "GL_ARB_copy_image"}));
    d.has_fp64 = version >= 40 && !is_set("SOLENOID_GL_NO_FP64");
    d.has_sparse_buffers = has("GL_ARB_sparse_buffer");
    d.has_subgroups = has("GL_KHR_shader_subgroup");
    d.max_texture_size = integer_of(GL_MAX_TEXTURE_SIZE);
    d.max_texture_layers = integer_of(GL_MAX_ARRAY_TEXTURE_LAYERS);
    d.max_color_attachments =
        std::min(integer_of(GL_MAX_COLOR_ATTACHMENTS), integer_of(GL_MAX_DRAW_BUFFERS));
    if (version >= 43) {
        GLint64 bytes = 0;
        glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &bytes);
        d.max_storage_bytes = static_cast<long>(bytes);
        d.max_storage_bindings = integer_of(GL_MAX_COMPUTE_SHADER_STORAGE_BLOCKS);
    }
    return d;
}

// glewInit loads OpenGL's functions first, then looks for a GLX display, which an EGL context does
// not have.
void load_functions() {
    glewExperimental = GL_TRUE;
    const GLenum status = glewInit();
    if (status != GLEW_OK && status != GLEW_ERROR_NO_GLX_DISPLAY)
        throw InputError(std::string("OpenGL functions cannot be loaded: ") +
                         reinterpret_cast<const char*>(glewGetErrorString(status)));
}

}  // namespace

void draw_in_calling_thread() { setenv("LP_NUM_THREADS", "0", /* overwrite */ 1); }

struct Context::Implementation {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    DeviceDescription description;

    ~Implementation() {
        if (context == EGL_NO_CONTEXT) return;
        if (eglGetCurrentContext() == context)
            eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display, context);
    }

    bool make_current() const {
        eglBindAPI(EGL_OPENGL_API);
        return eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
    }

    // nullptr, and `why`, where the candidate gives no context or not the kind it promised.
    static std::unique_ptr<Implementation> open(const Candidate& candidate, std::string& why) {
        auto result = std::make_unique<Implementation>();
        eglBindAPI(EGL_OPENGL_API);
        result->display = open_display(candidate);
        if (result->display != EGL_NO_DISPLAY) result->context = create_newest(result->display);
        if (result->context == EGL_NO_CONTEXT || !result->make_current()) {
            why = candidate.id + ": " + error_name(eglGetError());
            return nullptr;
        }
        load_functions();
        result->description = describe(candidate.id);
        if (result->description.is_software != candidate.is_software) {
            why = candidate.id + ": the driver gives " + result->description.name;
            return nullptr;
        }
        return result;
    }
};

Context::Context() = default;
Context::~Context() = default;

std::shared_ptr<Context> Context::create(int local_rank, bool software) {
    software = software || is_set("SOLENOID_GL_SOFTWARE");
    std::vector<Candidate> all = candidates();
    const auto first_software =
        std::find_if(all.begin(), all.end(), [](const Candidate& c) { return c.is_software; });
    std::vector<Candidate> hardware(all.begin(), first_software);
    std::string reasons, why;
    std::shared_ptr<Context> context(new Context);
    const auto try_to_open = [&](const Candidate& candidate) {
        context->implementation_ = Implementation::open(candidate, why);
        if (!context->implementation_) reasons += (reasons.empty() ? "" : "; ") + why;
        return context->implementation_ != nullptr;
    };
    while (!software && !hardware.empty()) {
        const auto chosen = hardware.begin() + local_rank % static_cast<int>(hardware.size());
        if (try_to_open(*chosen)) return context;
        hardware.erase(chosen);
    }
    for (auto candidate = first_software; candidate != all.end(); ++candidate)
        if (try_to_open(*candidate)) return context;
    throw InputError(
        "no OpenGL context (" + (reasons.empty() ? "EGL offers no device" : reasons) +
        "): install a GPU driver with EGL or Mesa (libegl-mesa0), or choose the device cpu");
}

// EGL knows what is current on this thread, whoever changed it last (a window, another context).
void Context::make_current() {
    if (eglGetCurrentContext() == implementation_->context) return;
    if (!implementation_->make_current())
        throw ComputationError("the OpenGL context of " + description().name +
                               " cannot be made current: " + error_name(eglGetError()));
}

const DeviceDescription& Context::description() const { return implementation_->description; }

std::vector<DeviceDescription> list_devices() {
    std::vector<DeviceDescription> result;
    std::string why;
    for (const Candidate& candidate : candidates()) {
        if (candidate.is_software && !result.empty() && result.back().is_software) continue;
        if (const auto opened = Context::Implementation::open(candidate, why))
            result.push_back(opened->description);
    }
    return result;
}

}  // namespace solenoid::gl
