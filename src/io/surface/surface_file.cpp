#include "io/surface/surface_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vtkCallbackCommand.h>
#include <vtkCellArray.h>
#include <vtkCommand.h>
#include <vtkErrorCode.h>
#include <vtkExecutive.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkOBJReader.h>
#include <vtkPLYReader.h>
#include <vtkPLYWriter.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>
#include <vtkSTLWriter.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLPolyDataWriter.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <stdexcept>

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"
#include "io/surface/ply_check.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

std::string ending_of(const fs::path& file) {
    std::string ending = file.extension().string();
    std::ranges::transform(ending, ending.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

// The first error of VTK's, and nothing of it on the terminal.
class VtkErrors {
  public:
    explicit VtkErrors(vtkAlgorithm& algorithm) : displays_(vtkObject::GetGlobalWarningDisplay()) {
        vtkObject::SetGlobalWarningDisplay(0);
        callback_->SetClientData(this);
        callback_->SetCallback([](vtkObject*, unsigned long, void* self, void* text) {
            auto& errors = *static_cast<VtkErrors*>(self);
            errors.is_any_ = true;
            if (text && errors.text_.empty()) errors.text_ = static_cast<const char*>(text);
        });
        algorithm.AddObserver(vtkCommand::ErrorEvent, callback_);
        algorithm.GetExecutive()->AddObserver(vtkCommand::ErrorEvent, callback_);
    }
    ~VtkErrors() { vtkObject::SetGlobalWarningDisplay(displays_); }
    VtkErrors(const VtkErrors&) = delete;

    bool is_any() const { return is_any_; }
    // In one line, without the name of VTK's source file and the address of its object.
    std::string text() const {
        std::string text = text_.substr(text_.find('\n') == text_.npos ? 0 : text_.find('\n') + 1);
        if (const auto end = text.find("): "); text.starts_with("vtk") && end != text.npos)
            text = text.substr(end + 3);
        std::ranges::replace(text, '\n', ' ');
        text.erase(text.find_last_not_of(' ') + 1);
        return text.substr(0, 300);
    }

  private:
    const int displays_;
    vtkNew<vtkCallbackCommand> callback_;
    bool is_any_ = false;
    std::string text_;
};

// What a file's head promises against what it has room for: VTK's readers believe the head.
void check_binary_stl(const fs::path& file, std::ifstream& stream, std::uintmax_t size) {
    std::array<char, 84> head{};
    stream.read(head.data(), head.size());
    const auto got = static_cast<std::size_t>(stream.gcount());
    if (std::string_view(head.data(), got).starts_with("solid")) {
        // a binary file may begin so, too; then its size is what its count says
        std::string start(head.data(), got);
        std::array<char, 512> more{};
        stream.clear();
        stream.read(more.data(), more.size());
        start.append(more.data(), static_cast<std::size_t>(stream.gcount()));
        if (start.find("facet") != start.npos || start.find("endsolid") != start.npos) return;
    }
    if (got < head.size())
        throw InputError(file.string(),
                         fmt::format("is no STL file: {} bytes, of which a binary file has at "
                                     "least 84, and it is no text that begins with 'solid'",
                                     size));
    std::uint32_t count = 0;
    std::memcpy(&count, head.data() + 80, sizeof count);
    if (size < 84 + std::uintmax_t(50) * count)
        throw InputError(file.string(),
                         fmt::format("is cut off, or no STL file: it says {} triangles, which take "
                                     "{} bytes, and has {}",
                                     count, 84 + std::uintmax_t(50) * count, size));
}

void check_head(const fs::path& file, const std::string& ending) {
    std::error_code error;
    if (!fs::exists(file, error)) throw InputError(file.string(), "there is no such file");
    if (!fs::is_regular_file(file, error)) throw InputError(file.string(), "is no file");
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw InputError(file.string(), "cannot be read");
    const std::uintmax_t size = fs::file_size(file, error);
    if (size == 0) throw InputError(file.string(), "is empty");
    if (ending == ".stl") check_binary_stl(file, stream, size);
    if (ending == ".ply") check_ply(file);
}

template <class Reader>
vtkSmartPointer<vtkPolyData> read_by(Reader& reader, const fs::path& file) {
    const VtkErrors errors(reader);
    reader.SetFileName(file.c_str());
    try {
        reader.Update();
    } catch (const std::bad_alloc&) {
        throw InputError(file.string(), "asks for more memory than there is");
    } catch (const std::length_error&) {
        throw InputError(file.string(), "asks for more memory than there is");
    }
    if (errors.is_any() || reader.GetErrorCode() != vtkErrorCode::NoError || !reader.GetOutput())
        throw InputError(file.string(),
                         fmt::format("cannot be read: {}",
                                     errors.text().empty() ? "it is cut off, or not written well"
                                                           : errors.text()));
    return reader.GetOutput();
}

vtkSmartPointer<vtkPolyData> read_by_ending(const fs::path& file, const std::string& ending) {
    if (ending == ".stl") {
        const vtkNew<vtkSTLReader> reader;
        reader->MergingOff();  // which leaves triangles out without a word
        return read_by(*reader, file);
    }
    if (ending == ".ply") return read_by(*vtkNew<vtkPLYReader>(), file);
    if (ending == ".obj") return read_by(*vtkNew<vtkOBJReader>(), file);
    return read_by(*vtkNew<vtkXMLPolyDataReader>(), file);
}

TriangleSurface surface_of(vtkPolyData& data, const fs::path& file) {
    TriangleSurface surface;
    const vtkIdType points = data.GetNumberOfPoints();
    if (data.GetNumberOfStrips() > 0)
        throw InputError(file.string(),
                         "holds strips of triangles: write single triangles, as by ParaView's "
                         "filter Triangulate");
    surface.points.reserve(static_cast<std::size_t>(points));
    for (vtkIdType i = 0; i < points; ++i) {
        double x[3];
        data.GetPoint(i, x);
        surface.points.emplace_back(x[0], x[1], x[2]);
    }
    vtkCellArray* polygons = data.GetPolys();
    if (!polygons->IsValid())
        throw InputError(file.string(), "its polygons are not listed well: write the file anew");
    surface.triangles.reserve(static_cast<std::size_t>(polygons->GetNumberOfCells()));
    const vtkNew<vtkIdList> corners;
    for (vtkIdType t = 0; t < polygons->GetNumberOfCells(); ++t) {
        polygons->GetCellAtId(t, corners);
        if (corners->GetNumberOfIds() != 3)
            throw InputError(
                file.string(),
                fmt::format("polygon {} has {} corners: write triangles alone, as by ParaView's "
                            "filter Triangulate",
                            t + 1, corners->GetNumberOfIds()));
        std::array<Index, 3> triangle;
        for (int k = 0; k < 3; ++k) {
            const vtkIdType corner = corners->GetId(k);
            if (corner < 0 || corner >= points)
                throw InputError(file.string(),
                                 fmt::format("triangle {} has the point {}, but there are {} "
                                             "points: write the file anew",
                                             t + 1, corner + 1, points));
            triangle[static_cast<std::size_t>(k)] = static_cast<Index>(corner);
        }
        surface.triangles.push_back(triangle);
    }
    return surface;
}

// ---- A reader of its own

void write_all(int to, const void* bytes, std::size_t count) {
    const auto* at = static_cast<const char*>(bytes);
    while (count > 0) {
        const auto written = ::write(to, at, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) ::_exit(1);
        at += written;
        count -= static_cast<std::size_t>(written);
    }
}
bool read_all(int from, void* bytes, std::size_t count) {
    auto* at = static_cast<char*>(bytes);
    while (count > 0) {
        const auto got = ::read(from, at, count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        count -= static_cast<std::size_t>(got);
    }
    return true;
}

struct Sent {
    std::uint64_t letters = 0, points = 0, triangles = 0;  // letters: of a refusal
};

[[noreturn]] void send_surface(const fs::path& file, const std::string& ending, int to) {
    for (const int signal : {SIGSEGV, SIGFPE, SIGBUS, SIGILL, SIGABRT})
        std::signal(signal, SIG_DFL);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    std::string refusal;
    TriangleSurface surface;
    try {
        surface = surface_of(*read_by_ending(file, ending), file);
    } catch (const std::exception& error) {
        refusal = error.what();
        if (!refusal.starts_with(file.string()))
            refusal = file.string() + ": cannot be read: " + refusal;
        surface = {};
    }
    const Sent sent{refusal.size(), surface.points.size(), surface.triangles.size()};
    write_all(to, &sent, sizeof sent);
    write_all(to, refusal.data(), refusal.size());
    write_all(to, surface.points.data(), sent.points * sizeof(Vec3));
    write_all(to, surface.triangles.data(), sent.triangles * sizeof surface.triangles[0]);
    ::_exit(0);
}

// VTK's readers take damaged files for whole ones, and end the process: so one of their own reads.
TriangleSurface read_apart(const fs::path& file, const std::string& ending) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        return surface_of(*read_by_ending(file, ending), file);
    const pid_t reader = ::fork();
    if (reader == 0) send_surface(file, ending, pipe[1]);
    ::close(pipe[1]);
    TriangleSurface surface;
    std::string refusal;
    bool is_whole = false;
    if (Sent sent; reader > 0 && read_all(pipe[0], &sent, sizeof sent)) {
        refusal.resize(sent.letters);
        surface.points.resize(sent.points);
        surface.triangles.resize(sent.triangles);
        is_whole = read_all(pipe[0], refusal.data(), refusal.size()) &&
                   read_all(pipe[0], surface.points.data(), sent.points * sizeof(Vec3)) &&
                   read_all(pipe[0], surface.triangles.data(),
                            sent.triangles * sizeof surface.triangles[0]);
    }
    ::close(pipe[0]);
    int status = 0;
    while (reader > 0 && ::waitpid(reader, &status, 0) < 0 && errno == EINTR) {
    }
    if (reader < 0) return surface_of(*read_by_ending(file, ending), file);
    if (!is_whole)
        throw InputError(
            file.string(),
            fmt::format("cannot be read: it is damaged (VTK's reader of it died{}): write it anew",
                        WIFSIGNALED(status) ? fmt::format(" by signal {}", WTERMSIG(status)) : ""));
    if (!refusal.empty()) throw InputError(refusal);
    return surface;
}

// ---- Writers

vtkNew<vtkPolyData> data_of(const TriangleSurface& surface) {
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    points->SetNumberOfPoints(static_cast<vtkIdType>(surface.points.size()));
    for (std::size_t i = 0; i < surface.points.size(); ++i)
        points->SetPoint(static_cast<vtkIdType>(i), &surface.points[i].x);
    vtkNew<vtkCellArray> polygons;
    for (const auto& t : surface.triangles) {
        const std::array<vtkIdType, 3> corners{t[0], t[1], t[2]};
        polygons->InsertNextCell(3, corners.data());
    }
    vtkNew<vtkPolyData> data;
    data->SetPoints(points);
    data->SetPolys(polygons);
    return data;
}

// ending: what the writer adds to a name that lacks it.
template <class Writer>
void write_by(Writer& writer, const TriangleSurface& surface, const fs::path& file,
              const char* ending = "") {
    const VtkErrors errors(writer);
    const vtkNew<vtkPolyData> data = data_of(surface);
    const fs::path part = part_of(file), made = fs::path(part) += ending;
    create_part(file);
    if (made != part) fs::rename(part, made);  // an empty file, no link, for VTK to write
    writer.SetFileName(made.c_str());
    writer.SetInputData(data);
    const bool written =
        writer.Write() == 1 && !errors.is_any() && writer.GetErrorCode() == vtkErrorCode::NoError;
    if (made != part) fs::rename(made, part);
    if (!written)
        throw WriteError(fmt::format("{}: cannot be written: {}", file.string(),
                                     errors.text().empty() ? "is the disk full?" : errors.text()));
    flush_part(file);
    publish_part(file);
    flush_folder(file.parent_path());
}

// VTK's own writes six digits.
std::string obj_text(const TriangleSurface& surface) {
    std::string text = "# a surface of solenoid\n";
    auto to = std::back_inserter(text);
    for (const Vec3& p : surface.points) fmt::format_to(to, "v {} {} {}\n", p.x, p.y, p.z);
    for (const auto& [a, b, c] : surface.triangles)
        fmt::format_to(to, "f {} {} {}\n", a + 1, b + 1, c + 1);
    return text;
}

}  // namespace

void check_surface_ending(const fs::path& file) {
    const std::string ending = ending_of(file);
    if (ending != ".stl" && ending != ".ply" && ending != ".obj" && ending != ".vtp")
        throw InputError(file.string(),
                         fmt::format("its ending '{}' is none of .stl, .ply, .obj and .vtp, by "
                                     "which the format is known",
                                     ending));
}

TriangleSurface read_surface(const fs::path& file) {
    check_surface_ending(file);
    const std::string ending = ending_of(file);
    check_head(file, ending);
    TriangleSurface surface = read_apart(file, ending);
    if (ending == ".stl" || ending == ".obj") merge_equal_points(surface);
    return surface;
}

void write_surface(const TriangleSurface& surface, const fs::path& file) {
    check_surface_ending(file);
    const std::string ending = ending_of(file);
    try {
        if (ending == ".obj") {
            write_atomically(file, obj_text(surface));
        } else if (ending == ".stl") {
            const vtkNew<vtkSTLWriter> writer;
            writer->SetFileTypeToBinary();
            write_by(*writer, surface, file);
        } else if (ending == ".ply") {
            const vtkNew<vtkPLYWriter> writer;
            writer->SetFileTypeToBinary();
            write_by(*writer, surface, file, ".ply");
        } else {
            const vtkNew<vtkXMLPolyDataWriter> writer;
            writer->SetDataModeToAppended();
            writer->EncodeAppendedDataOff();
            writer->SetHeaderTypeToUInt64();
            write_by(*writer, surface, file);
        }
    } catch (...) {
        discard_part(file);
        throw;
    }
}

}  // namespace solenoid
