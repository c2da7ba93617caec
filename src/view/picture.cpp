#include "view/picture.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/optional_state.hpp"
#include "device/gl/context.hpp"
#include "io/files/results.hpp"
#include "io/files/unwritten.hpp"
#include "view/figure_layout.hpp"
#include "view/film.hpp"
#include "view/off_screen.hpp"
#include "view/png.hpp"
#include "view/scene.hpp"

namespace solenoid {
namespace {

// The root's OpenGL context and renderer. The context is current until its objects are deleted.
class Studio {
  public:
    Studio(const Surface& surface, int local_rank)
        : surface_(surface), context_(gl::Context::create(local_rank)) {
        context_->make_current();
        renderer_.emplace(surface);
    }
    ~Studio() {
        try {
            context_->make_current();
        } catch (const Error& error) {
            log::warning("{}", error.what());
        }
        screens_.clear();
        renderer_.reset();
    }
    Studio(const Studio&) = delete;

    Canvas draw(const PictureSettings& settings, const Scene& scene) {
        context_->make_current();
        const OffScreen& screen = screen_of(settings.width, settings.height);
        const FigureLayout layout =
            renderer_->lay_out(settings, scene, !settings.height_of.empty());
        screen.begin();
        renderer_->set(scene);
        renderer_->draw(scene, layout, settings.mesh,
                        double(screen.samples()) * layout.letter / 18);
        Canvas canvas = screen.finish();
        annotate(canvas, layout, surface_, scene.caption);
        return canvas;
    }

  private:
    const OffScreen& screen_of(int width, int height) {
        const auto size = std::pair(width, height);
        const auto found = screens_.find(size);
        if (found != screens_.end()) return found->second;
        return screens_.try_emplace(size, width, height, context_->description().max_texture_size)
            .first->second;
    }

    const Surface& surface_;
    std::shared_ptr<gl::Context> context_;
    std::optional<SceneRenderer> renderer_;
    std::map<std::pair<int, int>, OffScreen> screens_;
};

}  // namespace

void draw_picture(const Surface& surface, const Scene& scene, const PictureSettings& settings,
                  const std::filesystem::path& file) {
    write_png(file, Studio(surface, 0).draw(settings, scene));
}

struct Pictures::Implementation {
    Communicator comm;
    std::vector<PictureSettings> settings;
    std::filesystem::path folder;  // of the run
    std::optional<SurfaceGather> gather;
    std::unique_ptr<Studio> studio;  // on the root
    std::vector<int> numbers;        // number of each picture's next state; alike on all ranks
    std::vector<std::filesystem::path> files;
    bool can_draw = false;            // equal on all ranks
    std::vector<HeightFrame> frames;  // of each picture

    void open_studio() {
        try {
            studio = std::make_unique<Studio>(gather->surface(), comm.local_rank());
        } catch (const Error& error) {
            log::warning("no pictures: {}", error.what());
        }
    }

    std::filesystem::path next_file(std::size_t picture, bool final) {
        const std::string& name = settings[picture].name;
        if (settings[picture].frames_per_second) final = false;
        return folder / "pictures" /
               (final ? name + ".png" : fmt::format("{}_{:04}.png", name, numbers[picture]++));
    }

    void draw(std::size_t picture, const SceneFields& fields, std::optional<double> time,
              bool final, const std::vector<Marker>& markers) {
        const PictureSettings& wanted = settings[picture];
        Scene scene = scene_of(*gather, fields, wanted, frames[picture], time);
        scene.markers = markers;
        const auto file = next_file(picture, final);
        if (!comm.is_root()) return;
        try {
            const Canvas canvas = studio->draw(wanted, scene);
            if (!write_or_note(file, [&] { write_png(file, canvas); })) return;
            if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
        } catch (const Error& error) {
            log::warning("picture {} is not drawn: {}", wanted.name, error.what());
        }
    }
};

Pictures::Pictures(const Communicator& comm, const Topology& topology,
                   std::vector<PictureSettings> settings, std::filesystem::path folder)
    : implementation_(new Implementation{
          comm, std::move(settings), std::move(folder), {}, {}, {}, {}, false, {}}) {
    Implementation& p = *implementation_;
    if (p.settings.empty()) return;
    p.numbers.assign(p.settings.size(), 0);
    for (const PictureSettings& one : p.settings) p.frames.emplace_back(one.height_scale);
    p.gather.emplace(comm, topology);
    if (comm.is_root()) p.open_studio();
    p.can_draw = comm.any(p.studio != nullptr);
}

Pictures::~Pictures() = default;
Pictures::Pictures(Pictures&&) noexcept = default;

void Pictures::draw(
    const std::vector<bool>& is_due,
    const std::function<std::span<const double>(const std::string& field)>& node_values,
    std::optional<double> time, bool final, const std::vector<Marker>& markers) {
    Implementation& p = *implementation_;
    if (!p.can_draw) return;
    for (std::size_t i = 0; i < is_due.size(); ++i) {
        if (!is_due[i]) continue;
        SceneFields fields{node_values(p.settings[i].field)};
        fields.height_of = p.settings[i].height_of;
        if (!fields.height_of.empty()) fields.heights = node_values(fields.height_of);
        p.draw(i, fields, time, final, markers);
    }
}

void Pictures::make_videos() {
    const Implementation& p = *implementation_;
    if (!p.can_draw || !p.comm.is_root()) return;
    for (std::size_t i = 0; i < p.settings.size(); ++i)
        if (p.settings[i].frames_per_second && p.numbers[i] > 0)
            make_video(p.folder / "pictures", p.settings[i].name, p.numbers[i],
                       *p.settings[i].frames_per_second);
}

void Pictures::register_state(const StateValues& state) {
    constexpr double most_pictures = 2e9;
    using Numbers = std::vector<double>;
    Implementation& p = *implementation_;
    for (std::size_t i = 0; i < p.settings.size(); ++i) {
        const OptionalState owned =
            OptionalState(state).owned_by("[[picture]]", p.settings[i].name);
        owned.add(
            p.settings[i].name, [&p, i] { return p.numbers[i] > 0; },
            [&p, i] { return Numbers{static_cast<double>(p.numbers[i])}; },
            [&p, i](const std::optional<Numbers>& number) {
                p.numbers[i] = number ? static_cast<int>(number->front()) : 0;
            },
            1, {1, most_pictures});
        owned.part("heights").add(
            p.settings[i].name, [&p, i] { return p.can_draw && p.frames[i].range().has_value(); },
            [&p, i] {
                const auto [low, high] = *p.frames[i].range();
                return Numbers{low, high};
            },
            [&p, i](const std::optional<Numbers>& range) {
                p.frames[i].set_range(range ? std::optional(std::array{(*range)[0], (*range)[1]})
                                            : std::nullopt);
            },
            2);
    }
}

void Pictures::resume() {
    const Implementation& p = *implementation_;
    if (!p.comm.is_root()) return;
    try {
        for (std::size_t i = 0; i < p.settings.size(); ++i)
            remove_pictures(p.folder, p.settings[i].name, p.numbers[i]);
    } catch (const std::filesystem::filesystem_error& error) {
        log::warning("{}: a picture behind the checkpoint cannot be removed: {}",
                     error.path1().string(), error.code().message());
    }
}

std::vector<std::filesystem::path> Pictures::files() const { return implementation_->files; }

}  // namespace solenoid
