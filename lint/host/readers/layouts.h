// How Swift, Rust and Python's ctypes lay out the values that they hand to kernels.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/host/host.h"
#include "lint/host/readers/host_calls.h"

namespace msci::host {

struct Layout {
  std::size_t bytes = 0;  // with padding at the end, as in an array
  std::size_t alignment = 1;
  std::string type;                 // of a scalar or vector, as C++ spells it: "float"; else ""
  std::vector<HostMember> members;  // of a struct
};

class Layouts {
 public:
  // Reads the structs of a file: Swift's, Rust's with #[repr(C)], ctypes.Structure. Those with a
  // member whose layout is not known are left out.
  Layouts(const Calls& calls, HostLanguage language);

  // Of the type that a range spells: "SIMD3<Float>", "[f32; 3]", "ctypes.c_float * 3", "Params".
  std::optional<Layout> of(WordRange type) const;
  // Of a list of Rust whose first number states the type: "[64u32, 64, 1]".
  std::optional<Layout> of_list(WordRange value) const;

 private:
  void read_structs();
  void read_ctypes();
  // Adds the struct if all of its members are known.
  struct Member {
    std::string_view name;
    WordRange type;
  };
  void add(std::string_view name, const std::vector<Member>& members);
  std::vector<Member> members_of(WordRange body) const;
  bool is_repr_c(std::size_t struct_word) const;
  std::optional<Layout> vector_of(WordRange type) const;
  std::optional<Layout> array_of(WordRange element, WordRange count) const;
  std::optional<Layout> scalar_named(std::string_view name) const;

  const Calls& calls_;
  const std::vector<Word>& words_;
  HostLanguage language_;
  std::map<std::string_view, std::optional<Layout>> structs_;  // nothing: two of one name
};

}  // namespace msci::host
