// A cell vector from the numbers of faces round it, for a list of cells: sum over the row's faces
// of vector * number.   faces -> list (vector)
KERNEL(fitted_gradient)
    ROWS(faces)
    IN(uint, face, faces)
    IN(vec, vector, faces)
    GATHER(real, number, faces, halo)
VALUE(vec, k)
{
    precise vec sum = vec(0);
    for (uint j = 0u; j < faces_count(k); ++j) sum += number(face(k, j)) * vector(k, j);
    return sum;
}
