// Numbers a stride apart.   numbers -> numbers
KERNEL(strided_copy)
    UNIFORM(uint, stride)
    TABLE(real, from)
VALUE(real, k)
{
    return from(k * stride);
}
