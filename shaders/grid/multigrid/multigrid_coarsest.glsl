// The product of a dense inverse with a field at the listed entries.   list of entries
KERNEL(multigrid_coarsest)
    UNIFORM(uint, size)
    TABLE(real, inverse)
    TABLE(uint, entry)
    TABLE(real, b)
VALUE(real, i)
{
    precise real sum = real(0);
    for (uint j = 0u; j < size; ++j) sum += inverse(j * size + i) * b(entry(j));
    return sum;
}
