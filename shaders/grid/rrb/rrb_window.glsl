// Entries of one array as those of another, within a window of it; zero outside.
// array of a level -> array of a level
KERNEL(rrb_window)
    UNIFORM(uint, pitch)
    UNIFORM(uint, source_stride)
    UNIFORM(uint, start)  // of the source's entry for entry 0
    UNIFORM(uint, first_column)
    UNIFORM(uint, end_column)
    UNIFORM(uint, first_row)
    UNIFORM(uint, end_row)
    TABLE(real, source)
VALUE(real, i)
{
    uint column = i % pitch;
    uint row = i / pitch;
    if (column < first_column || column >= end_column || row < first_row || row >= end_row)
        return real(0);
    return source(column + row * source_stride + start);
}
