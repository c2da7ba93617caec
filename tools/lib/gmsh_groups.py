"""The sides of a Gmsh mesh by boundary group: which nodes, at which positions."""
import pathlib

from program import call, need

SIDE_TYPES = {2: (1, 2), 3: (2, 3)}  # of a mesh of that dimension: Gmsh's number of the element, and its nodes


def read_sides(mesh, dimension, scale, work):
    """{group: [tuple of positions, ...]} in metres. Gmsh itself turns whatever version the file has into 2.2."""
    text_file = pathlib.Path(work) / "sides.msh"
    call([need("gmsh", "gmsh"), mesh, "-0", "-format", "msh22", "-o", text_file], pathlib.Path(work) / "gmsh.log")
    names, nodes, sides, section = {}, {}, {}, None
    kind, count = SIDE_TYPES[dimension]
    with open(text_file) as lines:
        for line in lines:
            if line.startswith("$"):
                section = line.strip()
                continue
            words = line.split()
            if section == "$PhysicalNames" and len(words) > 2:
                if int(words[0]) == dimension - 1:
                    names[int(words[1])] = line.split('"')[1]
            elif section == "$Nodes" and len(words) == 4:
                nodes[int(words[0])] = tuple(scale * float(word) for word in words[1:])
            elif section == "$Elements" and len(words) > 3 and int(words[1]) == kind:
                group = int(words[3])
                sides.setdefault(group, []).append(tuple(nodes[int(word)] for word in words[-count:]))
    return {names.get(group, str(group)): found for group, found in sides.items() if group}
