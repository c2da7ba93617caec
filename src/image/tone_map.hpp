// Gradient domain compression of high dynamic range (Fattal, Lischinski & Werman 2002) on a device
// (docs/tone-mapping.md): H = log L; steep slopes of H are attenuated, G = Phi grad H; the map I is
// the picture whose gradient is nearest to G, div grad I = div G; colours follow from it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "grid/multigrid/multigrid_cycle.hpp"
#include "image/files/image.hpp"

namespace solenoid {

// What is shown black, or white: the luminance that so many percent of the pixels are below, or a
// luminance itself, in the unit of the image. The map's mean of log L is the image's.
struct ShownPoint {
    double value;
    bool is_percentile;
};

struct ToneMapSettings {
    double alpha = 0.1;       // of the mean slope of each level: slopes that stay as they are, > 0
    double beta = 0.87;       // slope^beta is what becomes of others, 0 < beta <= 1
    double saturation = 0.6;  // C_out = (C_in / L_in)^saturation L_out, from 0 on
    ShownPoint black{0.1, true}, white{99.5, true};
};

struct ToneMapReport {
    std::int64_t black_pixels = 0;                 // they took the least luminance of the others
    double least = 0, greatest = 0;                // log L of the image
    double mapped_least = 0, mapped_greatest = 0;  // of the map
    double black = 0, white = 0;                   // log L_out of the points
    bool shows_all = false;  // two percentiles met, so that these are the map's least and greatest
    int levels = 0, cycles = 0;     // of the pyramid; of multigrid, behind a full one
    double residual = 0, load = 0;  // greatest |div G - div grad I|, and |div G|
};

template <class Real>
class ToneMap {
  public:
    // For pictures of this size. Throws InputError where a buffer of the device does not hold them,
    // with the largest size that it does.
    ToneMap(Device& device, int width, int height);
    ~ToneMap();

    // Of a picture that was cleaned (clean()). Throws InputError where none of its pixels has a
    // luminance, ComputationError where the equation is not solved.
    ToneMapReport map(const Image& image, const ToneMapSettings& settings);

    // Of the last map: log L_out, row by row from the top left.
    std::vector<double> log_luminance() const;
    // And its colours, 8 bits of red, green and blue, sRGB.
    std::vector<std::uint8_t> colours(const ToneMapSettings& settings);

  private:
    struct Level {
        int width, height;
        Buffer<Real> log_luminance, slope, attenuation;
        Index size() const { return static_cast<Index>(width) * static_cast<Index>(height); }
    };
    void make_laplacian();
    void make_levels();
    void upload(const Image& image, ToneMapReport& report);
    void attenuate(const ToneMapSettings& settings);
    void take_divergence();
    void solve(ToneMapReport& report);
    double percentile(double percent) const;
    double point(const ShownPoint& shown) const;
    // What is shown black and white, by log L_out; is_all: two percentiles met.
    struct ShownRange {
        double black, white;
        bool is_all, is_flat;
    };
    ShownRange shown_range(const ToneMapSettings& settings) const;

    Device& device_;
    int width_, height_;
    Index pixels_;
    Grid<Real> grid_;
    Buffer<Real> red_, green_, blue_, luminance_;
    std::vector<Level> levels_;
    std::unique_ptr<Stencil<Real>> laplacian_;
    std::unique_ptr<GridMultigrid<Real>> multigrid_;
    Buffer<Real> divergence_, map_, packed_;
    double shift_ = 0;                 // log L_out is the map and this
    double least_ = 0, greatest_ = 0;  // of the map
};

}  // namespace solenoid
