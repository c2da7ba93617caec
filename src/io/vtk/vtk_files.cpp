#include "io/vtk/vtk_files.hpp"

#include <fmt/format.h>
#include <vtkAlgorithm.h>
#include <vtkCallbackCommand.h>
#include <vtkCellData.h>
#include <vtkCommand.h>
#include <vtkDataArray.h>
#include <vtkErrorCode.h>
#include <vtkExecutive.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkRectilinearGrid.h>
#include <vtkSmartPointer.h>
#include <vtkStructuredGrid.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLImageDataWriter.h>
#include <vtkXMLPUnstructuredGridWriter.h>
#include <vtkXMLRectilinearGridWriter.h>
#include <vtkXMLStructuredGridWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>
#include <vtkXMLUtilities.h>
#include <vtkZLibDataCompressor.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>
#include <span>
#include <sstream>
#include <stdexcept>

#include "core/error.hpp"
#include "io/files/atomic_file.hpp"

namespace solenoid {

namespace {

// Compression level of zlib: files are some per cent larger than by default and written several
// times faster.
constexpr int fastest = 1;
constexpr const char* vtk_byte_order =
    std::endian::native == std::endian::big ? "BigEndian" : "LittleEndian";

// Collects the messages of VTK instead of printing them.
class ErrorText {
  public:
    explicit ErrorText(vtkAlgorithm& algorithm) {
        silence_->SetCallback([](vtkObject*, unsigned long, void*, void*) {});
        callback_->SetClientData(this);
        callback_->SetCallback([](vtkObject*, unsigned long, void* self, void* text) {
            if (text) static_cast<ErrorText*>(self)->text_ += static_cast<const char*>(text);
        });
        algorithm.AddObserver(vtkCommand::ErrorEvent, callback_);
        // this one repeats the error in more words
        algorithm.GetExecutive()->AddObserver(vtkCommand::ErrorEvent, silence_);
    }
    // VTK's message without its first line, which names its source file.
    std::string text() const {
        std::string text = text_.substr(text_.find('\n') == text_.npos ? 0 : text_.find('\n') + 1);
        std::ranges::replace(text, '\n', ' ');
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    }

  private:
    vtkNew<vtkCallbackCommand> callback_;
    vtkNew<vtkCallbackCommand> silence_;
    std::string text_;
};

// VTK's writer does not ask whether there was memory enough to compress.
class Compressor : public vtkZLibDataCompressor {
  public:
    static Compressor* New() { VTK_STANDARD_NEW_BODY(Compressor); }

  protected:
    std::size_t CompressBuffer(const unsigned char* data, std::size_t size, unsigned char* to,
                               std::size_t space) override {
        const std::size_t compressed = vtkZLibDataCompressor::CompressBuffer(data, size, to, space);
        if (compressed == 0 && size > 0) throw std::bad_alloc();
        return compressed;
    }
};

void configure(vtkXMLWriter& writer) {
    const vtkNew<Compressor> compressor;
    writer.SetCompressor(compressor);
    writer.SetCompressionLevel(fastest);
    writer.SetHeaderTypeToUInt64();
}

// VTK's writer of .pvtu files lists only the pieces that it writes itself. This one writes none and
// lists all.
class PieceList : public vtkXMLPUnstructuredGridWriter {
  public:
    static PieceList* New();

    void set_pieces(const std::vector<std::string>& pieces) {
        for (const auto& piece : pieces) pieces_.push_back(xml_escaped(piece));
        SetNumberOfPieces(static_cast<int>(pieces.size()));
    }

  protected:
    int WritePieceInternal() override { return 1; }
    void PrepareSummaryFile() override { std::fill_n(PieceWrittenFlags, NumberOfPieces, 1); }
    void WritePPieceAttributes(int index) override {
        WriteStringAttribute("Source", pieces_[index].c_str());
    }

  private:
    std::vector<std::string> pieces_;
};
vtkStandardNewMacro(PieceList)

    std::string reason(vtkXMLWriter& writer, const ErrorText& errors) {
    const auto code = writer.GetErrorCode();  // errno, or a code of VTK
    if (code == vtkErrorCode::OutOfDiskSpaceError) return std::strerror(ENOSPC);
    if (code != 0 && code < vtkErrorCode::FirstVTKErrorCode)
        return std::strerror(static_cast<int>(code));
    return errors.text().empty() ? fmt::format("VTK error {}", code) : errors.text();
}

}  // namespace

std::string xml_escaped(const std::string& text) {
    std::ostringstream out;
    vtkXMLUtilities::EncodeString(text.c_str(), VTK_ENCODING_UTF_8, out, VTK_ENCODING_UTF_8, 1);
    return out.str();
}

namespace {

vtkSmartPointer<vtkXMLWriter> writer_of(const vtkDataSet& piece) {
    switch (const_cast<vtkDataSet&>(piece).GetDataObjectType()) {
        case VTK_IMAGE_DATA:
            return vtkSmartPointer<vtkXMLImageDataWriter>::New();
        case VTK_RECTILINEAR_GRID:
            return vtkSmartPointer<vtkXMLRectilinearGridWriter>::New();
        case VTK_STRUCTURED_GRID:
            return vtkSmartPointer<vtkXMLStructuredGridWriter>::New();
        default:
            return vtkSmartPointer<vtkXMLUnstructuredGridWriter>::New();
    }
}

// An element within another, with its attributes.
vtkXMLDataElement& element(vtkXMLDataElement& in, const char* name,
                           const std::vector<std::pair<const char*, std::string>>& attributes) {
    vtkNew<vtkXMLDataElement> made;
    made->SetName(name);
    for (const auto& [key, value] : attributes) made->SetAttribute(key, value.c_str());
    in.AddNestedElement(made);
    return *made;
}

// The type of an array's values, by VTK's names in files.
std::string type_of(vtkDataArray& array) {
    switch (array.GetDataType()) {
        case VTK_DOUBLE:
            return "Float64";
        case VTK_FLOAT:
            return "Float32";
        case VTK_INT:
            return "Int32";
        case VTK_UNSIGNED_CHAR:
            return "UInt8";
        default:
            throw std::logic_error("a VTK array of a type that no list has");
    }
}

void list_arrays(vtkXMLDataElement& in, const char* name, vtkDataSetAttributes& data) {
    vtkXMLDataElement& list = element(in, name, {});
    for (int k = 0; k < data.GetNumberOfArrays(); ++k) {
        vtkDataArray& array = *data.GetArray(k);
        element(list, "PDataArray",
                {{"type", type_of(array)},
                 {"Name", array.GetName()},
                 {"NumberOfComponents", fmt::format("{}", array.GetNumberOfComponents())}});
    }
}

std::string text_of(vtkXMLDataElement& file) {
    std::ostringstream text;
    text << "<?xml version=\"1.0\"?>\n";
    vtkIndent indent;
    vtkXMLUtilities::FlattenElement(&file, text, &indent);
    return text.str();
}

}  // namespace

void write_vtk_part(vtkDataSet& piece, const std::filesystem::path& file) {
    const auto writer = writer_of(piece);
    const ErrorText errors(*writer);
    configure(*writer);
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    writer->SetInputDataObject(&piece);
    create_part(file);
    writer->SetFileName(part_of(file).c_str());
    const bool written = writer->Write() == 1 && writer->GetErrorCode() == vtkErrorCode::NoError;
    if (!written)
        throw WriteError(
            fmt::format("{}: cannot be written: {}", file.string(), reason(*writer, errors)));
    flush_part(file);
}

std::string structured_list_text(vtkDataSet& piece, const StructuredPieces& pieces) {
    const auto numbers = [](const auto& values) {
        return fmt::format("{}", fmt::join(values, " "));
    };
    const std::string name = std::string("P") + (piece.GetClassName() + 3);  // vtkImageData
    vtkNew<vtkXMLDataElement> file;
    file->SetName("VTKFile");
    for (const auto& [key, value] : {std::pair("type", name.c_str()),
                                     {"version", "1.0"},
                                     {"byte_order", vtk_byte_order},
                                     {"header_type", "UInt64"},
                                     {"compressor", "vtkZLibDataCompressor"}})
        file->SetAttribute(key, value);
    vtkXMLDataElement& grid =
        element(*file, name.c_str(), {{"WholeExtent", numbers(pieces.whole)}, {"GhostLevel", "0"}});
    if (auto* image = vtkImageData::SafeDownCast(&piece)) {
        grid.SetAttribute("Origin", numbers(std::span(image->GetOrigin(), 3)).c_str());
        grid.SetAttribute("Spacing", numbers(std::span(image->GetSpacing(), 3)).c_str());
    }
    list_arrays(grid, "PPointData", *piece.GetPointData());
    list_arrays(grid, "PCellData", *piece.GetCellData());
    if (auto* lines = vtkRectilinearGrid::SafeDownCast(&piece)) {
        vtkXMLDataElement& list = element(grid, "PCoordinates", {});
        for (vtkDataArray* array :
             {lines->GetXCoordinates(), lines->GetYCoordinates(), lines->GetZCoordinates()})
            element(list, "PDataArray", {{"type", type_of(*array)}, {"NumberOfComponents", "1"}});
    }
    if (vtkStructuredGrid::SafeDownCast(&piece))
        element(element(grid, "PPoints", {}), "PDataArray",
                {{"type", "Float64"}, {"Name", "Points"}, {"NumberOfComponents", "3"}});
    for (std::size_t k = 0; k < pieces.names.size(); ++k)
        element(grid, "Piece",
                {{"Extent", numbers(pieces.extents[k])}, {"Source", pieces.names[k]}});
    return text_of(*file);
}

std::string pvtu_text(vtkUnstructuredGrid& piece, const std::vector<std::string>& pieces) {
    vtkNew<PieceList> writer;
    const ErrorText errors(*writer);
    configure(*writer);
    writer->SetController(nullptr);
    writer->SetInputData(&piece);
    writer->set_pieces(pieces);
    writer->SetFileName("unused.pvtu");
    writer->WriteToOutputStringOn();
    if (writer->Write() != 1)
        throw ComputationError("the list of VTK pieces cannot be made: " + reason(*writer, errors));
    return writer->GetOutputString();
}

std::string pvd_text(const std::vector<std::pair<double, std::string>>& states) {
    vtkNew<vtkXMLDataElement> file;
    file->SetName("VTKFile");
    file->SetAttribute("type", "Collection");
    file->SetAttribute("version", "0.1");
    vtkNew<vtkXMLDataElement> collection;
    collection->SetName("Collection");
    for (const auto& [time, state] : states) {
        vtkNew<vtkXMLDataElement> entry;
        entry->SetName("DataSet");
        entry->SetAttribute(
            "timestep",
            fmt::format("{}", time).c_str());  // the shortest text that reproduces the number
        entry->SetAttribute("group", "");
        entry->SetAttribute("part", "0");
        entry->SetAttribute("file", state.c_str());
        collection->AddNestedElement(entry);
    }
    file->AddNestedElement(collection);
    return text_of(*file);
}

}  // namespace solenoid
