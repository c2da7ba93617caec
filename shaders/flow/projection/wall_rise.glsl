// By how much a pressure lies higher at nodes of curved walls than before them, for a list of
// nodes: sum over the walls' faces at the node of weight * G.   faces -> list
KERNEL(wall_rise)
    ROWS(faces)
    IN(uint, face, faces)
    IN(real, weight, faces)
    GATHER(real, gradient, faces, halo)
VALUE(real, k)
{
    precise real sum = real(0);
    for (uint j = 0u; j < faces_count(k); ++j) sum += weight(k, j) * gradient(face(k, j));
    return sum;
}
