#include "app/tonemap_command.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>

#include "app/one_of.hpp"
#include "app/output_place.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/threads.hpp"
#include "device/choice/select_device.hpp"
#include "image/files/image.hpp"
#include "image/files/write_colours.hpp"
#include "image/tone_map.hpp"
#include "parallel/thread_share.hpp"

namespace solenoid {
namespace {

struct TonemapOptions {
    std::filesystem::path in, out;
    ToneMapSettings settings;
    std::string black, white;
    std::string device = "auto", precision = "single";
    bool overwrite = false, quiet = false;
};

std::string text_of(const ShownPoint& point) {
    return fmt::format("{:g}{}", point.value, point.is_percentile ? "%" : "");
}

// "0.5%", or a luminance.
ShownPoint point_of(const char* option, std::string text) {
    const std::string given = text;
    const bool is_percentile = text.ends_with('%');
    if (is_percentile) text.pop_back();
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc{} && end == text.data() + text.size();
    if (!is_number || !(value >= 0) || !std::isfinite(value) || (is_percentile && value > 100))
        throw InputError(option, fmt::format("'{}' is neither a percentage of the pixels, such as "
                                             "1%, nor a luminance, such as 0.2",
                                             given));
    return {value, is_percentile};
}

void check_output(const TonemapOptions& options) {
    if (options.out.extension() != ".png")
        throw InputError(options.out.string(), "the picture is written as PNG: name it .png");
    check_output_place(options.out, options.overwrite);
}

template <class Real>
void map_picture(const TonemapOptions& options, Device& device, const Image& image) {
    const auto at_the_file = [&](const auto& action) {
        try {
            return action();
        } catch (const InputError& error) {
            throw InputError(options.in.string(), error.what());
        }
    };
    ToneMap<Real> tone_map =
        at_the_file([&] { return ToneMap<Real>(device, image.width, image.height); });
    const ToneMapReport report = at_the_file([&] { return tone_map.map(image, options.settings); });
    log::info("range    1 : {:.3g}, mapped to 1 : {:.3g}; shown from {:.3g} to {:.3g}{}",
              std::exp(report.greatest - report.least),
              std::exp(report.mapped_greatest - report.mapped_least), std::exp(report.black),
              std::exp(report.white),
              report.shows_all ? ", all of it: the two percentiles are of one luminance" : "");
    log::info("solved   {} levels, {} cycles behind a full one, residual {:.1e} of {:.1e}",
              report.levels, report.cycles, report.residual, report.load);
    write_colours(options.out, image.width, image.height, tone_map.colours(options.settings));
}

int tonemap(TonemapOptions options) {
    log::configure(false, options.quiet);
    if (!options.black.empty()) options.settings.black = point_of("--black", options.black);
    if (!options.white.empty()) options.settings.white = point_of("--white", options.white);
    const ShownPoint &black = options.settings.black, &white = options.settings.white;
    if (black.is_percentile == white.is_percentile && black.value >= white.value)
        throw InputError(
            "--black", fmt::format("{} is not below --white, {}", text_of(black), text_of(white)));
    check_output(options);
    Image image = read_image(options.in);
    log::info("image    {}: {} x {} pixels", options.in.string(), image.width, image.height);
    const std::int64_t count = clean(image);
    if (image.infinite > 0)
        log::warning(
            "{}: {} of {} pixels are infinite, which is brighter than the file can say: they "
            "become white, as bright as the greatest number that it can hold or has",
            options.in.string(), image.infinite, image.pixels());
    if (count > 0 && count < image.pixels())
        log::warning(
            "{}: {} of {} pixels have no luminance that is positive and finite: they become grey, "
            "as dark as the darkest of the others",
            options.in.string(), count, image.pixels());
    set_threads(thread_share(Communicator::self()));
    const bool is_double = options.precision == "double";
    const DeviceChoice choice = select_device(options.device, 0, is_double);
    log::info("device   {}; {} precision", choice.reason, options.precision);
    is_double ? map_picture<double>(options, *choice.device, image)
              : map_picture<float>(options, *choice.device, image);
    log::info("written  {}", options.out.string());
    return 0;
}

}  // namespace

void add_tonemap(CLI::App& app, std::function<int(const Communicator&)>& action) {
    const auto options = std::make_shared<TonemapOptions>();
    ToneMapSettings& settings = options->settings;
    CLI::App* command = app.add_subcommand(
        "tonemap", "map a picture of high dynamic range (.hdr, .exr) to one that can be shown");
    command
        ->add_option("IN", options->in,
                     std::string("the picture, in Radiance HDR or OpenEXR") +
                         (reads_openexr() ? "" : " (which this build does not read)"))
        ->required()
        ->type_name(" ");
    command->add_option("-o,--output", options->out, "the picture to write, a PNG")
        ->required()
        ->type_name("OUT.png")
        ->take_last();
    command
        ->add_option("--alpha", settings.alpha,
                     "slopes of log luminance that stay as they are, in mean slopes; steeper ones "
                     "are attenuated, flatter ones amplified")
        ->take_last()
        ->check(CLI::Range(1e-6, 1e6))
        ->capture_default_str();
    command->add_option("--beta", settings.beta, "a slope's power that is left of it; 1: all of it")
        ->take_last()
        ->check(CLI::Range(0.01, 1.0))
        ->capture_default_str();
    command
        ->add_option("--saturation", settings.saturation,
                     "saturation of colours: 0 grey, 1 as they are in the picture")
        ->take_last()
        ->check(CLI::Range(0.0, 4.0))
        ->capture_default_str();
    command
        ->add_option("--black", options->black,
                     "what is shown black: that so many percent of the pixels are darker than, or "
                     "a luminance of the mapped picture; default: " +
                         text_of(settings.black))
        ->type_name("P%|L")
        ->take_last();
    command
        ->add_option("--white", options->white,
                     "what is shown white; default: " + text_of(settings.white))
        ->type_name("P%|L")
        ->take_last();
    command
        ->add_option("--device", options->device,
                     "device of the computation; auto: a GPU if there is one")
        ->take_last()
        ->check(one_of(device_choices()))
        ->capture_default_str();
    command->add_option("--precision", options->precision, "precision of the fields")
        ->take_last()
        ->check(one_of({"single", "double"}))
        ->capture_default_str();
    command->add_flag("--overwrite", options->overwrite, "replace the picture where there is one");
    command->add_flag("--quiet", options->quiet, "print warnings and errors only");
    command->callback([options, &action] {
        action = [options](const Communicator&) { return tonemap(*options); };
    });
}

}  // namespace solenoid
