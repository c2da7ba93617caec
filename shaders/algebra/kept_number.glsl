// A sum that the device has kept, as a scalar.
KERNEL(kept_number)
    UNIFORM(real, number)
VALUE(real, i)
{
    return number;
}
