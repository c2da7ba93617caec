// Largest rate of throughput of a cell: half the sum of its faces' |U_f| over its volume [1/s].
KERNEL(courant_number)
    IN(uint, face, FACES_PER_CELL)  // oriented
    IN(real, volume)
    GATHER(real, flux, faces, closure)
    REDUCE(max, rate)
UPDATE(c)
{
    real sum = real(0);
    for (uint j = 0u; j < FACES_PER_CELL; ++j) sum += abs(flux(entity_of(face(c, j))));
    rate = sum / (real(2) * volume(c));
}
