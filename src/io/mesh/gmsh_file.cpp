// The sections of a Gmsh file.
#include "io/mesh/gmsh_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/plain_text.hpp"

namespace solenoid::gmsh {
namespace {

constexpr std::size_t longest_name = 1000;  // of a group [bytes]

// Reads the sections in turn and checks their order and number.
class SectionReader {
  public:
    explicit SectionReader(Cursor& in, Layout* layout = nullptr) : in_(in), layout_(layout) {}
    File read();
    bool is_binary_4() const { return binary_ && file_.version == 4; }

  private:
    void read_format();
    void read_section();
    void read_names();
    std::string name_of_group(std::string_view text, std::size_t start);
    void read_entities(bool partitioned);
    void read_nodes(bool parametric);
    void read_elements();
    void close_section();
    void skip_section();
    void once(bool& seen);

    Cursor& in_;
    Layout* layout_;  // set where only the layout is wanted
    File file_;
    NodeNumbers numbers_;
    Entities entities_;
    std::string section_;    // name of the present section without its $
    std::size_t start_ = 0;  // its first byte
    bool binary_ = false;
    bool has_entities_ = false, has_partitions_ = false, has_nodes_ = false, has_elements_ = false;
};

File SectionReader::read() {
    while (!in_.at_end()) {
        read_section();
        if (layout_ && file_.version && !is_binary_4()) return {};
    }
    if (!file_.version) in_.fail("the file ends before its $MeshFormat");
    if (!has_nodes_) in_.fail("the file ends without a section $Nodes");
    if (!has_elements_) in_.fail("the file ends without a section $Elements");
    return std::move(file_);
}

void SectionReader::read_section() {
    start_ = in_.position();
    const std::string_view line = in_.line();
    if (line.empty() || line[0] != '$')
        in_.fail_at(start_,
                    fmt::format("expected a section such as $Nodes, found '{}'", printable(line)));
    section_ = line.substr(1);
    if (section_.starts_with("End"))
        in_.fail_at(start_, fmt::format("${} has no beginning", printable(section_)));
    const bool is_mesh = section_ != "Comments" && section_ != "MeshFormat";
    if (is_mesh && !file_.version)
        in_.fail_at(start_, fmt::format("expected $MeshFormat before ${}", printable(section_)));

    if (binary_) in_.read_binary();
    if (section_ == "MeshFormat")
        read_format();
    else if (section_ == "PhysicalNames")
        read_names();
    else if (section_ == "Entities" && file_.version == 4)
        read_entities(false);
    else if (section_ == "PartitionedEntities" && file_.version == 4)
        read_entities(true);
    else if (section_ == "Nodes" || (section_ == "ParametricNodes" && file_.version == 2))
        read_nodes(section_ == "ParametricNodes");
    else if (section_ == "Elements")
        read_elements();
    else
        return skip_section();
    close_section();
}

// Reads $MeshFormat: version, 0 (text) or 1 (binary), size of a number; in a binary file also the
// integer 1.
void SectionReader::read_format() {
    if (file_.version) in_.fail_at(start_, "a second $MeshFormat");
    in_.read_text();
    const double version = in_.real("the version of the format");
    const std::int64_t type = in_.integer_in_line("the file's type (0: text, 1: binary)");
    const std::int64_t size = in_.integer_in_line("the size of a number");
    if (!(version >= 2 && version < 3) && version != 4.1)
        in_.fail(fmt::format(
            "format {} of Gmsh; solenoid reads 2.2 and 4.1: gmsh {} -save -format msh41 -o new.msh",
            version, for_shell(in_.file())));
    if (type != 0 && type != 1)
        in_.fail(fmt::format("file type {}, expected 0 (text) or 1 (binary)", type));
    if (size != 8) in_.fail(fmt::format("numbers of {} bytes; solenoid reads those of 8", size));
    file_.version = version == 4.1 ? 4 : 2;
    in_.end_of_record("the format");
    if (type == 0) return;

    binary_ = true;
    in_.read_binary();
    in_.count_places_in_bytes();
    const std::size_t start = in_.position();
    const std::int64_t one = in_.integer("the integer 1");
    if (one == 0x01000000)
        in_.swap_bytes();
    else if (one != 1)
        in_.fail_at(
            start, fmt::format("expected the integer 1 in one of both byte orders, found {}", one));
}

// Reads $PhysicalNames, lines of dimension, tag, "name"; in format 2.0 without dimension.
void SectionReader::read_names() {
    in_.read_text();
    const std::int64_t count = in_.count("the number of physical names");
    in_.require(count, 6, 6, "physical names");
    for (std::int64_t i = 0; i < count; ++i) {
        int dimension = static_cast<int>(in_.integer("a physical group's dimension"));
        const int tag = in_.text_follows()
                            ? std::exchange(dimension, -1)
                            : static_cast<int>(in_.integer_in_line("a physical group's tag"));
        const std::size_t start = in_.position();
        std::string_view name = in_.line();
        name.remove_prefix(std::min(name.find_first_not_of(" \t"), name.size()));
        if (name.size() < 2 || name.front() != '"' || name.back() != '"')
            in_.fail_at(start,
                        fmt::format("expected a name in quotes, found '{}'", printable(name)));
        name = name.substr(1, name.size() - 2);
        if (!name.empty()) file_.names[{dimension, tag}] = name_of_group(name, start);
    }
}

// The name in UTF-8, which files of results, JSON and case files demand.
std::string SectionReader::name_of_group(std::string_view text, std::size_t start) {
    const auto refuse = [&](const char* reason) {
        in_.fail_at(start, fmt::format("the name '{}' {}: rename the group in the geometry",
                                       printable(text), reason));
    };
    if (text.size() > longest_name)
        refuse(fmt::format("is longer than {} bytes", longest_name).c_str());
    std::string name(text);
    if (!is_utf8(text)) {
        name = utf8_of_latin1(text);
        if (++file_.latin1_names == 1) file_.latin1_name = name;
    }
    if (!is_plain_text(name)) refuse("holds a control character, U+FFFE or U+FFFF");
    return name;
}

void SectionReader::read_entities(bool partitioned) {
    once(partitioned ? has_partitions_ : has_entities_);
    if (has_elements_)
        in_.fail_at(start_, fmt::format("${} after $Elements; it belongs before", section_));
    read_entities_4(in_, partitioned, file_, entities_);
}

void SectionReader::read_nodes(bool parametric) {
    once(has_nodes_);
    if (layout_) {
        layout_->nodes_start = start_;
        return hop_over_nodes_4(in_, *layout_);
    }
    file_.version == 2 ? read_nodes_2(in_, parametric, file_, numbers_)
                       : read_nodes_4(in_, file_, numbers_);
    if (numbers_.count() >= reversed) in_.fail("more than 2147483647 nodes");
    if (const auto twice = numbers_.build())
        in_.fail_at(start_, fmt::format("node {} is given twice", *twice));
}

void SectionReader::read_elements() {
    once(has_elements_);
    if (!has_nodes_) in_.fail_at(start_, "$Elements before $Nodes; it belongs after");
    const bool are_listed = has_entities_ || has_partitions_;
    if (layout_)
        hop_over_elements_4(in_, entities_, are_listed, *layout_);
    else if (file_.version == 2)
        read_elements_2(in_, numbers_, file_);
    else
        read_elements_4(in_, numbers_, entities_, are_listed, file_);
}

void SectionReader::once(bool& seen) {
    if (seen) in_.fail_at(start_, fmt::format("a second ${}", section_));
    seen = true;
}

void SectionReader::close_section() {
    in_.skip_blanks();
    const std::size_t end = in_.position();
    const std::string_view line = in_.line();
    if (line == "$End" + section_) return;
    if (line.empty()) in_.fail(fmt::format("the file ends before $End{}", section_));
    in_.fail_at(end, fmt::format("expected $End{}, found '{}'", section_, printable(line)));
}

void SectionReader::skip_section() {
    if (!in_.skip_past_line("$End" + section_))
        in_.fail_at(start_, fmt::format("section ${0} does not end: no line $End{0} follows",
                                        printable(section_)));
}

struct Shape {
    const char* name;
    int order;  // 1 or more; 0: not a simplex
};

// The shape of an element type that solenoid does not support.
Shape refused_shape(std::int64_t type) {
    static const std::map<std::int64_t, Shape> shapes{
        {3, {"quadrilateral", 0}},  {10, {"quadrilateral", 0}}, {16, {"quadrilateral", 0}},
        {36, {"quadrilateral", 0}}, {37, {"quadrilateral", 0}}, {38, {"quadrilateral", 0}},
        {5, {"hexahedron", 0}},     {12, {"hexahedron", 0}},    {17, {"hexahedron", 0}},
        {92, {"hexahedron", 0}},    {93, {"hexahedron", 0}},    {6, {"prism", 0}},
        {13, {"prism", 0}},         {18, {"prism", 0}},         {90, {"prism", 0}},
        {91, {"prism", 0}},         {7, {"pyramid", 0}},        {14, {"pyramid", 0}},
        {19, {"pyramid", 0}},       {118, {"pyramid", 0}},      {8, {"line", 2}},
        {26, {"line", 3}},          {27, {"line", 4}},          {28, {"line", 5}},
        {9, {"triangle", 2}},       {20, {"triangle", 3}},      {21, {"triangle", 3}},
        {22, {"triangle", 4}},      {23, {"triangle", 4}},      {24, {"triangle", 5}},
        {25, {"triangle", 5}},      {11, {"tetrahedron", 2}},   {29, {"tetrahedron", 3}},
        {30, {"tetrahedron", 4}},   {31, {"tetrahedron", 5}}};
    const auto found = shapes.find(type);
    return found == shapes.end() ? Shape{nullptr, 0} : found->second;
}

}  // namespace

int dimension_of(std::int64_t type, std::int64_t element, const Cursor& in, std::size_t position) {
    switch (type) {
        case 15:
            return 0;
        case 1:
            return 1;
        case 2:
            return 2;
        case 4:
            return 3;
    }
    const Shape shape = refused_shape(type);
    if (!shape.name)
        in.fail_at(
            position,
            fmt::format(
                "element {} has type {}; solenoid knows lines (1), triangles (2) and tets (4)",
                element, type));
    if (shape.order > 1)
        in.fail_at(position, fmt::format("element {} is a {} of order {}; solenoid needs straight "
                                         "ones of order 1: mesh with "
                                         "Mesh.ElementOrder = 1",
                                         element, shape.name, shape.order));
    in.fail_at(position,
               fmt::format("element {} is a {}; solenoid needs triangles and tets only: mesh with "
                           "Mesh.RecombineAll = 0 and without Recombine or Layers",
                           element, shape.name));
}

Index read_node(Cursor& in, const NodeNumbers& numbers, std::int64_t number, std::int64_t element) {
    const Index node = numbers.find(number);
    if (node == none)
        in.fail(
            fmt::format("element {} has node {}, which $Nodes does not contain", element, number));
    return node;
}

std::optional<std::int64_t> NodeNumbers::build() {
    if (numbers_.empty()) return {};
    const auto [least, largest] = std::minmax_element(numbers_.begin(), numbers_.end());
    least_ = *least;
    const std::uint64_t range =
        static_cast<std::uint64_t>(*largest) - static_cast<std::uint64_t>(*least);
    if (range < 2 * numbers_.size()) {
        dense_.assign(range + 1, none);
        for (std::size_t i = 0; i < numbers_.size(); ++i) {
            Index& place = dense_[numbers_[i] - least_];
            if (place != none) return numbers_[i];
            place = static_cast<Index>(i);
        }
        return {};
    }
    for (std::size_t i = 0; i < numbers_.size(); ++i)
        sorted_.emplace_back(numbers_[i], static_cast<Index>(i));
    std::sort(sorted_.begin(), sorted_.end());
    const auto twice =
        std::adjacent_find(sorted_.begin(), sorted_.end(),
                           [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice != sorted_.end()) return twice->first;
    return {};
}

Index NodeNumbers::find_sorted(std::int64_t number) const {
    const auto found =
        std::lower_bound(sorted_.begin(), sorted_.end(), std::pair{number, Index{0}});
    return found != sorted_.end() && found->first == number ? found->second : none;
}

bool is_gmsh(std::string_view bytes) {
    const std::size_t begin = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
    bytes.remove_prefix(begin);
    return bytes.starts_with("$") && !bytes.starts_with("$NOD");
}

File read_file(Cursor& in) { return SectionReader(in).read(); }

std::optional<Layout> read_layout(Cursor& in) {
    Layout layout;
    SectionReader reader(in, &layout);
    layout.file = reader.read();
    if (!reader.is_binary_4()) return {};
    in.read_binary();
    return layout;
}

}  // namespace solenoid::gmsh
