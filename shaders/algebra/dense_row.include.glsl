precise real sum = real(0);
for (uint j = 0u; j < columns; ++j) sum += a(j * rows + i) * x(j);
