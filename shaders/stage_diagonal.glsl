// Diagonal of an implicit stage, M s + H, and the inverse diagonal of the whole matrix on free rows.
KERNEL(stage_diagonal)
    UNIFORM(real, s)                    // 1 / (d dt) [1/s]
    IN(real, mass)                      // [J/K]
    IN(real, exchange)                  // H: h A at nodes that exchange heat [W/K]
    IN(real, diagonal)                  // k_ii of the conduction matrix [W/K]
    IN(real, free)
    OUT(real, shift)
    OUT(real, inverse)
UPDATE(i)
{
    precise real d = s * mass(i) + exchange(i);
    precise real whole = d + diagonal(i);
    shift_new = d;
    inverse_new = whole > real(0) ? free(i) / whole : real(0);
}
