// Pieces of a structured grid: images (.vti) where its lines are uniform, rectilinear grids (.vtr),
// structured grids (.vts). Neighbouring pieces share a line of points; land is hidden by VTK's
// marks of ghosts.
#include <fmt/format.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>

#include "io/vtk/vtk_arrays.hpp"
#include "io/vtk/vtk_files.hpp"
#include "io/vtk/vtk_mesh.hpp"
#include "parallel/bytes.hpp"

namespace solenoid {
namespace {

using Structure = Topology::Structure;
using Lines = Structure::Lines;

// Whether values lie in the order of the points: they are read in place.
bool is_in_order(const std::vector<Index>& at) {
    for (std::size_t i = 0; i < at.size(); ++i)
        if (at[i] != i) return false;
    return true;
}

// Hides what is land; null: nothing is.
vtkSmartPointer<vtkUnsignedCharArray> hidden(const std::vector<Index>& at, unsigned char mark) {
    if (std::ranges::find(at, none) == at.end()) return nullptr;
    auto array = vtkSmartPointer<vtkUnsignedCharArray>::New();
    array->SetName(vtkDataSetAttributes::GhostArrayName());
    array->SetNumberOfValues(static_cast<vtkIdType>(at.size()));
    for (std::size_t i = 0; i < at.size(); ++i)
        array->SetValue(static_cast<vtkIdType>(i), at[i] == none ? mark : 0);
    return array;
}

class StructuredVtkMesh final : public VtkMesh {
  public:
    StructuredVtkMesh(const Communicator& comm, Structure structure)
        : rank_(comm.rank()),
          structure_(std::move(structure)),
          are_nodes_(is_in_order(structure_.node_at)),
          are_cells_(is_in_order(structure_.cell_at)),
          hidden_points_(hidden(structure_.node_at, vtkDataSetAttributes::HIDDENPOINT)),
          hidden_cells_(hidden(structure_.cell_at, vtkDataSetAttributes::HIDDENCELL)) {
        const Structure& s = structure_;
        const std::vector<int> own{s.first_column, s.last_column, s.first_row, s.last_row, 0, 0};
        extents_ = gathered(comm, own);
        // whether pieces have marks must be alike for all: readers take the arrays of the list
        const bool hides_points = comm.any(bool(hidden_points_)),
                   hides_cells = comm.any(bool(hidden_cells_));
        if (hides_points && !hidden_points_) hidden_points_ = nothing_hidden(s.node_at.size());
        if (hides_cells && !hidden_cells_) hidden_cells_ = nothing_hidden(s.cell_at.size());
        set_lines(comm);
    }

    const char* suffix() const override {
        return structure_.lines == Lines::uniform       ? "vti"
               : structure_.lines == Lines::rectilinear ? "vtr"
                                                        : "vts";
    }

    vtkSmartPointer<vtkDataSet> piece(double time, const std::vector<PointField>& point_fields,
                                      const std::vector<CellField>& cell_fields) const override {
        const auto grid = made();
        const auto points = static_cast<Index>(structure_.node_at.size()),
                   cells = static_cast<Index>(structure_.cell_at.size());
        if (hidden_points_) grid->GetPointData()->AddArray(hidden_points_);
        if (hidden_cells_) grid->GetCellData()->AddArray(hidden_cells_);
        grid->GetCellData()->AddArray(constant_array("rank", rank_, cells));
        const auto entities = [](bool are_in_order, const std::vector<Index>& at) {
            return are_in_order ? std::span<const Index>() : std::span<const Index>(at);
        };
        add_arrays(*grid->GetPointData(), point_fields, points,
                   entities(are_nodes_, structure_.node_at));
        add_arrays(*grid->GetCellData(), cell_fields, cells,
                   entities(are_cells_, structure_.cell_at));
        add_time(*grid, time);
        return grid;
    }

    std::string list(vtkDataSet& piece, const std::vector<std::string>& names) const override {
        StructuredPieces pieces{.whole = {0, structure_.columns - 1, 0, structure_.rows - 1, 0, 0},
                                .extents = {},
                                .names = names};
        for (std::size_t k = 0; k < names.size(); ++k)
            std::copy_n(extents_.begin() + static_cast<std::ptrdiff_t>(6 * k), 6,
                        pieces.extents.emplace_back().begin());
        return structured_list_text(piece, pieces);
    }

  private:
    static vtkSmartPointer<vtkUnsignedCharArray> nothing_hidden(std::size_t count) {
        auto array = vtkSmartPointer<vtkUnsignedCharArray>::New();
        array->SetName(vtkDataSetAttributes::GhostArrayName());
        array->SetNumberOfValues(static_cast<vtkIdType>(count));
        array->FillValue(0);
        return array;
    }
    int width() const { return structure_.last_column - structure_.first_column + 1; }
    int height() const { return structure_.last_row - structure_.first_row + 1; }

    // The origin and the spacing of an image are those of the whole grid, the same numbers for all
    // ranks and on any number of them: the first rank has the first corner, the last one the last.
    void set_lines(const Communicator& comm) {
        const Vec3 &first = structure_.positions.front(), &last = structure_.positions.back();
        const auto all = gathered(comm, std::vector<double>{first.x, first.y, last.x, last.y});
        const std::size_t end = all.size() - 4;
        lines_ = {all[0], all[1], (all[end + 2] - all[0]) / (structure_.columns - 1),
                  (all[end + 3] - all[1]) / (structure_.rows - 1)};
    }

    vtkSmartPointer<vtkDataSet> made() const {
        const Structure& s = structure_;
        int extent[6] = {s.first_column, s.last_column, s.first_row, s.last_row, 0, 0};
        if (s.lines == Lines::uniform) {
            auto image = vtkSmartPointer<vtkImageData>::New();
            image->SetOrigin(lines_[0], lines_[1], 0);
            image->SetSpacing(lines_[2], lines_[3], 1);
            image->SetExtent(extent);
            return image;
        }
        if (s.lines == Lines::rectilinear) {
            auto grid = vtkSmartPointer<vtkRectilinearGrid>::New();
            grid->SetExtent(extent);
            vtkNew<vtkDoubleArray> x, y, z;
            for (int i = 0; i < width(); ++i) x->InsertNextValue(s.positions[i].x);
            for (int j = 0; j < height(); ++j)
                y->InsertNextValue(s.positions[static_cast<std::size_t>(j) * width()].y);
            z->InsertNextValue(0);
            grid->SetXCoordinates(x);
            grid->SetYCoordinates(y);
            grid->SetZCoordinates(z);
            return grid;
        }
        auto grid = vtkSmartPointer<vtkStructuredGrid>::New();
        grid->SetExtent(extent);
        static_assert(sizeof(Vec3) == 3 * sizeof(double));
        vtkNew<vtkDoubleArray> coordinates;
        coordinates->SetNumberOfComponents(3);
        coordinates->SetArray(borrow<double>(s.positions.data()),
                              static_cast<vtkIdType>(3 * s.positions.size()), keep_memory);
        vtkNew<vtkPoints> points;
        points->SetData(coordinates);
        grid->SetPoints(points);
        return grid;
    }

    const int rank_;
    const Structure structure_;
    const bool are_nodes_, are_cells_;  // in the order of their numbers
    vtkSmartPointer<vtkUnsignedCharArray> hidden_points_, hidden_cells_;
    std::vector<int> extents_;       // six a rank
    std::array<double, 4> lines_{};  // of an image: origin, spacing [m]
};

}  // namespace

std::unique_ptr<const VtkMesh> structured_vtk_mesh(const Communicator& comm,
                                                   Topology::Structure structure) {
    return std::make_unique<StructuredVtkMesh>(comm, std::move(structure));
}

std::unique_ptr<const VtkMesh> vtk_mesh(const Communicator& comm, const Topology& topology) {
    if (auto structure = topology.structure())
        return structured_vtk_mesh(comm, std::move(*structure));
    return unstructured_vtk_mesh(comm, topology);
}

}  // namespace solenoid
