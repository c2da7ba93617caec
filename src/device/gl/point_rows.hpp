// A sparse matrix in a vertex buffer: its product is drawn.
#pragma once

#include "device/gl/field_texture.hpp"
#include "device/gl/program.hpp"
#include "device/point_product.hpp"

namespace solenoid::gl {

class DrawnRows final : public PointRows {
  public:
    DrawnRows(std::shared_ptr<Drawing> drawing, const Rows& rows, std::span<const double> entries,
              ElementType real);
    ~DrawnRows() override;
    void multiply(const Storage& x, Storage& y) override;

  private:
    std::shared_ptr<Drawing> drawing_;
    const bool is_double_;
    std::vector<Index> round_;  // where the first, second, ... points of rows begin, and the end
    BufferObject points_;
    VertexArrayObject vertices_;
    Program program_;
    std::size_t bytes_ = 0;
};

}  // namespace solenoid::gl
