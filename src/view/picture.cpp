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
#include "view/surface_renderer.hpp"

namespace solenoid {
namespace {

// The root's OpenGL context and renderer. The context is current until its objects are deleted.
class Studio {
  public:
    Studio(const Surface& surface, int local_rank)
        : surface_(surface), context_(gl::Context::create(local_rank)) {
        context_->make_current();
        renderer_.emplace(surface);
        for (const Vec3& p : surface.points) points_.push_back(surface.drawn(p));
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

    Canvas draw(const PictureSettings& settings, const Caption& caption,
                std::span<const float> values) {
        context_->make_current();
        const OffScreen& screen = screen_of(settings.width, settings.height);
        const FigureLayout layout = lay_out(surface_, points_, settings, caption);
        screen.begin();
        renderer_->set_values(values);
        renderer_->draw(layout.camera, layout.camera.clip(layout.plot, layout.width, layout.height),
                        {settings.mesh, surface_.dimension == 3,
                         double(screen.samples()) * layout.letter / 18});
        Canvas canvas = screen.finish();
        annotate(canvas, layout, surface_, caption);
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
    std::vector<Vec3> points_;
    std::shared_ptr<gl::Context> context_;
    std::optional<SurfaceRenderer> renderer_;
    std::map<std::pair<int, int>, OffScreen> screens_;
};

}  // namespace

struct Pictures::Implementation {
    Communicator comm;
    std::vector<PictureSettings> settings;
    std::filesystem::path folder;  // of the run
    std::optional<SurfaceGather> gather;
    std::unique_ptr<Studio> studio;  // on the root
    std::vector<int> numbers;        // number of each picture's next state; alike on all ranks
    std::vector<std::filesystem::path> files;
    bool can_draw = false;  // equal on all ranks

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

    void draw(std::size_t picture, std::span<const double> node_values, std::array<double, 2> range,
              std::optional<double> time, bool final) {
        const PictureSettings& wanted = settings[picture];
        const auto [low, high] = colour_range(wanted.range.value_or(range));
        const std::vector<float> values = gather->gather(node_values, low, high);
        const auto file = next_file(picture, final);
        if (!comm.is_root()) return;
        try {
            const Canvas canvas =
                studio->draw(wanted, {title_of(wanted.field), time, low, high}, values);
            if (!write_or_note(file, [&] { write_png(file, canvas); })) return;
            if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
        } catch (const Error& error) {
            log::warning("picture {} is not drawn: {}", wanted.name, error.what());
        }
    }
};

Pictures::Pictures(const Communicator& comm, const Topology& topology,
                   std::vector<PictureSettings> settings, std::filesystem::path folder)
    : implementation_(
          new Implementation{comm, std::move(settings), std::move(folder), {}, {}, {}, {}, false}) {
    Implementation& p = *implementation_;
    if (p.settings.empty()) return;
    p.numbers.assign(p.settings.size(), 0);
    p.gather.emplace(comm, topology);
    if (comm.is_root()) p.open_studio();
    p.can_draw = comm.any(p.studio != nullptr);
}

Pictures::~Pictures() = default;
Pictures::Pictures(Pictures&&) noexcept = default;

void Pictures::draw(
    const std::vector<bool>& is_due,
    const std::function<std::span<const double>(const std::string& field)>& node_values,
    std::optional<double> time, bool final) {
    Implementation& p = *implementation_;
    if (!p.can_draw) return;
    std::map<std::string, std::array<double, 2>> ranges;
    for (std::size_t i = 0; i < is_due.size(); ++i) {
        if (!is_due[i]) continue;
        const std::span<const double> values = node_values(p.settings[i].field);
        const auto [range, is_new] = ranges.try_emplace(p.settings[i].field);
        if (is_new) range->second = p.gather->range(values);
        p.draw(i, values, range->second, time, final);
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
    using Numbers = std::vector<double>;
    Implementation& p = *implementation_;
    for (std::size_t i = 0; i < p.settings.size(); ++i)
        OptionalState(state).add<Numbers>(
            p.settings[i].name, [&p, i] { return p.numbers[i] > 0; },
            [&p, i] { return Numbers{static_cast<double>(p.numbers[i])}; },
            [&p, i](const std::optional<Numbers>& number) {
                p.numbers[i] = number && !number->empty() ? static_cast<int>(number->front()) : 0;
            });
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
