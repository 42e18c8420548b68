// A large picture kept as pages: a page table says which texture has each tile, and at which mip
// level. All of it lies in one argument buffer, with an array of textures.
#include <metal_stdlib>
using namespace metal;

constant uint page_count = 3;
constant uint tile = 8;  // texels of the picture

struct Tile {
  ushort page;
  ushort level;
};

struct Atlas {
  array<texture2d<float, access::read>, page_count> pages [[id(0)]];
  device const Tile* tiles [[id(3)]];
  texture2d<float, access::write> picture [[id(4)]];
};

kernel void assemble(constant Atlas& atlas [[buffer(0)]], uint2 at [[thread_position_in_grid]]) {
  const uint2 size = uint2(atlas.picture.get_width(), atlas.picture.get_height());
  if (any(at >= size)) return;
  const uint2 place = at / tile;
  const uint tiles_per_row = (size.x + tile - 1) / tile;
  const Tile wanted = atlas.tiles[place.y * tiles_per_row + place.x];
  const texture2d<float, access::read> page = atlas.pages[wanted.page];
  const uint level = min(uint(wanted.level), page.get_num_mip_levels() - 1);
  atlas.picture.write(page.read((at % tile) >> level, level), at);
}
