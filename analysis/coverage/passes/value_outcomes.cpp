#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/coverage/passes/cover_outcomes.h"
#include "analysis/coverage/passes/launch_values.h"
#include "compiler/ir/lane_functions.h"

namespace msci {
namespace {

using llvm::Instruction;
using llvm::Value;

// Values that are computed for all rows of the tables: some milliseconds.
constexpr std::size_t most_values = 1 << 22;
constexpr std::size_t most_judged = 2048, most_allowed = 1 << 15;
constexpr std::size_t most_of_values = 4, most_made = 8, most_large = 4;  // that are made
// Sizes whose launches must have another value than the usual one: of one, the result may be right
// by chance, or what is wrong too small beside huge inputs.
constexpr std::size_t enough_sizes = KernelRecord::enough_runs;
// Of a size for a number that has few values, but no usual one.
constexpr double volume_of_few = 1 << 14;

constexpr double steps_of_large = 4;  // at most

// A number that most judged launches share, or that has few values, says when another one comes.
constexpr double share_of_most = 0.75;
constexpr std::size_t few_values = 64;

// A marked instruction.
struct MarkedNumber {
  const Instruction* instruction;
  ValueMark mark;
  CertifiedOutcome place;
};

// What an expression of the launch is made of.
struct Parts {
  bool mixes = false;        // as hashes do: it multiplies by odd numbers, or combines bits
  bool has_threads = false;  // a position, or a value of the simdgroup
  bool is_loaded = false;    // from a table
  bool is_of_loop = false;   // what a loop has come to, before the number is made of it
  bool has_reals = false;
  bool exchanges = false;  // lanes give each other numbers
  bool has_hash = false;   // a part of it mixes, and does not depend on threads
};

bool mixes_bits(const Instruction& instruction) {
  const auto opcode = instruction.getOpcode();
  if (opcode == Instruction::Xor || opcode == Instruction::URem) return true;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
    switch (call->getIntrinsicID()) {
      case llvm::Intrinsic::ctpop:
      case llvm::Intrinsic::fshl:
      case llvm::Intrinsic::bitreverse:
        return true;
      default:
        return false;
    }
  constexpr unsigned few_bits = 4;
  const auto* factor = opcode == Instruction::Mul
                           ? llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1))
                           : nullptr;
  return factor && factor->getValue().popcount() >= few_bits &&
         factor->getValue().abs().popcount() >= few_bits;
}

template <typename Each>
void for_parts(const Instruction& whole, Each visit) {
  std::set<const Instruction*> known;
  std::vector<const Instruction*> open{&whole};
  while (!open.empty()) {
    const auto* each = open.back();
    open.pop_back();
    if (!known.insert(each).second) continue;
    visit(*each);
    for (const Value* operand : each->operands())
      if (const auto* next = llvm::dyn_cast<Instruction>(operand)) open.push_back(next);
  }
}

bool depends_on_threads(const Instruction& whole) {
  bool depends = false;
  for_parts(whole, [&](const Instruction& each) { depends = depends || asks_for_threads(each); });
  return depends;
}

Parts parts_of(const Instruction& whole, const llvm::LoopInfo& loops) {
  Parts parts;
  for_parts(whole, [&](const Instruction& each) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(&each);
    const auto* loop = loops.getLoopFor(each.getParent());
    const bool mixes = mixes_bits(each);
    parts.mixes |= mixes;
    parts.has_threads |= asks_for_threads(each);
    parts.is_loaded |= load && table_of(*load);
    parts.is_of_loop |= loop && !loop->contains(&whole);
    parts.has_reals |= each.getType()->isFPOrFPVectorTy();
    parts.exchanges |= exchanges_values(each);
    parts.has_hash = parts.has_hash || (mixes && !depends_on_threads(each));
  });
  return parts;
}

// Whether it chooses between its operands, as conditions do, which have outcomes.
bool chooses(const Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (llvm::isa<llvm::SelectInst, llvm::PHINode>(instruction)) return true;
  if (!call) return false;
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smax:
      return true;
    default:
      return false;
  }
}

// Whether threads keep it in memory, where it is data for those who read it.
bool is_kept(const Instruction& number) {
  return llvm::any_of(number.users(), [&](const llvm::User* user) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user))
      return store->getValueOperand() == &number;
    const auto* atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(user);
    return atomic && atomic->getValOperand() == &number;
  });
}

double number_of(std::uint64_t bits, bool is_real) {
  return is_real ? real_of(bits) : static_cast<double>(bits);
}

// The values that judged launches have of a number. `sizes`: those of the launches.
class SeenValues {
 public:
  SeenValues(const LaunchValues::Column& column, const std::vector<SizeValues>& sizes, bool is_real)
      : is_real_(is_real) {
    std::map<std::uint64_t, std::size_t> counts;
    for (const auto bits : column) ++counts[bits];
    std::size_t most = 0;
    std::uint64_t usual = 0;
    for (const auto& [bits, count] : counts) {
      const auto value = number_of(bits, is_real);
      if (std::isnan(value)) continue;
      least_ = values_.empty() ? value : std::min(least_, value);
      greatest_ = values_.empty() ? value : std::max(greatest_, value);
      values_.insert(bits);
      if (count <= most) continue;
      usual = bits;
      most = count;
    }
    usual_ = number_of(usual, is_real);
    is_usual_ = static_cast<double>(most) >= share_of_most * static_cast<double>(column.size());
    std::set<SizeValues> others;
    for (std::size_t row = 0; row < column.size(); ++row)
      if (column[row] != usual) others.insert(sizes[row]);
    others_ = others.size();
    if (has_usual() && others_ < enough_sizes) least_ = greatest_ = usual_;
  }

  bool is_constant() const { return values_.size() == 1; }
  bool has_usual() const { return is_usual_; }
  bool has_few() const { return values_.size() <= few_values; }
  double greatest() const { return greatest_; }
  double least() const { return least_; }
  bool contains(std::uint64_t bits) const { return values_.contains(bits); }
  // Whether it was seen, but not often enough.
  bool is_rare(std::uint64_t bits) const {
    return others_ < enough_sizes && has_usual() && contains(bits) &&
           number_of(bits, is_real_) != usual_;
  }
  // How many further sizes should have other values than the usual one.
  std::size_t missing_sizes() const { return others_ < enough_sizes ? enough_sizes - others_ : 1; }

  // How far a value is from those that were seen often enough; 0 if it makes no difference.
  double distance_of(std::uint64_t bits) const {
    const auto value = number_of(bits, is_real_);
    if (contains(bits) && !is_rare(bits)) return 0;
    if (!std::isfinite(value)) return is_real_ && std::isfinite(usual_) ? 1e300 : 0;
    if (!std::isfinite(usual_)) return 1 / (1 + std::abs(value));
    if (!is_real_) return std::abs(value - usual_);
    constexpr double relative = 1e-6;
    const auto width = greatest_ - least_;
    const auto beyond = std::max({least_ - width - value, value - greatest_ - width, 0.0});
    return beyond > relative * std::max(std::abs(usual_), std::abs(value)) ? beyond : 0;
  }

 private:
  bool is_real_;
  bool is_usual_ = false;
  double usual_ = 0, least_ = 0, greatest_ = 0;
  std::set<std::uint64_t> values_;
  std::size_t others_ = 0;  // sizes with another value than the usual one
};

class ValueFinder {
 public:
  ValueFinder(llvm::Function& kernel, const KernelSignature& signature,
              const LaunchNumbers& numbers, const AllowedSizes& sizes, const KernelRecord& record,
              const std::vector<CertifiedOutcome>& outcomes)
      : kernel_(kernel),
        signature_(signature),
        launches_(numbers.launches_of(signature.symbol)),
        facts_(numbers.facts_of(signature.symbol)),
        sizes_(sizes),
        record_(record),
        outcomes_(outcomes),
        flow_(kernel) {}

  ValueOutcomes find() {
    collect();
    const auto calls = calls_.size() + scarce_.size();
    if (numbers_.empty() && calls == 0) return std::move(found_);
    const auto values = numbers_.size() + calls;
    const auto rows = [&](std::size_t most) { return std::min(most, most_values / values + 1); };
    seed_ = seed_of(launches_);
    const auto judged = judged_launches(launches_, sizes_, own_numbers_, seed_, rows(most_judged));
    if (judged.rows == 0) return std::move(found_);
    for (std::size_t i = 0; i < launches_.begin()->second.size(); ++i)
      judged_sizes_.insert(size_of(launches_, i));
    for (std::size_t row = 0; row < judged.rows; ++row)
      seen_sizes_.push_back(size_of(judged.numbers, row));
    LaunchValues seen(kernel_, flow_, signature_, judged);
    std::vector<const MarkedNumber*> open;
    for (const auto& number : numbers_)
      if (may_differ(number, seen)) open.push_back(&number);
    // Numbers with a usual value first: few sizes are made, and a hash would use them all.
    std::ranges::stable_partition(open, [&](const MarkedNumber* number) {
      const auto* column = seen.of(*number->instruction);
      return column && SeenValues(*column, seen_sizes_, is_real(*number)).has_usual();
    });
    if (open.empty() && calls == 0) return std::move(found_);
    tried_ = sampled_sizes(sizes_, own_numbers_, seed_, rows(most_allowed));
    const auto allowed = launches_of_sizes(tried_, facts_, own_numbers_, seed_);
    LaunchValues others(kernel_, flow_, signature_, allowed);
    for (const auto* number : open) compare(*number, seen, others);
    for (const auto* call : calls_) look_for(*call, others);
    want_large_sizes(others);
    return std::move(found_);
  }

 private:
  void collect() {
    for (const auto& instruction : llvm::instructions(kernel_)) {
      for (const auto mark :
           {ValueMark::number, ValueMark::place, ValueMark::greatest, ValueMark::least})
        if (auto place = marked(instruction, mark); place && is_of_interest(instruction, mark)) {
          add_own_numbers(*place);
          numbers_.push_back({&instruction, mark, *std::move(place)});
        }
      if (auto place = marked(instruction, ValueMark::bits)) add_never(*std::move(place));
      const auto* call = outcome_call(instruction);
      if (!call) continue;
      const auto& outcome = outcomes_.at(outcome_number(*call));
      if (has_own_number(outcome)) conditions_.insert(call->getArgOperand(1));
      const bool is_open = is_decisive(outcome) && !outcome.of_data;
      if (!is_open && !is_scarce(*call)) continue;
      (is_open ? calls_ : scarce_).push_back(call);
      add_own_numbers(outcome);
    }
    std::ranges::sort(own_numbers_);
    const auto rest = std::ranges::unique(own_numbers_);
    own_numbers_.erase(rest.begin(), rest.end());
    constexpr std::size_t most_numbers = 256;
    if (own_numbers_.size() > most_numbers) own_numbers_.resize(most_numbers);
  }

  // Whether runs have seen an outcome of the launch with a number of the kernel's own, but so few
  // elements in all that the results may be right by chance.
  bool is_scarce(const llvm::CallInst& call) const {
    const auto number = outcome_number(call);
    const auto& outcome = outcomes_.at(number);
    return outcome.status == CertifiedOutcome::Status::seen && has_own_number(outcome) &&
           !outcome.of_data &&
           record_.seen_of(number).elements < static_cast<double>(sizes_.most_volume);
  }

  // Right kernels have indices that are products and sums of sizes.
  bool is_of_interest(const Instruction& instruction, ValueMark mark) const {
    if (mark != ValueMark::place) return true;
    const auto parts = parts_of(instruction, flow_.loops);
    return parts.mixes || parts.has_reals;
  }

  // Of 100 * n - 70100, also 701, where it is 0.
  void add_own_numbers(const CertifiedOutcome& outcome) {
    constexpr std::size_t few = 4;
    const auto& constants = outcome.constants;
    for (const auto constant : constants) add_own_number(constant);
    if (constants.size() > few) return;
    for (const auto factor : constants)
      for (const auto summand : constants)
        if (factor != 0 && std::abs(factor) != 1) add_own_number(summand / factor);
  }

  void add_own_number(double number) {
    const auto size = std::abs(number);
    if (size > 1 && size < launch_number_limit)
      own_numbers_.push_back(static_cast<std::uint32_t>(std::lround(size)));
  }

  void add_never(CertifiedOutcome outcome) {
    outcome.of_value = true;
    found_.never.push_back(std::move(outcome));
  }

  static bool is_real(const MarkedNumber& number) {
    return number.instruction->getType()->isFloatingPointTy();
  }

  // Names what cannot be computed or followed, and yet looks like a hash of the launch.
  bool may_differ(const MarkedNumber& number, LaunchValues& seen) {
    if (number.instruction->getType()->isVectorTy()) return false;
    if (is_told_by_outcomes(*number.instruction)) return false;
    const auto* column = seen.of(*number.instruction);
    const bool is_data = number.mark == ValueMark::number && is_kept(*number.instruction);
    if (number.mark != ValueMark::place && (!column || is_data)) {
      const auto parts = parts_of(*number.instruction, flow_.loops);
      const bool is_hidden = parts.has_hash && (is_data || parts.exchanges);
      if (is_hidden || (!parts.has_threads && (parts.mixes || parts.is_of_loop)))
        name_unknown(number);
    }
    if (!column) return false;
    if (number.mark == ValueMark::greatest || number.mark == ValueMark::least) return true;
    const SeenValues values(*column, seen_sizes_, is_real(number));
    const bool of_threads = seen.is_of_threads(*number.instruction);
    return values.has_usual() || (!of_threads && values.has_few());
  }

  // Whether a condition with outcomes chooses between two constants.
  bool is_told_by_outcomes(const Instruction& number) const {
    const auto* select = llvm::dyn_cast<llvm::SelectInst>(&number);
    return select && conditions_.contains(select->getCondition()) &&
           llvm::isa<llvm::Constant>(select->getTrueValue()) &&
           llvm::isa<llvm::Constant>(select->getFalseValue());
  }

  void name_unknown(const MarkedNumber& number) {
    auto outcome = number.place;
    outcome.condition += " is any other number";
    add_never(std::move(outcome));
  }

  void compare(const MarkedNumber& number, LaunchValues& seen, LaunchValues& others) {
    const auto& instruction = *number.instruction;
    const SeenValues values(*seen.of(instruction), seen_sizes_, is_real(number));
    const auto* column = others.of(instruction);
    const bool is_place = number.mark == ValueMark::place;
    if (!column) {
      if (!is_place) name_if_suspicious(number, values);
      return;
    }
    if (number.mark == ValueMark::greatest || number.mark == ValueMark::least)
      return want_extreme(number, values, *column);
    std::set<std::uint64_t> all;
    std::map<std::uint64_t, std::size_t> unseen;  // the first row of each
    std::optional<std::size_t> farthest;
    double most = 0;
    for (std::size_t row = 0; row < column->size(); ++row) {
      const auto bits = (*column)[row];
      if (all.size() <= few_values) all.insert(bits);
      if (is_judged(tried_[row]) && !values.is_rare(bits)) continue;
      const auto distance = values.distance_of(bits);
      if (distance > 0 && unseen.size() < few_values) unseen.emplace(bits, row);
      constexpr double clearly = 1.001;
      if (distance <= most * clearly) continue;
      most = distance;
      farthest = row;
    }
    if (!farthest) {
      if (all.size() == 1 && varies(instruction, others) && !is_place)
        name_if_suspicious(number, values);
      return;
    }
    // Judged runs had more threads than the table: what it lacks, they may have seen.
    if (values.has_usual() && others.is_of_threads(instruction)) return want_size(*farthest);
    if (values.has_usual()) return want((*column)[*farthest], number, values, *column);
    if (is_place || all.size() > few_values || !parts_of(instruction, flow_.loops).mixes) return;
    for (const auto& [bits, row] : unseen)
      if (volume_of(sizes_, tried_[row]) <= volume_of_few) want_size(row);
  }

  // Whether the expression has a part that is not the same in all rows.
  static bool varies(const Instruction& instruction, LaunchValues& values) {
    return llvm::any_of(instruction.operands(), [&](const Value* operand) {
      const auto* column = values.of(*operand);
      return column && std::ranges::adjacent_find(*column, std::not_equal_to<>()) != column->end();
    });
  }

  // Names a number that is the same wherever anyone has looked, though it is made of others.
  void name_if_suspicious(const MarkedNumber& number, const SeenValues& values) {
    if (!values.is_constant() || chooses(*number.instruction)) return;
    const auto parts = parts_of(*number.instruction, flow_.loops);
    const bool is_function = llvm::isa<llvm::CallInst>(number.instruction);
    if (parts.has_threads ? !(is_function && is_real(number)) : !parts.mixes && !is_real(number))
      return;
    name_unknown(number);
  }

  void want_extreme(const MarkedNumber& number, const SeenValues& values,
                    const LaunchValues::Column& column) {
    const bool is_greatest = number.mark == ValueMark::greatest;
    const auto value_in = [&](std::size_t row) {
      const auto value = number_of(column[row], is_real(number));
      return is_greatest ? value : -value;
    };
    std::size_t best = 0;
    for (std::size_t row = 1; row < column.size(); ++row)
      if (value_in(row) > value_in(best)) best = row;
    if (!column.empty() && value_in(best) > (is_greatest ? values.greatest() : -values.least()))
      want_size(best);
  }

  // Asks for the smallest sizes at which the number has this value, if possible for some that were
  // not judged before. If no run has seen the value, the certificate names it.
  void want(std::uint64_t bits, const MarkedNumber& number, const SeenValues& values,
            const LaunchValues::Column& column) {
    std::set<SizeValues> chosen;
    for (const bool repeats : {false, true})
      for (std::size_t row = 0; row < column.size(); ++row)
        if (column[row] == bits && is_judged(tried_[row]) == repeats &&
            (!repeats || values.is_rare(bits)) && chosen.size() < values.missing_sizes() &&
            chosen.insert(tried_[row]).second)
          want_size(row);
    if (values.contains(bits) || number.mark == ValueMark::place) return;
    auto outcome = number.place;
    const auto value = number_of(bits, is_real(number));
    outcome.condition = fmt::format("{} is {:.9g}", outcome.condition, value);
    add_never(std::move(outcome));
  }

  void want_size(std::size_t row) {
    auto& sizes = found_.wanted_sizes;
    if (sizes.size() < most_of_values && std::ranges::find(sizes, tried_[row]) == sizes.end())
      sizes.push_back(tried_[row]);
  }

  // Whether a launch of that size has run: it has not shown what another one may.
  bool is_judged(const SizeValues& size) const { return judged_sizes_.contains(size); }

  // The rows in which a launch sees an outcome.
  std::vector<std::size_t> rows_of(const llvm::CallInst& call, LaunchValues& others) const {
    std::vector<std::size_t> rows;
    const auto* column = others.of(*call.getArgOperand(1));
    if (!column) return rows;
    const auto comes = others.may_come_to(*call.getParent());
    for (std::size_t row = 0; row < comes.size(); ++row)
      if ((*column)[row] && comes[row]) rows.push_back(row);
    return rows;
  }

  // A size that is at least twice as large as those that saw a scarce outcome.
  void want_large_sizes(LaunchValues& others) {
    std::set<std::size_t> chosen;
    for (const auto* call : scarce_) {
      const auto rows = rows_of(*call, others);
      const auto largest =
          std::ranges::max_element(rows, {}, [&](std::size_t row) { return largeness(row); });
      if (largest == rows.end() || volume_of(sizes_, tried_[*largest]) <
                                       2 * record_.seen_of(outcome_number(*call)).largest_volume)
        continue;
      const bool is_shown =
          std::ranges::any_of(rows, [&](std::size_t row) { return chosen.contains(row); });
      if (!is_shown && chosen.size() == most_large) continue;
      if (!is_shown) chosen.insert(*largest);
      found_.found.insert(outcome_number(*call));
    }
    for (const auto row : chosen) found_.wanted_sizes.push_back(tried_[row]);
  }

  // More steps than a few take long, and a field may come to rest.
  std::pair<bool, double> largeness(std::size_t row) const {
    const auto& size = tried_[row];
    const auto volume = volume_of(sizes_, size), elements = elements_of(sizes_, size);
    return {!is_thin(sizes_, size) && elements <= steps_of_large * volume, elements};
  }

  void look_for(const llvm::CallInst& call, LaunchValues& others) {
    const auto rows = rows_of(call, others);
    const auto first =
        std::ranges::find_if(rows, [&](std::size_t row) { return !is_judged(tried_[row]); });
    if (first == rows.end()) return;
    const auto row = *first;
    auto& sizes = found_.wanted_sizes;
    const auto& size = tried_[row];
    const bool is_new = std::ranges::find(sizes, size) == sizes.end();
    if (is_new && sizes.size() == most_made) return;
    if (is_new) sizes.push_back(size);
    found_.found.insert(outcome_number(call));
  }

  llvm::Function& kernel_;
  const KernelSignature& signature_;
  const std::map<LaunchNumber, LaunchNumbers::Numbers> launches_;
  const std::vector<LaunchFact> facts_;
  const AllowedSizes& sizes_;
  const KernelRecord& record_;
  const std::vector<CertifiedOutcome>& outcomes_;
  KernelFlow flow_;
  std::vector<MarkedNumber> numbers_;
  std::vector<const llvm::CallInst*> calls_;   // of outcomes that no run has seen
  std::vector<const llvm::CallInst*> scarce_;  // and of those that only few elements have seen
  std::set<const Value*> conditions_;          // that compare with numbers of the kernel's own
  std::vector<std::uint32_t> own_numbers_;
  std::uint64_t seed_ = 0;
  std::set<SizeValues> judged_sizes_;
  std::vector<SizeValues> seen_sizes_;  // by row of the judged launches
  std::vector<SizeValues> tried_;
  ValueOutcomes found_;
};

}  // namespace

ValueOutcomes find_values(llvm::Function& kernel, const KernelSignature& signature,
                          const LaunchNumbers& numbers, const AllowedSizes& sizes,
                          const KernelRecord& record,
                          const std::vector<CertifiedOutcome>& outcomes) {
  return ValueFinder(kernel, signature, numbers, sizes, record, outcomes).find();
}

}  // namespace msci
