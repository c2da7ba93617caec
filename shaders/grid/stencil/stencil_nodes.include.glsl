// What a five-point operator reads, of nodes of a quarter: at k + east is the node (i + 1, j).
UNIFORM(uint, east)
UNIFORM(uint, west)
UNIFORM(uint, north)
UNIFORM(uint, south)
IN(TYPE, marker)
IN(TYPE, b)
TABLE(TYPE, u)
