#include "io/surface/surface_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkErrorCode.h>
#include <vtkFieldData.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLPolyDataWriter.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cfloat>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <glm/geometric.hpp>
#include <new>
#include <stdexcept>

#include "core/error.hpp"
#include "core/log.hpp"
#include "io/files/atomic_file.hpp"
#include "io/surface/number_words.hpp"
#include "io/surface/obj_file.hpp"
#include "io/surface/ply_file.hpp"
#include "io/surface/stl_check.hpp"
#include "io/vtk/vtk_errors.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

std::string ending_of(const fs::path& file) { return lower(file.extension().string()); }

void check_head(const fs::path& file, const std::string& ending) {
    std::error_code error;
    if (!fs::exists(file, error)) throw InputError(file.string(), "there is no such file");
    if (!fs::is_regular_file(file, error)) throw InputError(file.string(), "is no file");
    if (!std::ifstream(file, std::ios::binary)) throw InputError(file.string(), "cannot be read");
    if (fs::file_size(file, error) == 0) throw InputError(file.string(), "is empty");
    if (ending == ".stl") check_stl(file);
}

template <class Reader>
vtkSmartPointer<vtkPolyData> read_by(Reader& reader, const fs::path& file) {
    const VtkErrors errors;
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
        auto data = read_by(*reader, file);
        if (is_text_stl(file) && reader->GetBinaryHeader())
            throw InputError(file.string(),
                             "is text, but so many letters of its beginning are none of ASCII "
                             "that VTK takes it for a binary file: change the name behind 'solid'");
        return data;
    }
    return read_by(*vtkNew<vtkXMLPolyDataReader>(), file);
}

// What the data have beside points and triangles. VTK makes an array of the solids of STL files.
std::string words_of_others(vtkPolyData& data) {
    std::string words;
    const auto add = [&](const std::string& what) { words += (words.empty() ? "" : "; ") + what; };
    const auto add_arrays = [&](vtkFieldData* arrays, const char* of) {
        std::string names;
        constexpr std::size_t most = 200;
        for (int k = 0; arrays && k < arrays->GetNumberOfArrays() && names.size() <= most; ++k) {
            const char* const name =
                arrays->GetAbstractArray(k) ? arrays->GetAbstractArray(k)->GetName() : nullptr;
            names += (names.empty() ? "" : ", ") + std::string(shown(name ? name : "no name"));
        }
        if (!names.empty()) add(names + of);
    };
    add_arrays(data.GetPointData(), " of the points");
    add_arrays(data.GetCellData(), " of the cells");
    add_arrays(data.GetFieldData(), " of the whole");
    if (data.GetNumberOfLines() > 0) add(fmt::format("{} lines", data.GetNumberOfLines()));
    if (data.GetNumberOfVerts() > 0) add(fmt::format("{} single points", data.GetNumberOfVerts()));
    return words;
}

TriangleSurface surface_of(vtkPolyData& data, const fs::path& file) {
    TriangleSurface surface;
    surface.left_out = words_of_others(data);
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
    // letters: of a refusal; left_out: letters of what is left out
    std::uint64_t letters = 0, left_out = 0, points = 0, triangles = 0;
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
    const Sent sent{refusal.size(), surface.left_out.size(), surface.points.size(),
                    surface.triangles.size()};
    write_all(to, &sent, sizeof sent);
    write_all(to, refusal.data(), refusal.size());
    write_all(to, surface.left_out.data(), surface.left_out.size());
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
        surface.left_out.resize(sent.left_out);
        surface.points.resize(sent.points);
        surface.triangles.resize(sent.triangles);
        is_whole = read_all(pipe[0], refusal.data(), refusal.size()) &&
                   read_all(pipe[0], surface.left_out.data(), surface.left_out.size()) &&
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

std::string vtp_bytes(const TriangleSurface& surface, const fs::path& file) {
    const VtkErrors errors;
    const vtkNew<vtkPolyData> data = data_of(surface);
    const vtkNew<vtkXMLPolyDataWriter> writer;
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    writer->SetHeaderTypeToUInt64();
    writer->WriteToOutputStringOn();
    writer->SetInputData(data);
    if (writer->Write() != 1 || errors.is_any() || writer->GetErrorCode() != vtkErrorCode::NoError)
        throw WriteError(file.string() + ": cannot be written: VTK says " + errors.text());
    return writer->GetOutputString();
}

// Appends bytes of single precision and whole numbers, little endian.
void append(std::string& bytes, std::uint32_t number) {
    for (int k = 0; k < 32; k += 8) bytes += static_cast<char>(number >> k & 0xFF);
}
void append(std::string& bytes, const Vec3& point) {
    for (int k = 0; k < 3; ++k)
        append(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(point[k])));
}

std::string stl_bytes(const TriangleSurface& surface) {
    std::string bytes = "a surface of solenoid";  // not "solid", which text begins with
    bytes.reserve(84 + 50 * surface.triangles.size());
    bytes.resize(80);
    append(bytes, static_cast<std::uint32_t>(surface.triangles.size()));
    for (const auto& t : surface.triangles) {
        const Vec3 &a = surface.points[t[0]], &b = surface.points[t[1]], &c = surface.points[t[2]];
        const Vec3 normal = glm::cross(b - a, c - a);
        const double length = glm::length(normal);
        append(bytes, length > 0 && std::isfinite(length) ? normal / length : Vec3(0));
        for (const Vec3* p : {&a, &b, &c}) append(bytes, *p);
        bytes.append(2, '\0');
    }
    return bytes;
}

std::string ply_bytes(const TriangleSurface& surface) {
    std::string bytes = fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment a surface of solenoid\nelement vertex {}\n"
        "property float x\nproperty float y\nproperty float z\nelement face {}\n"
        "property list uchar int vertex_indices\nend_header\n",
        surface.points.size(), surface.triangles.size());
    bytes.reserve(bytes.size() + 12 * surface.points.size() + 13 * surface.triangles.size());
    for (const Vec3& p : surface.points) append(bytes, p);
    for (const auto& t : surface.triangles) {
        bytes += '\3';
        for (const Index corner : t) append(bytes, corner);
    }
    return bytes;
}

// Of the endings that are written in single precision.
void check_range(const TriangleSurface& surface, const fs::path& file, const std::string& ending) {
    for (std::size_t i = 0; i < surface.points.size(); ++i) {
        const Vec3& p = surface.points[i];
        for (int k = 0; k < 3; ++k)
            if (!(std::abs(p[k]) <= double(FLT_MAX)))
                throw InputError(
                    file.string(),
                    fmt::format("point {} at ({:g}, {:g}, {:g}) is beyond {:.2g}, the largest "
                                "number that {} holds: write .vtp or .obj, which hold doubles",
                                i + 1, p.x, p.y, p.z, FLT_MAX, ending));
    }
}

// Whether a surface is itself in single precision.
void check_single(const TriangleSurface& surface, const fs::path& file, const std::string& ending) {
    check_range(surface, file, ending);
    const auto become_one = [&](Index i, Index j) {
        const Vec3 &a = surface.points[i], &b = surface.points[j];
        for (int k = 0; k < 3; ++k)
            if (static_cast<float>(a[k]) != static_cast<float>(b[k])) return false;
        return a != b;
    };
    std::size_t lost = 0;
    for (const auto& [a, b, c] : surface.triangles)
        lost += become_one(a, b) || become_one(b, c) || become_one(c, a);
    if (lost > 0)
        log::warning(
            "{}: in single precision, which {} holds, corners of {} of {} triangles are at the "
            "same "
            "place: write .vtp or .obj, which hold doubles",
            file.string(), ending, lost, surface.triangles.size());
}

std::string bytes_of(const TriangleSurface& surface, const fs::path& file,
                     const std::string& ending) {
    if (ending == ".obj") return obj_text(surface);
    if (ending == ".vtp") return vtp_bytes(surface, file);
    check_single(surface, file, ending);
    return ending == ".stl" ? stl_bytes(surface) : ply_bytes(surface);
}

std::string contents(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::string bytes(fs::file_size(file), '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (stream.bad()) throw InputError(file.string(), "cannot be read");
    bytes.resize(static_cast<std::size_t>(stream.gcount()));
    return bytes;
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

void check_surface_fits(const TriangleSurface& surface, const fs::path& file) {
    const std::string ending = ending_of(file);
    if (ending == ".stl" || ending == ".ply") check_range(surface, file, ending);
}

TriangleSurface read_surface(const fs::path& file) {
    check_surface_ending(file);
    const std::string ending = ending_of(file);
    check_head(file, ending);
    TriangleSurface surface = ending == ".obj"   ? surface_of_obj(contents(file), file.string())
                              : ending == ".ply" ? surface_of_ply(contents(file), file.string())
                                                 : read_apart(file, ending);
    if (ending == ".stl" || ending == ".obj") merge_equal_points(surface);
    if (ending == ".stl" && has_attributes(file))
        surface.left_out = "the attributes of the triangles, which some programs use as colours";
    return surface;
}

void write_surface(const TriangleSurface& surface, const fs::path& file) {
    check_surface_ending(file);
    write_atomically(file, bytes_of(surface, file, ending_of(file)));
}

}  // namespace solenoid
