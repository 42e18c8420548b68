#include "analysis/profile/instruction_costs.h"

#include <array>

namespace msci {
namespace {

struct Cost {
  double throughput = 1;
  double latency = 2.2;
};

// P. Turner's metal-benchmarks (docs/concepts/prediction.md). In the order of WorkKind.
constexpr std::array<Cost, work_kinds> costs{{
    {1, 2.2},      // float_add
    {1, 2.2},      // half_add
    {1, 4.7},      // compare_select
    {1, 2.2},      // integer
    {4, 3.7},      // convert
    {4, 4.0},      // multiply
    {8, 9.8},      // multiply_high
    {4.7, 6.0},    // add_long
    {16, 20},      // multiply_long
    {4, 4.0},      // shift_left
    {8, 8.0},      // shift_right
    {4, 4.0},      // bits
    {50, 60},      // divide_integer
    {4, 4.3},      // exponential
    {6, 6.5},      // reciprocal
    {8, 9},        // root
    {14.3, 15},    // trigonometry
    {30, 35},      // precise_divide
    {2, 3.7},      // shuffle
    {30, 32},      // shuffle_variable
    {14.5, 27.6},  // reduce
    {12, 23},      // prefix
    {18, 18},      // matrix; its latency is not published
    {2, 4},        // branch
    {2, 4},        // loop
    {1, 2.2},      // device_load
    {1, 2.2},      // device_store
    {1, 2.2},      // constant_load
    {1, 2.2},      // threadgroup_load
    {1, 2.2},      // threadgroup_store
    {1, 2.2},      // private_access
    {1, 2.2},      // atomic
    {1, 2.2},      // barrier
}};

// One simdgroup alone waits three times as long as the table's latency, which several simdgroups
// share: 6.6 cycles for a dependent addition.
constexpr double alone = 3;

}  // namespace

double throughput_of(WorkKind work) { return costs[static_cast<std::size_t>(work)].throughput; }
double latency_of(WorkKind work) { return alone * costs[static_cast<std::size_t>(work)].latency; }

}  // namespace msci
