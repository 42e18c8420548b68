// A hash table with chains: one launch links the nodes of each bucket, the next one follows them.
#include <metal_stdlib>
using namespace metal;

struct Node {
  device Node* next;
  uint key;
  uint value;
};

struct Buckets {
  device Node* pool;
  device Node* device* heads;
  uint nodes;
  uint buckets;
};

static uint bucket_of(uint key, uint buckets) { return (key * 2654435761u >> 16) % buckets; }

// One thread for each bucket, so that no two threads link one chain. The last node comes first.
kernel void link(constant Buckets& table [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i >= table.buckets) return;
  device Node* head = nullptr;
  for (uint n = 0; n < table.nodes; ++n) {
    device Node* node = table.pool + n;
    if (bucket_of(node->key, table.buckets) != i) continue;
    node->next = head;
    head = node;
  }
  table.heads[i] = head;
}

kernel void look_up(constant Buckets& table [[buffer(0)]],
                    device const uint* keys [[buffer(1)]],
                    device uint* values [[buffer(2)]],
                    constant uint& count [[buffer(3)]],
                    uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  device const Node* node = table.heads[bucket_of(keys[i], table.buckets)];
  while (node && node->key != keys[i]) node = node->next;
  values[i] = node ? node->value : ~0u;
}
