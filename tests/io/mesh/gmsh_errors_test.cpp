// Files that cannot be read: each is refused with its place and what was expected there.
#include <fmt/format.h>

#include "support/gmsh_samples.hpp"

namespace solenoid::test::gmsh_errors_test {
namespace {

struct Fault {
    const char* from;
    const char* to;
    const char* message;  // behind the file's name
};

void expect_refusals(const std::string& sample, const std::vector<Fault>& faults) {
    for (const Fault& fault : faults) {
        const std::string message = refusal(edited(sample, fault.from, fault.to));
        EXPECT_TRUE(message.starts_with(fault.message))
            << "found:    " << message << "\nexpected: " << fault.message;
    }
}

TEST(GmshErrors, Format) {
    expect_refusals(
        sample_2(),
        {
            {"2.2 0 8", "4.0 0 8", ":2: format 4 of Gmsh; solenoid reads 2.2 and 4.1: gmsh "},
            {"2.2 0 8", "1 0 8", ":2: format 1 of Gmsh"},
            {"2.2 0 8", "2.2 2 8", ":2: file type 2, expected 0 (text) or 1 (binary)"},
            {"2.2 0 8", "2.2 0 4", ":2: numbers of 4 bytes; solenoid reads those of 8"},
            {"2.2 0 8", "2.2 0 8 1", ":2: '1' is too much: the line of the format ends before it"},
            {"2.2 0 8", "x 0 8", ":2: expected the version of the format (a number), found 'x'"},
            {"2.2 0 8", "2.2 1 8",
             " (byte 20): expected the integer 1 in one of both byte orders, found 1684948260"},
            {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "",
             ":1: expected $MeshFormat before $PhysicalNames"},
            {"$Nodes", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes", ":10: a second $MeshFormat"},
        });
}

TEST(GmshErrors, Sections) {
    expect_refusals(
        sample_2(),
        {
            {"$Nodes", "Nodes", ":10: expected a section such as $Nodes, found 'Nodes'"},
            {"$EndNodes", "$EndElements", ":17: expected $EndNodes, found '$EndElements'"},
            {"$EndNodes\n", "", ":17: expected $EndNodes, found '$Elements'"},
            {"\n$EndElements\n", "", ":26: the file ends before $EndElements"},
            {"$EndNodes", "$EndNodes\n$EndNodes", ":18: $EndNodes has no beginning"},
            {"$Nodes", "$Periodic\n$Nodes",
             ":10: section $Periodic does not end: no line $EndPeriodic follows"},
            {"$Elements\n", "$Nodes\n1\n1 0 0 0\n$EndNodes\n$Elements\n", ":18: a second $Nodes"},
        });
    const std::string head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n",
                      nodes = "$Nodes\n1\n1 0 0 0\n$EndNodes\n";
    EXPECT_EQ(refusal(head), ":4: the file ends without a section $Nodes");
    EXPECT_EQ(refusal(head + nodes), ":8: the file ends without a section $Elements");
    EXPECT_EQ(refusal(head + "$Elements\n0\n$EndElements\n" + nodes),
              ":4: $Elements before $Nodes; it belongs after");
    EXPECT_EQ(refusal("$Comments\nno more\n$EndComments\n"),
              ":4: the file ends before its $MeshFormat");
    EXPECT_TRUE(
        refusal(head + nodes + "$Elements\n0\n$EndElements\n")
            .starts_with(
                ": the file contains neither tets nor triangles: mesh the geometry with gmsh -3"));
    EXPECT_EQ(refusal(sample_4() + "$Entities\n0 0 0 0\n$EndEntities\n"),
              ":49: a second $Entities");
}

TEST(GmshErrors, Names) {
    expect_refusals(
        sample_2(),
        {
            {"2 7 \"between\"", "2 7 between", ":6: expected a name in quotes, found 'between'"},
            {"2 7 \"between\"", "2 7", ":6: expected a name in quotes, found ''"},
            {"2 7 \"between\"", "2\n7 \"between\"",
             ":6: the line ends where a physical group's tag was expected"},
            {"2 7 \"between\"", "2 7 \"a\tb\"",
             ":6: the name 'a?b' holds a control character, U+FFFE or U+FFFF: rename the group"},
            {"2 7 \"between\"", "2 7 \"a\xC2\x9B\"",
             ":6: the name 'a?"
             "?' holds a control character, U+FFFE or U+FFFF: rename the group in the geometry"},
            {"2 7 \"between\"", "2 7 \"\xFC\x9B\"",  // Latin-1
             ":6: the name '?"
             "?' holds a control character, U+FFFE or U+FFFF: rename the group in the geometry"},
            {"2 7 \"between\"", "2 7 \"a\xEF\xBF\xBF\"",
             ":6: the name 'a??"
             "?' holds a control character, U+FFFE or U+FFFF: rename the group"},
            {"2 7 \"between\"", "\"between\"",
             ":6: expected a physical group's dimension (an integer), found '\"between\"'"},
            {"3\n2 7", "-3\n2 7", ":5: the number of physical names is -3, which no count can be"},
            {"3\n2 7", "2\n2 7", ":8: expected $EndPhysicalNames, found '3 1 \"lower\"'"},
            {"3\n2 7", "4\n2 7",
             ":9: expected a physical group's dimension (an integer), found '$EndPhysicalNames'"},
            {"3\n2 7", "99999999\n2 7",
             ":5: 99999999 physical names are announced, more than the rest of the file ("},
        });
}

TEST(GmshErrors, ALongName) {
    const std::string name(1000, 'a');
    EXPECT_EQ(read_bytes(edited(sample_2(), "between", name)).boundaries[0], name);
    EXPECT_EQ(refusal(edited(sample_2(), "between", name + "b")),
              ":6: the name 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...' is longer than 1000 bytes: rename "
              "the group in the geometry");
}

TEST(GmshErrors, Nodes) {
    expect_refusals(
        sample_2(),
        {
            {"10 1 0 0", "10 1 0", ":13: the line ends where a node's coordinate was expected"},
            {"10 1 0 0", "10 1 0 0 0", ":13: '0' is too much: the line of the node ends before it"},
            {"10 1 0 0", "10 nan 0 0", ":13: a node's coordinate is not finite (nan)"},
            {"10 1 0 0", "10 1 -inf 0", ":13: a node's coordinate is not finite (-inf)"},
            {"10 1 0 0", "10 1 0 1e999", ":13: a node's coordinate is not finite (inf)"},
            {"10 1 0 0", "10 1 zero 0",
             ":13: expected a node's coordinate (a number), found 'zero'"},
            {"10 1 0 0", "10 1 0x1 0", ":13: expected a node's coordinate (a number), found '0x1'"},
            {"10 1 0 0", "1.5 1 0 0", ":13: expected a node's number (an integer), found '1.5'"},
            {"10 1 0 0", "99999999999 1 0 0",
             ":13: a node's number is 99999999999, more than 32 bits can hold"},
            {"10 1 0 0", "99999999999999999999 1 0 0",
             ":13: expected a node's number (an integer), found '99999"},
            {"10 1 0 0", "4 1 0 0", ":10: node 4 is given twice"},
            {"\n5\n", "\n4\n", ":16: expected $EndNodes, found '1 1.5 1 1'"},
            {"\n5\n", "\n6\n", ":17: expected a node's number (an integer), found '$EndNodes'"},
            {"\n5\n", "\n-5\n", ":11: the number of nodes is -5, which no count can be"},
            {"\n5\n", "\n5e3\n", ":11: expected the number of nodes (an integer), found '5e3'"},
            {"\n5\n", "\n9000000000000000000\n",
             ":12: 9000000000000000000 nodes are announced, more than the rest of "},
        });
    expect_refusals(
        sample_4(),
        {
            {"2 5 1 21", "2 6 1 21", ":20: 6 nodes are announced, but the blocks hold 5"},
            {"2 5 1 21", "2 -5 1 21", ":20: the number of records is -5, which no count can be"},
            {"2 5 1 21", "3 5 1 21",
             ":33: expected an entity's dimension (an integer), found '$EndNodes'"},
            {"2 5 1 21", "1 1 1 21", ":24: expected $EndNodes, found '3 1 0 4'"},
            {"3 1 0 4\n", "3 1 0 99999\n",
             ":24: 99999 nodes are announced, more than the rest of the file ("},
            {"3 1 0 4\n", "7 1 0 4\n", ":24: an entity of dimension 7"},
            {"\n21\n1\n", "\n21\n4\n", ":19: node 4 is given twice"},
            {"\n1 0 0\n0 1", "\n1 0\n0 1", ":29: the line ends where a node's z was expected"},
        });
}

TEST(GmshErrors, Elements) {
    expect_refusals(
        sample_2(),
        {
            {"6 4 2 1 1 4 10 3 21", "6 4 2 1 1 4 10 3 22",
             ":25: element 6 has node 22, which $Nodes does not contain"},
            {"6 4 2 1 1 4 10 3 21", "6 4 2 1 1 4 10 3",
             ":25: the line ends where a node of the element was expected"},
            {"6 4 2 1 1 4 10 3 21", "6 4 2 1 1 4 10 3 21 1",
             ":25: '1' is too much: the line of the element ends before"},
            {"6 4 2 1 1 4 10 3 21", "6 4 -2 1 1 4 10 3 21",
             ":25: the element's number of tags is -2, which no count can"},
            {"6 4 2 1 1 4 10 3 21", "6 5 2 1 1 4 10 3 21",
             ":25: element 6 is a hexahedron; solenoid needs triangles and "
             "tets only: mesh with Mesh.RecombineAll = 0"},
            {"6 4 2 1 1 4 10 3 21", "6 3 2 1 1 4 10 3 21", ":25: element 6 is a quadrilateral"},
            {"6 4 2 1 1 4 10 3 21", "6 6 2 1 1 4 10 3 21", ":25: element 6 is a prism"},
            {"6 4 2 1 1 4 10 3 21", "6 7 2 1 1 4 10 3 21", ":25: element 6 is a pyramid"},
            {"6 4 2 1 1 4 10 3 21", "6 11 2 1 1 4 10 3 21",
             ":25: element 6 is a tetrahedron of order 2; solenoid needs "
             "straight ones of order 1: mesh with Mesh.ElementOrder = 1"},
            {"6 4 2 1 1 4 10 3 21", "6 21 2 1 1 4 10 3 21",
             ":25: element 6 is a triangle of order 3"},
            {"6 4 2 1 1 4 10 3 21", "6 999 2 1 1 4 10 3 21",
             ":25: element 6 has type 999; solenoid knows lines (1), "},
            {"$Elements\n7", "$Elements\n8",
             ":27: expected an element's number (an integer), found '$EndElements'"},
            {"$Elements\n7", "$Elements\n6",
             ":26: expected $EndElements, found '7 4 2 2 2 21 10 3 1'"},
            {"$Elements\n7", "$Elements\n77777777",
             ":20: 77777777 elements are announced, more than the rest of "},
        });
    expect_refusals(
        sample_4(),
        {
            {"5 4 10 3 21", "5 4 10 3 2",
             ":45: element 5 has node 2, which $Nodes does not contain"},
            {"3 1 4 1\n", "3 1 11 1\n", ":44: element 5 is a tetrahedron of order 2"},
            {"3 1 4 1\n", "3 9 4 1\n",
             ":44: elements of entity 9 of dimension 3, which $Entities does not list"},
            {"3 1 4 1\n", "2 1 4 1\n", ":44: elements of dimension 3 in an entity of dimension 2"},
            {"3 1 4 1\n", "3 1 4 1000\n",
             ":44: 1000 elements are announced, more than the rest of the file ("},
            {"6 6 1 6", "6 7 1 6", ":35: 7 elements are announced, but the blocks hold 6"},
            {"6 6 1 6", "9 6 1 6",
             ":48: expected an entity's dimension (an integer), found '$EndElements'"},
        });
}

TEST(GmshErrors, Entities) {
    expect_refusals(
        sample_4(),
        {
            {"1 1 2 2\n", "1 1 2 3\n",
             ":18: expected an entity's tag (an integer), found '$EndEntities'"},
            {"1 1 2 2\n", "1 1 2 9999\n",
             ":15: 9999 entities are announced, more than the rest of the file ("},
            {"2 7 8 1 1", "77777 7 8 1 1",
             ":14: 77777 physical groups are announced, more than the rest of the file ("},
            {"2 0 0 0 1.5 1.5 1.5 1 2", "1 0 0 0 1.5 1.5 1.5 1 2",
             ":17: entity 1 of dimension 3 is given twice"},
        });
}

TEST(GmshErrors, BinaryPlaces) {
    const std::string sample = sample_4(Coding::native);
    const auto nodes = sample.find("$Nodes") + 7, end = sample.find("$EndNodes");
    std::string bytes = sample;
    bytes[nodes + 15] = '\xff';  // the number of nodes
    EXPECT_TRUE(refusal(bytes).starts_with(
        fmt::format(" (byte {}): the number of records is -", nodes + 8)));
    bytes = sample;
    // the last z: nan or infinite in one of the orders
    bytes[end - 3] = '\x7f', bytes[end - 2] = '\xf0';
    EXPECT_NE(refusal(bytes), "");
    EXPECT_TRUE(refusal(sample.substr(0, nodes + 20))
                    .starts_with(fmt::format(" (byte {}): the file ends where the least number was",
                                             nodes + 16)));
    bytes = sample_2(Coding::swapped);
    const auto elements = bytes.find("$Elements\n7\n") + 12;
    bytes[elements + 7] = 0;  // elements in the first block
    EXPECT_EQ(refusal(bytes),
              fmt::format(" (byte {}): a block of 0 elements, where 1 to 7 can follow", elements));
    bytes[elements + 7] = 8;
    EXPECT_EQ(refusal(bytes),
              fmt::format(" (byte {}): a block of 8 elements, where 1 to 7 can follow", elements));
}

// Cut anywhere, a file is refused, unless only the end of its last line is gone.
TEST(GmshErrors, Truncation) {
    for (const std::string& sample :
         {sample_2(), sample_4(), sample_2(Coding::native), sample_4(Coding::swapped)})
        for (std::size_t size = 0; size + 1 < sample.size(); ++size)
            ASSERT_NE(refusal(sample.substr(0, size)), "")
                << "cut after " << size << " of " << sample.size();
}

TEST(GmshErrors, FilesThatAreNone) {
    const auto message = [](const std::filesystem::path& path) {
        try {
            read_mesh(path);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(message("/nowhere/part.msh"), "/nowhere/part.msh: there is no such file");
    EXPECT_EQ(message("/"), "/: this is a directory; a mesh file was expected");
    EXPECT_EQ(message("/dev/null"), "/dev/null: this is not a regular file");
    EXPECT_EQ(refusal(""), ": the file is empty");
    EXPECT_EQ(refusal(std::string(100, '\0')),
              ": this is not a Gmsh mesh: expected $MeshFormat at its beginning");
    const TemporaryFile secret(sample_2());
    std::filesystem::permissions(secret.path, std::filesystem::perms::none);
    if (geteuid() != 0) {
        EXPECT_EQ(message(secret.path),
                  secret.path.string() + ": cannot be opened: Permission denied");
    }
}

TEST(GmshErrors, OtherFormats) {
    const auto starts = [](const std::string& bytes, const std::string& suffix,
                           const std::string& beginning) {
        const std::string message = refusal(bytes, suffix);
        EXPECT_TRUE(message.starts_with(": this is " + beginning)) << message;
    };
    starts("mesh3d\ndimension\n3\n", ".vol",
           "a Netgen mesh; solenoid reads Gmsh meshes (.msh); convert it with: meshio");
    starts("# Netgen\nmesh3d\n", ".msh", "a Netgen mesh");
    starts("% SU2\nNDIME= 2\n", ".su2", "an SU2 mesh");
    starts("# vtk DataFile Version 3.0\n", ".vtk", "a VTK file");
    starts("<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\">\n", ".vtu", "a VTK file");
    starts("<Xdmf Version=\"3.0\">\n", ".xdmf", "an XDMF file");
    starts("/*---*\\\nFoamFile\n{\n", "", "an OpenFOAM file");
    starts("MFEM mesh v1.0\n", ".mesh", "an MFEM mesh");
    starts("\nMeshVersionFormatted 2\n", ".mesh", "a Medit mesh");
    starts("\x89HDF\r\n", ".med", "an HDF5 file");
    starts("$NOD\n1\n", ".msh",
           "a Gmsh mesh of format 1; solenoid reads Gmsh meshes (.msh); save it again");
    starts("lc = 0.1;\n", ".geo",
           "a Gmsh geometry; solenoid reads Gmsh meshes (.msh); mesh it: gmsh -3 ");
}

}  // namespace
}  // namespace solenoid::test::gmsh_errors_test
