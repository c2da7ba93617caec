// Reductions by quads: 2 x 2 contributions fold into one, between two temporaries, until the
// rectangle is below R_min; the host folds the rest in double.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "device/gl/field_texture.hpp"
#include "device/gl/kernel_program.hpp"
#include "device/gl/mapped_buffer.hpp"

namespace solenoid::gl {

class QuadReduction {
  public:
    explicit QuadReduction(std::shared_ptr<Drawing> drawing);

    // Layers that a kernel writes its contributions to, one a reduction, each at its entity's
    // place.
    std::vector<Attachment> contributions(Index width, Index height, int layers);
    // Folds the contributions of a range of entities.
    void fold_entities(std::span<const KernelReduction> reductions, Index width, Range range,
                       std::span<double> results);

    // In a reproducible run: the host takes each contribution.
    void take_each(std::span<const KernelReduction> reductions, Index width, Range range,
                   ReductionTicket& ticket);

    // The same where the kernel itself folds four entities a fragment, into width x height texels.
    std::vector<Attachment> first_stage(Index width, Index height, int layers);
    void fold_stages(std::span<const KernelReduction> reductions, Index width, Index height,
                     std::span<double> results);

  private:
    struct Quads {
        Program program;
        GLint rows, range;
    };
    const Quads& quads(std::span<const KernelReduction> reductions);
    // One stage: rows [first_row, end_row) of `from`, of the entities of the range, into `to`.
    void fold(std::span<const KernelReduction> reductions, const GrowingTexture& from, Index width,
              Index first_row, Index end_row, Range range, GrowingTexture& to);
    void finish_on_host(std::span<const KernelReduction> reductions, const GrowingTexture& from,
                        Index width, Index height, std::span<double> results);

    std::shared_ptr<Drawing> drawing_;
    std::map<std::vector<Reduction>, Quads> programs_;
    GrowingTexture contributions_, stages_[2];  // two words a texel
    MappedBuffer last_stage_, each_;
    Fence fence_;
};

}  // namespace solenoid::gl
