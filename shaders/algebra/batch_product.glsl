// Of a batch of rows with `count` entries each (Bolz et al. 2003), whose first is `first_row`: A x,
// in the order of the batches. Entry j of row k lies at first_entry + j * rows + k - first_row.
KERNEL(batch_product)
    UNIFORM(uint, count)
    UNIFORM(uint, rows)
    UNIFORM(uint, first_row)
    UNIFORM(uint, first_entry)
    TABLE(uint, column)
    TABLE(real, entry)
    TABLE(real, x)
VALUE(real, k)
{
    precise real sum = real(0);
    uint e = first_entry + k - first_row;
    for (uint j = 0u; j < count; ++j) {
        sum += entry(e) * x(column(e));
        e += rows;
    }
    return sum;
}
