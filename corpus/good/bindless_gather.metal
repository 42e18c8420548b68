// Rows gathered from many tables, each with a length and a scale of its own; an item of the scene
// says where they lie, so that one launch reads any of them.
#include <metal_stdlib>
using namespace metal;

struct Table {
  constant float* rows [[id(0)]];
  uint count [[id(1)]];
  float scale [[id(2)]];
};

struct Scene {
  constant Table* tables [[id(0)]];
  array<device float*, 2> results [[id(1)]];  // of even and of odd queries
  uint queries [[id(3)]];
};

struct Query {
  uint table;
  uint row;
};

constant uint width = 8;  // of a row

kernel void gather(constant Scene& scene [[buffer(0)]],
                   device const Query* queries [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  if (i >= scene.queries) return;
  const Query query = queries[i];
  constant Table& table = scene.tables[query.table];
  const uint row = min(query.row, table.count - 1);
  device float* result = scene.results[i % 2] + i / 2 * width;
  for (uint column = 0; column < width; ++column)
    result[column] = table.scale * table.rows[row * width + column];
}
