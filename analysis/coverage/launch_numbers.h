// What all launches of a task have in common, as far as the judged plans show it: "the grid is as
// wide as the argument NX says".
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci {

// A number of 32 bits that a host chooses for a launch, or the size that it follows from.
struct LaunchNumber {
  enum class Kind { grid, threadgroup, argument, size };
  Kind kind = Kind::grid;
  unsigned index = 0;  // the dimension, the argument's place in KernelSignature::arguments, or the
                       // parameter of the size
  std::size_t byte = 0;  // in the argument's value
  auto operator<=>(const LaunchNumber&) const = default;
};

// No number of threads or elements of a task comes near it.
inline constexpr std::uint32_t launch_number_limit = 1U << 28;

// What holds for a number in all launches of a kernel.
struct LaunchFact {
  LaunchNumber number;
  std::optional<std::uint32_t> constant;  // it is this one
  std::optional<LaunchNumber> same_as;    // or the same as this one, which comes before it
  std::vector<LaunchNumber> product_of;   // or, of a grid, the product of these arguments
  std::vector<LaunchNumber> of_sizes;     // the product of these parameters of the size
  std::optional<LaunchNumber> covers;  // it is the first multiple from this parameter of the size
                                       // on, as a grid of whole threadgroups is
  std::optional<LaunchNumber> below;   // it counts from 0 up to so many times this parameter of
  std::uint32_t times = 1;             // the size
  std::uint32_t multiple = 1;          // it is a multiple of this
  std::uint32_t least = 0;
  std::uint32_t most = 0;
  bool operator==(const LaunchFact&) const = default;
};

// The sizes of a task, as far as draws show them.
struct AllowedSizes {
  struct Parameter {
    std::string name;
    std::uint32_t least = 0;  // that the contract allows
    std::uint32_t most = 0;   // of the draws, and so of a run; larger ones are allowed
    std::uint32_t multiple = 1;
    bool is_power_of_two = false;
    bool counts_steps = false;
    bool is_limited = false;  // larger ones than `most` are not allowed
    bool operator==(const Parameter&) const = default;
  };
  std::vector<Parameter> parameters;
  bool has_dependent = false;     // whether further parameters follow from these
  std::uint64_t most_volume = 0;  // that a run should have: the product without the steps
};

// The product of the sides of a size, and of all its parameters: of the sides and the steps.
double volume_of(const AllowedSizes& sizes, const std::vector<std::uint32_t>& values);
double elements_of(const AllowedSizes& sizes, const std::vector<std::uint32_t>& values);

// Facts of each kernel, by its symbol.
class LaunchNumbers {
 public:
  using Numbers = std::vector<std::uint32_t>;  // by launch

  // The launches of a plan for that translation; `size`: the values of its parameters.
  void add(const Plan& plan, const Translation& translation,
           const std::vector<std::uint32_t>& size = {});
  std::vector<LaunchFact> facts_of(const std::string& symbol) const;
  // The numbers of all launches of a kernel.
  std::map<LaunchNumber, Numbers> launches_of(const std::string& symbol) const;

 private:
  // Numbers that a launch lacks are dropped.
  struct OfKernel {
    std::size_t launches = 0;
    std::map<LaunchNumber, Numbers> values;
  };
  static std::uint32_t divisor_of(const Numbers& values);
  static std::uint32_t counts_to(const Numbers& limits, const Numbers& values);
  static bool covers(const Numbers& values, const Numbers& sides, std::uint32_t multiple);
  static std::vector<LaunchNumber> factors_of(const std::map<LaunchNumber, Numbers>& numbers,
                                              LaunchNumber::Kind kind, const Numbers& products);
  std::map<std::string, OfKernel> kernels_;
};

}  // namespace msci
