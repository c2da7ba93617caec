// Adds to what a face carries in a step what it conducts in a time s along its normal: - s k (u_b -
// u_a). cells, faces -> faces
KERNEL(conducted_flux)
    UNIFORM(real, s)
    IN(uint, cell, 2)
    IN(real, conduction)
    GATHER(real, u, cells, halo)
    INOUT(real, carried)
UPDATE(f)
{
    precise real sum = carried(f) - (s * conduction(f)) * (u(cell(f, 1u)) - u(cell(f, 0u)));
    carried_new = sum;
}
