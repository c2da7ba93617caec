// The sum of a node's row of a five-point matrix.   array -> array
KERNEL(rrb_row_sum)
    UNIFORM(uint, pitch)
    TABLE(real, a, 3)  // d, e, n
VALUE(real, k)
{
    precise real sum = a(k, 0u) + (a(k, 1u) + a(k - 1u, 1u));
    sum += a(k, 2u) + a(k - pitch, 2u);
    return sum;
}
