// z, other: of the r1- and the r2-node of entry k, z = x / d - L^T z of the r2-nodes.
precise TYPE z = r1(k, 0u) * x1(k);
z -= r1(k, 1u) * next(k - pitch - 1u);
z -= r1(k, 2u) * next(k - pitch);
z -= r1(k, 3u) * next(k - 1u);
z -= r1(k, 4u) * next(k);
precise TYPE other = next(k);
