// y = x on free rows, 0 on fixed ones.
KERNEL(free_part)
    IN(real, free)
    IN(real, x)
VALUE(real, i)
{
    return free(i) * x(i);
}
