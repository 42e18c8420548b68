#include <clang/AST/Decl.h>

#include <algorithm>
#include <bit>

#include "lint/proofs/suggested_proofs.h"

namespace msci {
namespace {

// So long that no proof depends on it.
constexpr std::size_t long_buffer = std::size_t{1} << 40;
constexpr unsigned simdgroup = 32;

const clang::ParmVarDecl* find_parameter(const Kernel& kernel, const std::string& name) {
  for (const auto* parameter : kernel.declaration->parameters())
    if (parameter->getName() == name) return parameter;
  return nullptr;
}

// Of the parameter with that number; of strides, of the number with that number.
std::uint64_t number_of(BoundNumbers numbers, std::size_t parameter, std::size_t parameters,
                        const Extent& grid) {
  constexpr std::uint64_t large = 4099;  // no multiple of anything that a kernel names
  constexpr std::uint64_t step = 1031;
  constexpr std::uint64_t first_stride = 64, times = 16, most = std::uint64_t{1} << 30;
  if (numbers == BoundNumbers::strides) {
    auto stride = first_stride;
    for (std::size_t i = 0; i < parameter && stride < most; ++i) stride *= times;
    return stride;
  }
  if (numbers == BoundNumbers::rising) return large + step * parameter;
  if (numbers == BoundNumbers::falling) return large + step * (parameters - parameter);
  return std::max({grid.x, grid.y, grid.z});
}

class Suggester {
 public:
  Suggester(const KernelShape& shape, const KernelSignature& signature)
      : shape_(shape), signature_(signature) {}

  std::vector<SuggestedThreadgroup> run(LaunchPurpose purpose) {
    if (purpose == LaunchPurpose::proving) suggest_hints();
    if (has_sides(2))
      suggest_boxes();
    else if (has_sides(1))
      suggest_rectangles();
    else
      suggest_rows();
    return std::move(found_);
  }

 private:
  bool has_table() const {
    return std::any_of(shape_.arrays.begin(), shape_.arrays.end(),
                       [](const auto& sides) { return sides.size() > 1; });
  }

  // What looks at the grid only, and shares no table, may as well have threadgroups of one row.
  bool has_sides(unsigned dimension) const {
    return shape_.threads[dimension] && (shape_.in_threadgroup[dimension] || has_table());
  }

  // Of a threadgroup array's side, and of one with a column more or a halo.
  static std::vector<unsigned> sides_near(unsigned side) {
    std::vector<unsigned> near{side};
    for (const unsigned less : {1U, 2U, 4U})
      if (side > less && std::has_single_bit(side - less) && side - less >= 4)
        near.push_back(side - less);
    return near;
  }

  std::vector<unsigned> named_sides() const {
    std::vector<unsigned> sides;
    for (const auto& array : shape_.arrays)
      for (const auto side : array)
        for (const auto near : sides_near(side)) sides.push_back(near);
    sides.insert(sides.end(), shape_.constants.begin(), shape_.constants.end());
    std::sort(sides.rbegin(), sides.rend());
    // The first element of a threadgroup of one thread says nothing about sharing.
    std::erase_if(sides, [](unsigned side) { return side < 4; });
    sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
    std::stable_partition(sides.begin(), sides.end(),
                          [](unsigned side) { return std::has_single_bit(side); });
    return sides;
  }

  void suggest_rows() {
    if (shape_.is_for_one_simdgroup()) return add({simdgroup}, true);
    if (const auto limit = signature_.thread_limit; limit && *limit >= 4) add({*limit}, true);
    const auto least = shape_.has_several_simdgroups ? 2 * simdgroup : simdgroup;
    for (const auto side : named_sides())
      if (side >= least) add({side}, true);
    for (const unsigned threads : {256U, 64U, simdgroup})
      if (threads >= least) add({threads}, false);
  }

  // Shapes that the source hints at.
  void suggest_hints() {
    if (has_sides(1) || has_sides(2)) suggest_simdgroups();
    // What hands over its position as a whole may look at one dimension only.
    if (const auto limit = signature_.thread_limit;
        shape_.is_vague && !has_table() && limit && *limit >= 4)
      add({*limit}, true);
  }

  // What numbers lanes and simdgroups, and looks at several dimensions, may have a simdgroup in
  // each row.
  void suggest_simdgroups() {
    if (!shape_.has_lanes || !shape_.has_several_simdgroups) return;
    if (const auto limit = signature_.thread_limit; limit && *limit % simdgroup == 0)
      return add({simdgroup, *limit / simdgroup}, true);
    for (const unsigned rows : {8U, 4U, 2U}) add({simdgroup, rows}, false);
  }

  void suggest_rectangles() {
    for (const auto& array : shape_.arrays)
      if (array.size() > 1)
        for (const auto rows : sides_near(array[array.size() - 2]))
          for (const auto columns : sides_near(array.back()))
            if (std::has_single_bit(rows) && std::has_single_bit(columns))
              add({columns, rows}, true);
    for (const auto side : named_sides()) add({side, side}, true);
    for (const unsigned side : {16U, 8U}) add({side, side}, false);
  }

  void suggest_boxes() {
    for (const auto side : named_sides()) add({side, side, side}, true);
    add({8, 8, 4}, false);
    add({4, 4, 4}, false);
  }

  void add(const Extent& threads, bool is_named) {
    const bool is_known =
        std::any_of(found_.begin(), found_.end(),
                    [&](const SuggestedThreadgroup& each) { return each.threads == threads; });
    if (!is_known && threads.count() <= signature_.cap()) found_.push_back({threads, is_named});
  }

  const KernelShape& shape_;
  const KernelSignature& signature_;
  std::vector<SuggestedThreadgroup> found_;
};

}  // namespace

std::vector<SuggestedThreadgroup> suggest_threadgroups(const KernelShape& shape,
                                                       const KernelSignature& signature,
                                                       LaunchPurpose purpose) {
  return Suggester(shape, signature).run(purpose);
}

prover::LaunchFacts facts_of(const Extent& threadgroup, const LaunchSetting& setting,
                             const Kernel& kernel, const KernelShape& shape,
                             const KernelSignature& signature, const Unit& unit) {
  const auto side = [&](unsigned threads, unsigned d) {
    return threads * (shape.groups[d] ? setting.groups[d] : 1);
  };
  prover::LaunchFacts facts{
      .kernel = signature.name,
      .grid = {side(threadgroup.x, 0), side(threadgroup.y, 1), side(threadgroup.z, 2)},
      .threadgroup = threadgroup,
      .launches = 1};
  const auto count = signature.arguments.size();
  std::size_t strides = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& argument = signature.arguments[i];
    prover::BoundMemory memory{.bytes = long_buffer, .memory = i, .unit = 16};
    if (argument.kind == ArgumentKind::threadgroup) memory.bytes = threadgroup_memory_limit;
    const auto* parameter = find_parameter(kernel, argument.name);
    if (setting.numbers != BoundNumbers::any && parameter && argument.constant &&
        parameter->getType()->isReferenceType()) {
      const auto next = [&] {
        const auto at = setting.numbers == BoundNumbers::strides ? strides++ : i;
        return number_of(setting.numbers, at, count, facts.grid);
      };
      auto bytes = bytes_with(next, parameter->getType().getNonReferenceType(), unit.ast());
      if (!bytes.empty()) {
        memory.bytes = bytes.size();
        memory.contents = {std::move(bytes)};
      }
    }
    facts.arguments.push_back(std::move(memory));
  }
  return facts;
}

}  // namespace msci
