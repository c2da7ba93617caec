// A vector where a longer one has it: from `first` on.
KERNEL(shifted)
    UNIFORM(uint, first)
    TABLE(real, x)
VALUE(real, i)
{
    return x(i - first);
}
