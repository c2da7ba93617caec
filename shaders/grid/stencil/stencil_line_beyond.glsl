// Values beyond both ends of a part of each line, by those at the ends of all its parts.
// list of lines, twice
KERNEL(stencil_line_beyond)
    UNIFORM(uint, lines)
    UNIFORM(uint, count)  // ends of a line
    TABLE(real, weight)
    TABLE(real, ends)
VALUE(real, i)
{
    uint side = i / lines;
    uint line = i % lines;
    precise real sum = real(0);
    for (uint n = 0u; n < count; ++n)
        sum += weight((side * count + n) * lines + line) * ends(n * lines + line);
    return sum;
}
