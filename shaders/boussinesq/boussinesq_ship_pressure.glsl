// Adds the pressure of a ship, over density.   array -> array
KERNEL(boussinesq_ship_pressure)
    UNIFORM(uint, first)  // number of the ship in its table
    UNIFORM(uint, pitch)
    UNIFORM(real, dx)
    UNIFORM(real, dy)
    TABLE(real, ship)
    INOUT(real, pressure)  // [m^2/s^2]
UPDATE(k)
{
    INCLUDE(boussinesq_ship, real)
    pressure_new = pressure(k) + s * deep;
}
