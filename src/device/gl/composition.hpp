// The GLSL text of a kernel: prologue, accessors of its arguments, its own lines, and a main
// function.
#pragma once

#include <span>
#include <string>

#include "device/kernel.hpp"

namespace solenoid::gl {

struct KernelVariant {
    bool is_double = false;
    bool has_fp64 = true;
    int dimension = 3;
    bool is_software = false;  // few large groups instead of many small ones
    // several invocations add up a row: with barriers, which cost the others some
    bool shares_rows = false;
    // of a reproducible run: what each entity gives to reductions is stored, not reduced
    bool keeps_each = false;
};

inline constexpr int group_size = 256;  // invocations of a compute work group
inline constexpr int partial_binding =
    12;  // storage buffers of a reduction, after the kernel's own (max_buffers)
inline constexpr int result_binding = 13;

// #version and the definitions that every program starts with.
std::string preamble(const KernelVariant& variant, int version);

std::string compute_text(const KernelInfo& kernel, const KernelVariant& variant);
// Reduces what each entity gave.
std::string binned_text();

// Color attachments that the kernel writes: outputs (a vec has `dimension`) in order, then
// reductions.
int attachment_count(const KernelInfo& kernel, const KernelVariant& variant);
// A kernel without outputs evaluates a square of four entities a fragment, the first stage of its
// reduction.
bool is_pure_reduction(const KernelInfo& kernel);
std::string fragment_text(const KernelInfo& kernel, const KernelVariant& variant);

// One stage of a reduction by quads: 2 x 2 contributions, a layer a reduction, into one.
std::string quads_text(std::span<const KernelReduction> reductions, bool has_fp64);
// Fragments where |x| of an entity is above a bound.
std::string occlusion_text(bool is_double, bool has_fp64);
// Entries of a sparse matrix, drawn as points.
std::string points_text(bool is_double, bool has_fp64);
// Moves up to 8 columns of a field: to points, to the items of a gather, or to a texture of another
// width.
enum class Moving { scatter, gather, relocate };
std::string moving_text(ElementType type, int columns, Moving moving);
// A vertex shader with its #version.
std::string vertex_text(const char* text);

}  // namespace solenoid::gl
