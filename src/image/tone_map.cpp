#include "image/tone_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "device/buffer_limit.hpp"
#include "device/expression.hpp"
#include "device/image_kernels.hpp"

namespace solenoid {
namespace {

using Uint = std::uint32_t;

constexpr int least_side_of_a_level = 32;  // of the pyramid (Fattal et al., section 4)
constexpr double floor_of_slopes = 0.1;    // of alpha: flatter ones are attenuated as this one
// a dense inverse of more pixels, in single precision, leaves more than rounding
constexpr int coarsest = 25;
constexpr int first_cycles = 2, most_cycles = 20;

template <class Real>
constexpr double relative_target = sizeof(Real) == 4 ? 1e-7 : 1e-9;  // of the residual

GridBlocks blocks_of(int width, int height) {
    GridExtents extents;
    extents.nx = width;
    extents.ny = height;
    return {extents, 1};
}

// The largest field: three columns of the operator.
constexpr int columns_of_operator = 3;
std::int64_t entries_of_column(std::int64_t width, std::int64_t height) {
    return 4 * ((width + 1) / 2 + 2) * ((height + 1) / 2 + 2);
}

// Kernels count the entries of all columns with 32 bits.
bool has_countable_entries(std::int64_t width, std::int64_t height) {
    return columns_of_operator * entries_of_column(width, height) <
           std::numeric_limits<Index>::max();
}

// Whether the device has buffers for the largest field.
template <class Real>
bool has_room(const Device& device, std::int64_t width, std::int64_t height) {
    return has_countable_entries(width, height) &&
           holds(device, element_type<Real>(), static_cast<Index>(entries_of_column(width, height)),
                 columns_of_operator);
}

template <class Real>
Grid<Real> checked_grid(Device& device, int width, int height) {
    if (!has_room<Real>(device, width, height)) {
        // the largest of this shape
        double fits = 0, beyond = 1;
        for (int k = 0; k < 40; ++k) {
            const double scale = (fits + beyond) / 2;
            (has_room<Real>(device, static_cast<std::int64_t>(scale * width),
                            static_cast<std::int64_t>(scale * height))
                 ? fits
                 : beyond) = scale;
        }
        const bool is_limit_of_device = has_countable_entries(width, height);
        throw InputError(fmt::format(
            "{} x {} pixels are more than {}: of this shape {} x {} at most; make the picture "
            "smaller{}",
            width, height,
            is_limit_of_device ? fmt::format("a buffer of the device {} ({}) holds in {} precision",
                                             device.info().kind, device.info().name,
                                             sizeof(Real) == 4 ? "single" : "double")
                               : "kernels count",
            static_cast<int>(fits * width), static_cast<int>(fits * height),
            !is_limit_of_device ? ""
            : sizeof(Real) == 4 ? ", or take the device cuda or cpu"
                                : ", or take single precision, the device cuda or cpu"));
    }
    return {Communicator::self(), device, blocks_of(width, height)};
}

}  // namespace

template <class Real>
ToneMap<Real>::ToneMap(Device& device, int width, int height)
    : device_(device),
      width_(width),
      height_(height),
      pixels_(static_cast<Index>(width) * static_cast<Index>(height)),
      grid_(checked_grid<Real>(device, width, height)) {
    for (Buffer<Real>* field : {&red_, &green_, &blue_, &luminance_, &packed_})
        *field = device.buffer<Real>(pixels_);
    divergence_ = grid_.field();
    map_ = grid_.field();
    make_levels();
    make_laplacian();
}
template <class Real>
ToneMap<Real>::~ToneMap() = default;

// A level has the pixels (2 i, 2 j) of the one before.
template <class Real>
void ToneMap<Real>::make_levels() {
    for (int w = width_, h = height_;; w = (w + 1) / 2, h = (h + 1) / 2) {
        if (!levels_.empty() && std::min(w, h) < least_side_of_a_level) return;
        Level level{w, h, {}, {}, {}};
        for (Buffer<Real>* field : {&level.log_luminance, &level.slope, &level.attenuation})
            *field = device_.buffer<Real>(level.size());
        levels_.push_back(std::move(level));
    }
}

template <class Real>
void ToneMap<Real>::make_laplacian() {
    const GridLayout& layout = grid_.layout();
    Buffer<Real> straight = grid_.field(3), marker = grid_.field();
    for (int quarter = 0; quarter < 4; ++quarter)
        for (Uint c = 0; c < 4; ++c)
            image_kernels::ImageLaplacian<Real>{
                .value = c < 3 ? column(straight, static_cast<int>(c)) : column(marker, 0),
                .width = static_cast<Uint>(width_),
                .height = static_cast<Uint>(height_),
                .start = static_cast<Uint>(quarter * layout.quarter_size()),
                .pitch = static_cast<Uint>(layout.pitch()),
                .is_odd_x = static_cast<Uint>(quarter & 1),
                .is_odd_y = static_cast<Uint>(quarter >> 1),
                .column = c}
                .run(device_, layout.nodes(quarter));
    laplacian_ = std::make_unique<Stencil<Real>>(grid_, std::move(marker), std::move(straight));
    multigrid_ = std::make_unique<GridMultigrid<Real>>(*laplacian_, nullptr, nullptr, coarsest);
}

template <class Real>
ToneMapReport ToneMap<Real>::map(const Image& image, const ToneMapSettings& settings) {
    if (image.width != width_ || image.height != height_)
        throw std::logic_error("a tone map for pictures of another size");
    ToneMapReport report;
    report.levels = static_cast<int>(levels_.size());
    upload(image, report);
    attenuate(settings);
    take_divergence();
    solve(report);
    report.mapped_least = least_ + shift_;
    report.mapped_greatest = greatest_ + shift_;
    const ShownRange shown = shown_range(settings);
    report.black = shown.black;
    report.white = shown.white;
    report.shows_all = shown.is_all && !shown.is_flat;
    if (!(settings.black.is_percentile && settings.white.is_percentile) &&
        report.black >= report.white)
        throw InputError(
            fmt::format("the luminance shown black, {:.3g}, is not below the one shown white, "
                        "{:.3g}: that of the mapped picture goes from {:.3g} to {:.3g}",
                        std::exp(report.black), std::exp(report.white),
                        std::exp(report.mapped_least), std::exp(report.mapped_greatest)));
    return report;
}

// The channels, L and H.
template <class Real>
void ToneMap<Real>::upload(const Image& image, ToneMapReport& report) {
    const auto bring = [](const std::vector<float>& from, Buffer<Real>& to) {
        if constexpr (std::is_same_v<Real, float>)
            to.upload(std::span<const float>(from));
        else
            to.upload(std::vector<Real>(from.begin(), from.end()));
    };
    bring(image.red, red_);
    bring(image.green, green_);
    bring(image.blue, blue_);
    const Over pixels(device_, Range{0, pixels_});
    pixels[luminance_] = 0.2126 * red_ + 0.7152 * green_ + 0.0722 * blue_;
    const double most = std::numeric_limits<float>::max();
    const auto [least, black] =
        pixels.reduce(grid_.summing(),
                      solenoid::least(where(luminance_ > 0.0, luminance_, 0.0 * luminance_ + most)),
                      sum(where(luminance_ > 0.0, 0.0 * luminance_, 0.0 * luminance_ + 1.0)));
    report.black_pixels = std::llround(black);
    if (report.black_pixels == image.pixels())
        throw InputError("no pixel has a luminance that is positive and finite");
    Buffer<Real>& h = levels_.front().log_luminance;
    pixels[h] = ln(where(luminance_ > 0.0, luminance_, 0.0 * luminance_ + least));
    const auto [total, low, high] =
        pixels.reduce(grid_.summing(), sum(h), solenoid::least(h), greatest(h));
    shift_ = total / pixels_;
    report.least = low;
    report.greatest = high;
}

// Phi of all levels, from the coarsest to the picture itself.
template <class Real>
void ToneMap<Real>::attenuate(const ToneMapSettings& settings) {
    for (std::size_t n = 1; n < levels_.size(); ++n)
        image_kernels::ImageReduce<Real>{.image = levels_[n - 1].log_luminance,
                                         .value = levels_[n].log_luminance,
                                         .width = static_cast<Uint>(levels_[n - 1].width),
                                         .height = static_cast<Uint>(levels_[n - 1].height),
                                         .coarse_width = static_cast<Uint>(levels_[n].width)}
            .run(device_, Range{0, levels_[n].size()});
    for (std::size_t n = levels_.size(); n-- > 0;) {
        Level& level = levels_[n];
        const Range all{0, level.size()};
        const auto slopes =
            image_kernels::ImageSlope<Real>{.image = level.log_luminance,
                                            .slope = level.slope,
                                            .width = static_cast<Uint>(level.width),
                                            .height = static_cast<Uint>(level.height)}
                .run(grid_.summing(), device_, all);
        const double alpha = settings.alpha * (slopes.total / level.size());
        const bool is_coarsest = n + 1 == levels_.size();
        image_kernels::ImageAttenuation<Real>{
            .slope = level.slope,
            .coarser = is_coarsest ? level.slope : levels_[n + 1].attenuation,
            .value = level.attenuation,
            .width = static_cast<Uint>(level.width),
            .height = static_cast<Uint>(level.height),
            .alpha = alpha,
            .exponent = settings.beta - 1,
            .least_slope = floor_of_slopes * alpha,
            .has_coarser = is_coarsest ? 0u : 1u}
            .run(device_, all);
    }
}

template <class Real>
void ToneMap<Real>::take_divergence() {
    const GridLayout& layout = grid_.layout();
    for (int quarter = 0; quarter < 4; ++quarter)
        image_kernels::ImageDivergence<Real>{
            .image = levels_.front().log_luminance,
            .attenuation = levels_.front().attenuation,
            .value = divergence_,
            .width = static_cast<Uint>(width_),
            .height = static_cast<Uint>(height_),
            .start = static_cast<Uint>(quarter * layout.quarter_size()),
            .pitch = static_cast<Uint>(layout.pitch()),
            .is_odd_x = static_cast<Uint>(quarter & 1),
            .is_odd_y = static_cast<Uint>(quarter >> 1)}
            .run(device_, layout.nodes(quarter));
    grid_.remove_mean(laplacian_->marker(), divergence_);  // zero but for rounding
}

// -div grad I = -div G, nothing through the sides. The mean of I is zero.
template <class Real>
void ToneMap<Real>::solve(ToneMapReport& report) {
    const Buffer<Real>& marker = laplacian_->marker();
    report.load = grid_.greatest(marker, divergence_);
    const GridCycle cycle;
    multigrid_->solve_full(divergence_, map_, cycle, first_cycles);
    grid_.remove_mean(marker, map_);
    // a row has five terms of the size of the map, each of them rounded: near that, cycles go on as
    // long as they help
    const double target = relative_target<Real> * report.load,
                 rounding = 16 * double(std::numeric_limits<Real>::epsilon()) *
                            grid_.greatest(marker, map_);
    bool is_solved = false;
    double before = std::numeric_limits<double>::infinity();
    while (!is_solved && report.cycles <= most_cycles) {
        const GridCycleReport one = multigrid_->solve(divergence_, map_, cycle, target, 1);
        report.residual = one.residuals.back();
        report.cycles += one.cycles;
        is_solved =
            one.has_converged || (report.residual <= rounding && report.residual > before / 2);
        before = report.residual;
    }
    if (!is_solved)
        throw ComputationError(fmt::format(
            "Poisson's equation of the map is not solved: after {} cycles of multigrid the "
            "residual is {:.2g}, {:.2g} times that of nothing: take {}",
            report.cycles, report.residual, report.residual / report.load,
            sizeof(Real) == 4 ? "--precision double" : "a larger --beta"));
    grid_.remove_mean(marker, map_);
    const double most = std::numeric_limits<float>::max();
    const auto [least, greatest_of_all] =
        Over(device_, grid_.layout().nodes())
            .reduce(solenoid::least(where(marker > 0.0, map_, 0.0 * map_ + most)),
                    greatest(where(marker > 0.0, map_, 0.0 * map_ - most)));
    least_ = least;
    greatest_ = greatest_of_all;
}

// The value of the map that so many percent of the pixels are below: by counts below four bounds at
// a time, which leave a fifth of the interval.
template <class Real>
double ToneMap<Real>::percentile(double percent) const {
    const double wanted = percent / 100 * pixels_;
    double low = least_, high = greatest_;
    const Over nodes(device_, grid_.layout().nodes());
    const Buffer<Real>& in = laplacian_->marker();
    constexpr double resolution = 1e-4;  // of log L
    // rounds: 5^80 intervals, more than there are numbers
    for (int round = 0; round < 80 && high - low > resolution; ++round) {
        std::array<double, 6> at{};
        for (int k = 0; k < 6; ++k) at[k] = k == 5 ? high : low + k * (high - low) / 5;
        const auto below = [&](double bound) { return sum(where(map_ > bound, 0.0 * in, in)); };
        const auto counts =
            nodes.reduce(grid_.summing(), below(at[1]), below(at[2]), below(at[3]), below(at[4]));
        int k = 0;
        while (k < 4 && counts[k] <= wanted) ++k;
        low = at[k];
        high = at[k + 1];
    }
    return (low + high) / 2;
}

template <class Real>
double ToneMap<Real>::point(const ShownPoint& shown) const {
    return shown.is_percentile ? percentile(shown.value) + shift_
           : shown.value > 0   ? std::log(shown.value)
                               : -std::numeric_limits<double>::infinity();
}

// Where few pixels differ from the others two percentiles meet: then all luminances are shown.
template <class Real>
ToneMap<Real>::ShownRange ToneMap<Real>::shown_range(const ToneMapSettings& settings) const {
    constexpr double least_contrast = 1e-3;
    const double black = point(settings.black), white = point(settings.white);
    if (!settings.black.is_percentile || !settings.white.is_percentile ||
        white - black > least_contrast)
        return {black, white, false, false};
    return {least_ + shift_, greatest_ + shift_, true, !(greatest_ - least_ > least_contrast)};
}

template <class Real>
std::vector<double> ToneMap<Real>::log_luminance() const {
    std::vector<double> values = grid_.to_host(map_);
    for (double& value : values) value += shift_;
    return values;
}

template <class Real>
std::vector<std::uint8_t> ToneMap<Real>::colours(const ToneMapSettings& settings) {
    // a picture without contrast is shown at half the light
    const ShownRange shown = shown_range(settings);
    const double white = shown.white, black = std::exp(shown.black - white);
    const GridLayout& layout = grid_.layout();
    image_kernels::ImageColours<Real>{.red = red_,
                                      .green = green_,
                                      .blue = blue_,
                                      .luminance = luminance_,
                                      .map = map_,
                                      .value = packed_,
                                      .width = static_cast<Uint>(width_),
                                      .pitch = static_cast<Uint>(layout.pitch()),
                                      .quarter = static_cast<Uint>(layout.quarter_size()),
                                      .white = white - shift_,
                                      .black = shown.is_flat ? 0 : black,
                                      .scale = shown.is_flat ? 0.5 : 1 / (1 - black),
                                      .saturation = settings.saturation}
        .run(device_, Range{0, pixels_});
    const std::vector<Real> packed = packed_.download();
    std::vector<std::uint8_t> rgb(3 * std::size_t(pixels_));
    for (std::size_t k = 0; k < packed.size(); ++k) {
        const auto colour = static_cast<std::uint32_t>(packed[k]);
        for (std::size_t c = 0; c < 3; ++c)
            rgb[3 * k + c] = static_cast<std::uint8_t>(colour >> (8 * c));
    }
    return rgb;
}

template class ToneMap<float>;
template class ToneMap<double>;

}  // namespace solenoid
