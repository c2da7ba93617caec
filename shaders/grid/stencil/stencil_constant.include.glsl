// others: the sum over the four neighbours of a_kl u_l.
precise TYPE others = across * (u(k + east) + u(k + west));
others += along * (u(k + north) + u(k + south));
