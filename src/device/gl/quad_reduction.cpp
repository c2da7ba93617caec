#include "device/gl/quad_reduction.hpp"

#include "shader_texts.hpp"

namespace solenoid::gl {
namespace {

Index halved(Index length) { return (length + 1) / 2; }

}  // namespace

QuadReduction::QuadReduction(std::shared_ptr<Drawing> drawing)
    : drawing_(std::move(drawing)),
      contributions_(drawing_, ElementType::float64),
      stages_{{drawing_, ElementType::float64}, {drawing_, ElementType::float64}} {}

std::vector<Attachment> QuadReduction::contributions(Index width, Index height, int layers) {
    contributions_.grow(width, height, layers);
    return contributions_.attachments(layers);
}

std::vector<Attachment> QuadReduction::first_stage(Index width, Index height, int layers) {
    stages_[0].grow(width, height, layers);
    return stages_[0].attachments(layers);
}

void QuadReduction::fold_entities(std::span<const KernelReduction> reductions, Index width,
                                  Range range, std::span<double> results) {
    const Index first_row = range.begin / width, end_row = (range.end - 1) / width + 1;
    fold(reductions, contributions_, width, first_row, end_row, range, stages_[0]);
    fold_stages(reductions, halved(width), halved(end_row - first_row), results);
}

void QuadReduction::take_each(std::span<const KernelReduction> reductions, Index width, Range range,
                              ReductionTicket& ticket) {
    const Index first_row = range.begin / width, end_row = (range.end - 1) / width + 1;
    const std::size_t texels = std::size_t(width) * (end_row - first_row);
    if (each_.bytes() < texels * sizeof(Words)) each_ = MappedBuffer(texels * sizeof(Words));
    std::vector<double> values(range.size());
    for (std::size_t n = 0; n < reductions.size(); ++n) {
        glBindBuffer(GL_PIXEL_PACK_BUFFER, each_.id());
        glBindFramebuffer(GL_READ_FRAMEBUFFER,
                          drawing_->framebuffer({{contributions_.id(), static_cast<GLint>(n)}}));
        glReadPixels(0, static_cast<GLint>(first_row), static_cast<GLsizei>(width),
                     static_cast<GLsizei>(end_row - first_row), GL_RG_INTEGER, GL_UNSIGNED_INT,
                     nullptr);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
        fence_.set();
        fence_.wait();
        const Words* words = each_.as<Words>() + (range.begin - first_row * width);
        for (std::size_t k = 0; k < values.size(); ++k) values[k] = value_of(words[k], true);
        if (reductions[n].operation == Reduction::sum) {
            ticket.sums[n].add(values);
            ticket.values[n] = ticket.sums[n].value();
            continue;
        }
        ticket.values[n] = identity_of(reductions[n].operation);
        for (const double value : values)
            ticket.values[n] = combine(reductions[n].operation, ticket.values[n], value);
    }
}

void QuadReduction::fold_stages(std::span<const KernelReduction> reductions, Index width,
                                Index height, std::span<double> results) {
    int current = 0;
    const Index least_side = drawing_->least_side;
    while (width > least_side || height > least_side) {
        fold(reductions, stages_[current], width, 0, height, {0, width * height},
             stages_[1 - current]);
        current = 1 - current;
        width = halved(width);
        height = halved(height);
    }
    finish_on_host(reductions, stages_[current], width, height, results);
}

void QuadReduction::fold(std::span<const KernelReduction> reductions, const GrowingTexture& from,
                         Index width, Index first_row, Index end_row, Range range,
                         GrowingTexture& to) {
    const Index out_width = halved(width), out_height = halved(end_row - first_row);
    const int layers = static_cast<int>(reductions.size());
    to.grow(out_width, out_height, layers);
    const Quads& q = quads(reductions);
    glUseProgram(q.program.id());
    glProgramUniform3ui(q.program.id(), q.rows, width, first_row, end_row);
    glProgramUniform2ui(q.program.id(), q.range, range.begin, range.end);
    glBindTextureUnit(0, from.id());
    drawing_->cover(drawing_->framebuffer(to.attachments(layers)), out_width, 0, out_height);
}

const QuadReduction::Quads& QuadReduction::quads(std::span<const KernelReduction> reductions) {
    std::vector<Reduction> key;
    for (const KernelReduction& r : reductions) key.push_back(r.operation);
    const auto found = programs_.find(key);
    if (found != programs_.end()) return found->second;
    Program program = Program::draw("reduce", vertex_text(full_screen_vertex),
                                    quads_text(reductions, drawing_->description().has_fp64));
    const GLint rows = program.location("rows"), range = program.location("launch_range");
    return programs_.emplace(key, Quads{std::move(program), rows, range}).first->second;
}

void QuadReduction::finish_on_host(std::span<const KernelReduction> reductions,
                                   const GrowingTexture& from, Index width, Index height,
                                   std::span<double> results) {
    const std::size_t texels = std::size_t(width) * height;
    if (!last_stage_.data())
        last_stage_ = MappedBuffer(std::size_t(drawing_->least_side) * drawing_->least_side *
                                   max_reductions * sizeof(Words));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, last_stage_.id());
    for (std::size_t n = 0; n < reductions.size(); ++n) {
        glBindFramebuffer(GL_READ_FRAMEBUFFER,
                          drawing_->framebuffer({{from.id(), static_cast<GLint>(n)}}));
        glReadPixels(0, 0, static_cast<GLsizei>(width), static_cast<GLsizei>(height), GL_RG_INTEGER,
                     GL_UNSIGNED_INT, reinterpret_cast<void*>(n * texels * sizeof(Words)));
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    fence_.set();
    fence_.wait();
    const bool has_fp64 = drawing_->description().has_fp64;
    for (std::size_t n = 0; n < reductions.size(); ++n) {
        results[n] = identity_of(reductions[n].operation);
        for (std::size_t k = 0; k < texels; ++k)
            results[n] = combine(reductions[n].operation, results[n],
                                 value_of(last_stage_.as<Words>()[n * texels + k], has_fp64));
    }
}

}  // namespace solenoid::gl
