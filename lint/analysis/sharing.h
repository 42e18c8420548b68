// What threads of one threadgroup do to each other's memory.
#pragma once

#include <optional>
#include <vector>

#include "lint/analysis/bounds.h"
#include "lint/analysis/indices/index_form.h"

namespace msci {

// One mention of an element of memory that other threads see.
struct SharedAccess {
  // The array, the kernel's pointer argument, or a local pointer that always points to one place.
  const clang::VarDecl* memory = nullptr;
  const clang::Expr* place = nullptr;  // the element as written, or the call that leads to it
  const clang::Stmt* when = nullptr;   // the read or the assignment
  bool writes = false;
  const clang::ValueDecl* field = nullptr;  // of a record that is the element; null: all of it
  std::vector<IndexForm> indices;  // by dimension, outermost first; none for a plain variable
  bool atomic = false;             // atomic changes of one element do not get in each other's way
  Threads within;                  // what the conditions of a called function say of the threads
};

struct SharedAccesses {
  std::vector<SharedAccess> all;  // in order of the source; an update is a read and a write
  // Memory of which more is done than can be seen: passed on, pointed into, changed atomically.
  std::set<const clang::VarDecl*> escaped;
};

// All accesses to memory of one space.
SharedAccesses accesses_in(const ThreadFlow& flow, Space space);

// Whether two accesses of the same memory surely meet at one element in different threads of a
// threadgroup.
bool collide(const SharedAccess& first, const SharedAccess& second, const ThreadFlow& flow);

// What the conditions around an access say of the threads that get there.
Threads threads_of(const SharedAccess& access, const ThreadFlow& flow);

// Whether only one thread of a threadgroup is left: below `if (thread == 0)`.
bool is_single_thread(const Threads& threads);

// Two accesses that collide, the second after the first with nothing between that orders them.
struct Collision {
  const SharedAccess* first = nullptr;
  const SharedAccess* second = nullptr;
};

// The first collision for each memory and each order (write then read, read then write).
// `fences` are the calls that order.
std::vector<Collision> collisions(const SharedAccesses& accesses, const ThreadFlow& flow,
                                  const std::set<const clang::Stmt*>& fences);

// A plain store that many threads surely make to one element, without an order among them.
struct StoreOfMany {
  const SharedAccess* access = nullptr;
  bool changes = false;                 // it depends on what was there: changes get lost
  const SharedAccess* other = nullptr;  // the store by which the element is another thread's own
};

// In order of the source. For kernels: the parameters of other functions may differ among threads.
std::vector<StoreOfMany> stores_of_many(const SharedAccesses& accesses, const ThreadFlow& flow);

// Two accesses to one buffer that surely meet in neighbours of the grid, a write and a read, where
// the second may follow the first. Nothing orders the threads of different threadgroups.
// `crossing` wants those that a barrier separates on every way, else those that none need separate.
std::optional<Collision> grid_collision(const SharedAccesses& accesses, const ThreadFlow& flow,
                                        bool crossing);

// A write to an element of the thread's own threadgroup, `y[g]`, and a read that may follow it of
// the element of another one: `y[g - 1]`, `y[1]`, or `y[k]` for all k. Nothing where the kernel has
// atomic operations, which may decide which threadgroup reads.
std::optional<Collision> group_collision(const SharedAccesses& accesses, const ThreadFlow& flow);

}  // namespace msci
