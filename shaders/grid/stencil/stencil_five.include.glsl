// others: the sum over the four neighbours of a_kl u_l.
precise TYPE others = straight(k, 1u) * u(k + east);
others += straight(k + west, 1u) * u(k + west);
others += straight(k, 2u) * u(k + north);
others += straight(k + south, 2u) * u(k + south);
