precise real sum = real(0);
for (uint d = 0u; d < diagonals; ++d) {
    uint c = i + shift(d);
    if (i >= wrap(d)) c -= length;
    if (c < held) sum += a(d * rows + i) * x(c);
}
