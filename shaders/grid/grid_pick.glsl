// Listed entries of a column.   list of entries -> its values
KERNEL(grid_pick)
    IN(uint, from)
    TABLE(real, values)
VALUE(real, i)
{
    return values(from(i));
}
