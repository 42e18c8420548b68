// Races: two threads, one of them writing, at one byte.
#include <fmt/format.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <map>

#include "analysis/facts/specialise_kernel.h"
#include "analysis/proofs/kernel_questions.h"

namespace msci::prover {
namespace {

std::string bool_text(bool value) { return value ? "true" : "false"; }

// A float that the lanes of a simdgroup make of theirs: `simd_max(x)`.
bool is_made_of_lanes(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  return call && call->getType()->isFloatingPointTy() && call->getCalledFunction() &&
         call->getCalledFunction()->getName().starts_with("msci.simd.");
}

// Whether one is a constant, from which the other differs for most data.
bool differ_for_most_data(const llvm::Value* a, const llvm::Value* b) {
  if (!a || !b) return false;
  return (llvm::isa<llvm::ConstantFP>(a) && is_made_of_lanes(*b)) ||
         (llvm::isa<llvm::ConstantFP>(b) && is_made_of_lanes(*a));
}

}  // namespace

// Whether the thread's iterations are those of the access. Iterations that count from the start are
// the same for both threads there: the symbol kbN_ is that of loop N.
Truth Questions::same_iterations(Event& event, const Following& access) {
  using Kind = Iteration::Kind;
  Truth all{"true"};
  for (std::size_t i = 0; i < access.iterations.size(); ++i) {
    const auto& [kind, count] = access.iterations[i];
    if (kind != Kind::relative && kind != Kind::absolute && kind != Kind::left) continue;
    auto first = number(count);
    if (kind != Kind::absolute) {
      const auto name = fmt::format("kb{}_", i);
      if (script_.declare_named(name, Sort::integer))
        script_.add_fact(name, fmt::format("(<= 0 {})", name));
      first = Terms(script_).add({name, {0, unbounded}}, first);
    }
    const auto& loop = *code_.all_loops[i];
    const auto iteration = kind == Kind::left ? event.last_iteration(loop) : event.iteration(loop);
    if (!iteration) continue;
    all = all && (count == Iteration::many ? at_most(first, *iteration) : equal(*iteration, first));
  }
  return all;
}

// Whether the thread takes the sides of the access's turns.
Truth Questions::makes_turns(Event& event, const Following& access) {
  Truth all{"true"};
  for (const auto& turn : access.turns) {
    const auto& branch = *llvm::cast<llvm::BranchInst>(turn.from->getTerminator());
    const auto condition = event.truth(*branch.getCondition());
    all = all && (branch.getSuccessor(0) == turn.to ? condition : !condition);
  }
  return all;
}

// Whether the formulas say all that decides about barriers on the way.
bool Questions::is_exact(Event& event, const Following& access) const {
  if (!access.is_exact) return false;
  for (std::size_t i = 0; i < access.iterations.size(); ++i)
    if (access.iterations[i].kind == Iteration::Kind::left &&
        !event.last_iteration(*code_.all_loops[i]))
      return false;
  return true;
}

// Whether the thread may have stored the same value at the same place before: in an iteration
// before, or by another store. Memory then stays as it is, so that this does not count as a race.
bool Questions::may_repeat(Event& event, const AccessCall& access) {
  if (!access.writes || access.atomic || !access.stored) return false;
  const auto stays = [&](const llvm::Value& value, const llvm::Loop& loop) {
    auto& changing = const_cast<llvm::Value&>(value);
    return loop.isLoopInvariant(&changing) ||
           (code_.evolution.isSCEVable(value.getType()) &&
            code_.evolution.isLoopInvariant(code_.evolution.getSCEV(&changing), &loop));
  };
  const auto* block = access.call->getParent();
  for (const auto* loop = code_.loops.getLoopFor(block); loop; loop = loop->getParentLoop())
    if (stays(*access.stored, *loop) && stays(*access.offset, *loop)) return true;
  for (const auto& other : code_.calls.accesses)
    if (other.call != access.call && other.writes && other.stored == access.stored &&
        other.object == access.object &&
        event.term(*other.offset).text == event.term(*access.offset).text &&
        llvm::isPotentiallyReachable(other.call, access.call, nullptr, &code_.dominators,
                                     &code_.loops))
      return true;
  return false;
}

// A term for what a plain store writes: equal terms are equal values.
std::string Questions::stored_value(Event& event, const AccessCall& access) {
  if (!access.stored) return "";
  const auto& value = *access.stored;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&value))
    return smt_number(static_cast<Wide>(number->getValueAPF().bitcastToAPInt().getZExtValue()));
  const auto* type = value.getType();
  if (type->isVectorTy() || type->isPointerTy()) return "";
  if (type->isIntegerTy(1))
    return Terms(script_).choose(event.truth(value), number(1), number(0)).text;
  const auto bits = type->getScalarSizeInBits();
  const auto term = event.term(value);
  if (code_.varies(value) && !script_.unknowns_in({term.text}).empty())
    return scope_.any_data ? event.value_of_data(value).value_or("") : "";
  return type->isIntegerTy() ? Terms(script_).as_unsigned(term, bits).text : term.text;
}

// Two sums on one counter have different results.
std::string Questions::distinct_slots() {
  const auto counters = code_.counters();
  const auto place = [](Event& event, const llvm::AtomicRMWInst& update) -> std::optional<Term> {
    const auto* step = llvm::dyn_cast<llvm::GEPOperator>(update.getPointerOperand());
    if (!step || step->getNumIndices() != 1 || !bounded_offset(*step->getOperand(1)))
      return std::nullopt;
    return event.term(*step->getOperand(1));
  };
  Terms terms(script_);
  Truth all{"true"};
  for (const auto* one : counters)
    for (const auto* other : counters) {
      if (code_.object_of(*one->getPointerOperand()) !=
          code_.object_of(*other->getPointerOperand()))
        continue;
      const auto a = place(first_, *one), b = place(second_, *other);
      if (!a || !b) continue;
      all = all && !(equal(*a, *b) && equal(first_.term(*one), second_.term(*other)));
    }
  return all.text;
}

// From the first byte of the memory that objects may share.
Term Questions::offset_in_memory(Event& event, const AccessCall& access, unsigned object) {
  Terms terms(script_);
  return terms.add(terms.as_signed(event.term(*access.offset), 64),
                   number(static_cast<Wide>(code_.offset_of(object))));
}

// The bytes that all accesses have, if each lies at a multiple of them; otherwise 1.
unsigned Questions::unit_of(const std::vector<Following>& accesses,
                            const std::vector<unsigned>& objects) {
  unsigned unit = 0;
  for (const auto& each : accesses) {
    const auto& access = *each.access;
    if (unit != 0 && access.bytes != unit) return 1;
    unit = access.bytes;
    for (auto* event : {&first_, &second_})
      for (const auto object : objects) {
        const auto offset = offset_in_memory(*event, access, object);
        const auto factor = offset.constant() ? *offset.constant() : offset.factor;
        if (factor % unit != 0) return 1;
      }
  }
  return std::max(1U, unit);
}

Questions::Choice Questions::choose(Event& event, const std::string& name,
                                    const std::vector<Following>& accesses,
                                    const std::vector<unsigned>& objects, unsigned unit,
                                    bool only_writes) {
  Terms terms(script_);
  Choice choice;
  choice.chosen = script_.declare("c" + name, Sort::integer);
  choice.offset = script_.declare("o" + name, Sort::integer);
  choice.bytes = script_.declare("n" + name, Sort::integer);
  const auto value = script_.declare("w" + name, Sort::integer);
  const auto flag = [&](const char* prefix) {
    return script_.declare(prefix + name, Sort::boolean);
  };
  const auto writes = flag("writes"), atomic = flag("atomic"), adds = flag("adds"),
             stores = flag("stores"), valued = flag("valued");
  choice.formula = "(or";
  for (const auto& each : accesses) {
    const auto& access = *each.access;
    if (only_writes && !access.writes) continue;
    const auto possible = code_.objects_of(*access.object);
    for (const auto object : objects) {
      if (possible && !possible->contains(object)) continue;
      const auto turns = makes_turns(event, each);
      const auto way = event.reaches(*access.call->getParent());
      auto condition = way && same_iterations(event, each) && turns;
      if (!llvm::isa<llvm::ConstantInt>(access.object))
        condition = condition && equal(event.term(*access.object), number(object));
      if (access.same && llvm::isa<llvm::ConstantInt>(access.same))
        condition = condition && !event.truth(*access.same);  // it leaves what is there
      if (condition.is_false()) continue;
      const auto offset = terms.part(offset_in_memory(event, access, object), unit);
      const auto stored = access.atomic ? "" : stored_value(event, access);
      auto all = fmt::format(
          "(and {} (= {} {}) (= {} {}) (= {} {}) (= {} {}) (= {} {}) (= {} {}) "
          "(= {} {}) (= {} {})",
          condition.text, choice.chosen, choice.conditions.size(), choice.offset, offset.text,
          choice.bytes, access.bytes / unit, writes, bool_text(access.writes), atomic,
          bool_text(access.atomic), adds, bool_text(access.adds), stores, bool_text(access.stores),
          valued, bool_text(!stored.empty()));
      if (!stored.empty()) all += fmt::format(" (= {} {})", value, stored);
      all = script_.define("a", Sort::boolean, all + ")");
      choice.conditions.push_back(all);
      choice.places.push_back(access.location);
      choice.offsets.push_back(offset.text);
      choice.turns.push_back(turns.text);
      choice.is_exact.push_back(is_exact(event, each));
      choice.ways.push_back(way.text);
      choice.stored.push_back(access.atomic ? nullptr : access.stored);
      choice.may_repeat.push_back(may_repeat(event, access));
      choice.formula += " " + all;
    }
  }
  choice.formula = choice.conditions.empty() ? "false" : choice.formula + ")";
  choice.symbols = {value, writes, atomic, adds, stores, valued};
  return choice;
}

std::optional<ProofClaim> Questions::race_between(const std::vector<unsigned>& objects, Pair pair,
                                                  const std::vector<Following>& accesses) {
  const auto unit = unit_of(accesses, objects);
  const auto s = choose(first_, "s", accesses, objects, unit, true);
  if (s.conditions.empty()) return std::nullopt;
  const auto t = choose(second_, "t", accesses, objects, unit, false);
  const auto& [s_value, s_writes, s_atomic, s_adds, s_stores, s_valued] = s.symbols;
  const auto& [t_value, t_writes, t_atomic, t_adds, t_stores, t_valued] = t.symbols;
  const auto overlap = unit > 1 ? fmt::format("(= {} {})", s.offset, t.offset)
                                : fmt::format("(and (< {} (+ {} {})) (< {} (+ {} {})))", s.offset,
                                              t.offset, t.bytes, t.offset, s.offset, s.bytes);
  // Two atomic accesses do not race, unless a store may delete a sum.
  const auto conflict = fmt::format("(or (not (and {} {})) (and {} {}) (and {} {}))", s_atomic,
                                    t_atomic, s_stores, t_adds, s_adds, t_stores);
  // Equal stores may come in any order.
  const auto differ =
      fmt::format("(not (and {} {} {} (= {} {}) (= {} {}) (= {} {})))", t_writes, s_valued,
                  t_valued, s.offset, t.offset, s.bytes, t.bytes, s_value, t_value);
  const std::vector<std::string> common = {relation(pair).text, overlap, conflict, differ,
                                           distinct_slots()};
  auto asked = std::vector<std::string>{s.chosen, t.chosen, s.offset, t_writes,
                                        s_atomic, t_atomic, s_valued, t_valued};
  for (const char* position : {"lx", "ly", "lz", "gx", "gy", "gz"})
    for (const char* event : {"s", "t"}) asked.push_back(std::string(position) + event);
  const auto ask = [&](const std::string& one, const std::string& other) {
    auto formulas = common;
    formulas.push_back(one);
    formulas.push_back(other);
    return std::pair(solve(formulas, asked), formulas);
  };
  const auto claim_of = [&](const Solution& solution) {
    const auto i = static_cast<std::size_t>(integer_of(solution, s.chosen));
    const auto j = static_cast<std::size_t>(integer_of(solution, t.chosen));
    ProofClaim claim{.subject = ProofSubject::races,
                     .object = code_.signature.objects[objects.front()].name};
    claim.counterexample = Counterexample{.first = thread_of(solution, "s", s.places[i]),
                                          .second = thread_of(solution, "t", t.places[j]),
                                          .both_write = holds(solution, t_writes),
                                          .offset = integer_of(solution, s.offset) * unit};
    explain(claim, {relation(pair).text, s.conditions[i], t.conditions[j]});
    const bool is_exact = s.is_exact[i] && t.is_exact[j];
    const std::vector<std::string> place{s.offsets[i], t.offsets[j], s.turns[i], t.turns[j]};
    claim.counterexample->is_certain_place = is_exact && unknowns_in(place).empty();
    if (claim.answer == ProofAnswer::refuted && !is_exact) {
      claim.answer = ProofAnswer::unknown;
      claim.reason = "a barrier that not all paths reach may order the two accesses";
      claim.counterexample->is_certain = false;
    }
    if (claim.answer == ProofAnswer::refuted && (s.may_repeat[i] || t.may_repeat[j])) {
      claim.answer = ProofAnswer::unknown;
      claim.reason = "the thread may have stored the same value there before";
      claim.counterexample->is_certain = false;
    }
    if (claim.line == 0) claim.line = code_.line(s.places[i]);
    // Stores of data may be equal, as those of simdgroups that compute the same.
    const auto solved = [&](const std::string& flag) { return holds(solution, flag); };
    const bool both_write = solved(t_writes) && !solved(s_atomic) && !solved(t_atomic);
    if (claim.answer == ProofAnswer::refuted && both_write &&
        !(solved(s_valued) && solved(t_valued))) {
      claim.answer = ProofAnswer::unknown;
      claim.reason = "it depends on whether the two stored values are equal";
      claim.counterexample->is_certain = false;
    }
    if (both_write) {
      // Data that lead the threads there may lead only one of them there.
      auto way = place;
      way.insert(way.end(), {s.ways[i], t.ways[j], relation(pair).text});
      const bool is_certain_way = is_exact && script_.unknowns_in(way).empty();
      claim.counterexample->values_differ =
          is_certain_way && ((solved(s_valued) && solved(t_valued)) ||
                             differ_for_most_data(s.stored[i], t.stored[j]));
      if (claim.answer == ProofAnswer::refuted && !is_certain_way) {
        claim.answer = ProofAnswer::unknown;
        claim.reason = "it depends on data that the kernel limits";
        claim.counterexample->is_certain = false;
      }
    }
    return claim;
  };
  // Two stores may store equal values. A load beside a store is a fault for most data, so it is
  // preferred.
  const auto best_claim = [&](const std::string& one, const std::string& other,
                              const Solution& solution) {
    auto claim = claim_of(solution);
    if (claim.answer == ProofAnswer::refuted || !scope_.any_data ||
        !claim.counterexample->both_write)
      return claim;
    const auto reads = ask(one, fmt::format("(and {} (not {}))", other, t_writes)).first;
    return reads.answer == Answer::possible ? claim_of(reads) : claim;
  };
  const auto is_enough = [&](const ProofClaim& claim) {
    return claim.answer == ProofAnswer::refuted ||
           (scope_.any_data && claim.counterexample->is_certain_place &&
            (!claim.counterexample->both_write || claim.counterexample->values_differ));
  };
  const auto whole = ask(s.formula, t.formula).first;
  if (whole.answer == Answer::impossible) return std::nullopt;
  std::optional<ProofClaim> found;
  if (whole.answer == Answer::possible) {
    found = best_claim(s.formula, t.formula, whole);
    if (is_enough(*found)) return found;
  }
  // The question about all accesses gave no certain race, or was too hard: asks about each pair, or
  // about each store and all accesses if there are too many pairs.
  constexpr std::size_t most_pairs = 400;
  const bool has_many = s.conditions.size() * t.conditions.size() > most_pairs;
  if (has_many && found) return found;
  const std::vector<std::string> all{t.formula};
  bool is_decided = true;
  for (std::size_t i = 0; i < s.conditions.size(); ++i) {
    const auto& others = has_many ? all : t.conditions;
    for (std::size_t j = 0; j < others.size(); ++j) {
      const auto &one = s.conditions[i], &other = others[j];
      const bool may_be_certain = !has_many && s.is_exact[i] && t.is_exact[j] && !s.may_repeat[i] &&
                                  !t.may_repeat[j] &&
                                  unknowns_in({relation(pair).text, one, other}).empty();
      if (found && !may_be_certain) continue;
      const auto solution = ask(one, other).first;
      if (solution.answer == Answer::undecided) is_decided = false;
      if (solution.answer != Answer::possible) continue;
      auto claim = best_claim(one, other, solution);
      if (is_enough(claim)) return claim;
      if (!found) found = std::move(claim);
    }
  }
  if (!found && !is_decided)
    return undecided(ProofSubject::races, code_.signature.objects[objects.front()].name);
  return found;
}

// Of objects that share memory.
ProofClaim Questions::races_on(const std::vector<unsigned>& objects) {
  const auto& name = code_.signature.objects[objects.front()].name;
  const bool is_threadgroup = code_.is_threadgroup(objects.front());
  ProofClaim proved{.subject = ProofSubject::races, .object = name, .answer = ProofAnswer::proved};
  const auto orders = [&](const Barrier& barrier) {
    const bool orders = is_threadgroup ? barrier.orders_threadgroup : barrier.orders_device;
    if (!orders && scope_.flags_matter) return Order::never;
    return proved_.contains(barrier.call) ? Order::always : Order::maybe;
  };
  std::optional<ProofClaim> open;
  const auto ask = [&](Pair pair, const Separates& separates) {
    for (const auto& start : starts(code_, separates)) {
      auto accesses = following(code_, start, separates);
      std::erase_if(accesses, [&](const Following& each) {
        const auto possible = code_.objects_of(*each.access->object);
        return possible && std::none_of(objects.begin(), objects.end(),
                                        [&](auto object) { return possible->contains(object); });
      });
      auto claim = race_between(objects, pair, accesses);
      if (!claim) continue;
      const bool is_better = !open || claim->answer == ProofAnswer::refuted ||
                             (claim->counterexample && !open->counterexample);
      if (is_better) open = std::move(claim);
      if (open->answer == ProofAnswer::refuted) return;
    }
  };
  const auto never = [](const Barrier&) { return Order::never; };
  const auto& facts = code_.facts;
  if (!is_threadgroup && (groups(facts, 0) > 1 || groups(facts, 1) > 1 || groups(facts, 2) > 1))
    ask(Pair::other_threadgroups, never);
  if (open && open->answer == ProofAnswer::refuted) return *open;
  if (facts.threadgroup.count() > 1) {
    const auto of_threadgroup = [&](const Barrier& barrier) {
      return barrier.of_simdgroup ? Order::never : orders(barrier);
    };
    const bool has_lanes = std::any_of(
        code_.calls.barriers.begin(), code_.calls.barriers.end(), [&](const Barrier& barrier) {
          return orders(barrier) != Order::never && barrier.of_simdgroup;
        });
    ask(has_lanes ? Pair::other_simdgroups : Pair::one_threadgroup, of_threadgroup);
    if (has_lanes && !(open && open->answer == ProofAnswer::refuted))
      ask(Pair::one_simdgroup, orders);
  }
  if (open) return *open;
  if (!all_barriers_proved_ && facts.threadgroup.count() > 1) {
    proved.answer = ProofAnswer::unknown;
    proved.reason = "a barrier may be reached by some threads only";
  }
  return proved;
}

void Questions::claim_races(std::vector<ProofClaim>& claims) {
  std::map<std::size_t, std::vector<unsigned>> by_memory;
  for (unsigned i = 0; i < code_.signature.objects.size(); ++i)
    by_memory[code_.memory_of(i)].push_back(i);
  const bool may_alias = code_.signature.anywhere.has_value();
  for (const auto& [memory, objects] : by_memory) {
    const bool is_written = std::any_of(objects.begin(), objects.end(), [&](unsigned object) {
      return code_.signature.objects[object].written;
    });
    const bool is_threadgroup = code_.is_threadgroup(objects.front());
    const auto refuse = [&](const char* reason) {
      claims.push_back({.subject = ProofSubject::races,
                        .object = code_.signature.objects[objects.front()].name,
                        .reason = reason});
    };
    if (may_alias && !is_threadgroup) {
      refuse("the kernel follows pointers that it loads");
      continue;
    }
    if (!is_written) continue;
    if (code_.calls.has_fence)
      refuse("a fence orders threads by what they have seen");
    else
      claims.push_back(races_on(objects));
  }
}

}  // namespace msci::prover
