// others: the sum over the eight neighbours of a_kl u_l.
precise TYPE others = straight(k, 1u) * u(k + east);
others += straight(k + west, 1u) * u(k + west);
others += straight(k, 2u) * u(k + north);
others += straight(k + south, 2u) * u(k + south);
others += diagonal(k, 0u) * u(k + north + east);
others += diagonal(k + south + west, 0u) * u(k + south + west);
others += diagonal(k, 1u) * u(k + north + west);
others += diagonal(k + south + east, 1u) * u(k + south + east);
