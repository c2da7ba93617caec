// The fragment shader round a kernel: a field is an array of textures, one layer a column, entity i
// of it at (i mod width, i / width). A float travels as R32F, a uint as R32UI, a double as the two
// words of RG32UI, a bfloat16 as R16UI.

uniform uvec2 launch_range;  // first entity, and one past the last
uniform uvec2 rectangle;     // width and height of the output's texture, or of a reduction's range

ivec3 texel_of(uint i, uint layer, uint width) { return ivec3(i % width, i / width, layer); }

uint fetch(usampler2DArray field, uint width, uint i, uint layer)
{
    return texelFetch(field, texel_of(i, layer, width), 0).r;
}

float fetch_single(sampler2DArray field, uint width, uint i, uint layer)
{
    return texelFetch(field, texel_of(i, layer, width), 0).r;
}

// What is `reduced`: a float where a real is a double, else a bfloat16.
#if REAL_IS_DOUBLE
#define reduced_sampler sampler2DArray
#define fetch_reduced fetch_single
#else
#define reduced_sampler usampler2DArray
float fetch_reduced(usampler2DArray field, uint width, uint i, uint layer)
{
    return uintBitsToFloat(fetch(field, width, i, layer) << 16);
}
#endif

#if REAL_IS_DOUBLE
#define real_sampler usampler2DArray
#define real_texel uvec2
double fetch_real(usampler2DArray field, uint width, uint i, uint layer)
{
    return packDouble2x32(texelFetch(field, texel_of(i, layer, width), 0).rg);
}
uvec2 texel_from(double value) { return unpackDouble2x32(value); }
#else
#define real_sampler sampler2DArray
#define real_texel float
#define fetch_real fetch_single
float texel_from(float value) { return value; }
#endif
