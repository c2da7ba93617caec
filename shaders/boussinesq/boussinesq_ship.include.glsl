// Of the node of entry k under a ship: the place in its axes (along, aside), the hull's shape s and
// pressure, and the pressure's slopes along the axes. A ship's numbers, from `first` on: the column
// and the row of a node next to its middle and the rest of the way there [m]; cosine and sine of
// the heading; 2 / length and 2 / beam; g (draught - heave), g pitch, -g roll.
TYPE east = (TYPE(k % pitch) - ship(first)) * dx - ship(first + 2u);
TYPE north = (TYPE(k / pitch) - ship(first + 1u)) * dy - ship(first + 3u);
TYPE along = ship(first + 4u) * east + ship(first + 5u) * north;
TYPE aside = ship(first + 4u) * north - ship(first + 5u) * east;
TYPE xi = along * ship(first + 6u);
TYPE eta = aside * ship(first + 7u);
bool is_under = xi * xi < TYPE(1) && eta * eta < TYPE(1);
TYPE along_root = TYPE(1) - xi * xi * xi * xi;
TYPE aside_root = TYPE(1) - eta * eta;
TYPE s = is_under ? along_root * along_root * aside_root * aside_root : TYPE(0);
TYPE deep = ship(first + 8u) + along * ship(first + 9u) + aside * ship(first + 10u);
